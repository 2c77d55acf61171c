"""Working memory: what a session has in hand, told by a real hook, its limits, and that it ends with the session."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engrain.capture.session import Session
from engrain.errors import NotFound
from engrain.event import Event
from engrain.learn.working import MOST_FILES, MOST_RESULTS, Working, in_hand, left
from engrain.memory import Memory
from engrain.paths import Home
from tests.conftest import SOURCE
from tests.making import START, Ran
from tests.payloads import payload
from tests.test_testing import RECORDED, recording

DOOR = f"import sys; sys.path.insert(0, {SOURCE!r}); from engrain.hook.door import run; run([], '/bin/true', '')"
Tell = Callable[..., None]
SHOP = "/home/dana/shop"


@pytest.fixture
def tell(tmp_path: object) -> Tell:
    """Tells the hook what an agent says, as a process of its own; a tick that it starts is `true`."""
    number = iter(range(1_000_000))

    def call(event: str, **said: Any) -> None:
        about = {"tool_use_id": f"toolu_{next(number)}"} if "Tool" in event else {}
        data = json.dumps({**payload(event), **about, **said}).encode()
        words = [sys.executable, "-I", "-S", "-c", DOOR]
        subprocess.run(words, input=data, check=True, capture_output=True, env=dict(os.environ), cwd=str(tmp_path))

    return call


def hand(home: Home) -> Working:
    """What the session has in hand once a tick has come for what was told."""
    with Memory.open(home.root) as memory:
        memory.tick(seconds=20)
        return memory.working(payload("Stop")["session_id"])[1]


def read(tell: Tell, path: str) -> None:
    said = {"type": "text", "file": {"filePath": f"{SHOP}/{path}", "content": "x = 1"}}
    tell("PostToolUse", tool_name="Read", tool_input={"file_path": f"{SHOP}/{path}"}, tool_response=said)


def edited(tell: Tell, path: str) -> None:
    given = {"file_path": f"{SHOP}/{path}", "old_string": "1", "new_string": "2"}
    tell("PostToolUse", tool_name="Edit", tool_input=given, tool_response={"filePath": path})


def ran(tell: Tell, command: str, said: str) -> None:
    answer = {"stdout": said, "stderr": "", "interrupted": False}
    tell("PostToolUse", tool_input={"command": command}, tool_response=answer)


def pytest_said(first: int, number: int) -> str:
    lines = [f"tests/test_a.py::test_{n} PASSED [ 10%]" for n in range(first, first + number)]
    return "\n".join([*lines, "", f"=== {number} passed in 0.1s ==="])


# The limits, through the hook


def test_the_51st_file_takes_the_place_of_the_one_used_longest_ago(home: Home, tell: Tell) -> None:
    for number in range(MOST_FILES):
        read(tell, f"f{number}.py")
    read(tell, "f0.py")
    read(tell, "last.py")
    paths = [file.path.rpartition("/")[2] for file in hand(home).files]
    assert len(paths) == MOST_FILES
    assert paths[:2] == ["last.py", "f0.py"]
    assert "f1.py" not in paths
    assert paths[-1] == "f2.py"


def test_the_101st_test_result_takes_the_place_of_the_first(home: Home, tell: Tell) -> None:
    ran(tell, "pytest -v tests/a", pytest_said(0, 60))
    ran(tell, "pytest -v tests/b", pytest_said(60, MOST_RESULTS - 60))
    assert [each.name for each in hand(home).tests][::99] == ["test_0", "test_99"]
    ran(tell, "pytest -v tests/c", pytest_said(100, 1))
    found = [each.name for each in hand(home).tests]
    assert (len(found), found[0], found[-1]) == (MOST_RESULTS, "test_1", "test_100")


def test_a_commit_clears_the_changes_and_one_that_fails_does_not(home: Home, tell: Tell) -> None:
    tell("UserPromptSubmit", prompt="make prices round")
    edited(tell, "price.py")
    ran(tell, "cat > tests/test_price.py <<'EOF'\nassert True\nEOF", "")
    refused = "Exit code 1\nOn branch main\nnothing to commit"
    tell("PostToolUseFailure", tool_input={"command": "git commit -m round"}, error=refused)
    found = hand(home)
    assert [os.path.basename(path) for path in found.changes] == ["price.py", "test_price.py"]
    ran(tell, "git add -A && git commit -qm 'prices round' && git push", "")
    edited(tell, "cart.py")
    found = hand(home)
    assert [os.path.basename(path) for path in found.changes] == ["cart.py"]
    assert (found.task, found.answered) == ("make prices round", False)
    assert len(found.files) == 3


def test_all_of_it_is_gone_when_the_session_ends(home: Home, tell: Tell) -> None:
    tell("SessionStart")
    tell("UserPromptSubmit", prompt="make prices round")
    edited(tell, "price.py")
    ran(tell, "pytest -v", pytest_said(0, 3))
    assert all((hand(home).task, hand(home).files, hand(home).tests, hand(home).changes))
    tell("SessionEnd")
    assert hand(home) == Working()
    tell("SessionStart", source="resume")
    tell("UserPromptSubmit", prompt="and the cart", prompt_id="prompt-2")
    assert hand(home) == Working("and the cart", hand(home).asked)


def test_what_a_failing_run_said_is_read_and_what_failed_last_is_told(home: Home, tell: Tell) -> None:
    command, said = recording("pytest/verbose")
    tell("PostToolUseFailure", tool_input={"command": command}, error=f"Exit code 1\n{said}")
    found = hand(home)
    assert [each.name for each in found.failing] == ["TestCart::test_refunds", "test_stores"]
    ran(tell, "pytest -v", "tests/test_cart.py::TestCart::test_refunds PASSED\n=== 1 passed in 0.1s ===")
    assert [each.name for each in hand(home).failing] == ["test_stores"]


# The function


def session() -> Session:
    return Session("claude-code", "s", project="p", tenant="local")


def call(number: int, tool: str, given: dict[str, Any], output: str = "", **more: Any) -> Event:
    about = {"failed": False, "cwd": SHOP, **more}
    return session().called(START + number, f"c{number}", tool, given, output, **about)


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_every_runner_is_read(name: str) -> None:
    command, said = recording(name)
    tests = in_hand([call(1, "Bash", {"command": command}, said)]).tests
    expected, _ = RECORDED[name]
    assert [sum(t.number for t in tests if t.outcome == each) for each in ("passed", "failed", "error", "skipped")] == [
        *expected
    ]


USES: list[tuple[str, dict[str, Any], tuple[list[str], list[str]]]] = [
    # What a call was, the files that it used, and those of them that it changed.
    ("Read", {"file_path": f"{SHOP}/a.py"}, (["a.py"], [])),
    ("Read", {"file_path": "a.py"}, (["a.py"], [])),
    ("Edit", {"file_path": f"{SHOP}/a.py", "old_string_size": 1, "new_string_size": 2}, (["a.py"], ["a.py"])),
    ("Write", {"file_path": f"{SHOP}/a.py", "content_size": 9}, (["a.py"], ["a.py"])),
    ("NotebookEdit", {"notebook_path": f"{SHOP}/a.ipynb", "new_source_size": 9}, (["a.ipynb"], ["a.ipynb"])),
    ("Grep", {"path": f"{SHOP}/src", "pattern": "x"}, ([], [])),
    ("Bash", {"command": "cat a.py b.py | head -3"}, (["b.py", "a.py"], [])),
    ("Bash", {"command": "cd /home/dana/shop && sed -n '1,20p' src/a.py"}, (["src/a.py"], [])),
    ("Bash", {"command": "sed -i 's/a/b/' a.py"}, (["a.py"], ["a.py"])),
    ("Bash", {"command": "echo 1 > new.txt"}, (["new.txt"], ["new.txt"])),
    ("apply_patch", {"command": "*** Begin Patch\n*** Update File: a.py\n*** End Patch"}, (["a.py"], ["a.py"])),
    ("Bash", {"command": "pytest -q tests/a.py"}, ([], [])),
    ("WebFetch", {"url": "https://example.com/a.py"}, ([], [])),
]


@pytest.mark.parametrize(("tool", "given_", "expected"), USES)
def test_which_files_a_call_used(tool: str, given_: dict[str, Any], expected: tuple[list[str], list[str]]) -> None:
    found = in_hand([call(1, tool, given_)])
    paths = [file.path.removeprefix(f"{SHOP}/") for file in found.files]
    assert (paths, [path.removeprefix(f"{SHOP}/") for path in found.changes]) == expected


@pytest.mark.parametrize("how", [{"failed": True}, {"refused": True}, {"interrupted": True}])
def test_a_call_that_did_nothing_used_nothing(how: dict[str, Any]) -> None:
    assert in_hand([call(1, "Edit", {"file_path": "a.py", "content_size": 1}, **how)]) == Working()


COMMITS = [
    ("git commit -m x", 0, "", True),
    ("git -C /srv/shop commit -am x", 0, "", True),
    ("git add -A && git commit -m x && git push", 0, "", True),
    ("git commit -m x | tail -1", 0, "[main 1a2b3c4] x", True),
    ("git commit -m x | tail -1", 0, "nothing to commit", False),
    ("git commit -m x; pytest", 1, "[main (root-commit) 1a2b3c4] x\n1 failed", True),
    ("git commit --dry-run", 0, "", False),
    ("git status", 0, "", False),
    ("echo git commit", 0, "", False),
    ("git commit -m x", None, "", False),
]


@pytest.mark.parametrize(("line", "code", "said", "clears"), COMMITS)
def test_what_is_a_commit(line: str, code: int | None, said: str, clears: bool) -> None:
    told = [
        call(1, "Write", {"file_path": "a.py", "content_size": 1}),
        call(2, "Bash", {"command": line}, said, exit=code),
    ]
    assert (in_hand(told).changes == ()) is clears


def test_what_is_left_is_told_of_a_session_that_ended() -> None:
    made = session()
    told = [
        made.prompted(START, "p1", "round prices"),
        call(1, "Write", {"file_path": "a.py", "content_size": 1}),
        made.ended(START + 9, reason="other"),
    ]
    assert in_hand(told) == Working()
    assert left(told).changes == (f"{SHOP}/a.py",)
    assert not left(told).answered
    ran = [*told, call(3, "Bash", {"command": "pytest -q && cat b.py"}, "1 passed in 0.1s", exit=0)]
    assert left(ran).tests
    assert left(ran, tests=False) == left(ran)._replace(tests=())
    assert left([*told[:2], made.replied(START + 3, "r", "done")]).answered


@given(st.lists(st.tuples(st.integers(0, 70), st.booleans()), max_size=200))
@settings(max_examples=40, deadline=None)
def test_files_are_those_used_last(uses: list[tuple[int, bool]]) -> None:
    told = [
        call(n, "Edit" if changes else "Read", {"file_path": f"/f{file}", **({"content_size": 1} if changes else {})})
        for n, (file, changes) in enumerate(uses)
    ]
    expected: OrderedDict[str, None] = OrderedDict()
    for file, _ in uses:
        expected.pop(f"/f{file}", None)
        expected[f"/f{file}"] = None
    assert [file.path for file in in_hand(told).files] == list(reversed(expected))[:MOST_FILES]


def test_working_on_the_command_line(engrain: Callable[..., Ran], home: Home, tell: Tell, tmp_path: object) -> None:
    none = engrain("working")
    assert (none.code, none.err.count("\n")) == (1, 1)
    tell("UserPromptSubmit", prompt="make prices round", cwd=str(tmp_path))
    edited(tell, "price.py")
    told = engrain("working", payload("Stop")["session_id"][:8], "--json")
    assert told.json["task"] == "make prices round"
    assert [os.path.basename(path) for path in told.json["changes"]] == ["price.py"]
    assert "changed and not committed" in engrain("working", payload("Stop")["session_id"]).out
    with Memory.open(home.root) as memory, pytest.raises(NotFound):
        memory.working("nobody")


# A task, through the hook


def test_a_prompt_opens_a_task_and_stop_closes_it(home: Home, tell: Tell) -> None:
    tell("UserPromptSubmit", prompt="fix the rounding of prices")
    edited(tell, "src/price.py")
    ran(tell, "pytest -v", pytest_said(0, 3))
    tell("Stop", last_assistant_message="Prices round half to even now.")
    tell("UserPromptSubmit", prompt="what is a cart?", prompt_id="prompt-2")
    tell("Stop", last_assistant_message="A cart holds what somebody buys.")
    with Memory.open(home.root) as memory:
        memory.tick(seconds=20)
        (task,) = memory.tasks(everywhere=True)
    assert (task.text, task.type, task.outcome) == ("fix the rounding of prices", "bugfix", "success")
    assert (task.modified, task.summary) == (("src/price.py",), "Prices round half to even now.")
    assert (task.tests[0]["passed"], task.provenance["tests"]) == (3, "runtime_observed")
    assert (task.added, task.removed, task.sources) == (1, 1, ("mined",))
