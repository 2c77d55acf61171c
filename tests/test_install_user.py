"""`engrain install` and `uninstall`: one's own settings are wired and given back to the byte; the memory stays."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from engrain.install import ledger, plan, removal, settings, wiring
from engrain.install.ledger import NAME
from engrain.memory import Memory
from engrain.paths import Home
from tests import transcripts
from tests.found_files import JSON_KINDS, TEXT_KINDS, TOML_KINDS, tree
from tests.making import Ran
from tests.test_install_killed import killed_at

Engrain = Callable[..., Ran]

CODEX = ["AGENTS.override.md", "config.toml", "hooks.json"]


@pytest.fixture
def user(tmp_path: object) -> str:
    """One's own folder, with the settings that somebody may have."""
    place = os.path.join(str(tmp_path), "user")
    for path, make in (
        (".claude/settings.json", JSON_KINDS["line comments"]),
        (".codex/config.toml", TOML_KINDS["CRLF toml"]),
        (".codex/AGENTS.md", TEXT_KINDS["a line without its end"]),
        (".cursor/mcp.json", JSON_KINDS["trailing commas"]),
        (".gemini/settings.json", JSON_KINDS["BOM"]),
    ):
        os.makedirs(os.path.dirname(os.path.join(place, path)), exist_ok=True)
        make(os.path.join(place, path))
    return place


def test_nothing_of_an_agent_is_written_unless_it_is_named(engrain: Engrain, user: str, home: Home) -> None:
    before = tree(user)
    done = engrain("install", "--yes")
    assert done.code == 0
    assert "Claude Code" in done.out
    assert "engrain install --global claude-code" in done.out
    assert tree(user) == before
    assert os.path.exists(home.at("bin", "hook"))


def test_codex_is_wired_in_its_own_files_where_it_is_named_alone(engrain: Engrain, user: str) -> None:
    engrain("install", "--yes", "--global", "claude-code")
    assert sorted(os.listdir(os.path.join(user, ".codex"))) == ["AGENTS.md", "config.toml"]
    assert engrain("install", "--yes", "--global", "codex").code == 0
    assert set(CODEX) - {"AGENTS.override.md"} <= set(os.listdir(os.path.join(user, ".codex")))
    with open(os.path.join(user, ".codex", "config.toml"), encoding="utf-8") as file:
        assert "[mcp_servers.engrain]" in file.read()


def test_it_shows_first_and_does_nothing_where_nobody_can_be_asked(engrain: Engrain, user: str, home: Home) -> None:
    before = tree(user)
    done = engrain("install", "--global", "claude-code")
    assert done.code == 2
    assert "--yes" in done.err
    assert "settings.json" in done.out
    dry = engrain("install", "--global", "all", "--dry-run")
    assert dry.code == 0
    for name in (".claude/settings.json", ".codex/hooks.json", ".cursor/hooks.json", "plugins/engrain.js"):
        assert f"{name}\n" in dry.out
    assert tree(user) == before
    assert not os.path.exists(home.at("bin"))
    assert engrain("install", "--global", "nobody", "--yes").code == 2


def test_install_install_uninstall_leaves_no_trace_but_the_memory(
    engrain: Engrain, user: str, home: Home, tmp_path: object
) -> None:
    before = tree(user)
    shop = os.path.join(str(tmp_path), "shop")
    os.makedirs(shop)
    subprocess.run(["git", "init", "-q", shop], check=True)
    repository = tree(shop)
    engrain("note", "keep this", folder="shop")
    assert engrain("install", "--yes", "--global", "all", "--holdout", "0.05").code == 0
    wired = tree(user)
    assert settings.wired(wired[".claude/settings.json"].holds.decode())
    assert engrain("install", "--yes", "--global", "all").code == 0
    assert tree(user) == wired, "twice is once"
    engrain("init", folder="shop")
    dry = engrain("uninstall", "--dry-run")
    assert "ENGRAIN_HOME" in dry.out
    assert tree(user) == wired
    assert engrain("uninstall").code == 2, "it asks"
    done = engrain("uninstall", "--yes")
    assert done.code == 0
    assert "the memory stays" in done.out
    assert tree(user) == before
    assert tree(shop) == repository
    assert not os.path.exists(home.at("bin"))
    assert not os.path.exists(home.at(NAME))
    assert "keep this" in engrain("search", "keep", folder="shop").out
    assert engrain("uninstall", "--yes").code == 1, "there is nothing any more"


def test_the_memory_is_erased_where_somebody_says_so_and_nothing_else(engrain: Engrain, home: Home) -> None:
    engrain("note", "secret of mine")
    engrain("install", "--yes")
    with open(home.at("mine.txt"), "w", encoding="utf-8") as file:
        file.write("not Engrain's")
    asked = engrain("uninstall", "--erase-memory")
    assert asked.code == 2
    assert "ERASE" in asked.err
    assert "2 events" in asked.err
    assert os.path.exists(home.database)
    done = engrain("uninstall", "--erase-memory", "--yes")
    assert done.code == 0
    assert os.listdir(home.root) == ["mine.txt"]
    assert "mine.txt" in done.out


def test_what_can_t_be_taken_back_is_named_and_stays_known(engrain: Engrain, user: str, home: Home) -> None:
    engrain("install", "--yes", "--global", "claude-code")
    path = os.path.join(user, ".claude", "settings.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write("{ broken")
    done = engrain("uninstall", "--yes")
    assert done.code == 2
    assert "left as it is" in done.err
    assert path in json.loads(_read(home.at(NAME)))
    with open(path, "w", encoding="utf-8") as file:
        file.write("{}")
    assert engrain("uninstall", "--yes").code == 0
    assert not os.path.exists(home.at(NAME))


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_sessions_of_before_are_brought(engrain: Engrain, user: str, home: Home) -> None:
    place = os.path.join(user, ".claude", "projects", "-home-dana-shop")
    os.makedirs(place)
    with open(os.path.join(place, "s1.jsonl"), "wb") as file:
        file.write(transcripts.lines(transcripts.asks(0, "make it pass"), transcripts.says(1, "done")))
    first = engrain("install", "--yes")
    assert first.code == 0
    assert "`engrain import claude-code` brings 1 session that Claude Code wrote down" in first.out
    assert "engrain import" not in engrain("install", "--yes", "--no-backfill").out
    with Memory.open(home.root) as memory:
        assert not memory.exists or memory.store.count() == 0, "only where somebody wants it"
    done = engrain("install", "--yes", "--backfill", "--json").json
    assert done["brought"]["claude-code"]["sessions"] == 1
    assert engrain("install", "--yes", "--backfill", "--json").json["brought"]["claude-code"]["events"] == 0


def test_it_ends_with_what_was_found_in_the_sessions_of_before(engrain: Engrain, user: str) -> None:
    place = os.path.join(user, ".claude", "projects", "-home-dana-shop")
    os.makedirs(place)
    error = "Exit code 1\nModuleNotFoundError: No module named 'orjson'"
    steps = (("python app.py", error, True), ("pip install orjson", "installed", False), ("python app.py", "up", False))
    for session in range(3):
        rows = [transcripts.asks(0, "start it", sessionId=f"s{session}")]
        for number, (command, said, failed) in enumerate(steps):
            about = {"sessionId": f"s{session}"}
            rows.append(transcripts.uses(2 * number + 1, f"c{session}{number}", "Bash", about, command=command))
            rows.append(transcripts.gets(2 * number + 2, f"c{session}{number}", said, error=failed, **about))
        with open(os.path.join(place, f"s{session}.jsonl"), "wb") as file:
            file.write(transcripts.lines(*rows))
    told = engrain("install", "--yes", "--backfill").out
    assert "found there: No module named 'orjson'\n  in 3 sessions of shop, 3 times in all\n" in told
    assert "what ended it: `pip install orjson`" in told
    found = engrain("install", "--yes", "--backfill", "--json").json["found"]
    assert (found["sessions"], found["fix"]["steps"]) == (3, ["pip install orjson"])


def test_on_a_terminal_it_asks_one_thing_after_the_other(user: str, home: Home, tmp_path: object) -> None:
    """As a person sees it: what is to be written, the back-fill with its bar, the hold-out."""
    place = os.path.join(user, ".claude", "projects", "-home-dana-shop")
    os.makedirs(place)
    with open(os.path.join(place, "s1.jsonl"), "wb") as file:
        file.write(transcripts.lines(transcripts.asks(0, "make it pass"), transcripts.says(1, "done")))
    said = typed(["install", "--global", "claude-code"], ["y", "y", "y"], str(tmp_path))
    assert "Write 2 files of agents" in said
    assert "Bring 1 session that Claude Code wrote down" in said
    assert "importing" in said
    assert "100%" in said
    assert "Hold back 5% of the answers" in said
    with Memory.open(home.root) as memory:
        assert memory.config.number("hook.holdout") == 0.05
        assert dict(memory.store.kinds())["prompt"] == 1
    assert settings.wired(_read(os.path.join(user, ".claude", "settings.json")))
    again = typed(["install"], ["n"], str(tmp_path))
    assert "interrupted" in again or "Abort" in again


def typed(words: list[str], answers: list[str], folder: str) -> str:
    """What a person sees who answers each question."""
    pid, fd = pty.fork()
    if not pid:
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, "-m", "engrain", *words])
    seen, left = b"", list(answers)
    while True:
        ready, _, _ = select.select([fd], [], [], 60)
        if not ready:
            break
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        if left and seen.rstrip().endswith((b"[y/N]:", b"[Y/n]:")):
            os.write(fd, f"{left.pop(0)}\n".encode())
            seen += b"\n"
    os.waitpid(pid, 0)
    os.close(fd)
    assert left == [], seen.decode()
    return seen.decode()


# Killed at any write


AGENTS = tuple(wiring.agent(name) for name in ("claude-code", "codex", "opencode"))


def _install(home: Home, user: str) -> None:
    made = plan.putting(home, plan.for_user(AGENTS, user, {}))
    assert (made.refused, ledger.apply(home, made.changes)) == ((), [])


def _uninstall(home: Home, user: str) -> None:
    made = plan.taking(home, (), plan.known(home))
    assert (made.refused, ledger.apply(home, made.changes)) == ((), [])
    removal.gone(home, removal.made(home))
    _ = user


@pytest.mark.parametrize("what", ["install", "uninstall"])
def test_killed_at_any_write_every_file_is_old_or_new(
    user: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    home = Home(os.path.join(str(tmp_path), "killed")).ensure()
    untouched = tree(user)
    _install(home, user)
    wired = tree(user)
    _uninstall(home, user)
    assert tree(user) == untouched
    number, work = 0, _install if what == "install" else _uninstall
    while True:
        if what == "uninstall":
            _install(home.ensure(), user)
        before = tree(user)
        if not killed_at(number, lambda: work(home.ensure(), user)):
            break
        after = {path: seen for path, seen in tree(user).items() if not path.endswith(ledger.PARTIAL)}
        for path, seen in after.items():
            assert seen in (before.get(path), wired.get(path), untouched.get(path)), (number, path)
        _uninstall(home.ensure(), user)
        assert tree(user) == untouched, number
        number += 1
    assert number > 15, "the calls are counted"
    shutil.rmtree(home.root, ignore_errors=True)
