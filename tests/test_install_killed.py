"""init and clean killed with SIGKILL at each write: every file is old or new, and clean brings all of it back."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from typing import Any

import pytest

from engrain.install import ledger, plan, wiring
from engrain.light import sha256
from engrain.paths import Home
from tests.found_files import lay, tree
from tests.test_install_files import clean, git

WRITES = ("open", "write", "replace", "unlink", "mkdir", "rmdir", "fsync")
AGENTS = (wiring.AGENTS[0], wiring.AGENTS[1], wiring.AGENTS[4])
FOUND = {
    ".claude/settings.json": "line comments",
    ".mcp.json": "a link to another folder",
    ".codex/config.toml": "CRLF toml",
    "AGENTS.md": "a line without its end",
    ".gitignore": "latin-1",
}


@pytest.fixture(autouse=True)
def _no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process loses nothing that it wrote; waiting for the disk would be most of the time."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def init(home: Home, root: str) -> None:
    made = plan.putting(home, plan.for_repository(root, AGENTS))
    assert (made.refused, ledger.apply(home, made.changes)) == ((), [])


def killed_at(number: int, work: Callable[[], object]) -> bool:
    """Whether `work`, done in a process of its own, was killed before its so-manieth call that changes a file."""
    child = os.fork()
    if not child:
        try:
            _arm(number)
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def _arm(number: int) -> None:
    left = [number]

    def armed(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **named)

        return counted

    for name in WRITES:
        setattr(os, name, armed(getattr(os, name)))


@pytest.mark.parametrize("what", ["init", "init again after a change", "clean"])
def test_killed_at_any_write(tmp_path: object, what: str) -> None:
    first, home = os.path.join(str(tmp_path), "first"), Home(os.path.join(str(tmp_path), "home")).ensure()
    root = os.path.join(str(tmp_path), "repo")
    lay(first, FOUND)
    git(first, "init", "-q")
    shutil.copytree(first, root, symlinks=True)
    untouched = tree(root)
    init(home, root)
    wired = tree(root)
    clean(home, root)
    assert tree(root) == untouched
    number, work = 0, clean if what == "clean" else init
    while True:
        if what != "init":
            init(home, root)
        if what == "init again after a change":
            _outdated(home, root)
        before = tree(root)
        if not killed_at(number, lambda: work(home, root)):
            break
        after = {path: seen for path, seen in tree(root).items() if not path.endswith(ledger.PARTIAL)}
        for path, seen in after.items():
            assert seen in (before.get(path), wired.get(path), untouched.get(path)), (number, path)
        clean(home, root)
        assert tree(root) == untouched, number
        assert ledger.notes(home) == {}
        number += 1
    assert number > 15, "the calls are counted"
    clean(home, root)
    assert tree(root) == untouched


def _outdated(home: Home, root: str) -> None:
    """What an older Engrain would have left: other bytes, that its ledger knows."""
    notes = ledger.notes(home)
    for path, note in notes.items():
        with open(path, "rb") as file:
            data = file.read()
        if note["form"] != "json" or not data.count(b"2>/dev/null"):
            continue
        start = data.decode().index("2>/dev/null")
        old = data.replace(b"2>/dev/null", b"2>/dev/nil!", 1)
        assert any(a <= start < b for a, b in note["states"][0]["spans"])
        with open(path, "wb") as file:
            file.write(old)
        note["states"][0]["after"] = sha256(old)
    ledger._keep(home, notes)
