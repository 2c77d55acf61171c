"""The plugin: a folder that Claude Code and Codex can add as a marketplace, with our hooks, server and guide in it.

    python -m engrain.install.plugin FOLDER

It is built from the very tables that `engrain init` writes from, and holds no program: its hooks run the launcher in
Engrain's home, which its server makes when it starts. Where settings have our hooks too, the plugin's are silent.

    .claude-plugin/marketplace.json            what Claude Code reads of the marketplace
    .agents/plugins/marketplace.json           what Codex reads of it
    plugins/engrain/.claude-plugin/plugin.json, .codex-plugin/plugin.json
    plugins/engrain/hooks/<agent>.json         of each agent its own: none has an event that the other one does not know
    plugins/engrain/.mcp.json, skills/engrain/SKILL.md, README.md
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from engrain import __version__
from engrain.install import texts, wiring
from engrain.install.command import command
from engrain.install.wiring import Agent

NAME = "engrain"
WAY = "plugin"
"""The word by which a hook knows that it came with a plugin."""

AGENTS = ("claude-code", "codex")
AT = f"plugins/{NAME}"
ABOUT = "A memory that learns: sessions are recorded, and known failures answered with what helped."
_KEYWORDS = ["memory", "errors", "fixes", "hooks", "mcp"]

README = """\
# Engrain, as a plugin

Records what sessions do, and puts what helped before beside an error. Engrain itself has to be there:
`pip install 'engrain[server]'`.

Claude Code: `claude plugin marketplace add FOLDER`, `claude plugin install engrain@engrain`.
Codex: `codex plugin marketplace add FOLDER`, then choose it under `/plugins`, and approve its hooks under `/hooks`.

The same hooks may stand in a repository (`engrain init`) or in your settings (`engrain install --global AGENT`): then
those run, and the plugin's are silent.
"""

SKILL = f"""\
---
name: {NAME}
description: Ask what earlier sessions knew when a command, a test or a build fails, and before a longer task.
---

{texts.GUIDE}"""


def files() -> dict[str, str]:
    """Every file of the marketplace, by its path."""
    told: dict[str, Any] = {
        ".claude-plugin/marketplace.json": _marketplace(f"./{AT}"),
        ".agents/plugins/marketplace.json": _marketplace(
            {"source": "local", "path": f"./{AT}"},
            policy={"installation": "AVAILABLE", "authentication": "ON_INSTALL"}, category="Productivity",
        ),
        f"{AT}/.claude-plugin/plugin.json": {
            **_manifest(), "displayName": "Engrain", "license": "MIT", "hooks": "./hooks/claude-code.json",
        },
        f"{AT}/.codex-plugin/plugin.json": {
            **_manifest(), "hooks": "./hooks/codex.json", "mcpServers": "./.mcp.json", "skills": "./skills/",
            "interface": {"displayName": "Engrain", "shortDescription": ABOUT, "category": "Productivity"},
        },
        f"{AT}/.mcp.json": {"mcpServers": {NAME: {"command": NAME, "args": ["mcp", "--hooks"]}}},
        **{f"{AT}/hooks/{name}.json": _hooks(wiring.agent(name)) for name in AGENTS},
    }  # fmt: skip
    found = {path: json.dumps(value, indent=2, ensure_ascii=False) + "\n" for path, value in told.items()}
    return {**found, f"{AT}/skills/{NAME}/SKILL.md": SKILL, f"{AT}/README.md": README}


def build(folder: str) -> list[str]:
    """The marketplace is in that folder; its files."""
    for path, text in files().items():
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return sorted(files())


def _marketplace(source: Any, **more: Any) -> dict[str, Any]:
    plugin = {"name": NAME, "source": source, "description": ABOUT, "version": __version__, **more}
    return {"name": NAME, "owner": {"name": "Engrain"}, "plugins": [plugin]}


def _manifest() -> dict[str, Any]:
    return {
        "name": NAME,
        "version": __version__,
        "description": ABOUT,
        "author": {"name": "Engrain"},
        "keywords": _KEYWORDS,
    }


def _hooks(of: Agent) -> dict[str, Any]:
    events = {}
    for wire in of.wires:
        line = command(wire.event, f"{of.name} {WAY}", of.shell)
        handler = {"type": "command", "command": line, "timeout": wire.timeout}
        events[wire.event] = [{"matcher": wire.matcher, "hooks": [handler]}]
    return {"hooks": events}


if __name__ == "__main__":
    for each in build(sys.argv[1]):
        sys.stdout.write(f"{os.path.join(sys.argv[1], each)}\n")
