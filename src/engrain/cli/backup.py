"""`engrain backup`."""

from __future__ import annotations

import os
import shutil
import sys

import click

from engrain.cli.output import as_json, columns, plural, progress, say_json
from engrain.errors import BadInput, StoreDamaged
from engrain.memory import Memory
from engrain.upkeep import backup, dump, schedule
from engrain.upkeep.backup import Copy


@click.command("backup")
@click.argument("path", required=False, default="")
@click.option("--list", "list_them", is_flag=True, help="The copies that this home knows.")
@click.option("--check", metavar="FILE", help="Read a copy whole and compare it with what it was.")
@click.option("--daily", is_flag=True, help="The copy of a day: of these the newest 3 are kept.")
@click.option("--pg-dump", "pg_dump", is_flag=True, help="Of a PostgreSQL store, by pg_dump: with indexes and vectors.")
@click.option("--schedule", "at", metavar="HH:MM", help="Have --daily run by itself every day.")
@click.option("--unschedule", is_flag=True, help="No longer.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing when all went well.")
@as_json
def command(
    path: str, list_them: bool, check: str | None, daily: bool, pg_dump: bool, at: str | None, unschedule: bool,
    quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Make a copy of the store while others write, read it back, and only then give it its name.

    PATH is a new file or a folder; by default a file that tells the time, in backups/ of the home. A copy is one SQLite
    file with the whole journal, of a PostgreSQL store too: it needs no tool, and any Engrain restores it anywhere. With
    --pg-dump it is what pg_dump writes.

    \b
    Examples:
      engrain backup
      engrain backup /mnt/safe/engrain.db
      engrain backup --schedule 03:30
      engrain backup --list
      engrain backup --check ~/.local/share/engrain/backups/engrain-20261118T093000Z.db
    """
    if sum(map(bool, (list_them, check, daily, pg_dump, at, unschedule))) > 1 or (path and (daily or list_them)):
        raise BadInput("one thing at a time: a copy, --list, --check, --daily, --pg-dump, --schedule or --unschedule")
    if path in ("list", "check", "daily", "schedule", "unschedule"):
        raise BadInput(f"--{path} is an option; a copy in a file of that name is ./{path}")
    with Memory.open() as memory:
        if at or unschedule:
            _scheduled(memory, at, as_json=as_json)
            return
        if list_them:
            _listed(backup.known(memory.home), as_json=as_json)
            return
        copy = _checked(memory, check) if check is not None else _made(memory, path, daily=daily, pg_dump=pg_dump)
    if as_json:
        say_json(copy._asdict())
    elif not quiet:
        number = f"{plural(copy.events, 'event')}, " if copy.events or not copy.path.endswith(dump.ENDING) else ""
        click.echo(f"{copy.path}: {number}intact")


def _made(memory: Memory, path: str, *, daily: bool, pg_dump: bool) -> Copy:
    if pg_dump:
        return memory.pg_dump(path)
    with progress("backing up", memory.store.count()) as bar:
        if daily:
            return memory.daily_backup(bar)
        return memory.backup(path, bar)


def _listed(copies: list[str], *, as_json: bool) -> None:
    if as_json:
        say_json(copies)
    else:
        columns([(name, f"{os.path.getsize(name) / 1e6:,.1f} MB") for name in copies])


def _checked(memory: Memory, path: str) -> Copy:
    copy = dump.check(path) if path.endswith(dump.ENDING) else backup.check(path)
    was = backup.registered_digest(memory.home, path)
    if was and was != copy.digest:
        raise StoreDamaged(f"{path} is readable, but not what it was when it was made")
    return copy


def _scheduled(memory: Memory, at: str | None, *, as_json: bool) -> None:
    on = schedule.machine(os.environ, sys.platform, shutil.which)
    if at is None:
        was = schedule.unschedule(on, memory.home, schedule.run)
        say_json({"scheduled": False, "was": was}) if as_json else click.echo(
            "no copy is made by itself any more" if was else "no copy was made by itself"
        )
        return
    if memory.config.get("store").source == "ENGRAIN_STORE":
        raise BadInput("ENGRAIN_STORE is set here alone: `engrain config set store …`, so that every day knows it")
    made = schedule.schedule(on, memory.home.ensure(), at, schedule.run)
    if as_json:
        say_json({"scheduled": True, **made._asdict()})
        return
    click.echo(f"a copy is made every day at {made.at}, by {made.kind}; the newest {backup.KEPT} are kept")
    for path in made.files:
        click.echo(f"  {path}")
