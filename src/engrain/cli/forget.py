"""`engrain forget`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, brief, columns, confirmed, plural, say_json, when, yes
from engrain.event import microseconds


@click.command("forget")
@click.argument("ids", nargs=-1, metavar="[ID]…")
@click.option("--session", help="Everything of this session.")
@click.option("--project", help="Everything of this project.")
@click.option("--matching", metavar="TEXT", help="Everything whose body contains this text.")
@click.option("--before", metavar="TIME", help="Everything before this time (2026-11-18 or ISO 8601).")
@click.option("--dry-run", is_flag=True, help="Show what would go; change nothing.")
@yes
@as_json
def command(
    ids: tuple[str, ...],
    session: str | None,
    project: str | None,
    matching: str | None,
    before: str | None,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Erase events everywhere, for good: journal, index, log, spool and the copies in the home.

    Conditions join: --project P --before T is what lies in P before T. Only the ids remain, so that no import,
    restore or rebuild brings the events back. There is no undo: --dry-run shows first.

    \b
    Examples:
      engrain forget 019a9c2f6d0a5e0c3b7f4e1d2c3b4a59
      engrain forget --matching "hunter2" --dry-run
      engrain forget --session 8f6a --yes
    """
    from engrain.memory import Memory
    from engrain.store.store import Choice

    for name, value in (("session", session), ("project", project), ("matching", matching), ("before", before)):
        if value == "":
            # An unset variable of a script must not widen what goes.
            raise click.UsageError(f"--{name} is empty; leave it out if it is not meant")
    choice = Choice(tuple(ids), session or "", project or "", _time(before), matching or "")
    if choice == Choice():
        raise click.UsageError("say what to forget: an id, --session, --project, --matching or --before")
    with Memory.open() as memory:
        chosen = memory.to_forget(choice)
        unread = memory.unread_to_forget(choice)
        if dry_run:
            some = memory.get(*chosen[:20])
            if as_json:
                say_json({"would_forget": chosen, "unread": unread})
                return
            columns([(event.id, when(event.time), event.kind, brief(event, 60)) for event in some])
            click.echo(f"would forget {_counted(len(chosen), unread)}")
            return
        confirmed(f"Erase {_counted(len(chosen), unread)} for good?", yes)
        unread = memory.forget_unread(choice) if unread else 0
        done = memory.forget(chosen)
    if as_json:
        say_json({**done._asdict(), "unread": unread})
        return
    click.echo(f"forgot {_counted(len(done.ids), unread)}")
    for path in done.cleaned:
        click.echo(f"erased from the backup {path} too")
    for path in done.still_holding:
        click.echo(f"a copy outside the home still holds it: {path}", err=True)
    if not done.compacted:
        click.echo("a reader is in the way of compacting the file: the next tick does it", err=True)


def _counted(number: int, unread: int) -> str:
    more = f" and {plural(unread, 'record')} that could not be read" if unread else ""
    return f"{plural(number, 'event')}{more}"


def _time(text: str | None) -> int:
    if text is None:
        return 0
    if len(text) == 10:
        text += "T00:00:00+00:00"
    # 0 says that no time is meant; nothing happened before it either way.
    return microseconds(text) or -1
