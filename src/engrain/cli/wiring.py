"""What `init`, `clean`, `install` and `uninstall` share: which agents and files are meant, and how a plan is shown."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from engrain.cli.output import say_json

if TYPE_CHECKING:
    from engrain.install.ledger import Change
    from engrain.install.plan import Plan
    from engrain.install.wiring import Agent, Part
    from engrain.memory import Memory

    Function = Callable[..., Any]

dry_run = click.option("--dry-run", is_flag=True, help="Show what would be changed, as a diff, and change nothing.")
no_mcp = click.option("--no-mcp", is_flag=True, help="Do not register `engrain mcp` with the agents.")


def target(command: Function) -> Function:
    """The options that say which settings are meant."""
    for option in (
        click.option("--agent", "names", multiple=True, metavar="AGENT", help="This agent alone; repeat it for more."),
        click.option("--local", "level", flag_value="local", help="The settings of your own copy, never committed."),
        click.option("--global", "level", flag_value="user", help="Your own settings, for every repository."),
        click.option("--project", "level", flag_value="project", help="This repository's (the default)."),
    ):
        command = option(command)
    return command


def agents(names: Iterable[str], otherwise: Sequence[Agent] = ()) -> tuple[Agent, ...]:
    """The agents of these names; several may be joined by commas, and `all` is every one."""
    from engrain.install import wiring

    said = [name for each in names for name in each.split(",") if name]
    if "all" in said:
        return wiring.AGENTS
    return tuple(wiring.agent(name) for name in dict.fromkeys(said)) or tuple(otherwise)


def parts(memory: Memory, level: str, names: Iterable[str], *, mcp: bool = True) -> list[Part]:
    """What is written, at one level."""
    from engrain.install import plan, wiring

    user, root = os.path.expanduser("~"), memory.project.root
    has = plan.EVERYTHING if mcp else tuple(each for each in plan.EVERYTHING if each != wiring.SERVER)
    if level == wiring.USER:
        return plan.for_user(agents(names, wiring.AGENTS[:1]), user, os.environ, has)
    plan.checked_root(root, user)
    return plan.for_repository(root, agents(names, wiring.used(root)), level, has)


def every_part(memory: Memory) -> list[Part]:
    """What every agent may have here, at every level."""
    from engrain.install import plan
    from engrain.install.wiring import AGENTS, LOCAL, PROJECT

    user, root = os.path.expanduser("~"), memory.project.root
    found = plan.for_user(AGENTS, user, os.environ)
    for level in (PROJECT, LOCAL):
        found += plan.for_repository(root, AGENTS, level)
    return found


# Shown


def show(made: Plan, *, dry_run: bool, as_json: bool, done: Callable[[Change], str], **more: Any) -> int:
    """Says what a plan does, or would do; 2 when a file is left alone for a reason that somebody should look at."""
    if as_json:
        say_json({**more, "files": [changed(each, dry_run) for each in made.changes], "refused": list(made.refused)})
    for change in () if as_json else made.changes:
        if dry_run:
            click.echo(diff(change), nl=False)
        elif says := done(change):
            click.echo(f"{says:<10} {shown(change.path)}")
    for why in made.refused:
        click.echo(f"engrain: {why}", err=True)
    return 2 if made.refused else 0


def shown(path: str) -> str:
    """A path as a person would name it."""
    here, user = os.path.relpath(path), os.path.relpath(path, os.path.expanduser("~"))
    return here if not here.startswith("..") else path if user.startswith("..") else f"~/{user}"


def changed(change: Change, dry_run: bool) -> dict[str, Any]:
    """A change for programs."""
    return {"path": change.path, "changed": change.changes and not dry_run, "diff": diff(change)}


def diff(change: Change) -> str:
    """The change as `diff -u` shows it; empty where there is none."""
    before, after = (_lines(data) for data in (change.before, change.after))
    old, new = (os.devnull if data is None else change.path for data in (change.before, change.after))
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(before, after, old, new)
    )


def _lines(data: bytes | None) -> list[str]:
    """Lines as `diff` takes them, which end with a line feed and nothing else."""
    lines = (data or b"").decode("utf-8", "backslashreplace").split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
