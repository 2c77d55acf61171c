"""Back-fill: what agents wrote down of their sessions is brought once, whatever hooks recorded before."""

from __future__ import annotations

import gzip
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engrain import event as events
from engrain.capture.transcripts import files
from engrain.capture.transcripts.records import MOST, Unread
from engrain.errors import BadInput
from engrain.event import Event
from engrain.memory import Memory
from engrain.paths import Home
from engrain.upkeep import backfill, workers
from engrain.upkeep.backfill import Brought
from tests.making import Ran
from tests.transcripts import SESSION, answered, asks, ended, gets, heard, lines, meta, ran, says, stamp, uses

Engrain = Callable[..., Ran]

WHOLE: tuple[dict[str, Any], ...] = (
    asks(0, "ok"),
    uses(1, "c1", "Bash", command="pytest -q"),
    gets(2, "c1", "Exit code 1\nModuleNotFoundError: No module named 'orjson'", error=True),
    says(3, "orjson is missing."),
    asks(4, "ok"),
    uses(5, "c2", "Bash", command="pip install orjson"),
    gets(6, "c2", "Successfully installed orjson-3.11"),
    uses(7, "c3", "Bash", command="pytest -q"),
    gets(8, "c3", "3 passed"),
    says(9, "Done."),
)
CODEX = (meta(), heard(1, "ok"), ran(2, "x1", "make"), answered(3, "x1", ended(2, "make: *** [gen] Error 2")))


@pytest.fixture
def folder(tmp_path: object) -> str:
    """Where an agent of this user keeps its sessions."""
    return os.path.join(str(tmp_path), "user", ".claude", "projects", "-srv-work-shop")


def written(folder: str, name: str, data: bytes) -> str:
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    return path


def brought(memory: Memory, *paths: str, agent: str = "claude-code") -> Brought:
    return memory.import_transcripts(agent, memory.transcripts(agent, paths))


def told(memory: Memory, kind: str = "") -> list[Event]:
    return [event for event in memory.store.events() if kind in ("", event.kind)]


def hooked(*payloads: dict[str, Any]) -> None:
    """What an agent tells its hooks, one process each."""
    source = os.path.dirname(os.path.dirname(events.__file__))
    code = f"import sys; sys.path.insert(0, {source!r}); from engrain.hook.door import run; run([], '/bin/true', '')"
    for payload in payloads:
        line = json.dumps({"session_id": SESSION, "cwd": "/srv/work/shop", **payload}).encode()
        subprocess.run([sys.executable, "-I", "-S", "-c", code], input=line, capture_output=True, check=True)


def test_a_folder_is_brought_learned_from_and_brought_again(engrain: Engrain, folder: str) -> None:
    written(folder, f"{SESSION}.jsonl", lines(*WHOLE))
    first = engrain("import", "claude-code", "--json")
    assert (first.code, first.err) == (0, "")
    told = {name: first.json[name] for name in ("files", "sessions", "prompts", "calls", "failures", "replies")}
    assert told == {"files": 1, "sessions": 1, "prompts": 2, "calls": 3, "failures": 1, "replies": 2}
    assert (first.json["new"], first.json["learned"], first.json["to_learn"]) == (9, 1, 0)
    again = engrain("import", "claude-code", "--json").json
    assert (again["new"], again["known"], again["learned"]) == (0, 9, 0)
    assert "pip install orjson" in engrain("fixes", "--everywhere").out, "what helped was mined"
    said = engrain("import", "claude-code", folder)
    assert said.out.splitlines() == [
        "1 session in 1 file: 2 prompts, 3 tool calls, 1 failure",
        "0 events new, 9 known",
    ]


def test_learning_can_wait_for_a_tick(engrain: Engrain, folder: str) -> None:
    path = written(folder, "s.jsonl", lines(*WHOLE))
    assert "1 session to be learned from" in engrain("import", "claude-code", path, "--no-learn").out
    assert "pip install orjson" not in engrain("fixes", "--everywhere").out
    assert engrain("tick", "--json").json["jobs_done"] >= 1, "and embeds, where there is a model"
    assert "pip install orjson" in engrain("fixes", "--everywhere").out


def test_codex_is_brought_from_its_own_folder(engrain: Engrain, tmp_path: object) -> None:
    written(f"{tmp_path}/codex/sessions/2026/03/01", f"rollout-2026-03-01T10-00-00-{SESSION}.jsonl", lines(*CODEX))
    done = engrain("import", "codex", "--json", CODEX_HOME=f"{tmp_path}/codex").json
    assert (done["prompts"], done["calls"], done["failures"]) == (1, 1, 1)


WRONG = [
    ("no folder of its own", ["claude-code"], 2, "there is no folder"),
    ("nothing there", ["claude-code", "nope"], 2, "nothing at nope"),
    ("another agent's", ["codex", "mine.jsonl"], 1, "no session of Codex there"),
    ("no transcript", ["claude-code", "."], 1, "no session of Claude Code there"),
]


@pytest.mark.parametrize(("words", "code", "says"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_is_no_transcript_is_said(
    engrain: Engrain, tmp_path: object, words: list[str], code: int, says: str
) -> None:
    path = written(str(tmp_path), "mine.jsonl" if "mine.jsonl" in words else "mine.txt", lines(*WHOLE))
    done = engrain("import", *words)
    assert (done.code, says in done.err) == (code, True), done.err
    assert os.path.exists(path)


def test_a_failed_command_has_its_fingerprint(memory: Memory, folder: str) -> None:
    brought(memory, written(folder, "s.jsonl", lines(*WHOLE)))
    first, *_ = told(memory, "tool.call")
    assert first.body["failure"]["error_type"] == "ModuleNotFoundError"
    assert memory.proof().failures == 1


# Against what is there already


def test_what_hooks_recorded_is_not_doubled_and_what_they_missed_is_linked_to_it(memory: Memory, folder: str) -> None:
    """Hooks of an older agent, which had no names for prompts, saw all but the last call."""
    bash = {"tool_name": "Bash"}
    hooked(
        {"hook_event_name": "SessionStart", "source": "startup"},
        {"hook_event_name": "UserPromptSubmit", "prompt": "ok"},
        {"hook_event_name": "PostToolUse", **bash, "tool_use_id": "c1", "tool_input": {"command": "ls"},
         "tool_response": {"stdout": "a"}},
        {"hook_event_name": "Stop", "last_assistant_message": "Done."},
        {"hook_event_name": "UserPromptSubmit", "prompt": "ok"},
    )  # fmt: skip
    memory.catch_up()
    hooks = [event for event in told(memory) if event.session]
    moved = [_at(record, hooks[0].time) for record in (
        asks(0, "ok"), uses(1, "c1", "Bash", command="ls"), gets(2, "c1", "a"), says(3, "Done."),
        asks(4, "ok"), uses(5, "c2", "Bash", command="make"), gets(6, "c2", "fine"),
    )]  # fmt: skip
    done = brought(memory, written(folder, f"{SESSION}.jsonl", lines(*moved)))
    assert done.appended.new == 1, "the call that no hook saw; the project was seen this month already"
    assert len(told(memory, "prompt")) == 2
    assert len(told(memory, "reply")) == 1
    assert [event.body["call"] for event in told(memory, "tool.call")] == ["c1", "c2"]
    assert all("prompt" not in event.body for event in told(memory, "tool.call")), "no name that nobody has"
    assert brought(memory, folder).appended.new == 0


def _at(record: dict[str, Any], start: int) -> dict[str, Any]:
    """The same, as long after another start."""
    after = events.microseconds(record["timestamp"]) - events.microseconds(stamp(0))
    return {**record, "timestamp": events.timestamp(start + after)}


def test_prompts_that_hooks_know_by_name_are_the_same(memory: Memory, folder: str) -> None:
    hooked({"hook_event_name": "UserPromptSubmit", "prompt": "ok", "prompt_id": "p-1"})
    memory.catch_up()
    data = lines(asks(0, "ok", promptId="p-1"), uses(1, "c", "Bash", command="ls"), gets(2, "c", "a"))
    brought(memory, written(folder, f"{SESSION}.jsonl", data))
    assert [event.body["prompt"] for event in told(memory, "prompt")] == ["p-1"]
    assert [event.body["prompt"] for event in told(memory, "tool.call")] == ["p-1"]


def test_a_session_that_went_on_is_brought_from_where_it_was(memory: Memory, folder: str) -> None:
    path = written(folder, f"{SESSION}.jsonl", lines(*WHOLE[:4]))
    assert brought(memory, path).told.calls == 1
    written(folder, f"{SESSION}.jsonl", lines(*WHOLE))
    again = brought(memory, path)
    assert (again.appended.new, again.appended.known) == (4, 5), "the second `ok` is not the first"
    assert len(told(memory, "prompt")) == 2


def test_what_was_forgotten_stays_so(memory: Memory, folder: str) -> None:
    path = written(folder, "s.jsonl", lines(*WHOLE))
    brought(memory, path)
    memory.forget([event.id for event in told(memory, "tool.call")])
    again = brought(memory, path)
    assert (again.appended.new, again.appended.forgotten) == (0, 3)
    assert told(memory, "tool.call") == []


def test_a_call_that_may_still_be_answered_waits(memory: Memory, folder: str) -> None:
    now = events.now()
    begun = [_at(record, now) for record in (asks(0, "go"), uses(1, "c", "Bash", command="sleep 9"))]
    path = written(folder, "s.jsonl", lines(*begun))
    assert brought(memory, path).told.waiting == 1
    assert told(memory, "tool.call") == []
    written(folder, "s.jsonl", lines(*begun, _at(gets(2, "c", "done"), now)))
    assert brought(memory, path).told.waiting == 0
    assert [event.body["output"] for event in told(memory, "tool.call")] == ["done"]


# Files


def test_the_files_of_a_session_stand_together(folder: str) -> None:
    own = written(folder, f"{SESSION}.jsonl", b"")
    sub = written(folder, f"{SESSION}/subagents/agent-a1.jsonl", b"")
    other = written(folder, "other.jsonl.gz", b"")
    written(folder, "notes.txt", b"")
    assert [unit.paths for unit in files.units([folder, own])] == [(own, sub), (other,)]
    assert files.named(sub) == (SESSION, "a1")
    assert files.named(f"/x/rollout-2026-03-01T10-00-00-{SESSION}.jsonl.zst") == (SESSION, "")


def test_subagents_in_files_of_their_own_belong_to_the_session(memory: Memory, folder: str) -> None:
    bare = [{k: v for k, v in record.items() if k not in ("isSidechain", "sessionId")} for record in (
        asks(2, "Find it"), uses(3, "s1", "Grep", pattern="x"), gets(4, "s1", "a.py"), says(5, "In a.py."),
    )]  # fmt: skip
    written(folder, f"{SESSION}.jsonl", lines(*WHOLE))
    written(folder, f"{SESSION}/subagents/agent-a1.jsonl", lines(*bare))
    assert brought(memory, folder).sessions == 1
    found = {event.body["call"]: event.body.get("subagent") for event in told(memory, "tool.call")}
    assert found == {"c1": None, "c2": None, "c3": None, "s1": "a1"}
    assert len(told(memory, "prompt")) == 2, "the task of a subagent is no prompt"


def packed(data: bytes, how: str) -> bytes:
    if how == "gz":
        return gzip.compress(data)
    library = files._zstd()
    assert library is not None, "the development environment has one"
    return bytes(library.compress(data))


@pytest.mark.parametrize("how", ["gz", "zst"])
def test_packed_files_are_read_as_far_as_they_go(how: str, folder: str) -> None:
    data = b"".join(b"line %d of a file that is packed\n" % number for number in range(50_000))
    whole = packed(data, how)
    unread = Unread()
    assert b"".join(files.lines(written(folder, "a", whole), unread)) == data
    assert unread.number == 0
    torn = b"".join(files.lines(written(folder, "b", whole[: len(whole) // 2]), unread))
    assert data.startswith(torn)
    assert unread.number == 1


def test_without_a_library_the_program_unpacks(folder: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    data = b"a line\n" * 1000
    path = written(folder, "a", packed(data, "zst"))
    program = written(str(tmp_path), "bin/zstd", f"#!{sys.executable}\n".encode() + (
        b"import sys\nfrom backports import zstd\nsys.stdout.buffer.write(zstd.decompress(sys.stdin.buffer.read()))\n"
    ))  # fmt: skip
    os.chmod(program, 0o755)
    monkeypatch.setattr(files, "_zstd", lambda: None)
    monkeypatch.setenv("PATH", os.path.dirname(program))
    assert b"".join(files.lines(path, Unread())) == data
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match="packed by zstd"):
        list(files.lines(path, Unread()))


def test_a_line_without_end_is_not_held(folder: str) -> None:
    path = written(folder, "a", b"first\n" + b"x" * (2 * MOST + 10) + b"\nlast\n")
    found = [len(line) for line in files.lines(path, Unread())]
    assert (found[0], found[-1], len(found)) == (6, 5, 3)
    assert max(found) == MOST + 2


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_brought(engrain: Engrain, folder: str) -> None:
    written(folder, "good.jsonl", lines(*WHOLE))
    os.symlink(os.path.join(folder, "gone"), os.path.join(folder, "bad.jsonl"))
    done = engrain("import", "claude-code", folder)
    assert done.code == 1
    assert "1 session in 1 file" in done.out
    assert done.err.splitlines() == [f"{folder}/bad.jsonl: no such file or directory"]


# Several processes


def many(folder: str, number: int = 40) -> str:
    for each in range(number):
        data = [{**record, "sessionId": f"s{each}", "uuid": f"{each}-{record['uuid']}"} for record in WHOLE * 20]
        written(folder, f"s{each}.jsonl", lines(*data))
    return folder


def test_several_processes_bring_what_one_brings(home: Home, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    many(folder)
    dumps, found = [], []
    for size, place in ((10**9, "one"), (0, "several")):
        monkeypatch.setattr(workers, "SMALL", size)
        with Memory.open(home.at(place)) as memory:
            done = brought(memory, folder)
            found.append((done.told, done.sessions, done.appended))
            dumps.append(list(memory.dump()))
            assert brought(memory, folder).appended.new == 0
    assert dumps[0] == dumps[1]
    assert found[0] == found[1]
    assert found[0][0].files == 40


def test_what_a_worker_that_died_had_before_it_is_read_all_the_same(
    memory: Memory, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(folder)
    monkeypatch.setattr(workers, "SMALL", 0)
    of_this_process = os.getpid()
    read = backfill.Reading.unit

    def dies(self: backfill.Reading, unit: files.Unit) -> Iterator[Event]:
        for number, event in enumerate(read(self, unit)):
            if number == 3 and "s7" in unit.paths[0] and os.getpid() != of_this_process:
                os.kill(os.getpid(), signal.SIGKILL)
            yield event

    monkeypatch.setattr(backfill.Reading, "unit", dies)
    done = brought(memory, folder)
    assert (done.told.files, done.told.calls, done.problems) == (40, 120, ())
    assert len(told(memory, "tool.call")) == 120


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_behind_and_the_next_import_brings_the_rest(
    engrain: Engrain, folder: str, tmp_path: object, how: signal.Signals
) -> None:
    many(folder, 100)
    command = [sys.executable, "-m", "engrain", "import", "claude-code", "--no-learn"]
    running = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    children = f"/proc/{running.pid}/task/{running.pid}/children"
    while running.poll() is None and not _text(children):
        select.select([], [], [], 0.005)
    assert running.poll() is None, "there was something to interrupt"
    (os.killpg if how == signal.SIGINT else os.kill)(running.pid, how)
    assert running.wait(30) != 0
    while _alive(running.pid):
        select.select([], [], [], 0.02)
    done = engrain("import", "claude-code", "--no-learn", "--json").json
    assert (done["sessions"], done["new"] + done["known"]) == (100, 100 * 8 + 1)


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_places_are_told_once_a_month_and_a_session_without_a_folder_is_kept_by_its_file(
    memory: Memory, folder: str
) -> None:
    nowhere = [{**record, "cwd": None} for record in WHOLE]
    written(folder, "a.jsonl", lines(*WHOLE))
    written(folder, "b.jsonl", lines(*[{**record, "sessionId": "b"} for record in WHOLE]))
    written(folder, "c.jsonl", lines(*[{**record, "sessionId": "c"} for record in nowhere]))
    brought(memory, folder)
    seen = told(memory, "project.seen")
    assert {event.body["name"] for event in seen} == {"shop", "-srv-work-shop"}
    assert len(seen) == 2
