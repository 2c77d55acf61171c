"""`engrain install`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from engrain.cli.output import as_json, confirmed, plural, progress, say_json, yes
from engrain.cli.wiring import agents, changed, diff, dry_run, no_mcp, shown

if TYPE_CHECKING:
    from engrain.capture.transcripts.files import Unit
    from engrain.install.ledger import Change
    from engrain.install.plan import Plan
    from engrain.memory import Memory
    from engrain.memory.finding import Finding

HOLDOUT = 0.05
TOLD = ("claude-code", "codex")
"""Agents that leave transcripts which can be brought."""


@click.command("install")
@click.option(
    "--global", "names", multiple=True, metavar="AGENT", help="Wire it for every repository; repeat for more."
)
@click.option(
    "--backfill/--no-backfill", default=None, help="Bring the sessions that agents wrote down; or do not ask."
)
@click.option("--holdout", type=click.FloatRange(0, 0.5), help="Share of answers held back, to measure what they gain.")
@no_mcp
@dry_run
@yes
@as_json
def command(
    names: tuple[str, ...], backfill: bool | None, holdout: float | None, no_mcp: bool, dry_run: bool, yes: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Set Engrain up for yourself: what hooks run, your own agents, the sessions of before.

    Finds the agents of this machine. Those that --global names are wired in your own settings, for every repository; no
    other file outside Engrain's home is written, and all of it is shown first. Then the sessions that agents wrote down
    are offered to be brought, and a share of answers to be held back, so that `engrain stats` can tell what they gain.
    It asks on a terminal alone: elsewhere say --yes, and name what you want. `engrain init` wires one repository.

    \b
    Examples:
      engrain install --dry-run --global claude-code
      engrain install
      engrain install --global claude-code --global codex
      engrain install --yes --global all --backfill --holdout 0.05
    """
    from engrain.install import launcher, ledger
    from engrain.memory import Memory

    with Memory.open() as memory:
        made = _planned(memory, names, mcp=not no_mcp)
        changes = [change for change in made.changes if change.changes]
        if not as_json:
            _shown(memory, made, dry_run=dry_run)
        if dry_run:
            if as_json:
                say_json({**_fields(names, made, dry_run=True), "holdout": memory.config.number("hook.holdout")})
            return 2 if made.refused else 0
        confirmed(_question(memory, changes), yes)
        launcher.ready(memory.home)
        with ledger.locked(memory.home):
            made = _planned(memory, names, mcp=not no_mcp)
            made = made._replace(refused=(*made.refused, *ledger.apply(memory.home, made.changes)))
        brought = _brought(memory, backfill, asks=not yes and not as_json, as_json=as_json)
        share = _held_back(memory, holdout, asks=not yes and not as_json)
        found = memory.finding() if brought else None
    if as_json:
        told = found._asdict() | {"fix": found.fix and found.fix._asdict()} if found else None
        say_json({**_fields(names, made, dry_run=False), "holdout": share, "brought": brought, "found": told})
    else:
        _said(memory, made)
        if found:
            _found_there(found)
    return 2 if made.refused else 0


def _found_there(found: Finding) -> None:
    """Something true that stands in what was brought."""
    from engrain.recall.told import one_line, record

    where = plural(found.sessions, "session") if found.sessions else f"{found.times} places"
    click.echo(f"\nfound there: {click.style(one_line(found.message, 100), bold=True)}")
    click.echo(f"  in {where} of {found.project}, {plural(found.times, 'time')} in all")
    if found.fix:
        steps = ", then ".join(f"`{one_line(step, 80)}`" for step in found.fix.steps[:3])
        click.echo(f"  what ended it: {steps} ({record(found.fix)})")
        click.echo("  once a repository is wired, that stands beside the error when it comes again")


def _planned(memory: Memory, names: tuple[str, ...], *, mcp: bool) -> Plan:
    from engrain.install import plan, wiring

    has = plan.EVERYTHING if mcp else tuple(each for each in plan.EVERYTHING if each != wiring.SERVER)
    return plan.putting(memory.home, plan.for_user(agents(names), os.path.expanduser("~"), os.environ, has))


def _found() -> list[Any]:
    from engrain.install import wiring

    return wiring.found(os.path.expanduser("~"), os.environ)


def _fields(names: tuple[str, ...], made: Plan, *, dry_run: bool) -> dict[str, Any]:
    return {
        "agents": [of.name for of in agents(names)],
        "found": [of.name for of in _found()],
        "files": [changed(each, dry_run) for each in made.changes],
        "refused": list(made.refused),
    }


def _shown(memory: Memory, made: Plan, *, dry_run: bool) -> None:
    """What is there and what is to be written, before anything is."""
    here = _found()
    click.echo(f"agents here: {', '.join(of.called for of in here) or 'none that is known'}")
    click.echo(f"Engrain's home: {memory.home.root}")
    for change in made.changes:
        if change.changes and dry_run:
            click.echo(diff(change), nl=False)
        elif change.changes:
            click.echo(f"  {'new' if change.before is None else 'changed':<8} {shown(change.path)}")
    for why in made.refused:
        click.echo(f"engrain: {why}", err=True)
    if not made.changes and here:
        some = " ".join(f"--global {of.name}" for of in here if of.shows) or f"--global {here[0].name}"
        click.echo(f"your own settings stay as they are; `engrain install {some}` has every repository recorded")


def _question(memory: Memory, changes: list[Change]) -> str:
    what = f"write {plural(len(changes), 'file')} of agents, and " if changes else ""
    told = f"{what}make what hooks run in {shown(memory.home.at('bin'))}?"
    return f"{told[:1].upper()}{told[1:]}"


def _asked(question: str, *, asks: bool, default: bool) -> bool:
    return asks and sys.stdin.isatty() and click.confirm(question, default=default, err=True)


def _brought(memory: Memory, wanted: bool | None, *, asks: bool, as_json: bool) -> dict[str, Any]:
    """The sessions that agents wrote down are in the journal, where somebody wants that."""
    from engrain.cli import importing
    from engrain.errors import BadInput

    done: dict[str, Any] = {}
    for agent in TOLD if wanted is not False else ():
        try:
            units = memory.transcripts(agent)
        except BadInput:
            continue
        if not units:
            continue
        if wanted or _asked(_offer(agent, units), asks=asks, default=True):
            with progress("importing", sum(unit.size for unit in units)) as bar:
                found = memory.import_transcripts(agent, units, bar)
            learned = importing.learned_from(memory)
            done[agent] = {"sessions": found.sessions, "events": found.appended.new, "learned": learned}
            if not as_json:
                click.echo(
                    f"{plural(found.sessions, 'session')} of {importing.AGENTS[agent]}: "
                    f"{plural(found.appended.new, 'new event')}; learned from {plural(learned, 'session')}"
                )
        elif not as_json:
            click.echo(f"`engrain import {agent}` brings {_there(agent, units)}")
    return done


def _offer(agent: str, units: list[Unit]) -> str:
    return f"Bring {_there(agent, units)}? What is secret stays out."


def _there(agent: str, units: list[Unit]) -> str:
    from engrain.cli.importing import AGENTS

    size = sum(unit.size for unit in units) / 1e6
    return f"{plural(len(units), 'session')} that {AGENTS[agent]} wrote down ({size:,.1f} MB)"


def _held_back(memory: Memory, wanted: float | None, *, asks: bool) -> float:
    """The share of answers that are held back from now on."""
    from engrain import config as settings

    now = memory.config.get("hook.holdout")
    gain = "so that `engrain stats` can tell what answers gain"
    question = f"Hold back {HOLDOUT:.0%} of the answers that nobody taught here, {gain}?"
    if wanted is None and now.source == "default" and _asked(question, asks=asks, default=False):
        wanted = HOLDOUT
    if wanted is None:
        return float(now.value)
    settings.store(memory.home, "hook.holdout", str(wanted))
    return wanted


def _said(memory: Memory, made: Plan) -> None:
    for change in made.changes:
        says = ("wrote" if change.before is None else "changed") if change.changes else "as it was"
        click.echo(f"{says:<10} {shown(change.path)}")
    click.echo(f"hooks run {shown(memory.home.at('bin', 'hook'))}; `engrain doctor` looks after it")
    click.echo("in a repository: `engrain init`; to take all of this back: `engrain uninstall`")
