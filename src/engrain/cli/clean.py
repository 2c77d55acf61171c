"""`engrain clean`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, say_json
from engrain.cli.wiring import changed, chosen, diff, target


@click.command("clean")
@target
@click.option("--all", "everywhere", is_flag=True, help="Every file that this home knows to have wired.")
@click.option("--dry-run", is_flag=True, help="Show what would be changed, as a diff, and change nothing.")
@as_json
def command(level: str, agent: str, everywhere: bool, dry_run: bool, as_json: bool) -> int:
    """Take out what `engrain init` put in. What was recorded stays.

    A file that nobody changed since is the same to the byte as before; one that was made for the hooks is gone. From
    one that was changed the entries are taken out, and nothing else. Exit 1 when there was nothing to take out.

    \b
    Examples:
      engrain clean --dry-run
      engrain clean
      engrain clean --all
    """
    from engrain.install import ledger
    from engrain.memory import Memory

    with Memory.open() as memory:
        paths = sorted(ledger.notes(memory.home)) if everywhere else [chosen(memory, level, agent)[1]]
        changes = [ledger.taking(memory.home, path) for path in paths]
        if not dry_run:
            for change in changes:
                ledger.apply(memory.home, change)
    if as_json:
        say_json([changed(change, dry_run) for change in changes])
    for change in () if as_json else changes:
        if dry_run:
            click.echo(diff(change), nl=False)
        else:
            click.echo(f"{change.path}: {_done(change.before, change.after)}")
    return 0 if any(change.changes for change in changes) else 1


def _done(before: bytes | None, after: bytes | None) -> str:
    if before == after:
        return "nothing of ours in it"
    return "removed, as it was made for the hooks" if after is None else "our entries are taken out"
