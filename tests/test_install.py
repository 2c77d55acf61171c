"""What init writes into agents' settings by command, what it says, and that clean takes it back to the byte."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable

import pytest

from engrain.capture import took
from engrain.errors import BadInput
from engrain.install import settings, wiring
from engrain.install.command import ANY, PLAIN, command, ours
from engrain.install.ledger import NAME
from engrain.install.wiring import AGENTS
from engrain.paths import Home
from tests.making import Ran
from tests.payloads import EVENTS

Engrain = Callable[..., Ran]
CLAUDE = AGENTS[0]
ENTRIES = wiring.entries_of(CLAUDE)
SETTINGS = ".claude/settings.json"

FOUND = [
    "",
    "{}",
    "{ }\n",
    "{\n}\n",
    '{"a":1}',
    '{"a": 1, "hooks": {}}',
    '{\n  "hooks": {\n  }\n}\n',
    '{\n\t"b": [1,\n 2],\n\t"hooks": {"Stop": []}\n}',
    '\ufeff{\r\n    "permissions": {"allow": ["Bash(ls)"]}\r\n}\r\n',
    '{\n    "hooks": {\n        "Stop": [{"hooks": [{"type": "command", "command": "say \\"done\\""}]}]\n    }\n}',
    '{"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}, {"hooks": []}]}}',
    '{\n "é ü": "ключ",\n "env": {"A": "b"},\n\n\n "hooks"  :  {"Other":[ ]}   }\n\n',
]


@pytest.mark.parametrize("text", FOUND)
def test_what_is_put_in_is_what_is_cut_out(text: str) -> None:
    put = settings.put(text, ENTRIES)
    assert settings.cut(put.text, put.spans) == text
    told = json.loads(put.text.removeprefix("\ufeff"))
    before = json.loads(text.removeprefix("\ufeff")) if text.strip() else {}
    assert settings.wired(put.text) == {wire.event for wire in CLAUDE.wires}
    for key, value in before.items():
        if key != "hooks":
            assert told[key] == value
    for event, groups in before.get("hooks", {}).items():
        assert told["hooks"][event][: len(groups)] == groups
    for wire in CLAUDE.wires:
        assert told["hooks"][wire.event][-1] == wiring.entry(CLAUDE, wire)


@pytest.mark.parametrize("text", FOUND)
def test_taken_out_by_what_they_say_everything_else_stays(text: str) -> None:
    left = settings.without(settings.put(text, ENTRIES).text)
    assert settings.wired(left) == set()
    after = json.loads(left.removeprefix("\ufeff"))
    before = json.loads(text.removeprefix("\ufeff")) if text.strip() else {}
    hooks = {event: groups for event, groups in before.pop("hooks", {}).items() if groups}
    assert after.pop("hooks", {}).items() >= hooks.items()
    assert after == before


def test_the_command_is_the_same_everywhere_and_known_as_ours() -> None:
    assert command("Stop") == (
        'h="${ENGRAIN_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/engrain}/bin/hook";'
        '[ -x "$h" ]&&"$h" Stop 2>/dev/null;exit 0'
    )
    assert ours(command("Stop"))
    assert command("Stop", "codex", ANY) == f"exec sh -c '{command('Stop', 'codex')}'", "whatever shell its user has"
    for said in (ANY, PLAIN):
        assert ours(command("Stop", "codex", said))
    assert "${" not in command("AfterTool", "gemini", PLAIN), "what Gemini CLI itself would put in"
    assert not ours("/usr/bin/hook")
    assert not ours(None)


def test_the_table_names_events_that_there_are_and_always_a_matcher() -> None:
    for wire in CLAUDE.wires:
        assert wire.event in EVENTS
        assert wire.matcher
    assert len({wire.event for wire in CLAUDE.wires}) == len(CLAUDE.wires)
    assert "WorktreeCreate" not in {wire.event for wire in CLAUDE.wires}, "whoever answers there must make a folder"


# As commands


def read(tmp_path: object, name: str = SETTINGS) -> bytes:
    with open(os.path.join(str(tmp_path), name), "rb") as file:
        return file.read()


def write(tmp_path: object, text: str, name: str = SETTINGS) -> None:
    path = os.path.join(str(tmp_path), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def test_a_dry_run_changes_nothing_and_shows_all(engrain: Engrain, tmp_path: object, home: Home) -> None:
    done = engrain("init", "--dry-run")
    assert done.code == 0
    assert done.out.startswith("--- /dev/null\n+++ ")
    for name in ("AGENTS.md", "hooks.json", "config.toml", "engrain.js"):
        assert f"{name}\n" in done.out
    assert command("PostToolUseFailure").replace('"', '\\"') in done.out
    assert os.listdir(tmp_path) == ["home"]  # type: ignore[call-overload]
    assert not os.path.exists(home.at("bin"))


@pytest.mark.parametrize("text", FOUND[8:10])
def test_init_and_clean_leave_no_trace(engrain: Engrain, tmp_path: object, text: str) -> None:
    write(tmp_path, text)
    os.chmod(os.path.join(str(tmp_path), SETTINGS), 0o640)
    before = read(tmp_path)
    assert engrain("init").code == 0
    wired = read(tmp_path)
    assert engrain("init").code == 0
    assert read(tmp_path) == wired, "twice is once"
    assert os.stat(os.path.join(str(tmp_path), SETTINGS)).st_mode & 0o777 == 0o640
    assert engrain("clean").code == 0
    assert read(tmp_path) == before
    assert engrain("clean").code == 1


def test_what_was_made_for_it_is_gone_again(engrain: Engrain, tmp_path: object, home: Home) -> None:
    engrain("init")
    engrain("init", "--local")
    assert sorted(os.listdir(os.path.join(str(tmp_path), ".claude"))) == ["settings.json", "settings.local.json"]
    assert engrain("clean", "--all").code == 0
    assert os.listdir(str(tmp_path)) == ["home"]
    with open(home.at(NAME), encoding="utf-8") as file:
        assert json.load(file) == {}


def test_what_others_added_meanwhile_stays(engrain: Engrain, tmp_path: object) -> None:
    engrain("init")
    told = json.loads(read(tmp_path))
    told["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    told["model"] = "x"
    write(tmp_path, json.dumps(told, indent=4))
    assert engrain("clean").code == 0
    group = {"matcher": "*", "hooks": [{"type": "command", "command": "say done"}]}
    assert json.loads(read(tmp_path)) == {"hooks": {"Stop": [group]}, "model": "x"}


def test_entries_of_another_version_are_replaced(engrain: Engrain, tmp_path: object) -> None:
    old = command("Stop").replace("2>/dev/null", "")
    write(tmp_path, json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": old}]}]}}))
    engrain("init")
    groups = json.loads(read(tmp_path))["hooks"]["Stop"]
    assert [each["command"] for group in groups for each in group["hooks"]] == [command("Stop")]


def test_the_settings_of_a_user(engrain: Engrain, tmp_path: object) -> None:
    assert engrain("init", "--global").code == 0
    assert settings.wired(read(tmp_path, f"user/{SETTINGS}").decode())
    assert engrain("init", "--global", CLAUDE_CONFIG_DIR=os.path.join(str(tmp_path), "moved")).code == 0
    assert settings.wired(read(tmp_path, "moved/settings.json").decode())


def test_a_link_stays_a_link(engrain: Engrain, tmp_path: object) -> None:
    write(tmp_path, "{}\n", "dotfiles/claude.json")
    os.makedirs(os.path.join(str(tmp_path), ".claude"))
    os.symlink(os.path.join(str(tmp_path), "dotfiles/claude.json"), os.path.join(str(tmp_path), SETTINGS))
    engrain("init")
    assert os.path.islink(os.path.join(str(tmp_path), SETTINGS))
    assert settings.wired(read(tmp_path, "dotfiles/claude.json").decode())
    engrain("clean")
    assert read(tmp_path, "dotfiles/claude.json") == b"{}\n"


@pytest.mark.parametrize("text", ["{", '{"hooks": {"Stop": {}}}', "\xff"])
def test_settings_that_are_not_what_they_should_be_are_left_as_they_are(
    engrain: Engrain, tmp_path: object, text: str
) -> None:
    path = os.path.join(str(tmp_path), SETTINGS)
    os.makedirs(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(text.encode("latin-1"))
    for name in ("init", "clean"):
        done = engrain(name)
        assert done.code == (2 if name == "init" or text != '{"hooks": {"Stop": {}}}' else 0)
        assert [line for line in done.err.splitlines() if SETTINGS in line and "left as it is" in line] or not done.code
        assert read(tmp_path) == text.encode("latin-1")
        assert os.path.exists(os.path.join(str(tmp_path), ".codex")) == (name == "init"), "the others go on"


def test_nothing_of_the_settings_is_kept_in_the_home(engrain: Engrain, tmp_path: object, home: Home) -> None:
    write(tmp_path, '{"env": {"TOKEN": "sekret-of-dana"}}')
    engrain("init")
    for place, _, names in os.walk(home.root):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                assert b"sekret-of-dana" not in file.read()


def test_for_programs(engrain: Engrain, tmp_path: object) -> None:
    done = engrain("init", "--json", "--agent", "claude-code").json
    assert (done["agents"], done["level"], done["refused"]) == (["claude-code"], "project", [])
    files = {os.path.basename(each["path"]): each["changed"] for each in done["files"]}
    assert files == dict.fromkeys(["settings.json", ".mcp.json", "AGENTS.md", "CLAUDE.md"], True)
    assert not any(each["changed"] for each in engrain("init", "--json", "--agent", "claude-code").json["files"])
    assert sum(each["changed"] for each in engrain("clean", "--json").json["files"]) == 4
    assert engrain("init", "--agent", "nobody").code == 2


def test_a_refusal_names_the_file() -> None:
    with pytest.raises(BadInput, match=r"/x/settings\.json: not JSON"):
        settings.checked("{", "/x/settings.json")


# The doctor


def seen(engrain: Engrain, check: str = "hooks") -> list[tuple[str, str]]:
    return [(each["level"], each["says"]) for each in engrain("doctor", "--json").json if each["check"] == check]


def test_the_doctor_looks_after_the_hooks(engrain: Engrain, tmp_path: object, home: Home) -> None:
    assert [level for level, _ in seen(engrain)] == ["ok"]
    engrain("init")
    assert [level for level, _ in seen(engrain)] == ["ok", "ok"]
    assert "no session was recorded yet" in seen(engrain)[1][1]
    for note in json.loads(read(home.root, NAME)):
        os.utime(note, (1, 1))
    assert [level for level, _ in seen(engrain)] == ["ok", "warning"]
    with open(home.at("hook.log"), "w", encoding="utf-8") as file:
        file.write("2026-11-19T00:00:00.000000Z ['Stop'] OSError at spool.py:1\n")
    assert "hooks broke once, last 2026-11-19" in seen(engrain)[1][1]
    os.unlink(home.at("bin", "hook"))
    level, says = seen(engrain)[0]
    assert level == "problem"
    assert f"{home.at('bin', 'hook')} is not there" in says


def test_the_doctor_sees_that_a_launcher_has_lost_its_interpreter(engrain: Engrain, home: Home) -> None:
    engrain("init")
    with open(home.at("bin", "hook"), "w", encoding="utf-8") as file:
        file.write("#!/nowhere/python -IS\n")
    level, says = seen(engrain)[0]
    assert level == "problem"
    assert "/nowhere/python is not there" in says
    assert seen(engrain)[0][0] == "ok", "the command before this one made it anew"


def test_the_page_of_health_knows_where_hooks_are(engrain: Engrain, tmp_path: object, home: Home) -> None:
    from engrain.memory import Memory
    from engrain.web.pages import health

    with Memory.open(home.root) as memory:
        assert health.hooks(memory) == []
        engrain("init", "--agent", "codex", "--agent", "opencode")
        found = {each.name: each.files for each in health.hooks(memory)}
        assert found == {
            "codex": [os.path.join(str(tmp_path), ".codex", "hooks.json")],
            "opencode": [os.path.join(str(tmp_path), ".opencode", "plugins", "engrain.js")],
        }
        engrain("clean")
        assert health.hooks(memory) == []


def test_the_doctor_says_of_each_agent_where_it_is_wired_and_how_long_its_hooks_take(
    engrain: Engrain, tmp_path: object, home: Home
) -> None:
    assert seen(engrain, "agents") == [("ok", "none is here that is known")]
    engrain("init", "--agent", "codex", "--agent", "opencode")
    os.makedirs(os.path.join(str(tmp_path), "user", ".gemini"))
    told = dict(says.split(": ", 1) for _, says in seen(engrain, "agents"))
    assert told.keys() == {"Codex", "Gemini CLI", "OpenCode"}
    assert ".codex/hooks.json; never heard of" in told["Codex"]
    assert "plugins/engrain.js; never heard of" in told["OpenCode"]
    assert told["Gemini CLI"].startswith("not wired here")
    payload = {"session_id": "s1", "turn_id": "t1", "cwd": str(tmp_path), "prompt": "make it pass"}
    entry = json.loads(read(tmp_path, ".codex/hooks.json"))["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
    for _ in range(3):
        subprocess.run(["sh", "-c", entry], input=json.dumps(payload).encode(), check=True, capture_output=True)
    engrain("tick")
    (codex,) = [says for _, says in seen(engrain, "agents") if says.startswith("Codex")]
    assert re.search(
        r"last heard of 20\d\d-\d\d-\d\d \d\d:\d\d; a hook takes \d+ ms, at worst \d+ ms \(the last 3\)", codex
    )
    with open(took.path(home, "codex"), "wb") as file:
        file.write(b"900000\n" * 40)
    assert [level for level, says in seen(engrain, "agents") if says.startswith("Codex")] == ["warning"]
