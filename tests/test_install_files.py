"""init, init again, clean: whatever was there is there again, to the byte."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engrain.errors import BadInput
from engrain.install import jsonc, ledger, plan, wiring
from engrain.install import settings as files
from engrain.paths import Home
from tests.found_files import EVERY, FILES, TREES, lay, tree, written

FIXES = ".engrain/shared/fixes.jsonl"


@pytest.fixture(autouse=True)
def _no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process loses nothing that it wrote; waiting for the disk would be most of the time."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def git(root: str, *words: str) -> str:
    command = ["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@example.com", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def init(home: Home, root: str) -> plan.Plan:
    made = plan.putting(home, plan.for_repository(root, wiring.used(root)))
    assert ledger.apply(home, made.changes) == []
    return made


def clean(home: Home, root: str) -> plan.Plan:
    parts = plan.for_repository(root, wiring.AGENTS)
    made = plan.taking(home, parts, plan.known(home, root))
    assert ledger.apply(home, made.changes) == []
    return made


def round_trip(chosen: Mapping[str, str], *, share: bool = False) -> None:
    folder = tempfile.mkdtemp(prefix="engrain-files-")
    try:
        root, home = os.path.join(folder, "repo"), Home(os.path.join(folder, "home")).ensure()
        lay(root, chosen)
        os.makedirs(os.path.join(root, ".git"), exist_ok=True)
        with open(os.path.join(root, ".git", "HEAD"), "w", encoding="utf-8") as file:
            file.write("ref: refs/heads/main\n")
        if share:
            os.makedirs(os.path.join(root, ".engrain", "shared"), exist_ok=True)
            with open(os.path.join(root, FIXES), "w", encoding="utf-8") as file:
                file.write('{"engrain":"fix"}\n')
        before = tree(root)
        init(home, root)
        wired = tree(root)
        init(home, root)
        assert tree(root) == wired, "twice is once"
        clean(home, root)
        assert tree(root) == before
        assert ledger.notes(home) == {}
    finally:
        shutil.rmtree(folder)


def test_there_are_enough_kinds() -> None:
    assert len({kind for kinds in FILES.values() for kind in kinds}) >= 70


@pytest.mark.parametrize("kind", sorted({kind for _, kind in EVERY}))
def test_every_kind_of_file_comes_back_as_it_was(kind: str) -> None:
    round_trip({path: kind for path, kinds in FILES.items() if kind in kinds}, share=True)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TREES, st.booleans())
def test_any_tree_of_them_comes_back_as_it_was(chosen: Mapping[str, str], share: bool) -> None:
    round_trip(chosen, share=share)


@settings(max_examples=150, deadline=None)
@given(written())
def test_any_json_that_people_write_comes_back_as_it_was(text: str) -> None:
    entries = [entry for of in wiring.AGENTS[:2] for entry in wiring.entries_of(of)]
    try:
        files.checked(text, "x", entries)
    except BadInput:
        return
    put = files.put(text, entries)
    told = jsonc.loads(put.text)
    assert files.cut(put.text, put.spans) == text
    assert files.put(put.text, entries).text == put.text
    for key, value in jsonc.loads(text).items():
        assert key == "hooks" or told[key] == value
    for entry in entries:
        assert entry.value in told["hooks"][entry.way[1]]
    left = files.without(put.text)
    assert files.wired(left) == set()
    assert jsonc.loads(left).items() >= {k: v for k, v in jsonc.loads(text).items() if k != "hooks"}.items()


REFUSED = {
    "unparsable", "two values", "a list", "hooks that are a list", "no UTF-8", "UTF-16", "an open comment", "NUL",
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_what_can_t_be_understood_is_left_alone_and_named(home: Home, tmp_path: object, kind: str) -> None:
    root = os.path.join(str(tmp_path), "repo")
    lay(root, {".claude/settings.json": kind})
    before = tree(root)[".claude/settings.json"]
    made = init(home, root)
    assert tree(root)[".claude/settings.json"] == before
    assert [why for why in made.refused if ".claude/settings.json: " in why and "left as it is" in why]
    assert os.path.exists(os.path.join(root, ".codex", "hooks.json")), "the others are wired all the same"
    clean(home, root)
    assert tree(root)[".claude/settings.json"] == before


def test_a_committed_file_is_never_removed(home: Home, tmp_path: object) -> None:
    root = os.path.join(str(tmp_path), "repo")
    os.makedirs(os.path.join(root, ".engrain", "shared"))
    with open(os.path.join(root, FIXES), "w", encoding="utf-8") as file:
        file.write('{"engrain":"fix"}\n')
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "before")
    before = tree(root)
    init(home, root)
    assert git(root, "status", "--porcelain", "--", FIXES) == ""
    clean(home, root)
    assert tree(root) == before
    init(home, root)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "wired")
    clean(home, root)
    left = tree(root)
    assert set(git(root, "ls-files").split()) <= set(left)
    assert left[FIXES] == before[FIXES]
    assert left[".claude/settings.json"].holds == b"{}\n"
    assert left["AGENTS.md"].holds == left[".opencode/plugins/engrain.js"].holds == b""


def test_a_clone_of_a_wired_repository_is_wired_already_and_can_be_cleaned(home: Home, tmp_path: object) -> None:
    root, clone = (os.path.join(str(tmp_path), name) for name in ("repo", "clone"))
    os.makedirs(root)
    git(root, "init", "-q")
    init(home, root)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "wired")
    git(str(tmp_path), "clone", "-q", root, clone)
    other = Home(os.path.join(str(tmp_path), "other")).ensure()
    init(other, clone)
    assert git(clone, "status", "--porcelain") == "", "nothing is written where everything is there"
    clean(other, clone)
    text = "".join(seen.holds.decode() for seen in tree(clone).values())
    assert "ENGRAIN_HOME" not in text
    assert "engrain: begin" not in text
