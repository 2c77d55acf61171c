"""The plugin: valid for Claude Code and for Codex as their documents say, built from what `init` writes."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import Any

import pytest

from engrain import __version__
from engrain.capture import spool
from engrain.install import launcher, plugin, texts, wiring
from engrain.memory import Memory
from engrain.paths import Home
from tests import agents, payloads
from tests.making import Ran

AT = plugin.AT

CLAUDE_KEYS = {
    "name", "displayName", "version", "description", "author", "homepage", "repository", "license", "keywords",
    "metadata", "defaultEnabled", "skills", "commands", "agents", "workflows", "hooks", "mcpServers", "outputStyles",
    "lspServers", "experimental", "userConfig", "channels", "dependencies",
}  # fmt: skip
CODEX_KEYS = {
    "name",
    "version",
    "description",
    "author",
    "keywords",
    "skills",
    "mcpServers",
    "apps",
    "hooks",
    "interface",
}
CODEX_EVENTS = {
    "PreToolUse", "PermissionRequest", "PostToolUse", "PreCompact", "PostCompact", "SessionStart", "SessionEnd",
    "UserPromptSubmit", "SubagentStart", "SubagentStop", "Stop",
}  # fmt: skip
HANDLER = {"type", "command", "timeout", "async", "statusMessage"}
"""What both agents know of an entry that runs a command."""


@pytest.fixture
def built(tmp_path: object) -> str:
    """The folder, made as `make plugin` makes it."""
    place = os.path.join(str(tmp_path), "marketplace")
    assert plugin.build(place) == sorted(plugin.files())
    return place


def read(folder: str, path: str) -> Any:
    with open(os.path.join(folder, path), encoding="utf-8") as file:
        return json.load(file)


def test_both_agents_find_it_by_their_own_marketplace(built: str) -> None:
    for path in (".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"):
        told = read(built, path)
        assert re.fullmatch(r"[a-z0-9-]+", told["name"])
        assert told["owner"]["name"]
        (entry,) = told["plugins"]
        source = entry["source"] if isinstance(entry["source"], str) else entry["source"]["path"]
        assert source.startswith("./")
        assert entry["name"] == "engrain"
        assert os.path.isdir(os.path.join(built, source))


@pytest.mark.parametrize(("agent", "keys"), [("claude", CLAUDE_KEYS), ("codex", CODEX_KEYS)])
def test_a_manifest_has_known_keys_and_leads_to_files_that_there_are(built: str, agent: str, keys: set[str]) -> None:
    told = read(built, f"{AT}/.{agent}-plugin/plugin.json")
    assert told.keys() <= keys
    assert (told["name"], told["version"]) == ("engrain", __version__)
    for name in ("hooks", "mcpServers", "skills"):
        assert name not in told or os.path.exists(os.path.join(built, AT, told[name]))
    assert os.listdir(os.path.join(built, AT, f".{agent}-plugin")) == ["plugin.json"]


@pytest.mark.parametrize(("agent", "events"), [("claude-code", set(payloads.EVENTS)), ("codex", CODEX_EVENTS)])
def test_its_hooks_are_those_of_init_and_none_is_unknown_to_its_agent(built: str, agent: str, events: set[str]) -> None:
    told = read(built, f"{AT}/hooks/{agent}.json")
    assert told.keys() == {"hooks"}
    of = wiring.agent(agent)
    assert list(told["hooks"]) == [wire.event for wire in of.wires]
    assert set(told["hooks"]) <= events
    for wire in of.wires:
        (group,) = told["hooks"][wire.event]
        (handler,) = group["hooks"]
        assert handler.keys() <= HANDLER
        same = wiring.entry(of, wire)
        assert (group["matcher"], handler["timeout"]) == (same["matcher"], same["hooks"][0]["timeout"])
        assert "${CLAUDE" not in handler["command"], "the string stays the same wherever it is put"
    assert not os.path.exists(os.path.join(built, AT, "hooks", "hooks.json")), "neither reads those of the other"


def test_the_guide_is_the_one_of_init(built: str) -> None:
    with open(os.path.join(built, AT, "skills", "engrain", "SKILL.md"), encoding="utf-8") as file:
        text = file.read()
    assert text.endswith(texts.GUIDE)
    assert re.match(r"---\nname: engrain\ndescription: .{20,1024}\n---\n", text)


def told(built: str, agent: str, event: str, said: dict[str, Any], **environ: str) -> Ran:
    """The entry of the plugin, run by a shell as the agent runs it."""
    line = read(built, f"{AT}/hooks/{agent}.json")["hooks"][event][0]["hooks"][0]["command"]
    there = {**os.environ, "CLAUDE_PLUGIN_ROOT": os.path.join(built, AT), **environ}
    done = subprocess.run(
        ["sh", "-c", line], input=json.dumps(said).encode(), capture_output=True, timeout=60, check=False, env=there,
        cwd=os.path.dirname(built),
    )  # fmt: skip
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


CASES = [
    ("claude-code", "PostToolUseFailure", payloads.payload("PostToolUseFailure"), ".claude/settings.json"),
    ("codex", "PostToolUse", agents.payload("codex", "PostToolUse"), ".codex/hooks.json"),
]


@pytest.mark.parametrize(("agent", "event", "said", "settings"), CASES)
def test_it_answers_unless_settings_do(
    built: str, home: Home, tmp_path: object, agent: str, event: str, said: dict[str, Any], settings: str
) -> None:
    assert told(built, agent, event, said) == Ran(0, "", ""), "without Engrain it is silent"
    launcher.write(home)
    with Memory.open(home.root) as memory:
        memory.remember_error_fix("ModuleNotFoundError: No module named 'orjson'", "pip install orjson")
    assert "pip install orjson" in agents.context(agent, event, told(built, agent, event, said).out)
    number = len(_recorded(home))
    for folder in (str(tmp_path), os.path.join(str(tmp_path), "user")):
        path = os.path.join(folder, settings)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        of = wiring.agent(agent)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"hooks": {event: [wiring.entry(of, of.wires[0])]}}, file)
        assert told(built, agent, event, said) == Ran(0, "", "")
        assert len(_recorded(home)) == number, "everything is told once"
        os.unlink(path)


def _recorded(home: Home) -> list[bytes]:
    return [line for path in spool.waiting(home.spool) for line in _lines(path)]


def _lines(path: str) -> list[bytes]:
    with open(path, "rb") as file:
        return [line for line in file.read().split(b"\n") if line]


def test_its_server_makes_what_its_hooks_run(built: str, home: Home, tmp_path: object) -> None:
    server = read(built, f"{AT}/.mcp.json")["mcpServers"]["engrain"]
    assert (server["command"], server["args"][0]) == ("engrain", "mcp")
    import sys

    words = [sys.executable, "-m", "engrain", *server["args"]]
    subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True, cwd=str(tmp_path))
    assert launcher.current(home)
