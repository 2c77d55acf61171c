"""Lessons among thousands, the limits of working memory through real hooks, and what the beginning of a session costs.

    python -m bench context

Files are measured on real sessions: of those that the context of a session's first prompt names, how many it then
touched, with what other sessions did before it as the only past.

A call meets 5,000 rules of which a few fire and one has an expression that would take years. Limits are told to the
hook as an agent tells them, one process for each event, and looked at after a tick. A session's start is measured as
`bench hooks` measures: in turns with `node -e 0`, once the tick that it started is over.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.figure import Absent, Figure, shared
from bench.hooks import _of, captured
from engrain import event as events
from engrain.event import LESSON, PROMPT, TOOL_CALL
from engrain.install import launcher
from engrain.install.command import command
from engrain.learn.direct import derive
from engrain.learn.trigger import Call
from engrain.learn.working import MOST_FILES, MOST_RESULTS, Working
from engrain.memory import Memory, lessons
from engrain.memory.context import weighed_files
from engrain.memory.files import EDITORS
from engrain.memory.working import working
from engrain.paths import Home
from engrain.recall.context import File
from engrain.recall.lessons import firing
from engrain.store import open_store
from engrain.store.reader import Reader

RULES, FIRE, CALLS = 5000, 26, 40
ROUNDS = 60
SESSION = "5f1c2d3e-0000-4000-8000-000000000002"
ENDLESS = r"(a+)+$"


def measure(full: bool) -> Iterator[Figure]:
    """The rows of lessons, working memory and a session's start."""
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        yield from _lessons(os.path.join(folder, "lessons"))
        yield from _limits(os.path.join(folder, "limits"))
        yield from _start(os.path.join(folder, "start"), ROUNDS * (4 if full else 1))
        yield from _touched(os.path.join(folder, "files"))


# Lessons


def _lessons(folder: str) -> Iterator[Figure]:
    home = Home(folder).ensure()
    place = os.getcwd()
    with Memory.open(home.root, folder=place) as memory:
        memory.record(*_rules(memory))
        look, who = Reader(home.database), lessons.who(memory)
        call = Call("Bash", f"git push --force origin main # {'a' * 60}!")
        took, worked, found = [], [], None
        for _ in range(CALLS):
            began, busy = time.perf_counter(), time.thread_time()
            found = firing(look, who, call)
            took.append(1000 * (time.perf_counter() - began))
            worked.append(1000 * (time.thread_time() - busy))
        assert found is not None
        said = {lesson.text for lesson in found.lessons}
        yield Figure(f"of {FIRE} of {RULES:,} rules that fire at a call, those that do", len(said), "", least=FIRE)
        yield Figure("endless rules that were stopped and named", len(found.stopped), "", least=1, most=1)
        clock = f"{statistics.median(took):.1f} ms by the clock, on this machine as busy as it is"
        note = f"worst {max(worked):.1f} ms of {CALLS} calls; {clock}"
        said_ = "processor time of a call among them, the endless rule and all"
        yield Figure(said_, statistics.median(worked), "ms", most=10, note=note)


def _rules(memory: Memory) -> Iterator[events.Event]:
    """Rules of every form; those of `push` fire, one never ends."""
    project = memory.project.id
    for number in range(RULES - FIRE - 1):
        trigger = (
            {"command": rf"deploy\s+service-{number}\b"},
            {"path": f"src/area{number}/*.py", "tool": "Edit|Write"},
        )
        yield memory.event(LESSON, {"text": f"rule {number}", "trigger": trigger[number % 2]}, project=project)
    for number in range(FIRE):
        trigger_ = {"command": rf"git\s+push.*(--force|-f)\b{'.*' * (number % 3)}"}
        yield memory.event(LESSON, {"text": f"push {number}", "trigger": trigger_}, project=project)
    yield memory.event(LESSON, {"text": "endless", "trigger": {"command": ENDLESS}}, project=project)


# The limits of working memory


def _limits(folder: str) -> Iterator[Figure]:
    home = Home(folder).ensure()
    launcher.write(home)
    wrong = []
    for name, check in (("51st file", _files), ("101st result", _results), ("commit", _commit), ("end", _end)):
        if not check(home):
            wrong.append(name)
    note = "51st file, 101st test result, commit, session's end, through the hook" + (f": not {wrong}" if wrong else "")
    yield Figure("limits of working memory that do not hold", len(wrong), "", most=0, note=note)


def _tell(home: Home, event: str, number: int, **said: Any) -> None:
    about = {"session_id": SESSION, "cwd": os.getcwd(), "hook_event_name": event, "tool_use_id": f"{event}-{number}"}
    environ = {**os.environ, "ENGRAIN_HOME": home.root}
    _ran(["sh", "-c", command(event)], json.dumps({**about, **said}).encode(), environ)


def _hand(home: Home) -> Working:
    with Memory.open(home.root) as memory:
        memory.tick(seconds=20)
        return working(memory, SESSION)[1]


def _files(home: Home) -> bool:
    for number in range(MOST_FILES + 1):
        path = {"file_path": f"/srv/shop/f{number}.py"}
        _tell(home, "PostToolUse", number, tool_name="Read", tool_input=path, tool_response={"file": {"content": "x"}})
    paths = [file.path for file in _hand(home).files]
    return paths == [f"/srv/shop/f{number}.py" for number in range(MOST_FILES, 0, -1)]


def _results(home: Home) -> bool:
    lines = [f"tests/test_a.py::test_{n} PASSED" for n in range(MOST_RESULTS + 1)]
    said = "\n".join([*lines, f"=== {len(lines)} passed in 0.1s ==="])
    answer = {"stdout": said, "stderr": "", "interrupted": False}
    _tell(home, "PostToolUse", 100, tool_name="Bash", tool_input={"command": "pytest -v"}, tool_response=answer)
    names = [each.name for each in _hand(home).tests]
    return names == [f"test_{n}" for n in range(1, MOST_RESULTS + 1)]


def _commit(home: Home) -> bool:
    given = {"file_path": "/srv/shop/a.py", "old_string": "1", "new_string": "2"}
    _tell(home, "PostToolUse", 200, tool_name="Edit", tool_input=given, tool_response={})
    before = _hand(home).changes
    answer = {"stdout": "[main 1a2b3c4] x", "stderr": "", "interrupted": False}
    _tell(home, "PostToolUse", 201, tool_name="Bash", tool_input={"command": "git commit -am x"}, tool_response=answer)
    return before == ("/srv/shop/a.py",) and _hand(home).changes == ()


def _end(home: Home) -> bool:
    before = _hand(home)
    _tell(home, "SessionEnd", 300, reason="other")
    return bool(before.files) and not any(_hand(home))


# A session's start


def _start(folder: str, rounds: int) -> Iterator[Figure]:
    node = shutil.which("node")
    if node is None:
        raise Absent("node is not installed, and hooks are measured against its start")
    home = Home(folder).ensure()
    launcher.write(home)
    environ = {**os.environ, "ENGRAIN_HOME": home.root}
    _live(home)
    text = _brief(home)
    took: dict[str, list[float]] = {"node": [], "call": [], "start": []}
    worked: dict[str, list[float]] = {"node": [], "call": [], "start": []}
    for number in range(-5, rounds):
        seen = os.stat(home.lock).st_mtime_ns
        said = json.dumps({"session_id": f"s{number}", "cwd": os.getcwd(), "source": "startup"}).encode()
        for name, words, data in (
            ("node", [node, "-e", "0"], b""),
            ("call", ["sh", "-c", command("PostToolUse")], captured(number)),
            ("start", ["sh", "-c", command("SessionStart")], said),
        ):
            seconds, busy = _ran(words, data, environ)
            if number >= 0:
                took[name].append(seconds)
                worked[name].append(busy)
        _ticked(home, seen)
    middle = _of(took["node"], 0.5)
    share = _of(worked["start"], 0.5) / _of(worked["node"], 0.5)
    yield Figure("what a session is told at its start", len(text.encode()), "B", most=2048)
    call = f"a call {_of(took['call'], 0.5) / middle:.2f} ×"
    note = f"of the processor {share:.2f} ×; node {1000 * middle:.1f} ms; {call}; {rounds} turns"
    start = _of(took["start"], 0.5)
    yield Figure("a session's start, told, p50 against node", start / middle, "×", most=0.35, note=note)


def _ran(words: list[str], data: bytes, environ: dict[str, str]) -> tuple[float, float]:
    """How long a process took, by the clock and of the processor; what it left behind to run is not waited for."""
    began = time.perf_counter()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environ) as process:
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.close()
        _, code, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
    if process.returncode:
        raise RuntimeError(f"{words[-1]} ended with {process.returncode}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime


def _live(home: Home) -> None:
    """Enough of a past for a brief that is full: open work, failures that recur, rules."""
    store = open_store(home.database, derive)
    store.close()
    with Memory.open(home.root) as memory:
        project, now, root = memory.project.id, events.now() - 3_600_000_000, memory.folder
        error = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'module_{}'"
        told = [memory.event(PROMPT, {"text": "throttle the login form " * 8}, session="s", agent="a", time=now)]
        for n in range(40):
            body = {"tool": "Bash", "input": {"command": f"python {n % 4}.py"}, "output": error.format(n % 4)}
            told.append(_call(memory, {**body, "failed": True, "exit": 1, "cwd": root}, f"s{n}", now + n))
        given = {"file_path": f"{root}/src/login/form.py", "old_string_size": 1}
        told.append(_call(memory, {"tool": "Edit", "input": given, "failed": False, "cwd": root}, "s", now + 99))
        memory.record(memory.sighting(), *map(_with_failure, told))
        for n in range(4):
            memory.remember_error_fix(error.format(n), f"pip install module_{n}")
            memory.learn_lesson(
                f"{n}: migrations are append-only, add a new one " * 4, path=f"m{n}/*.sql", severity="danger"
            )
        assert memory.project.id == project
        memory.tick(seconds=30)


def _call(memory: Memory, body: dict[str, Any], session: str, time: int) -> events.Event:
    return memory.event(TOOL_CALL, body, session=session, agent="a", time=time)


def _with_failure(event: events.Event) -> events.Event:
    from engrain.fingerprint import fingerprint
    from engrain.recall.shown import described

    if event.body.get("failed") is not True:
        return event
    found = fingerprint(event.body["output"], event.body["input"]["command"], 1)
    return event._replace(body={**event.body, "failure": described(found)})


def _brief(home: Home) -> str:
    """What the hook says, asked once."""
    said = json.dumps({"session_id": "first", "cwd": os.getcwd(), "source": "startup"}).encode()
    seen = os.stat(home.lock).st_mtime_ns
    done = subprocess.run(
        ["sh", "-c", command("SessionStart")], input=said, env={**os.environ, "ENGRAIN_HOME": home.root},
        capture_output=True, check=True,
    )  # fmt: skip
    _ticked(home, seen)
    return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])


def _ticked(home: Home, seen: int) -> None:
    """Once the tick that a hook started is over: it touches its lock, and lets go of it."""
    deadline = time.monotonic() + 20
    with open(home.lock, "rb") as file:
        while time.monotonic() < deadline:
            if os.stat(home.lock).st_mtime_ns != seen:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    time.sleep(0.01)
                    continue
                fcntl.flock(file, fcntl.LOCK_UN)
                # The rest of its end: a store is let go of, a process exits.
                time.sleep(0.1)
                return
            time.sleep(0.01)


# Files


NEAR = 2 * 3_600_000_000
"""Microseconds around a row's time: the sessions that are active then are the asked one itself, and are left out."""


def _touched(folder: str) -> Iterator[Figure]:
    """Whether the first five files of a context are among those that the session then touched."""
    import gzip

    asked = shared("retrieval", "prompt_to_files.jsonl.gz")
    sessions = shared("transcripts", "claude-code", "context-evaluator")
    with Memory.open(Home(folder).ensure().root) as memory:
        memory.import_transcripts("claude-code", memory.transcripts("claude-code", [sessions]))
        root = memory.projects()[0].root
        calls = [Used(row[7], row[3], row[5], row[11], row[13]) for row in memory.store.database.all("dump_calls")]
    with gzip.open(asked, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    ours, often, number = 0, 0, 0
    for row in rows:
        known = _before([call for call in calls if call.path], events.microseconds(row["created_at"]), root)
        wanted = set(row["files"]) & {each.path for each in known}
        if len(known) < 20 or not wanted:
            continue
        number += 1
        most = sorted(known, key=lambda each: (-each.changed, -each.last))[:5]
        ours += any(each.file.path in wanted for each in weighed_files(known, {}, row["prompts"][0], ())[:5])
        often += any(each.path in wanted for each in most)
    note = f"{number} sessions; with the files that were changed most often {100 * often / number:.0f} %"
    what = "real sessions that then touch one of the first 5 files of their context"
    yield Figure(what, 100 * ours / number, "%", least=100 * often / number, note=note)


class Used(NamedTuple):
    """A call that named a file."""

    tool: str
    time: int
    session: str
    path: str
    failed: int


def _before(calls: list[Used], time: int, root: str) -> list[File]:
    """The files that other sessions used before a time."""
    itself = {call.session for call in calls if time - NEAR < call.time < time + NEAR // 2}
    past = [call for call in calls if call.time < time and not call.failed and call.session not in itself]
    grouped: dict[str, list[Used]] = {}
    for call in past:
        grouped.setdefault(call.path.removeprefix(f"{root}/"), []).append(call)
    return [
        File(
            path, len(used), len({call.session for call in used}), sum(call.tool in EDITORS for call in used),
            min(call.time for call in used), max(call.time for call in used),
        )
        for path, used in grouped.items()
    ]  # fmt: skip
