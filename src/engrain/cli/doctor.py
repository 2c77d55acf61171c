"""`engrain doctor`."""

from __future__ import annotations

import os
import time

import click

from engrain.cli.output import as_json, plural, say_json
from engrain.errors import EngrainError
from engrain.upkeep import doctor
from engrain.upkeep.doctor import OK, PROBLEM, Finding, Patient

_MARKS = {OK: ("✓", "green"), doctor.WARNING: ("!", "yellow"), PROBLEM: ("✗", "red")}


@click.command("doctor")
@click.option("--deep", is_flag=True, help="Read the whole store, not its structure alone.")
@click.option("--fix", is_flag=True, help="Close files that others may read. Nothing else is changed.")
@as_json
def command(deep: bool, fix: bool, as_json: bool) -> int:
    """Find what is wrong and explain it.

    Looks for a damaged file, a full disk, a newer schema, open modes, an old spool, jobs that were given up and backups
    that still hold what was forgotten. Says of each agent whether it is wired, when it was heard of last, and how long
    its hooks take; and whether others share here what is not trusted yet. Exit 1 when there is a problem.

    \b
    Examples:
      engrain doctor
      engrain doctor --deep --json
    """
    found = _examine(deep, fix)
    if as_json:
        say_json([finding._asdict() for finding in found])
    else:
        for finding in found:
            mark, colour = _MARKS[finding.level]
            click.secho(f"{mark} {finding.check:<9}", fg=colour, nl=False)
            click.echo(finding.says)
    return 1 if any(finding.level == PROBLEM for finding in found) else 0


def _examine(deep: bool, fix: bool) -> list[Finding]:
    from engrain.cli.wiring import every_part
    from engrain.install import plan, wiring
    from engrain.memory import Memory
    from engrain.memory.remote.memory import Remote
    from engrain.paths import locate

    try:
        memory = Memory.open()
    except EngrainError as exc:
        return [Finding(PROBLEM, "config", str(exc)), Finding(OK, "home", locate(os.environ).root)]
    remote = memory if isinstance(memory, Remote) else None
    with memory:
        closed = doctor.close_modes(memory.home) if fix else 0
        parts = every_part(memory)
        here = {of.name for of in wiring.found(os.path.expanduser("~"), os.environ)}
        patient = Patient(
            memory.home,
            lambda: memory.store,
            reserve_mb=memory.config.number("disk.reserve_mb"),
            deep=deep,
            now=time.time(),
            keep_days=memory.config.number("train.keep"),
            settings=[part.path for part in parts if part.form == wiring.JSON],
            agents=[(of.name, of.called, of.name in here) for of in wiring.AGENTS],
            wired=plan.hooked(parts),
            team=lambda: memory.offered() if memory.exists and not remote else None,
            server=remote.standing if remote else None,
            wordless=str if remote else memory.without_meaning,
        )
        found = doctor.examine(patient)
    if closed:
        found.insert(0, Finding(OK, "modes", f"closed {plural(closed, 'file')} that others could read"))
    return found
