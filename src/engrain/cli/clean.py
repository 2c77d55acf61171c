"""`engrain clean`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engrain.cli.output import as_json
from engrain.cli.wiring import agents, dry_run, show, target

if TYPE_CHECKING:
    from engrain.install.ledger import Change
    from engrain.install.plan import Plan
    from engrain.memory import Memory


@click.command("clean")
@target
@click.option("--all", "everywhere", is_flag=True, help="Every file that this home knows to have wired.")
@dry_run
@as_json
def command(level: str | None, names: tuple[str, ...], everywhere: bool, dry_run: bool, as_json: bool) -> int:
    """Take out what `engrain init` put in. What was recorded stays.

    A file that nobody changed since is the same to the byte as before; one that was made for Engrain is gone, unless
    git has it, when it is left empty. From one that was changed our entries are taken out, and nothing else. Exit 1
    when there was nothing to take out.

    \b
    Examples:
      engrain clean --dry-run
      engrain clean
      engrain clean --agent cursor
      engrain clean --all
    """
    from engrain.install import ledger
    from engrain.memory import Memory

    with Memory.open() as memory, ledger.locked(memory.home):
        made = planned(memory, level, names, everywhere=everywhere)
        if not dry_run:
            made = made._replace(refused=(*made.refused, *ledger.apply(memory.home, made.changes)))
    code = show(made, dry_run=dry_run, as_json=as_json, done=_done)
    changes = any(change.changes for change in made.changes)
    if not changes and not as_json:
        click.echo("there is nothing of ours to take out", err=True)
    return code or (0 if changes else 1)


def planned(memory: Memory, level: str | None, names: tuple[str, ...], *, everywhere: bool) -> Plan:
    """What takes it out."""
    import os

    from engrain.install import plan, wiring

    home, user = memory.home, os.path.expanduser("~")
    of = agents(names, wiring.AGENTS)
    if everywhere:
        return plan.taking(home, (), plan.known(home))
    if level == plan.USER:
        found = plan.for_user(of, user, os.environ)
        here = {os.path.realpath(part.path) for part in found}
        return plan.taking(home, found, [path for path in plan.known(home) if path in here])
    root = memory.project.root
    levels = (level,) if level else (plan.PROJECT, plan.LOCAL)
    found = [part for each in levels for part in plan.for_repository(root, of, each)]
    if names:
        # What agents share stays for the others.
        found = [part for part in found if part.agent and part.form != wiring.MARKDOWN]
        return plan.taking(home, found)
    here = set(plan.known(home, root)) if not level else set()
    return plan.taking(home, found, here)


def _done(change: Change) -> str:
    if not change.changes:
        return ""
    return "removed" if change.after is None else "restored"
