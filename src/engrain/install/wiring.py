"""A table of agents: where each keeps its settings, and which of its events run the hook.

A matcher is always set, so that no agent asks whether it applies; an event has one entry.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.install.command import command

ALL = "*"


class Wire(NamedTuple):
    """An event that runs the hook, for which tools, and after how many seconds the agent need not wait any longer."""

    event: str
    matcher: str = ALL
    timeout: int = 10

    @property
    def entry(self) -> dict[str, Any]:
        """What stands in the settings for it."""
        handler = {"type": "command", "command": command(self.event), "timeout": self.timeout}
        return {"matcher": self.matcher, "hooks": [handler]}


class Agent(NamedTuple):
    """An agent that runs hooks. `home` is its folder in that of the user, which `variable` may move."""

    name: str
    called: str
    home: str
    variable: str
    user: str
    project: str
    local: str
    wires: tuple[Wire, ...]


AGENTS = (
    Agent(
        name="claude-code",
        called="Claude Code",
        home=".claude",
        variable="CLAUDE_CONFIG_DIR",
        user="settings.json",
        project=".claude/settings.json",
        local=".claude/settings.local.json",
        wires=(
            Wire("SessionStart"),
            Wire("UserPromptSubmit"),
            Wire("PreToolUse", "Bash|PowerShell|Edit|Write|NotebookEdit"),
            Wire("PostToolUse"),
            Wire("PostToolUseFailure"),
            Wire("Stop"),
            Wire("SubagentStop"),
            Wire("SessionEnd"),
        ),
    ),
)

USER, PROJECT, LOCAL = "user", "project", "local"


def agent(name: str) -> Agent:
    """The agent of that name, or BadInput."""
    found = next((each for each in AGENTS if each.name == name), None)
    if found is None:
        raise BadInput(f"no agent {name!r}; known: {', '.join(each.name for each in AGENTS)}")
    return found


def settings_file(of: Agent, level: str, root: str, user: str, environ: Mapping[str, str]) -> str:
    """The settings of an agent for a user, for everybody in a repository, or for one's own copy of it."""
    if level == USER:
        return os.path.join(environ.get(of.variable) or os.path.join(user, of.home), of.user)
    return os.path.join(root, of.project if level == PROJECT else of.local)
