"""What `engrain init` and `engrain clean` share: which file is meant, and how a change of it is shown."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from engrain.install.ledger import Change
    from engrain.install.wiring import Agent
    from engrain.memory import Memory

    Function = Callable[..., Any]


def target(command: Function) -> Function:
    """The options that say which settings are meant."""
    for option in (
        click.option("--agent", default="claude-code", show_default=True, help="Which agent."),
        click.option("--local", "level", flag_value="local", help="The settings of your own copy, never committed."),
        click.option("--global", "level", flag_value="user", help="Your own settings, for every repository."),
        click.option("--project", "level", flag_value="project", default="project", help="This repository's."),
    ):
        command = option(command)
    return command


def chosen(memory: Memory, level: str, agent: str) -> tuple[Agent, str]:
    """The agent, and its file of settings."""
    from engrain.install import wiring

    of = wiring.agent(agent)
    user = os.path.expanduser("~")
    return of, wiring.settings_file(of, level, memory.project.root, user, os.environ)


def every_file(memory: Memory) -> list[str]:
    """The settings of every agent that may run hooks here."""
    from engrain.install.wiring import AGENTS, LOCAL, PROJECT, USER, settings_file

    user, root = os.path.expanduser("~"), memory.project.root
    return [settings_file(of, level, root, user, os.environ) for of in AGENTS for level in (USER, PROJECT, LOCAL)]


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
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
