"""`engrain init`."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, plural, say_json
from engrain.cli.wiring import changed, chosen, diff, target


@click.command("init")
@target
@click.option("--dry-run", is_flag=True, help="Show what would be changed, as a diff, and change nothing.")
@as_json
def command(level: str, agent: str, dry_run: bool, as_json: bool) -> None:
    """Have an agent's sessions recorded, and known failures answered: wires its hooks.

    Entries are added to the settings of this repository, which a team may share: they do nothing where Engrain is not
    installed. All else in the file stays as it is, to the byte, and `engrain clean` takes the entries out again.

    \b
    Examples:
      engrain init --dry-run
      engrain init
      engrain init --global
    """
    from engrain.install import launcher, ledger
    from engrain.memory import Memory

    with Memory.open() as memory:
        of, path = chosen(memory, level, agent)
        change = ledger.putting(memory.home, path, of.wires)
        if not dry_run:
            # The launcher first: a hook that finds none does nothing.
            place = launcher.write(memory.home)
            ledger.apply(memory.home, change)
    events = [wire.event for wire in of.wires]
    if as_json:
        say_json({"agent": of.name, "events": events, **changed(change, dry_run)})
    elif dry_run:
        click.echo(diff(change) or f"{change.path} is wired already; nothing would be changed", nl=not change.changes)
    else:
        done = "is wired" if change.changes else "was wired already"
        click.echo(f"{of.called} {done}: {change.path} ({plural(len(events), 'event')})")
        click.echo(f"they run {place}, which does nothing but record and answer; `engrain doctor` looks after it")
        if level == "project" and not os.environ.get("ENGRAIN_HOME"):
            click.echo("commit the file to share it: it is the same for everybody")
