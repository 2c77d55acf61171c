"""Records: what is finalized stands in the repository, a line each; set right by hand, read back, taken out."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engrain.errors import BadInput
from engrain.memory import Memory
from engrain.store.store import Choice
from engrain.upkeep import records, worktree
from tests.making import Ran


@pytest.fixture
def shop(tmp_path: object) -> str:
    """A repository with one commit."""
    place = os.path.join(str(tmp_path), "shop")
    os.makedirs(place)
    write(place, "a.py", "1\n2\n")
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "-c", "user.name=d", "-c", "user.email=d@example.com", "commit", "-qm", "begin")
    return place


@pytest.fixture
def here(home: Any, shop: str) -> Iterator[Memory]:
    with Memory.open(home.root, folder=shop) as opened:
        yield opened


def git(place: str, *words: str) -> str:
    return subprocess.run(["git", "-C", place, *words], check=True, capture_output=True, text=True).stdout


def write(place: str, name: str, text: str) -> None:
    os.makedirs(os.path.dirname(os.path.join(place, name)), exist_ok=True)
    with open(os.path.join(place, name), "w", encoding="utf-8") as file:
        file.write(text)


def rows(shop: str, name: str) -> list[dict[str, Any]]:
    with open(records.place(shop, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def held(shop: str, name: str) -> bytes:
    path = records.place(shop, name)
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


def change(shop: str, name: str, old: str, new: str) -> None:
    path = records.place(shop, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert old in text
    write(os.path.dirname(path), os.path.basename(path), text.replace(old, new))


def test_what_is_finalized_stands_in_files_that_git_ignores(here: Memory, shop: str) -> None:
    first = here.remember_task("round the prices", modified=["src/price.py"], tests=["pytest"], summary="half to even")
    here.remember_task("round the orders", outcome="failed", errors=["ValueError: no"], modified=["src/order.py"])
    begun = here.prepare("round the prices again")
    done = here.finalize(begun.task, outcome="success", modified=["src/price.py"])
    assert (first.unkept, done.task.followed) == ("", (first.task.id,))
    assert [row["text"] for row in rows(shop, "executions")] == [
        "round the prices", "round the orders", "round the prices again",
    ]  # fmt: skip
    assert [row.get("summary") for row in rows(shop, "strategies")] == ["half to even", None]
    assert [row["errors"][0]["message"] for row in rows(shop, "failures")] == ["ValueError: no"]
    assert [row["area"] for row in rows(shop, "areas")] == ["src"] * 3
    assert [(row["task"], row["strategy"]) for row in rows(shop, "feedback")] == [(begun.task, first.task.id)]
    assert rows(shop, "executions")[0]["provenance"]["modified"] == "explicit"
    assert git(shop, "status", "--porcelain") == ""
    assert os.stat(records.place(shop, "executions")).st_mode & 0o077 == 0


def test_told_again_a_task_has_one_line(here: Memory, shop: str) -> None:
    begun = here.prepare("round the prices")
    here.finalize(begun.task, outcome="success", modified=["src/price.py"])
    here.remember_task("another")
    here.finalize(begun.task, outcome="failed")
    assert [(row["text"], row["outcome"]) for row in rows(shop, "executions")] == [
        ("another", "success"), ("round the prices", "failed"),
    ]  # fmt: skip
    assert [row["text"] for row in rows(shop, "strategies")] == ["another"]
    assert [row["text"] for row in rows(shop, "failures")] == ["round the prices"]


def test_a_hand_edit_is_a_correction_and_a_damaged_line_costs_itself_alone(here: Memory, shop: str) -> None:
    done = here.remember_task("round the prices", modified=["src/price.py"], summary="half to evn")
    other = here.remember_task("round the orders", modified=["src/order.py"])
    change(shop, "executions", "half to evn", "half to even")
    change(shop, "strategies", '["src/order.py"]', '["src/order.py","src/cart.py"]')
    with open(records.place(shop, "executions"), "ab") as file:
        file.write(b'{"task":"torn\n\xff\xfe\n[1]\n')
    assert here.task(done.task.id).summary == "half to even"
    fixed = here.task(other.task.id)
    assert (fixed.modified, fixed.provenance["modified"]) == (("src/order.py", "src/cart.py"), "explicit")
    assert "edited" in fixed.sources
    found = here.read_tasks()
    assert (found.new, found.corrected, [each.number for each in found.damaged]) == (0, 0, [1, 2, 3])
    assert here.remember_task("a third").unkept == ""
    # All files say the same again, and what was damaged is still there for whoever can mend it.
    text = held(shop, "executions")
    assert text.count(b"half to even") == 1
    assert b'{"task":"torn' in text
    assert [row["modified"] for row in rows(shop, "strategies") if row["task"] == other.task.id] == [
        list(fixed.modified)
    ]


def test_the_records_are_read_into_an_empty_store_and_twice_is_once(here: Memory, shop: str, tmp_path: object) -> None:
    first = here.remember_task("round the prices", modified=["src/price.py"], summary="half to even", tests=["pytest"])
    here.remember_task("round the orders", outcome="failed")
    with Memory.open(os.path.join(str(tmp_path), "other"), folder=shop) as other:
        # What lies there may be anybody's: by itself nothing is read.
        assert other.suggest("round prices").hint is None
        assert other.tasks() == []
        assert [other.read_tasks().new for _ in range(2)] == [2, 0]
        task = other.task(first.task.id)
        assert task._replace(events=(), sources=()) == first.task._replace(events=(), sources=())
        hint = other.suggest("round prices").hint
        assert hint is not None
        assert hint.task.id == first.task.id


def test_what_is_forgotten_is_taken_out_and_does_not_come_back(here: Memory, shop: str) -> None:
    done = here.remember_task("round the prices", summary="with wombats", modified=["src/price.py"])
    here.remember_task("another")
    before = held(shop, "executions")
    here.forget(here.to_forget(Choice(ids=(done.task.id,))))
    for name in records.NAMES:
        assert b"wombat" not in held(shop, name)
    with open(records.place(shop, "executions"), "wb") as file:
        file.write(before)
    assert here.read_tasks() == (0, 0, (), 0)
    assert [task.text for task in here.tasks()] == ["another"]


@pytest.mark.parametrize("named", ["", "e", "task", "sum", "round"])
def test_an_id_that_stands_in_every_line_by_chance_takes_none_out(here: Memory, shop: str, named: str) -> None:
    here.remember_task("round the prices", summary="with wombats", modified=["src/price.py"])
    before = held(shop, "executions")
    here.forget([named])
    assert held(shop, "executions") == before


def test_what_is_forgotten_leaves_the_records_though_a_shared_file_is_broken(here: Memory, shop: str) -> None:
    done = here.remember_task("round the prices", summary="with wombats", modified=["src/price.py"])
    here.share()
    with open(os.path.join(shop, ".engrain", "shared", "strategies.jsonl"), "ab") as file:
        file.write(b"<<<<<<< ours\n")
    with pytest.raises(BadInput, match="conflict"):
        here.forget(here.to_forget(Choice(ids=(done.task.id,))))
    assert b"wombat" not in held(shop, "executions")


def test_what_was_forgotten_on_another_machine_leaves_this_repository_too(
    here: Memory, shop: str, tmp_path: object
) -> None:
    """Told by an export, a copy or a sync."""
    done = here.remember_task("round the prices", summary="with wombats", modified=["src/price.py"])
    here.share()
    shared = os.path.join(shop, ".engrain", "shared", "strategies.jsonl")
    with Memory.open(os.path.join(str(tmp_path), "other"), folder=str(tmp_path)) as other:
        ids, exported = here.to_forget(Choice(ids=(done.task.id,))), io.BytesIO()
        other.forget(ids)
        other.export(exported)
    here.import_journal(io.BytesIO(exported.getvalue()))
    assert b"wombat" not in held(shop, "executions")
    with open(shared, "rb") as file:
        assert b"wombat" not in file.read()


def test_a_record_that_cannot_be_written_loses_no_task(here: Memory, shop: str, tmp_path: object) -> None:
    outside = os.path.join(str(tmp_path), "outside")
    os.makedirs(outside)
    os.symlink(outside, os.path.join(shop, ".engrain"))
    done = here.remember_task("round the prices")
    assert "leads out of the repository" in done.unkept
    assert (os.listdir(outside), here.task(done.task.id).text) == ([], "round the prices")
    with pytest.raises(BadInput):
        here.read_tasks()


def test_as_many_records_and_lines_as_there_are_at_once(here: Memory, shop: str, engrain: Callable[..., Ran]) -> None:
    here.remember_task("the first")
    words = [sys.executable, "-m", "engrain", "finalize", "--outcome", "success", "--text"]
    several = [
        subprocess.Popen([*words, f"task {number}"], cwd=shop, stdout=subprocess.DEVNULL, env=dict(os.environ))
        for number in range(8)
    ]
    assert [each.wait(timeout=60) for each in several] == [0] * 8
    told = sorted(row["text"] for row in rows(shop, "executions"))
    assert told == sorted(["the first", *(f"task {number}" for number in range(8))])
    assert len(here.tasks(limit=100)) == 9
    assert engrain("task", "list", "--json", folder="shop").code == 0


# What changed meanwhile


def test_what_changed_in_a_checkout_is_seen_and_nothing_in_it_is_touched(shop: str) -> None:
    write(shop, "new.txt", "1\n")
    write(shop, "gone.txt", "1\n2\n3\n")
    write(shop, "a.py", "1\n")
    before = worktree.taken(shop)
    status = git(shop, "status", "--porcelain")
    write(shop, "a.py", "1\n5\n6\n")
    write(shop, "sub/b.py", "1\n2\n")
    os.unlink(os.path.join(shop, "gone.txt"))
    found = worktree.changed(before, worktree.taken(shop))
    assert found == (("a.py", "gone.txt", "sub/b.py"), 4, 3)
    assert git(shop, "stash", "list") == ""
    assert worktree.changed(before, before) == ((), 0, 0)
    assert status.count("\n") == 3
    assert worktree.taken(os.path.dirname(shop)) is None
    assert worktree.changed(None, before) == ((), None, None)


# The commands


def test_a_task_from_its_beginning_to_its_end_on_the_command_line(shop: str, engrain: Callable[..., Ran]) -> None:
    def call(*words: str) -> Ran:
        return engrain(*words, folder="shop")

    begun = call("prepare", "--type", "bugfix", "round the prices").json
    assert (begun["type"], begun["type_provenance"], begun["hint"]) == ("bugfix", "explicit", None)
    done = call("finalize", begun["task"], "--outcome", "success", "--file", "src/price.py", "--test", "pytest").json
    assert (done["task"], done["agent_summary"]["provenance"]["area"]) == (begun["task"], "heuristic")
    assert done["agent_summary_text"].startswith(f"task {begun['task']} (bugfix): success [explicit]")
    found = call("suggest", "round", "prices")
    assert (found.code, found.json["hint"]["files"]) == (0, ["src/price.py"])
    # Asked so that Memory answers, it is the same.
    assert found.out == call("suggest", "--limit", "3", "round", "prices").out
    assert call("config", "set", "hook.holdout", "0.1").code == 0
    assert found.out == call("suggest", "round", "prices").out
    assert call("reuse", "round", "prices").json["strategy"]["text"] == "round the prices"
    silent = call("suggest", "send", "a", "pigeon")
    assert (silent.code, silent.json["strategies"]) == (1, [])
    used = call("usage").json
    assert (used["tasks"], used["shown"], used["silent"], used["followed"]) == (1, 4, 2, 0)
    assert begun["task"] in call("task", "list").out
    assert "area (heuristic): src" in call("task", "show", begun["task"]).out
    assert call("finalize", "--outcome", "success").code == 2
    assert call("finalize", "0123456789ab", "--outcome", "success").code == 1
    assert call("task", "read", "--json").json["new"] == 0
    assert call("task", "write").out == "0 tasks written\n"
    assert call("task", "forget", begun["task"], "--yes").code == 0
    assert call("task", "list").code == 1


def test_run_prepares_runs_and_finalizes(shop: str, engrain: Callable[..., Ran]) -> None:
    write(shop, "test_a.py", "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n")
    line = "echo hi; echo 2 >> a.py; exec python -m unittest test_a"
    ran = engrain("run", "--task", "add a line", "--", "sh", "-c", line, folder="shop")
    assert (ran.code, ran.out) == (0, "hi\n")
    assert "success [runtime_observed]" in ran.err
    (task,) = engrain("task", "list", "--json", folder="shop").json
    assert (task["modified"], task["added"], task["removed"], task["type"]) == (["a.py"], 1, 0, "feature")
    assert (task["tests"][0]["passed"], task["provenance"]["tests"]) == (1, "runtime_observed")
    assert engrain("run", "--task", "break it", "--", "false", folder="shop").code == 1
    assert engrain("task", "list", "--json", folder="shop").json[0]["outcome"] == "failed"
