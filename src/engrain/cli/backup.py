"""`engrain backup`."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, columns, plural, progress, say_json
from engrain.errors import StoreDamaged
from engrain.memory import Memory
from engrain.upkeep import backup
from engrain.upkeep.backup import Copy


@click.command("backup")
@click.argument("path", required=False, default="")
@click.option("--list", "list_them", is_flag=True, help="The copies that this home knows.")
@click.option("--check", metavar="FILE", help="Read a copy whole and compare it with what it was.")
@as_json
def command(path: str, list_them: bool, check: str | None, as_json: bool) -> None:
    """Make a copy of the store while others write, read it back, and only then give it its name.

    PATH is a new file or a folder; by default a file that tells the time, in backups/ of the home. A copy is one SQLite
    file, of a PostgreSQL store too.

    \b
    Examples:
      engrain backup
      engrain backup /mnt/safe/engrain.db
      engrain backup --list
      engrain backup --check ~/.local/share/engrain/backups/engrain-20261118T093000Z.db
    """
    with Memory.open() as memory:
        if list_them:
            copies = backup.known(memory.home)
            if as_json:
                say_json(copies)
            else:
                columns([(name, f"{os.path.getsize(name) / 1e6:,.1f} MB") for name in copies])
            return
        if check is not None:
            copy = _checked(memory, check)
        else:
            with progress("backing up", memory.store.count()) as bar:
                copy = memory.backup(path, bar)
    if as_json:
        say_json(copy._asdict())
    else:
        click.echo(f"{copy.path}: {plural(copy.events, 'event')}, intact")


def _checked(memory: Memory, path: str) -> Copy:
    copy = backup.check(path)
    was = backup.registered_digest(memory.home, path)
    if was and was != copy.digest:
        raise StoreDamaged(f"{path} is readable, but not what it was when it was made")
    return copy
