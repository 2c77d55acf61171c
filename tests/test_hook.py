"""The hook as an agent runs it: a process with a payload on stdin, whatever it is given and whatever is broken."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engrain import event as events
from engrain.capture import spool
from engrain.event import FAILURE, HELD, LESSON_FIRED, SERVED, TOOL_CALL, Event
from engrain.hook.answering import drawn
from engrain.hook.rules import PHASE
from engrain.install import launcher
from engrain.install.command import command
from engrain.learn.trigger import PHASES
from engrain.memory import Memory
from engrain.paths import Home
from tests.conftest import SOURCE
from tests.making import Ran
from tests.payloads import ERROR, EVENTS, payload, problems

DOOR = (
    f"import sys; sys.path.insert(0, {SOURCE!r}); from engrain.hook.door import run; "
    f"run(sys.argv[1:], {{!r}}, {SOURCE!r})"
)
Hook = Callable[..., Ran]


def ran(words: list[str], stdin: bytes, **more: Any) -> Ran:
    done = subprocess.run(words, input=stdin, capture_output=True, timeout=60, check=False, **more)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def hook(tmp_path: object) -> Hook:
    """Runs the door; a tick that it starts is `true`, so that nothing outlives the test."""

    def call(event: str, said: object = None, **environ: str) -> Ran:
        data = said if isinstance(said, bytes) else json.dumps(payload(event) if said is None else said).encode()
        words = [sys.executable, "-I", "-S", "-c", DOOR.format("/bin/true"), event]
        return ran(words, data, env={**os.environ, **environ}, cwd=str(tmp_path))

    return call


def recorded(home: Home) -> list[Event]:
    found = []
    for path in spool.waiting(home.spool):
        with open(path, "rb") as file:
            found += [events.parse(line) for line in file.read().split(b"\n") if line]
    return found


# Every event


RECORDS = {
    "SessionStart": ["session.start", "project.seen"],
    "UserPromptSubmit": ["prompt"],
    "PostToolUse": ["tool.call"],
    "PostToolUseFailure": ["tool.call"],
    "Stop": ["reply"],
    "SubagentStop": ["reply"],
    "SessionEnd": ["session.end"],
}


@pytest.mark.parametrize("event", sorted(EVENTS))
def test_every_event_is_accepted_and_answered_as_its_schema_says(hook: Hook, home: Home, event: str) -> None:
    done = hook(event)
    assert (done.code, done.err) == (0, "")
    assert problems(event, done.out) == []
    assert [each.kind for each in recorded(home)] == RECORDS.get(event, [])
    assert not os.path.exists(home.at("hook.log"))


def test_an_unknown_event_with_unknown_fields_is_nothing(hook: Hook, home: Home) -> None:
    assert hook("Someday", {"hook_event_name": "Someday", "x": [1]}) == Ran(0, "", "")
    said = {**payload("PostToolUse"), "scratchpad_dir": "/x", "tool_response": [{"type": "text", "text": "seen"}]}
    hook("PostToolUse", said)
    assert [each.body["output"] for each in recorded(home)] == ["seen"]


def test_a_call_is_told_as_it_was(hook: Hook, home: Home) -> None:
    hook("PostToolUse")
    hook("PostToolUseFailure")
    passed, failed = recorded(home)
    said = payload("PostToolUse")
    assert passed.id == events.id_of(TOOL_CALL, "claude-code", said["session_id"], "toolu_01A")
    about = {"tool": "Bash", "call": "toolu_01A", "output": "3 passed in 0.1s", "failed": False, "exit": 0}
    more = {"seconds": 0.412, "cwd": "~/shop", "prompt": "prompt-1", "input": said["tool_input"]}
    assert passed.body == {**about, **more}
    assert (failed.body["exit"], failed.body["failed"]) == (1, True)
    assert failed.body[FAILURE]["parameters"] == {"module": "orjson"}
    assert (passed.session, passed.agent) == (said["session_id"], "claude-code")


ANSWERS: list[tuple[str, dict[str, Any], Any, object]] = [
    (
        "Read",
        {"file_path": "/x/a.py"},
        {"type": "text", "file": {"filePath": "/x/a.py", "content": "abc"}},
        {"size": 3},
    ),
    ("Grep", {"pattern": "x"}, {"mode": "content", "content": "a.py:1:x", "numLines": 1}, "a.py:1:x"),
    ("Glob", {"pattern": "*.py"}, {"filenames": ["a.py", "b.py"], "truncated": False}, "a.py\nb.py"),
    ("mcp__db__ask", {"q": "x"}, [{"type": "text", "text": "42"}], "42"),
    ("mcp__db__ask", {"q": "x"}, "42", "42"),
    ("WebFetch", {"url": "https://example.com"}, {"bytes": 9, "code": 200, "result": "a page"}, "a page"),
    ("Odd", {"q": "x"}, {"unheard": 1}, '{"unheard":1}'),
    ("Odd", {"q": "x"}, None, None),
]


@pytest.mark.parametrize(("tool", "given", "answer", "output"), ANSWERS)
def test_what_the_agent_saw_is_kept(
    hook: Hook, home: Home, tool: str, given: dict[str, Any], answer: object, output: object
) -> None:
    hook("PostToolUse", {**payload("PostToolUse"), "tool_name": tool, "tool_input": given, "tool_response": answer})
    assert recorded(home)[0].body.get("output") == output


def test_an_edit_is_kept_once_not_thrice(hook: Hook, home: Home) -> None:
    given = {"file_path": "/x/a.py", "old_string": "one", "new_string": "two"}
    answer = {**given, "originalFile": "one and all", "structuredPatch": [{"lines": ["-one", "+two"]}]}
    hook("PostToolUse", {**payload("PostToolUse"), "tool_name": "Edit", "tool_input": given, "tool_response": answer})
    body = recorded(home)[0].body
    assert body["bodies"] == {"old_string": "one", "new_string": "two"}
    assert "originalFile" not in json.dumps(body)


def test_fired_twice_is_stored_once(hook: Hook, home: Home) -> None:
    for _ in range(2):
        hook("PostToolUse")
    with Memory.open(home.root) as memory:
        memory.tick(seconds=10)
        assert memory.stats().kinds == {"tool.call": 1}


def test_the_same_words_twice_are_two_prompts(hook: Hook, home: Home) -> None:
    for name in ("a", "b", "b"):
        hook("UserPromptSubmit", {**payload("UserPromptSubmit"), "prompt": "ok", "prompt_id": name})
    assert len({each.id for each in recorded(home)}) == 2


def test_the_middle_of_what_is_long_is_left_out(hook: Hook, home: Home) -> None:
    given = {"file_path": "/x/big.txt", "content": "word " * 100_000}
    hook("PostToolUse", {**payload("PostToolUse"), "tool_name": "Write", "tool_input": given})
    assert 60_000 < len(recorded(home)[0].body["bodies"]["content"]) < 70_000


def test_a_mark_of_the_byte_order_is_no_garbage(hook: Hook, home: Home) -> None:
    hook("UserPromptSubmit", b"\xef\xbb\xbf" + json.dumps(payload("UserPromptSubmit")).encode())
    assert [each.kind for each in recorded(home)] == ["prompt"]


HUGE: list[Any] = [
    {str(number): "v" * 60_000 for number in range(300)},
    {"deep": json.loads("[" * 500 + "]" * 500)},
]


@pytest.mark.parametrize("given", HUGE, ids=["large", "deep"])
def test_an_input_that_can_t_be_kept_does_not_lose_the_call(hook: Hook, home: Home, given: dict[str, Any]) -> None:
    said = {**payload("PostToolUseFailure"), "tool_name": "mcp__x__y", "tool_input": given, "error": "no such row"}
    assert hook("PostToolUseFailure", said).out == ""
    body = recorded(home)[0].body
    assert (body["tool"], body["failed"], body["output"]) == ("mcp__x__y", True, "no such row")
    assert not os.path.exists(home.at("hook.log"))


# Silence


@pytest.mark.parametrize("name", ["ENGRAIN_HOOK=0", "ENGRAIN_INSIDE=1", "CURSOR_VERSION=2.6"])
def test_switched_off_inside_of_itself_or_run_by_another_agent_it_does_nothing(
    hook: Hook, home: Home, name: str
) -> None:
    variable, _, value = name.partition("=")
    assert hook("PostToolUseFailure", **{variable: value}) == Ran(0, "", "")
    assert recorded(home) == []


def test_what_engrain_said_is_not_recorded_again(hook: Hook, home: Home) -> None:
    said = "see\n[engrain] Known failure: x\n  [engrain] Recorded fix: y\nand go on"
    hook("UserPromptSubmit", {**payload("UserPromptSubmit"), "prompt": said})
    hook("PostToolUse", {**payload("PostToolUse"), "tool_response": {"stdout": said, "stderr": ""}})
    for line in ("engrain search x", "cd /x && .venv/bin/engrain fixes", "python -m engrain show 12"):
        given = {"tool_input": {"command": line}, "tool_use_id": line}
        hook("PostToolUse", {**payload("PostToolUse"), **given, "tool_response": {"stdout": "remembered words"}})
    prompt, call, *asked = recorded(home)
    assert (prompt.body["text"], call.body["output"]) == ("see\nand go on", "see\nand go on")
    assert ["output" in each.body for each in asked] == [False] * 3


GARBAGE = [
    b"", b"\0\xff\xfe", b"{", b"[]", b"null", b"12", b'{"a":', b"[" * 100_000, b'"text"', b"{}",
    b'{"hook_event_name": 7, "session_id": [], "tool_name": {}, "tool_input": "x", "cwd": 3}',
    json.dumps({**payload("PostToolUse"), "tool_input": [1], "tool_response": 7, "duration_ms": "soon"}).encode(),
    json.dumps({**payload("PostToolUse"), "cwd": "/x\0y", "session_id": "a\nb" * 400}).encode(),
]  # fmt: skip


@pytest.mark.parametrize("data", GARBAGE, ids=range(len(GARBAGE)))
@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure", "SessionStart"])
def test_garbage_is_no_reason_to_complain(hook: Hook, event: str, data: bytes) -> None:
    done = hook(event, data)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_twenty_megabytes_are_read(hook: Hook, home: Home) -> None:
    text = "line of a log, quite long\n" * (20 * 1024 * 1024 // 26)
    done = hook("PostToolUse", {**payload("PostToolUse"), "tool_response": {"stdout": text}})
    assert (done.code, done.out) == (0, "")
    assert "characters left out" in recorded(home)[0].body["output"]


# A broken home


def test_a_home_that_is_a_file_is_no_reason_to_complain(hook: Hook, tmp_path: object) -> None:
    place = os.path.join(str(tmp_path), "file")
    with open(place, "w", encoding="utf-8") as file:
        file.write("no folder")
    assert hook("PostToolUseFailure", ENGRAIN_HOME=place) == Ran(0, "", "")


def test_broken_files_of_the_home_are_made_anew(hook: Hook, home: Home) -> None:
    hook("PostToolUseFailure")
    for name in os.listdir(home.at("hook")):
        with open(home.at("hook", name), "wb") as file:
            file.write(b"\xe3 no marshal")
    with open(home.config, "w", encoding="utf-8") as file:
        file.write("tenant = [broken")
    assert hook("PostToolUseFailure") == Ran(0, "", "")
    assert len(recorded(home)) == 2


def taught(home: Home, *, steps: str = "pip install orjson", **more: Any) -> str:
    with Memory.open(home.root) as memory:
        return memory.remember_error_fix("ModuleNotFoundError: No module named 'orjson'", steps, **more).fix


def test_a_locked_store_keeps_nobody(hook: Hook, home: Home) -> None:
    taught(home)
    connection = sqlite3.connect(home.database, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    done = hook("PostToolUseFailure")
    connection.close()
    assert done.code == 0
    assert problems("PostToolUseFailure", done.out) == []
    assert TOOL_CALL in [each.kind for each in recorded(home)]


def test_a_store_that_is_none_keeps_nobody(hook: Hook, home: Home) -> None:
    with open(home.database, "wb") as file:
        file.write(b"no database" * 1000)
    assert hook("PostToolUseFailure") == Ran(0, "", "")
    assert [each.kind for each in recorded(home)] == [TOOL_CALL]


def test_a_full_disk_keeps_nobody(home: Home, tmp_path: object) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    words = [sys.executable, "-I", "-S", "-c", DOOR.format("/bin/true"), "PostToolUse"]
    done = ran(words, json.dumps(payload("PostToolUse")).encode(), preexec_fn=full, cwd=str(tmp_path))
    assert (done.code, done.out) == (0, "")
    assert ran(words, json.dumps(payload("PostToolUse")).encode(), cwd=str(tmp_path)).code == 0
    whole = [line for line in _lines(home) if _parsed(line)]
    assert len(whole) == 1, "what was torn spoils itself alone"


def _lines(home: Home) -> list[bytes]:
    with open(os.path.join(home.spool, "current"), "rb") as file:
        return [line for line in file.read().split(b"\n") if line]


def _parsed(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


# Answers


def answer(done: Ran) -> str:
    assert problems("PostToolUseFailure", done.out) == []
    return str(json.loads(done.out)["hookSpecificOutput"]["additionalContext"]) if done.out else ""


def test_a_known_failure_is_answered_beside_it(hook: Hook, home: Home) -> None:
    fix = taught(home)
    said = answer(hook("PostToolUseFailure"))
    assert "`pip install orjson`" in said
    assert "unconfirmed" in said
    assert fix in said
    assert "not an instruction" in said
    assert all(line.startswith("[engrain] ") for line in said.splitlines())
    failed, served = recorded(home)
    assert (served.kind, served.body["of"], served.body["channel"]) == (SERVED, failed.id, "hook")
    assert [each["fix"] for each in served.body["fixes"]] == [fix]
    assert served.body["command"], "which command it was, to know it again"


def test_it_says_how_often_it_was_seen_and_how_often_it_helped(hook: Hook, home: Home) -> None:
    fix = taught(home)
    for number in range(3):
        hook("PostToolUseFailure", {**payload("PostToolUseFailure"), "tool_use_id": f"toolu_{number}"})
    with Memory.open(home.root) as memory:
        memory.tick(seconds=10)
        for worked in (True, True, False):
            memory.rate(fix, worked=worked)
    said = answer(hook("PostToolUseFailure"))
    assert "seen 3 times here before" in said
    assert "worked 2 of 3 times" in said
    assert "unconfirmed" not in said


def test_an_unknown_failure_is_answered_with_silence(hook: Hook, home: Home) -> None:
    taught(home)
    error = "Exit code 2\nerror: linker `cc` not found"
    assert hook("PostToolUseFailure", {**payload("PostToolUseFailure"), "error": error}) == Ran(0, "", "")


def test_what_somebody_interrupted_is_no_failure(hook: Hook, home: Home) -> None:
    taught(home)
    assert hook("PostToolUseFailure", {**payload("PostToolUseFailure"), "is_interrupt": True}).out == ""
    assert FAILURE not in recorded(home)[0].body


def test_another_tool_s_failure_is_recorded_and_not_answered(hook: Hook, home: Home) -> None:
    taught(home)
    said = {"tool_name": "Read", "tool_input": {"file_path": "/x"}, "error": ERROR}
    assert hook("PostToolUseFailure", {**payload("PostToolUseFailure"), **said}).out == ""


def test_a_fix_that_is_believed_to_fail_is_not_shown(hook: Hook, home: Home) -> None:
    fix = taught(home)
    with Memory.open(home.root) as memory:
        for _ in range(6):
            memory.rate(fix, worked=False)
    assert hook("PostToolUseFailure").out == ""


def test_the_step_that_has_just_failed_is_not_shown(hook: Hook, home: Home) -> None:
    taught(home, steps="python app.py")
    assert hook("PostToolUseFailure").out == ""


def test_a_step_without_room_is_left_out_whole(hook: Hook, home: Home) -> None:
    fix = taught(home, steps="rm -rf build && " + "x" * 600)
    said = answer(hook("PostToolUseFailure"))
    assert "rm -rf" not in said
    assert f"`engrain show {fix}` has it" in said
    assert [each.kind for each in recorded(home)] == [TOOL_CALL], "what was not shown was not served"


def test_steps_without_room_stand_elsewhere(hook: Hook, home: Home) -> None:
    steps = [f"make stage-{number} " + "x" * 90 for number in range(6)]
    with Memory.open(home.root) as memory:
        fix = memory.remember_error_fix(ERROR, steps).fix
    said = answer(hook("PostToolUseFailure"))
    shown = [step for step in steps if f"`{step}`" in said]
    assert 0 < len(shown) < 6
    assert shown == steps[: len(shown)]
    assert f"and {6 - len(shown)} more, which `engrain show {fix}` has" in said
    assert recorded(home)[1].kind == SERVED


LENGTHS = [(step, letter) for letter in ("a", "é", "字", "😀") for step in (1, 60, 200, 330, 400, 600)]


@pytest.mark.parametrize(("step", "letter"), LENGTHS)
def test_no_answer_is_longer_than_500_bytes_in_any_script(hook: Hook, home: Home, step: int, letter: str) -> None:
    error = ERROR.rpartition("\n")[0] + "\nValueError: the " + f"{letter * 4} " * 40 + "is missing"
    steps = "pip install " + "y" * step
    with Memory.open(home.root, folder="/home/dana/shop") as memory:
        memory.remember_error_fix(error, [steps])
        memory.learn_lesson("the image is slim " + letter * 80, phase="after", output="ValueError")
    said = answer(hook("PostToolUseFailure", {**payload("PostToolUseFailure"), "error": f"Exit code 1\n{error}"}))
    assert len(said.encode()) <= 500
    assert (f"`{steps}`" in said) == (step <= 200)
    assert "engrain show" in said or step <= 200
    assert "fires here" in said or "the image is slim" in said or len(said.encode()) > 420


def test_a_poisoned_fix_stays_one_line_of_a_quotation(hook: Hook, home: Home) -> None:
    taught(home, steps="pip install orjson\x1b[2J\u202e`")
    said = answer(hook("PostToolUseFailure"))
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert len(said.splitlines()) == 3


MINED = {
    "engrain": "fix", "v": 1, "steps": ["pip install orjson"], "toolchain": "python", "worked": 3, "failed": 0,
}  # fmt: skip


def imported(home: Home) -> None:
    """A fix from a shared corpus: nobody taught it here."""
    import io

    with Memory.open(home.root) as memory:
        found = memory.match(ERROR).fingerprint
        row = {**MINED, "fingerprint": found.fingerprint, "family": found.family, "error_type": found.error_type}
        done = memory.import_fixes(io.BytesIO(json.dumps(row).encode()))
        assert done.appended.new == 1


def test_a_share_of_what_was_not_taught_is_held_back_by_lot(hook: Hook, home: Home) -> None:
    imported(home)
    shown = {}
    for number in range(12):
        said = {**payload("PostToolUseFailure"), "tool_use_id": f"toolu_{number}"}
        shown[number] = bool(hook("PostToolUseFailure", said, ENGRAIN_HOOK_HOLDOUT="0.5").out)
    calls = [each for each in recorded(home) if each.kind == TOOL_CALL]
    assert shown == {n: drawn(each.id) >= 0.5 for n, each in enumerate(calls)}
    assert len(set(shown.values())) == 2
    kinds = [each.kind for each in recorded(home)]
    assert (kinds.count(SERVED), kinds.count(HELD)) == (sum(shown.values()), 12 - sum(shown.values()))


def test_what_was_taught_here_is_never_held_back(hook: Hook, home: Home) -> None:
    taught(home)
    for number in range(4):
        said = {**payload("PostToolUseFailure"), "tool_use_id": f"toolu_{number}"}
        assert hook("PostToolUseFailure", said, ENGRAIN_HOOK_HOLDOUT="1").out


def test_settings_are_those_of_the_file(hook: Hook, home: Home) -> None:
    for tenant in ("one", "two"):
        with open(home.config, "w", encoding="utf-8") as file:
            file.write(f'tenant = "{tenant}"\n')
        hook("Stop")
    hook("Stop", ENGRAIN_TENANT="three")
    assert [each.tenant for each in recorded(home)] == ["one", "two", "three"]


# Lessons


def lesson(home: Home, text: str, **when: Any) -> str:
    with Memory.open(home.root, folder="/home/dana/shop") as memory:
        return memory.learn_lesson(text, **when).id


LESSONS = [
    ("PreToolUse", {"command": "pytest"}),
    ("PostToolUse", {"phase": "after", "output": "3 passed"}),
    ("PostToolUseFailure", {"phase": "after", "output": "orjson"}),
    ("UserPromptSubmit", {"phase": "prompt", "input": "tests pass"}),
    ("SessionStart", {"phase": "start"}),
]


@pytest.mark.parametrize(("event", "when"), LESSONS)
def test_lessons_fire_where_they_belong(hook: Hook, home: Home, event: str, when: dict[str, str]) -> None:
    silent = hook(event)
    assert silent.out == "", "without lessons there is nothing to say"
    id_ = lesson(home, "run make seed first", **when)
    # The second time it is known that there are lessons, without a look at the store.
    for _ in range(2):
        done = hook(event)
        assert problems(event, done.out) == []
        said = json.loads(done.out)["hookSpecificOutput"]["additionalContext"]
        assert "run make seed first" in said
        assert id_ in said
        assert "not as orders" in said
    fired = [each for each in recorded(home) if each.kind == LESSON_FIRED]
    assert len({each.id for each in fired}) == (1 if event != "SessionStart" else 2)
    assert fired[0].body["lessons"] == [id_]


def test_phases_are_those_that_lessons_have() -> None:
    assert set(PHASE.values()) == set(PHASES)


def test_lessons_that_do_not_match_are_silent(hook: Hook, home: Home) -> None:
    lesson(home, "never force-push", command="push.*--force")
    assert hook("PreToolUse") == Ran(0, "", "")
    assert recorded(home) == []


def test_a_lesson_and_a_fix_stand_together(hook: Hook, home: Home) -> None:
    taught(home)
    lesson(home, "the image is slim", phase="after", output="orjson")
    said = json.loads(hook("PostToolUseFailure").out)["hookSpecificOutput"]["additionalContext"]
    assert "pip install orjson" in said
    assert "the image is slim" in said


def test_many_lessons_are_all_named_or_counted(hook: Hook, home: Home) -> None:
    for number in range(40):
        lesson(home, f"rule {number} " + "x" * 200, command="pytest")
    said = json.loads(hook("PreToolUse").out)["hookSpecificOutput"]["additionalContext"]
    assert len(said) < 10_000
    more = int(said.rpartition("\n[engrain] ")[2].split(" more lessons")[0])
    assert more > 1
    assert sum(f"rule {number} " in said for number in range(40)) == 40 - more


# Where


def git(folder: str, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def checkout(folder: str, *, remote: bool, commit: bool) -> None:
    os.makedirs(folder)
    git(folder, "init", "-q", "-b", "trunk")
    git(folder, "config", "user.email", "d@example.com")
    git(folder, "config", "user.name", "d")
    if remote:
        git(folder, "remote", "add", "origin", "git@example.com:acme/shop.git")
    if commit:
        git(folder, "commit", "-q", "--allow-empty", "-m", "first")


@pytest.mark.parametrize("remote", [True, False])
@pytest.mark.parametrize("commit", [True, False])
def test_the_project_is_the_one_of_every_other_surface(
    hook: Hook, home: Home, tmp_path: object, remote: bool, commit: bool
) -> None:
    folder = os.path.join(str(tmp_path), "shop")
    checkout(folder, remote=remote, commit=commit)
    os.makedirs(os.path.join(folder, "web"))
    for place in (folder, os.path.join(folder, "web")):
        # The second time what git said is known.
        for _ in range(2):
            hook("PostToolUse", {**payload("PostToolUse"), "cwd": place})
    with Memory.open(home.root, folder=folder) as memory:
        assert {each.project for each in recorded(home)} == {memory.project.id}
    assert {each.body["branch"] for each in recorded(home)} == {"trunk"}


def test_the_first_commit_makes_another_project_of_it_here_as_there(hook: Hook, home: Home, tmp_path: object) -> None:
    folder = os.path.join(str(tmp_path), "shop")
    checkout(folder, remote=False, commit=False)
    hook("PostToolUse", {**payload("PostToolUse"), "cwd": folder})
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    hook("PostToolUse", {**payload("PostToolUse"), "cwd": folder})
    with Memory.open(home.root, folder=folder) as memory:
        before, after = recorded(home)
        assert before.project != after.project == memory.project.id


# As a settings file runs it


def shell(event: str, said: object, **environ: str) -> Ran:
    return ran(["sh", "-c", command(event)], json.dumps(said).encode(), env={**os.environ, **environ})


def test_the_launcher_answers_as_the_door_does(hook: Hook, home: Home) -> None:
    taught(home)
    launcher.write(home)
    said = payload("PostToolUseFailure")
    told = [shell("PostToolUseFailure", said).out for _ in range(2)]
    assert told == [hook("PostToolUseFailure").out] * 2
    assert answer(Ran(0, told[0], ""))


def test_without_a_launcher_the_entry_is_silent(home: Home) -> None:
    assert shell("PostToolUse", payload("PostToolUse")) == Ran(0, "", "")
    assert recorded(home) == []


def test_the_entry_finds_the_home_by_each_of_its_names(home: Home, tmp_path: object) -> None:
    user = os.path.join(str(tmp_path), "o'ne us\"er $x")
    for name, root in (("XDG_DATA_HOME", os.path.join(user, "data")), ("HOME", os.path.join(user, ".local/share"))):
        place = Home(os.path.join(root, "engrain"))
        launcher.write(place)
        value = user if name == "HOME" else root
        assert shell("PostToolUse", payload("PostToolUse"), **{"ENGRAIN_HOME": "", name: value}) == Ran(0, "", "")
        assert len(recorded(place)) == 1


def test_an_interpreter_that_is_gone_is_no_reason_to_complain(home: Home) -> None:
    place = launcher.write(home)
    with open(place, encoding="utf-8") as file:
        _, _, rest = file.read().partition("\n")
    with open(place, "w", encoding="utf-8") as file:
        file.write(f"#!/nowhere/python -IS\n{rest}")
    assert shell("PostToolUse", payload("PostToolUse")) == Ran(0, "", "")


def test_a_package_that_is_gone_is_no_reason_to_complain(home: Home, tmp_path: object) -> None:
    place = launcher.write(home)
    with open(place, encoding="utf-8") as file:
        text = file.read()
    with open(place, "w", encoding="utf-8") as file:
        file.write(text.replace(SOURCE, os.path.join(str(tmp_path), "gone")))
    assert shell("PostToolUse", payload("PostToolUse")) == Ran(0, "", "")
    assert recorded(home) == []


@pytest.mark.parametrize("name", ["", ".more"])
@pytest.mark.parametrize("data", [None, b"", b"\xe3 no marshal"])
def test_a_bundle_that_is_gone_or_broken_costs_time_alone(home: Home, name: str, data: bytes | None) -> None:
    taught(home)
    file = f"{launcher.write(home)}.{sys.hexversion:x}{name}"
    os.unlink(file)
    if data is not None:
        with open(file, "wb") as opened:
            opened.write(data)
    assert answer(shell("PostToolUseFailure", payload("PostToolUseFailure")))


def test_an_old_launcher_is_noticed_and_made_anew(home: Home) -> None:
    place = launcher.write(home)
    assert launcher.current(home)
    assert not launcher.refresh(home)
    with open(place, encoding="utf-8") as file:
        text = file.read()
    with open(place, "w", encoding="utf-8") as file:
        file.write(text.replace(launcher.stamp(), "0" * 16))
    assert not launcher.current(home)
    subprocess.run([sys.executable, "-m", "engrain", "project"], check=True, capture_output=True)
    assert launcher.current(home), "any command does it"


def test_many_hooks_at_once_lose_nothing_and_leave_nobody(home: Home) -> None:
    launcher.write(home)

    def one(number: int) -> Ran:
        said = {**payload("PostToolUse"), "tool_use_id": f"toolu_{number}"}
        return shell("PostToolUse", said)

    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(one, range(60)))
    assert set(done) == {Ran(0, "", "")}
    assert len({each.id for each in recorded(home)}) == 60


def test_a_stop_starts_a_tick_that_nobody_waits_for(home: Home) -> None:
    launcher.write(home)
    shell("PostToolUse", payload("PostToolUse"))
    assert shell("Stop", payload("Stop")) == Ran(0, "", "")
    deadline = time.monotonic() + 60
    with Memory.open(home.root) as memory:
        while memory.store.count() < 2 and time.monotonic() < deadline:
            os.sched_yield()
        assert dict(memory.store.kinds()) == {"tool.call": 1, "reply": 1}


def test_what_fixed_a_failure_in_one_session_is_answered_in_the_next(home: Home, tmp_path: object) -> None:
    """By hooks alone: no command is run by hand."""
    launcher.write(home)
    there = {"cwd": str(tmp_path), "tool_name": "Bash"}

    def call(session: str, number: int, line: str, error: str = "") -> Ran:
        event = "PostToolUseFailure" if error else "PostToolUse"
        answer = {"error": error} if error else {"tool_response": {"stdout": "fine", "stderr": ""}}
        about = {"session_id": session, "tool_use_id": f"{session}-{number}", "tool_input": {"command": line}}
        return shell(event, {"hook_event_name": event, **there, **about, **answer})

    assert call("one", 1, "python app.py", ERROR).out == ""
    call("one", 2, "pip install orjson")
    call("one", 3, "python app.py")
    shell("Stop", payload("Stop", session_id="one", cwd=str(tmp_path)))
    deadline = time.monotonic() + 60
    with Memory.open(home.root) as memory:
        while not memory.fixes(everywhere=True) and time.monotonic() < deadline:
            os.sched_yield()
    said = answer(call("two", 1, "python app.py", ERROR))
    assert "seen once here before" in said
    assert "`pip install orjson`" in said
    assert "mined" in said


HEAVY = {
    "re", "json", "json.decoder", "enum", "functools", "typing", "dataclasses", "pathlib", "uuid", "hashlib", "inspect",
    "subprocess", "sqlite3", "tomllib", "site", "click", "contextlib", "_hashlib", "socket", "_socket", "ssl", "http",
}  # fmt: skip


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "Stop"])
def test_the_second_hook_loads_nothing_heavy(home: Home, event: str) -> None:
    """The first one makes and keeps what the next ones find."""
    taught(home)
    code = (
        f"import os, sys; sys.path.insert(0, {SOURCE!r})\n"
        "leave = os._exit\n"
        "def told(code): os.write(2, ' '.join(sys.modules).encode()); leave(code)\n"
        "os._exit = told\n"
        "from engrain.hook.door import run\n"
        f"run([{event!r}], '/bin/true', {SOURCE!r})"
    )
    for _ in range(2):
        done = ran([sys.executable, "-I", "-S", "-c", code], json.dumps(payload(event)).encode())
    loaded = set(done.err.split())
    assert "engrain.hook.door" in loaded
    # `_sqlite3` loads functools itself.
    assert loaded & HEAVY <= ({"functools"} if event == "PostToolUseFailure" else set())
    if event != "PostToolUseFailure":
        assert not {name for name in loaded if name.startswith(("engrain.fingerprint", "engrain.recall", "_sqlite3"))}


def test_what_a_bundle_redacts_is_what_everybody_redacts(home: Home, hook: Hook) -> None:
    """With kept patterns and from a bundle, the same is written to the byte."""
    from tests.test_privacy import SECRETS

    launcher.write(home)
    for round_ in range(2):
        for number, (_, text, _secret) in enumerate(SECRETS):
            said = {**payload("PostToolUse"), "tool_use_id": f"{round_}-{number}", "tool_response": {"stdout": text}}
            shell("PostToolUse", said)
            hook("PostToolUse", {**said, "tool_use_id": f"{round_}-{number}-plain"}, ENGRAIN_HOME=home.at("other"))
    bundled, plain = recorded(home), recorded(Home(home.at("other")))
    for a, b, (_, _, secret) in zip(bundled, plain, [*SECRETS, *SECRETS], strict=True):
        assert a.body["output"] == b.body["output"]
        assert a.body.get("redacted") == b.body.get("redacted")
        assert secret not in events.line(a)
