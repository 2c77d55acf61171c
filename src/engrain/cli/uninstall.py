"""`engrain uninstall`."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from engrain.cli.output import as_json, confirmed, plural, say_json, yes
from engrain.cli.wiring import changed, diff, dry_run, shown

if TYPE_CHECKING:
    from engrain.install.plan import Plan
    from engrain.memory import Memory
    from engrain.paths import Home


@click.command("uninstall")
@click.option("--erase-memory", is_flag=True, help="Erase what was recorded and learned, too. There is no undo.")
@dry_run
@yes
@as_json
def command(erase_memory: bool, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Take everything back: every repository and every agent that this home has wired, and what hooks run.

    Files are what they were before, to the byte; what somebody changed since loses our entries alone, and what can't be
    understood is left and named (exit code 2). What was recorded and learned stays where it is, unless --erase-memory
    says otherwise, and then it is told first how much that is. A store on a server is never touched.

    \b
    Examples:
      engrain uninstall --dry-run
      engrain uninstall
      engrain uninstall --yes --json
    """
    from engrain.install import ledger, plan, removal
    from engrain.memory import Memory

    with Memory.open() as memory:
        home = memory.home
        made = plan.taking(home, (), plan.known(home))
        files = [*removal.made(home), *(removal.memory(home) if erase_memory else ())]
        if not as_json:
            _shown(made, files, dry_run=dry_run)
        if dry_run:
            if as_json:
                _tell(made, files, dry_run=True, erase=erase_memory)
            return 2 if made.refused else 0
        if not files and not made.changes:
            click.echo("nothing of Engrain is installed from here", err=True)
            return 1
        confirmed(_question(memory, made, erase=erase_memory), yes)
        if not erase_memory:
            memory.catch_up()
        memory.close()
        with ledger.locked(home):
            made = plan.taking(home, (), plan.known(home))
            made = made._replace(refused=(*made.refused, *ledger.apply(home, made.changes)))
        _unscheduled(home)
        removal.gone(home, [each for each in files if not (made.refused and removal.needed(home, each))])
    if as_json:
        _tell(made, files, dry_run=False, erase=erase_memory)
    else:
        _said(memory, made, erase=erase_memory)
    return 2 if made.refused else 0


def _unscheduled(home: Home) -> None:
    """Copies of single days are made by itself no more, if this home had them made."""
    from engrain.upkeep import schedule

    if schedule.noted(home):
        schedule.unschedule(schedule.machine(os.environ, sys.platform, shutil.which), home, schedule.run)


def _tell(made: Plan, files: list[str], *, dry_run: bool, erase: bool) -> None:
    told = [changed(each, dry_run) for each in made.changes]
    say_json({"files": told, "removed": files, "refused": list(made.refused), "memory_kept": not erase})


def _shown(made: Plan, files: list[str], *, dry_run: bool) -> None:
    """What goes and what becomes of which file, before anything does."""
    for change in made.changes:
        if change.changes and dry_run:
            click.echo(diff(change), nl=False)
        elif change.changes:
            click.echo(f"  {'remove' if change.after is None else 'restore':<8} {shown(change.path)}")
    for path in files:
        click.echo(f"  {'remove':<8} {shown(path)}")
    for why in made.refused:
        click.echo(f"engrain: {why}", err=True)


def _question(memory: Memory, made: Plan, *, erase: bool) -> str:
    from engrain.install import plan

    number = sum(change.changes for change in made.changes)
    where = len(plan.repositories(memory.home))
    places = f", in {where} {'repository' if where == 1 else 'repositories'}" if where else ""
    told = f"Take Engrain out of {plural(number, 'file')}{places}"
    if not erase:
        return f"{told}? What was recorded stays in {shown(memory.home.root)}."
    events = memory.store.count() if memory.exists and "://" not in memory.where else 0
    return f"{told}, and ERASE what was recorded and learned ({plural(events, 'event')}) for good?"


def _said(memory: Memory, made: Plan, *, erase: bool) -> None:
    for change in made.changes:
        if change.changes:
            click.echo(f"{'removed' if change.after is None else 'restored':<10} {shown(change.path)}")
    for why in made.refused:
        click.echo(f"engrain: {why}", err=True)
    root = shown(memory.home.root)
    if memory.where != memory.home.database:
        click.echo("the store that ENGRAIN_STORE or config.toml names stays as it is")
    if not erase:
        click.echo(f"the memory stays in {root}: `engrain install` takes it up again, `engrain export` copies it")
    elif os.path.isdir(memory.home.root):
        left = ", ".join(sorted(os.listdir(memory.home.root))[:10])
        click.echo(f"left in {root}, because it is nothing of Engrain's: {left}")
    click.echo("the program itself goes with whatever brought it: pip, pipx or uv")
