"""`engrain privacy`."""

from __future__ import annotations

import os
from typing import Any

import click

from engrain.cli.output import as_json, columns, plural, say_json, when
from engrain.memory import Memory
from engrain.redact.sensitive import SENSITIVE, sensitive

NEVER = (
    "Before anything is written, secrets become marks such as «redacted:github-token», and home folders become ~.",
    "Of a sensitive file only a hash of its path is kept; of a file that git ignores, its path and size.",
    "What reads, writes and edits carried lies beside the journal, is in no export and no backup, and expires.",
    "Nothing leaves this machine by itself. `engrain forget` erases for good, `engrain export` shows all there is.",
)


@click.command("privacy")
@click.argument("paths", nargs=-1, metavar="[PATH]…")
@as_json
def command(paths: tuple[str, ...], as_json: bool) -> None:
    """What is kept, since when, how much; and what would be kept of a file at PATH.

    \b
    Examples:
      engrain privacy
      engrain privacy .env src/app.py build/out.log
      engrain privacy --json
    """
    with Memory.open() as memory:
        if paths:
            _explain([_verdict(memory, path) for path in paths], as_json)
            return
        memory.catch_up()
        report = _report(memory)
    if as_json:
        say_json(report)
    else:
        _show(report)


def _verdict(memory: Memory, path: str) -> dict[str, str]:
    full = os.path.abspath(os.path.expanduser(path))
    if reason := sensitive(full):
        return {"path": path, "kept": "a hash of the path", "because": reason}
    if memory.gate.ignores(full, os.path.dirname(full)):
        return {"path": path, "kept": "path and size", "because": "ignored by git"}
    return {"path": path, "kept": "content, redacted, until it expires", "because": "neither sensitive nor ignored"}


def _explain(verdicts: list[dict[str, str]], as_json: bool) -> None:
    if as_json:
        say_json(verdicts)
    else:
        columns([tuple(verdict.values()) for verdict in verdicts], ("path", "kept", "because"))


def _report(memory: Memory) -> dict[str, Any]:
    stats = memory.stats()
    first, last = memory.store.span()
    return {
        "store": stats.store,
        "home": memory.home.root,
        "events": stats.events,
        "since": first,
        "until": last,
        "kinds": stats.kinds,
        "bodies": stats.bodies._asdict(),
        "bodies_days": memory.config.number("train.keep"),
        "redacted": stats.redacted,
        "backups": len(memory.known_backups()),
        "sensitive": [row.reason for row in SENSITIVE],
    }


def _show(report: dict[str, Any]) -> None:
    for line in NEVER:
        click.echo(line)
    click.echo(f"\n{plural(report['events'], 'event')} in {report['store']}", nl=False)
    click.echo(f", from {when(report['since'])} to {when(report['until'])}" if report["events"] else "")
    columns([(kind, number) for kind, number in report["kinds"].items()])
    bodies, days = report["bodies"], report["bodies_days"]
    since = f", the oldest from {when(bodies['since'])}" if bodies["number"] else ""
    click.echo(
        f"\ncontent of {bodies['number']:,} reads, writes and edits: {bodies['characters'] / 1e6:,.1f} MB{since}; "
        f"erased after {days:g} days (train.keep)"
    )
    click.echo(f"{plural(report['backups'], 'backup')} known; `engrain backup --list` names them")
    taken = ", ".join(f"{number:,} {rule}" for rule, number in report["redacted"].items()) or "nothing yet"
    click.echo(f"redacted before it was written: {taken}")
    click.echo(f"never read into memory: {', '.join(report['sensitive'])}")
