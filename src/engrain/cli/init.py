"""`engrain init`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from engrain.cli.output import as_json
from engrain.cli.wiring import dry_run, no_mcp, parts, show, target

if TYPE_CHECKING:
    from engrain.install.ledger import Change


@click.command("init")
@target
@no_mcp
@dry_run
@as_json
def command(level: str | None, names: tuple[str, ...], no_mcp: bool, dry_run: bool, as_json: bool) -> int:
    """Wire this repository: agents' sessions are recorded, and known failures answered.

    Entries are added to what agents read here, which a team may share: hooks, the server that they may ask, a marked
    block in AGENTS.md and CLAUDE.md, lines in .gitignore. They do nothing where Engrain is not installed. All else in
    the files stays as it is, to the byte, and `engrain clean` takes it out again. A file that can't be understood is
    left alone and named, and the exit code is 2.

    Agents: claude-code, codex, cursor, gemini, opencode; windsurf and cline where the repository has their folder.

    \b
    Examples:
      engrain init --dry-run
      engrain init
      engrain init --agent codex --agent gemini
      engrain init --local
    """
    from engrain.install import launcher, ledger, plan
    from engrain.memory import Memory

    with Memory.open() as memory:
        at = level or plan.PROJECT
        wanted = parts(memory, at, names, mcp=not no_mcp)
        if dry_run:
            made = plan.putting(memory.home, wanted)
        else:
            # The launcher first: a hook that finds none does nothing.
            launcher.ready(memory.home)
            with ledger.locked(memory.home):
                made = plan.putting(memory.home, wanted)
                made = made._replace(refused=(*made.refused, *ledger.apply(memory.home, made.changes)))
    of = list(dict.fromkeys(part.agent for part in wanted if part.agent))
    code = show(made, dry_run=dry_run, as_json=as_json, done=_done, agents=of, level=at)
    if not as_json and not dry_run:
        _after(memory, at, any(change.changes for change in made.changes))
    elif dry_run and not as_json and not any(change.changes for change in made.changes):
        click.echo("everything is wired already; nothing would be changed")
    return code


def _done(change: Change) -> str:
    return ("wrote" if change.before is None else "changed") if change.changes else "as it was"


def _after(memory: object, level: str, changes: bool) -> None:
    from engrain.memory import Memory

    assert isinstance(memory, Memory)
    click.echo(f"hooks run {os.path.join(memory.home.root, 'bin', 'hook')}; `engrain doctor` looks after it")
    if level == "project" and changes:
        click.echo("commit these files to share them: they are the same for everybody")
