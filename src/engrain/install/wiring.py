"""A table of agents: which of their events run the hook, and in which files they, their servers and their guides stand.

    level      user      one's own settings, for every repository
               project   this repository's, which a team may share
               local     one's own copy of the repository's, never committed

A matcher is always set where there may be one, so that no agent asks whether it applies; an event has one entry.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.install import texts
from engrain.install.command import ANY, PLAIN, POSIX, command
from engrain.install.settings import Entry

ALL = "*"
USER, PROJECT, LOCAL = "user", "project", "local"
JSON, TOML, MARKDOWN, LINES, FILE = "json", "toml", "markdown", "lines", "file"
HOOKS, SERVER, GUIDE = "hooks", "server", "guide"


class Wire(NamedTuple):
    """An event that runs the hook, for which tools, and after how many seconds the agent need not wait any longer."""

    event: str
    matcher: str = ALL
    timeout: int = 10


class File(NamedTuple):
    """A file of an agent: at which level, where, of what form, and what it has. `instead` is one that is taken in its
    place where it is there; `only` is whether it must be there already."""

    level: str
    path: str
    form: str
    has: tuple[str, ...]
    instead: str = ""
    only: bool = False


class Agent(NamedTuple):
    """An agent. `home` is its folder in that of the user, which `variable` may move; `always` is whether a repository
    is wired for it though nothing there shows that anybody uses it."""

    name: str
    called: str
    home: str
    variable: str
    files: tuple[File, ...]
    wires: tuple[Wire, ...]
    style: str = "nested"
    shell: str = POSIX
    server: tuple[str, ...] = ("mcpServers", "engrain")
    always: bool = True
    shows: bool = True


AGENTS = (
    Agent(
        "claude-code", "Claude Code", ".claude", "CLAUDE_CONFIG_DIR",
        (
            File(USER, "settings.json", JSON, (HOOKS,)),
            File(USER, "CLAUDE.md", MARKDOWN, (GUIDE,)),
            File(PROJECT, ".claude/settings.json", JSON, (HOOKS,)),
            File(PROJECT, ".mcp.json", JSON, (SERVER,)),
            File(PROJECT, "AGENTS.md", MARKDOWN, (GUIDE,)),
            File(PROJECT, "CLAUDE.md", MARKDOWN, (GUIDE,)),
            File(LOCAL, ".claude/settings.local.json", JSON, (HOOKS,)),
        ),
        (
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
    Agent(
        "codex", "Codex", ".codex", "CODEX_HOME",
        (
            File(USER, "hooks.json", JSON, (HOOKS,)),
            File(USER, "config.toml", TOML, (SERVER,)),
            File(USER, "AGENTS.override.md", MARKDOWN, (GUIDE,), instead="AGENTS.md"),
            File(PROJECT, ".codex/hooks.json", JSON, (HOOKS,)),
            File(PROJECT, ".codex/config.toml", TOML, (SERVER,)),
            File(PROJECT, "AGENTS.md", MARKDOWN, (GUIDE,)),
        ),
        (
            Wire("SessionStart"),
            Wire("UserPromptSubmit"),
            Wire("PreToolUse", "Bash|apply_patch"),
            Wire("PostToolUse"),
            Wire("Stop"),
            Wire("SubagentStop"),
            # It waits three seconds at most for the hooks of an end.
            Wire("SessionEnd", timeout=3),
        ),
        shell=ANY,
    ),
    Agent(
        "cursor", "Cursor", ".cursor", "",
        (
            File(USER, "hooks.json", JSON, (HOOKS,)),
            File(USER, "mcp.json", JSON, (SERVER,)),
            File(PROJECT, ".cursor/hooks.json", JSON, (HOOKS,)),
            File(PROJECT, ".cursor/mcp.json", JSON, (SERVER,)),
            File(PROJECT, "AGENTS.md", MARKDOWN, (GUIDE,)),
        ),
        # One unknown name is said to make it drop the whole file: these are all documented.
        (
            Wire("sessionStart"),
            Wire("beforeSubmitPrompt"),
            Wire("postToolUse"),
            Wire("postToolUseFailure"),
            Wire("afterAgentResponse"),
            Wire("stop"),
            Wire("sessionEnd"),
        ),
        style="cursor",
    ),
    Agent(
        "gemini", "Gemini CLI", ".gemini", "",
        (
            File(USER, "settings.json", JSON, (HOOKS, SERVER)),
            File(USER, "GEMINI.md", MARKDOWN, (GUIDE,)),
            File(PROJECT, ".gemini/settings.json", JSON, (HOOKS, SERVER)),
            File(PROJECT, "AGENTS.md", MARKDOWN, (GUIDE,)),
            File(PROJECT, "GEMINI.md", MARKDOWN, (GUIDE,), only=True),
        ),
        (
            Wire("SessionStart"),
            Wire("BeforeAgent"),
            Wire("AfterTool"),
            Wire("AfterAgent"),
            Wire("SessionEnd"),
        ),
        style="milliseconds",
        shell=PLAIN,
    ),
    Agent(
        "opencode", "OpenCode", ".config/opencode", "OPENCODE_CONFIG_DIR",
        (
            File(USER, "plugins/engrain.js", FILE, (HOOKS,)),
            File(USER, "opencode.json", JSON, (SERVER,), instead="opencode.jsonc"),
            File(USER, "AGENTS.md", MARKDOWN, (GUIDE,)),
            File(PROJECT, ".opencode/plugins/engrain.js", FILE, (HOOKS,)),
            File(PROJECT, "opencode.json", JSON, (SERVER,), instead="opencode.jsonc"),
            File(PROJECT, "AGENTS.md", MARKDOWN, (GUIDE,)),
        ),
        (),
        server=("mcp", "engrain"),
    ),
    Agent(
        "windsurf", "Windsurf", ".codeium/windsurf", "",
        (
            File(USER, "hooks.json", JSON, (HOOKS,)),
            File(USER, "mcp_config.json", JSON, (SERVER,)),
            File(PROJECT, ".windsurf/hooks.json", JSON, (HOOKS,)),
        ),
        (
            Wire("pre_user_prompt"),
            Wire("post_read_code"),
            Wire("post_write_code"),
            Wire("post_run_command"),
            Wire("post_mcp_tool_use"),
            Wire("post_cascade_response"),
        ),
        style="windsurf",
        always=False,
        shows=False,
    ),
    Agent(
        "cline", "Cline", "Documents/Cline", "",
        tuple(
            File(level, f"{folder}/{event}", FILE, (HOOKS,))
            for level, folder in ((USER, "Hooks"), (PROJECT, ".clinerules/hooks"))
            for event in ("TaskStart", "TaskResume", "UserPromptSubmit", "PostToolUse", "TaskComplete", "TaskCancel")
        ),
        (),
        always=False,
        shows=False,
    ),
)  # fmt: skip
"""`shows` is whether the agent shows what a hook answers; the others only record."""

SIGNS = {"windsurf": (".windsurf",), "cline": (".clinerules",)}
"""Folders of a repository that show that somebody there uses an agent."""


PROGRAMS = {
    "claude-code": ("claude",), "codex": ("codex",), "cursor": ("cursor", "cursor-agent"), "gemini": ("gemini",),
    "opencode": ("opencode",), "windsurf": ("windsurf",), "cline": ("cline",),
}  # fmt: skip
"""What an agent is started as."""


class Part(NamedTuple):
    """What goes into one file: entries of a JSON file, a block of a text, or the whole of it."""

    path: str
    form: str
    entries: tuple[Entry, ...] = ()
    text: str = ""
    executable: bool = False
    root: str = ""
    agent: str = ""


def agent(name: str) -> Agent:
    """The agent of that name, or BadInput."""
    found = next((each for each in AGENTS if each.name == name), None)
    if found is None:
        raise BadInput(f"no agent {name!r}; known: {', '.join(each.name for each in AGENTS)}")
    return found


def used(root: str) -> tuple[Agent, ...]:
    """The agents that a repository is wired for when nobody names any."""
    return tuple(each for each in AGENTS if each.always or any(_folder(root, name) for name in SIGNS[each.name]))


def _folder(root: str, name: str) -> bool:
    return os.path.isdir(os.path.join(root, name))


def found(user: str, environ: Mapping[str, str]) -> list[Agent]:
    """The agents of this machine: those that have a folder of their own, or can be started."""
    path = environ.get("PATH", os.defpath)
    return [
        of
        for of in AGENTS
        if os.path.isdir(folder(of, user, environ)) or any(shutil.which(name, path=path) for name in PROGRAMS[of.name])
    ]


def folder(of: Agent, user: str, environ: Mapping[str, str]) -> str:
    """An agent's own folder."""
    return environ.get(of.variable, "") or os.path.join(user, of.home)


def parts(of: Agent, level: str, base: str, *, has: tuple[str, ...] = (HOOKS, SERVER, GUIDE)) -> list[Part]:
    """What goes into which file of an agent; `base` is the repository, or the agent's own folder."""
    root = "" if level == USER else base
    found = []
    for file in of.files:
        wanted = tuple(each for each in file.has if each in has)
        path = _path(file, base)
        if file.level != level or not wanted or (file.only and not os.path.lexists(path)):
            continue
        found.append(_part(of, file, path, wanted)._replace(root=root, agent=of.name))
    return found


def _path(file: File, base: str) -> str:
    path, other = (os.path.join(base, name) for name in (file.path, file.instead or file.path))
    return other if os.path.exists(other) and not os.path.exists(path) else path


def _part(of: Agent, file: File, path: str, has: tuple[str, ...]) -> Part:
    if file.form == FILE:
        event = os.path.basename(file.path)
        ours = texts.OPENCODE if of.name == "opencode" else texts.cline(event)
        return Part(path, FILE, text=ours, executable=of.name != "opencode")
    if file.form == MARKDOWN:
        return Part(path, MARKDOWN, text=texts.GUIDE)
    if file.form == TOML:
        return Part(path, TOML, text=texts.SERVER_TOML)
    entries = [*(entries_of(of) if HOOKS in has else ()), *([_server(of, file.level)] if SERVER in has else [])]
    return Part(path, JSON, tuple(entries))


def repository(root: str) -> list[Part]:
    """What git is told, whatever the agents."""
    return [
        Part(os.path.join(root, ".gitignore"), LINES, text=texts.IGNORED, root=root),
        Part(os.path.join(root, ".engrain", ".gitattributes"), FILE, text=texts.ATTRIBUTES, root=root),
    ]


# Entries


def entries_of(of: Agent) -> list[Entry]:
    """The entries of an agent's hooks."""
    head = [Entry(("version",), 1)] if of.style == "cursor" else []
    return [*head, *(Entry(("hooks", wire.event), entry(of, wire), append=True) for wire in of.wires)]


def entry(of: Agent, wire: Wire) -> dict[str, Any]:
    """What stands in the settings for an event."""
    line = command(wire.event, "" if of.name == "claude-code" else of.name, of.shell)
    if of.style == "windsurf":
        return {"command": line, "show_output": False}
    if of.style == "cursor":
        return {"command": line, "timeout": wire.timeout}
    if of.style == "milliseconds":
        run = {"name": "engrain", "type": "command", "command": line, "timeout": wire.timeout * 1000}
    else:
        run = {"type": "command", "command": line, "timeout": wire.timeout}
    return {"matcher": wire.matcher, "hooks": [run]}


def _server(of: Agent, level: str) -> Entry:
    """The server that an agent starts by itself, in the folder that is worked in."""
    where = ["--project", "${workspaceFolder}"] if of.name == "cursor" and level == PROJECT else []
    if of.name == "opencode":
        return Entry(of.server, {"type": "local", "command": ["engrain", "mcp"], "enabled": True})
    return Entry(of.server, {"command": "engrain", "args": ["mcp", *where]})
