"""What was remembered before the first commit, or before there was a remote, is found under what a checkout is now."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from engrain.event import PROJECT_MERGE, join
from engrain.memory import Memory
from engrain.model import merged, within
from engrain.paths import Home
from engrain.project import begun, find_repository, identify
from engrain.store.store import Choice
from tests.making import Ran
from tests.payloads import ERROR, payload
from tests.test_hook import DOOR
from tests.test_project import git, repository

SHOP, FORK = "https://example.com/acme/shop", "https://example.com/dana/shop"


class Work:
    """A folder, and whatever opens a memory in one."""

    def __init__(self, home: Home, where: str, folder: str) -> None:
        self.home, self.where, self.folder = home, where, folder
        os.makedirs(folder)

    def note(self, text: str, folder: str = "") -> None:
        with self.at(folder) as memory:
            memory.note(text)

    def finds(self, text: str, folder: str = "") -> bool:
        with self.at(folder) as memory:
            memory.catch_up()
            return bool(memory.search(text, alone=True))

    def joins(self, folder: str = "") -> list[str]:
        """What this folder was, once somebody looked."""
        with self.at(folder) as memory:
            memory.catch_up()
            return [each.id for each in memory.joined()]

    def tick(self) -> None:
        with Memory.open(self.home.root, store=self.where, folder=self.home.root) as memory:
            memory.tick(seconds=10)

    def at(self, folder: str = "") -> Memory:
        return Memory.open(self.home.root, store=self.where, folder=folder or self.folder)

    def failed(self, session: str) -> str:
        """What the hook says at a failure here."""
        said = {**payload("PostToolUseFailure"), "cwd": self.folder, "session_id": session, "error": ERROR}
        words = [sys.executable, "-I", "-S", "-c", DOOR.format("/bin/true"), "PostToolUseFailure"]
        environ = {**os.environ, "ENGRAIN_STORE": self.where}
        done = subprocess.run(words, input=json.dumps(said).encode(), env=environ, capture_output=True, check=True)
        return done.stdout.decode()


@pytest.fixture
def work(home: Home, where: str, tmp_path: object) -> Work:
    return Work(home, where, f"{tmp_path}/shop")


def commit(folder: str, *more: str) -> None:
    git(folder, "commit", "-q", "--allow-empty", "-m", "first", *more)


# What is the same


def test_the_hook_answers_with_what_was_taught_before_the_first_commit_and_the_remote(work: Work) -> None:
    with work.at() as memory:
        memory.remember_error_fix(ERROR, "pip install orjson")
    seen = []
    for step in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "first"), ("remote", "add", "origin", SHOP)):
        git(work.folder, *step)
        work.tick()
        seen.append(identify(work.folder).id)
        said = work.failed(seen[-1])
        assert "pip install orjson" in said, step
        assert "in another project" not in said, step
    assert len(set(seen)) == 3


def test_search_finds_it_at_once(work: Work) -> None:
    work.note("zebra: before git")
    git(work.folder, "init", "-q")
    commit(work.folder)
    assert work.finds("zebra")
    work.note("heron: before the remote")
    git(work.folder, "remote", "add", "origin", SHOP)
    assert work.finds("zebra")
    assert work.finds("heron")
    assert len(work.joins()) == 2


def test_the_commit_may_come_after_the_remote(work: Work) -> None:
    work.note("zebra")
    git(work.folder, "init", "-q")
    git(work.folder, "remote", "add", "origin", SHOP)
    commit(work.folder)
    assert work.finds("zebra")


def test_a_first_commit_that_was_amended_is_the_same(work: Work) -> None:
    repository(f"{work.folder}/in", commit=True)
    work.note("zebra", f"{work.folder}/in")
    commit(f"{work.folder}/in", "--amend", "--date", "2001-01-01T00:00:00")
    assert work.finds("zebra", f"{work.folder}/in")


def test_a_clone_has_what_was_remembered_of_its_history_here(work: Work) -> None:
    """A clone that lost its remote and gets another one: git is asked for its root commit."""
    repository(f"{work.folder}/origin", commit=True)
    git(work.folder, "clone", "-q", "origin", "clone")
    git(f"{work.folder}/clone", "remote", "remove", "origin")
    work.note("zebra", f"{work.folder}/clone")
    git(f"{work.folder}/clone", "remote", "add", "origin", FORK)
    assert work.finds("zebra", f"{work.folder}/clone")


def test_a_worktree_has_it_too(work: Work) -> None:
    work.note("zebra")
    git(work.folder, "init", "-q")
    commit(work.folder)
    git(work.folder, "remote", "add", "origin", SHOP)
    git(work.folder, "worktree", "add", "-q", f"{work.folder}-side")
    assert work.finds("zebra", f"{work.folder}-side")


# What is not


def test_forks_share_what_was_before_them_and_nothing_else(work: Work) -> None:
    one, other = f"{work.folder}/one", f"{work.folder}/other"
    repository(one, commit=True)
    work.note("zebra: before both", one)
    shutil.copytree(one, other)
    for folder, remote, text in ((one, SHOP, "heron"), (other, FORK, "lynx")):
        git(folder, "remote", "add", "origin", remote)
        work.note(text, folder)
    assert [work.finds(text, one) for text in ("zebra", "heron", "lynx")] == [True, True, False]
    assert [work.finds(text, other) for text in ("zebra", "heron", "lynx")] == [True, False, True]


@pytest.mark.parametrize("young", [False, True])
def test_what_was_cloned_into_a_folder_is_not_what_the_folder_was(work: Work, young: bool) -> None:
    made = f"{work.folder}-made"
    if not young:
        repository(made, commit=True)
    work.note("zebra")
    if young:
        repository(made, commit=True)
    git(work.folder, "clone", "-q", made, ".")
    work.tick()
    assert not work.finds("zebra")
    git(work.folder, "remote", "remove", "origin")
    assert not work.finds("zebra")


def test_a_history_that_is_older_than_what_was_seen_in_the_folder_is_not_it(work: Work) -> None:
    """A repository that is mounted, or moved, to a folder that was another's."""
    repository(f"{work.folder}-old", remote=SHOP)
    git(f"{work.folder}-old", "-c", "core.logAllRefUpdates=true", "commit", "-q", "--allow-empty", "-m", "first")
    log = f"{work.folder}-old/.git/logs/HEAD"
    with open(log, encoding="utf-8") as file:
        head, _, rest = file.read().partition("> ")
    with open(log, "w", encoding="utf-8") as file:
        file.write(f"{head}> 1700000000 {rest.partition(' ')[2]}")
    work.note("zebra")
    os.rmdir(work.folder)
    os.rename(f"{work.folder}-old", work.folder)
    work.tick()
    assert work.joins() == []
    assert not work.finds("zebra")


def test_another_home_did_not_see_the_folder(work: Work, tmp_path: object) -> None:
    work.note("zebra")
    exported = io.BytesIO()
    with work.at() as memory:
        memory.export(exported)
    git(work.folder, "init", "-q")
    commit(work.folder)
    with Memory.open(f"{tmp_path}/other", folder=work.folder) as other:
        other.import_journal(io.BytesIO(exported.getvalue()))
        other.catch_up()
        assert other.joined() == []
        assert [each.project for each in other.apart()] == [identify_folder(work.folder)]


def identify_folder(folder: str) -> str:
    shutil.rmtree(f"{folder}/.git")
    return identify(folder).id


def test_a_folder_below_is_not_the_repository(work: Work) -> None:
    os.makedirs(f"{work.folder}/below")
    work.note("zebra", f"{work.folder}/below")
    git(work.folder, "init", "-q")
    commit(work.folder)
    assert not work.finds("zebra")


def test_another_history_in_the_same_folder_is_not_joined(work: Work) -> None:
    git(work.folder, "init", "-q")
    commit(work.folder)
    work.note("zebra")
    shutil.rmtree(f"{work.folder}/.git")
    git(work.folder, "init", "-q")
    commit(work.folder, "--date", "2001-01-01T00:00:00")
    git(work.folder, "remote", "add", "origin", SHOP)
    assert not work.finds("zebra")


def test_a_shallow_clone_is_not_joined(work: Work) -> None:
    made = repository(f"{work.folder}/made", commit=True)
    commit(made)
    work.note("zebra", made)
    git(work.folder, "clone", "-q", "--depth", "1", f"file://{made}", "clone")
    git(f"{work.folder}/clone", "remote", "set-url", "origin", SHOP)
    assert not work.finds("zebra", f"{work.folder}/clone")


def test_a_submodule_is_its_own(work: Work) -> None:
    made = repository(f"{work.folder}-lib", commit=True)
    git(work.folder, "init", "-q")
    commit(work.folder)
    work.note("zebra", work.folder)
    git(work.folder, "-c", "protocol.file.allow=always", "submodule", "add", "-q", made, "lib")
    assert not work.finds("zebra", f"{work.folder}/lib")


def test_a_remote_that_replaced_another_is_not_joined_and_told_of(work: Work) -> None:
    git(work.folder, "init", "-q")
    git(work.folder, "remote", "add", "origin", SHOP)
    commit(work.folder)
    work.note("zebra")
    before = identify(work.folder).id
    git(work.folder, "remote", "set-url", "origin", FORK)
    assert not work.finds("zebra")
    with work.at() as memory:
        assert [(each.project, each.remote) for each in memory.apart()] == [(before, "example.com/acme/shop")]
        memory.merge_projects(before, memory.project.id)
        assert memory.apart() == []
    assert work.finds("zebra")


def test_who_visits_has_no_folders_here(work: Work) -> None:
    git(work.folder, "init", "-q")
    commit(work.folder)
    work.note("zebra")
    git(work.folder, "remote", "add", "origin", SHOP)
    with work.at() as memory:
        visitor = memory.confined_to(memory.tenant, identify(work.folder))
        visitor.catch_up()
        assert "home" not in visitor.sighting().body
        assert memory.store.kinds() == [("note", 1), ("project.seen", 1)]


# The event


def test_it_can_be_taken_back_and_is_not_made_again(work: Work) -> None:
    work.note("zebra")
    git(work.folder, "init", "-q")
    commit(work.folder)
    (joined,) = work.joins()
    with work.at() as memory:
        (event,) = memory.get(joined)
        assert (event.kind, event.body["source"], event.body["into"]) == (PROJECT_MERGE, "seen", memory.project.id)
        memory.forget([joined])
    work.tick()
    assert not work.finds("zebra")
    git(work.folder, "remote", "add", "origin", SHOP)
    work.tick()
    assert not work.finds("zebra"), "parted from what the checkout was, it is parted from what it became"


def test_forgetting_what_a_project_was_leaves_what_it_became(work: Work) -> None:
    work.note("zebra")
    before = identify(work.folder).id
    git(work.folder, "init", "-q")
    commit(work.folder)
    work.note("heron")
    assert work.finds("zebra")
    with work.at() as memory:
        memory.forget(memory.to_forget(Choice(project=before)))
    assert not work.finds("zebra")
    assert work.finds("heron")


def test_the_journal_tells_it_after_a_rebuild_and_elsewhere(work: Work, tmp_path: object) -> None:
    work.note("zebra")
    git(work.folder, "init", "-q")
    commit(work.folder)
    work.joins()
    exported = io.BytesIO()
    with work.at() as memory:
        told = list(memory.store.dump())
        memory.store.rebuild()
        assert list(memory.store.dump()) == told
        memory.export(exported)
    with Memory.open(f"{tmp_path}/other", folder=work.folder) as other:
        other.import_journal(io.BytesIO(exported.getvalue()))
        assert other.search("zebra", alone=True)


def test_looked_at_twice_is_joined_once(work: Work) -> None:
    work.note("zebra")
    git(work.folder, "init", "-q")
    commit(work.folder)
    for _ in range(2):
        work.tick()
        assert len(work.joins()) == 1
    with work.at() as memory:
        assert dict(memory.store.kinds())[PROJECT_MERGE] == 1


def test_the_command_tells_it_and_why(work: Work, engrain: Callable[..., Ran]) -> None:
    work.note("zebra")
    git(work.folder, "init", "-q")
    commit(work.folder)
    done = engrain("project", folder="shop", ENGRAIN_STORE=work.where)
    (joined,) = work.joins()
    assert done.code == 0, done.err
    assert "this folder was seen before the history was begun in it" in done.out
    assert f"engrain forget {joined}" in done.out


# The rules


def test_what_grew_from_one_is_not_each_other() -> None:
    rows = [
        ("local", e.project, e.id, 0, e.body["into"])
        for e in (join("c", "a", ""), join("c", "b", ""), join("f", "c", ""))
    ]
    assert merged("a", rows) == ["a", "c", "f"]
    assert merged("c", rows) == ["a", "b", "c", "f"]
    assert within("c", rows) == ["c", "f"]
    said = [*rows, ("local", "a", "id", 0, "z")]
    assert merged("z", said) == merged("a", said) == ["a", "c", "f", "z"]


def test_the_log_tells_how_a_history_began(tmp_path: object) -> None:
    made = repository(f"{tmp_path}/made")
    found = find_repository(made)
    assert found
    assert begun(found) == ((), 0)
    commits = []
    for more in ((), ("--amend", "--date", "2001-01-01T00:00:00")):
        commit(made, *more)
        commits.append(git(made, "rev-parse", "HEAD"))
    commit(made)
    assert begun(found).commits == tuple(commits)
    git(str(tmp_path), "clone", "-q", made, "clone")
    cloned = find_repository(f"{tmp_path}/clone")
    assert cloned
    assert begun(cloned) == ((), 0)
