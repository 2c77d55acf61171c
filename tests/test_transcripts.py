"""Reading transcripts: every shape that agents leave behind becomes the events that hooks would have made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from engrain.capture.transcripts import claude_code, codex, said
from engrain.capture.transcripts.call import LONGEST
from engrain.capture.transcripts.records import Unread
from engrain.event import MARK, MAX_LINE, Event
from tests.transcripts import (
    CWD,
    NOISE,
    SESSION,
    answered,
    asks,
    ended,
    gets,
    heard,
    line,
    lines,
    meta,
    ran,
    rollout,
    says,
    shown,
    stamp,
    uses,
)

PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 400}}


def read(data: bytes, agent: str = "claude-code", **more: Any) -> list[Event]:
    reader = {"claude-code": claude_code, "codex": codex}[agent]
    return list(reader.read(data.splitlines(keepends=True), project=lambda folder: f"p:{folder}", tenant="t", **more))


def of(events: Sequence[Event], kind: str) -> list[Event]:
    return [event for event in events if event.kind == kind]


def bodies(events: Sequence[Event], kind: str, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(event.body.get(name) for name in names) for event in of(events, kind)]


def one_call(*records: dict[str, Any] | bytes, agent: str = "claude-code") -> dict[str, Any]:
    (found,) = of(read(lines(*records), agent), "tool.call")
    return dict(found.body)


# Claude Code


def test_a_session_is_told_in_order_with_calls_linked_to_their_prompts() -> None:
    found = read(
        lines(
            asks(0, "ok"),
            says(1, "I look."),
            uses(2, "c1", "Bash", command="pytest -q"),
            gets(5, "c1", "Exit code 1\nE  ImportError: no orjson", error=True),
            asks(9, "ok"),
            uses(10, "c2", "Bash", command="pip install orjson"),
            gets(11, "c2", "Successfully installed", toolUseResult={"stdout": "", "interrupted": False}),
            says(12, "Done."),
        )
    )
    assert [e.kind for e in found] == [
        "session.start", "prompt", "reply", "tool.call", "prompt", "tool.call", "reply",
    ]  # fmt: skip
    assert [e.time for e in found] == sorted(e.time for e in found)
    prompts = bodies(found, "prompt", "text", "prompt", "cwd", "branch")
    assert prompts == [("ok", "user-0", CWD, "main"), ("ok", "user-9", CWD, "main")]
    calls = bodies(found, "tool.call", "tool", "call", "failed", "exit", "seconds", "prompt")
    assert calls == [("Bash", "c1", True, 1, 3.0, "user-0"), ("Bash", "c2", False, 0, 1.0, "user-9")]
    assert {(e.project, e.session, e.agent, e.tenant) for e in found} == {(f"p:{CWD}", SESSION, "claude-code", "t")}
    assert len({e.id for e in found}) == len(found)


def test_what_is_told_twice_has_the_same_ids() -> None:
    data = lines(asks(0, "ok"), uses(1, "c", "Bash", command="ls"), gets(1, "c", "a"), says(1, "b"), asks(1, "ok"))
    assert read(data) == read(data)
    grown = read(data + lines(says(30, "more")))
    assert grown[:-1] == read(data)


def test_what_an_agent_and_we_put_around_a_prompt_is_no_part_of_it() -> None:
    noted = "<system-reminder>The date changed.</system-reminder>\nfix <b>it</b><ide_selection>x</ide_selection>"
    found = read(
        lines(
            asks(0, noted),
            asks(1, [{"type": "text", "text": "see this"}, PICTURE]),
            asks(1.5, "and this<engrain a='1'>known\nfix</engrain>"),
            asks(2, f"why\n{MARK} known failure: x\nthis"),
        )
    )
    texts = [text for (text,) in bodies(found, "prompt", "text")]
    assert texts == ["fix <b>it</b>", "see this", "and this", "why\nthis"]


NO_PROMPTS = [
    ("meta", asks(0, "Caveat: …", isMeta=True)),
    ("summary", asks(0, "This session is being continued from …", isCompactSummary=True)),
    ("older summary", asks(0, "This session is being continued from a previous conversation that ran out")),
    ("only shown", asks(0, "see above", isVisibleInTranscriptOnly=True)),
    ("a subagent's task", asks(0, "Find the files", isSidechain=True, agentId="a1")),
    ("interrupted", asks(0, [{"type": "text", "text": "[Request interrupted by user]"}])),
    ("interrupted, text", asks(0, "[Request interrupted by user for tool use]")),
    ("own command", asks(0, "<command-name>/clear</command-name><command-args></command-args>")),
    ("its output", asks(0, "<local-command-stdout>Bye!</local-command-stdout>")),
    ("notification", asks(0, "<task-notification>b1 ended</task-notification>")),
    ("empty", asks(0, "  ")),
    ("ours", asks(0, "<engrain>known fix</engrain>")),
]


@pytest.mark.parametrize("record", [row[1] for row in NO_PROMPTS], ids=[row[0] for row in NO_PROMPTS])
def test_what_is_no_prompt(record: dict[str, Any]) -> None:
    assert of(read(lines(record)), "prompt") == []


def test_what_was_typed_as_a_command_is_a_prompt() -> None:
    typed = "<command-message>ship</command-message><command-name>/ship</command-name><command-args>now</command-args>"
    found = read(lines(asks(0, typed), asks(1, "<bash-input>git status</bash-input>")))
    assert bodies(found, "prompt", "text") == [("/ship now",), ("! git status",)]


OUTCOMES: list[tuple[str, str, Any, bool | None, dict[str, Any], dict[str, Any]]] = [
    ("passed", "Bash", "fine", None, {}, {"failed": False, "exit": 0, "output": "fine"}),
    ("failed", "Bash", "Exit code 127\nnope: not found", True, {}, {"failed": True, "exit": 127}),
    ("failed silently", "Bash", "Exit code 1", True, {}, {"failed": True, "exit": 1}),
    ("says so without an error", "Bash", "Exit code 1", False, {}, {"failed": False, "exit": 0}),
    ("could not start", "Bash", "ENOENT: posix_spawn", True, {}, {"failed": True, "exit": None}),
    ("a tool's own error", "Edit", "<tool_use_error>no such text</tool_use_error>", True, {},
     {"failed": True, "exit": None}),
    ("a tool without exit", "Read", "text", None, {}, {"failed": False, "exit": None}),
    ("refused", "Bash", "The user doesn't want to proceed with this tool use. The tool use was rejected", True, {},
     {"failed": False, "refused": True, "exit": None}),
    ("not allowed", "Bash", "Permission to use Bash with command rm has been denied.", True, {},
     {"failed": False, "refused": True}),
    ("interrupted", "Bash", "partly", None, {"interrupted": True, "stdout": "partly"},
     {"failed": False, "interrupted": True, "exit": None}),
    ("interrupted, said", "Bash", "[Request interrupted by user for tool use]", True, {},
     {"failed": False, "interrupted": True}),
    ("never run", "Bash", "<tool_use_error>Sibling tool call errored</tool_use_error>", True, {},
     {"failed": False, "unanswered": True}),
    ("in the background", "Bash", "Command running in background with ID: b1", None, {"backgroundTaskId": "b1"},
     {"failed": False, "exit": None}),
    ("found nothing", "Bash", "", None, {"returnCodeInterpretation": "No matches found"},
     {"failed": False, "exit": None}),
    ("blocks", "Task", [{"type": "text", "text": "a"}, PICTURE, {"type": "text", "text": "b"}], None, {},
     {"output": f"a\n{said.PICTURE}\nb"}),
    ("reminded", "Read", "1 x\n\n<system-reminder>be good</system-reminder>\n", None, {}, {"output": "1 x"}),
    ("our own lines", "Bash", f"Exit code 1\nE\n{MARK} known failure: E\n{MARK} 1. pip install x\nend", True, {},
     {"output": "Exit code 1\nE\nend"}),
    ("a blob", "Bash", "data:image/png;base64," + "QUJD" * 200, None, {},
     {"output": f"data:image/png;base64,{said.BLOB}"}),
    ("a long blob", "Bash", "x " + "QUJD" * 900 + " y", None, {}, {"output": f"x {said.BLOB} y"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "content", "error", "more", "expected"), [row[1:] for row in OUTCOMES], ids=[row[0] for row in OUTCOMES]
)
def test_how_a_call_went(
    tool: str, content: Any, error: bool | None, more: dict[str, Any], expected: dict[str, Any]
) -> None:
    extra = {"toolUseResult": more} if more else {}
    body = one_call(uses(0, "c", tool, command="make"), gets(1, "c", content, error, **extra))
    assert {name: body.get(name) for name in expected} == expected


def test_a_call_without_a_result_is_told_when_the_file_is_settled() -> None:
    data = lines(asks(0, "go"), uses(1, "c", "Bash", command="sleep 9"))
    assert bodies(read(data), "tool.call", "call", "unanswered", "exit") == [("c", True, None)]
    assert of(read(data, settled=0), "tool.call") == []


def test_a_result_without_its_call_is_told_and_told_once() -> None:
    data = lines(gets(0, "c", "Exit code 2\nno", error=True), gets(1, "c", "again"), uses(2, "c", "Bash", command="x"))
    assert bodies(read(data), "tool.call", "call", "failed", "exit", "tool") == [("c", True, 2, None)]


def test_subagents_are_told_as_such_wherever_they_stand() -> None:
    beside: dict[str, Any] = {"isSidechain": True, "agentId": "a1"}
    inner = uses(2, "c2", "Grep", pattern="x")
    message = {"type": "assistant", **{name: inner[name] for name in ("message", "uuid", "timestamp")}}
    progress = {**line(3, "progress", {}), "data": {"type": "agent_progress", "agentId": "a2", "message": message}}
    del progress["message"]
    found = read(
        lines(
            asks(0, "Find it", **beside),
            uses(1, "c1", "Bash", beside, command="ls"),
            gets(2, "c1", "a", **beside),
            says(2.5, "Found.", **beside),
            progress,
        )
    )
    assert of(found, "prompt") == [] == of(found, "session.start")
    assert bodies(found, "tool.call", "call", "subagent") == [("c1", "a1"), ("c2", "a2")]
    assert bodies(found, "reply", "subagent") == [("a1",)]
    assert {e.session for e in found} == {SESSION}


def test_what_hooks_and_shells_report_as_progress_is_not_even_read() -> None:
    hook = {**line(1, "progress", {}), "data": {"type": "hook_progress", "command": "x"}}
    unread = Unread()
    assert claude_code.bulky(json.dumps(hook).encode())
    assert not claude_code.bulky(json.dumps(uses(1, "c", "mcp__bar", type="progress")).encode())
    nested = {"message": {"content": [{"type": "progress"}]}, "type": "user"}
    assert not claude_code.bulky(json.dumps(nested).encode())
    assert read(lines(hook), unread=unread) == []
    assert unread.number == 0


# Files as they are


def test_noise_and_unknown_types_are_passed_over() -> None:
    unread = Unread()
    found = read(lines(*NOISE, asks(5, "go"), *NOISE), unread=unread)
    assert [e.kind for e in found] == ["session.start", "prompt"]
    assert unread.number == 0


WHOLE = (asks(0, "go"), uses(1, "c", "Bash", command="ls"), gets(2, "c", "a\\b"))
COMPACT = [json.dumps(record).encode() for record in WHOLE]
SHAPES = [
    ("one a line", lines(*WHOLE), 0),
    ("no line end", lines(*WHOLE).rstrip(), 0),
    ("carriage returns", b"\r\n".join(COMPACT), 0),
    ("pretty-printed", b"\n".join(json.dumps(record, indent=2).encode() for record in WHOLE), 0),
    ("a pretty array", json.dumps(WHOLE, indent=4).encode(), 0),
    ("a mark of the byte order", b"\xef\xbb\xbf" + lines(*WHOLE), 0),
    ("the same, pretty-printed", b"\xef\xbb\xbf" + b"\n".join(json.dumps(r, indent=2).encode() for r in WHOLE), 0),
    ("an array", json.dumps(WHOLE).encode(), 0),
    ("a torn end", lines(*WHOLE) + COMPACT[0][:50], 1),
    ("a torn line before", COMPACT[1][:70] + b"\n" + lines(*WHOLE), 1),
    ("goes on in a torn line", COMPACT[1][:70] + lines(*WHOLE), 0),
    ("a pretty one torn", b'{\n  "type": "user",\n  "me\n' + lines(*WHOLE), 1),
    ("garbage between", COMPACT[0] + b"\n\x00\xff\xfe{{{\n" + COMPACT[1] + b"\n" + COMPACT[2], 1),
    ("a bad escape", lines(*WHOLE).replace(b"a\\\\\\\\b", b"a\\\\\\d"), 0),
    ("a raw tab", lines(*WHOLE).replace(b"a\\\\\\\\b", b"a\tb"), 0),
    ("too deep", b"[" * 100_000 + b"\n" + lines(*WHOLE), 1),
    ("a number too long", b"1" * 5000 + b"\n" + lines(*WHOLE), 1),
]


@pytest.mark.parametrize(("data", "bad"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_any_shape_of_a_file_is_understood(data: bytes, bad: int) -> None:
    unread = Unread()
    found = read(data, unread=unread)
    assert [e.kind for e in found] == ["session.start", "prompt", "tool.call"]
    assert unread.number == bad


def test_no_size_or_depth_of_an_input_loses_its_call() -> None:
    deep: Any = "end"
    for _ in range(400):
        deep = [deep]
    given = {"file_path": "/x", "content": "y" * (MAX_LINE + 5), "deep": deep}
    body = one_call(uses(0, "c", "Write", None, **given), gets(1, "c", "z" * MAX_LINE))
    assert len(body["input"]["content"]) < LONGEST[0] + 100
    assert len(body["output"]) < 70_000
    many = one_call(
        uses(0, "c", "Write", None, **{f"content{n}": "y" * 900_000 for n in range(12)}), gets(1, "c", "ok")
    )
    assert many["call"] == "c"


def test_times_and_sessions_that_are_missing() -> None:
    bare = {"type": "user", "message": {"content": "go"}}
    found = read(lines(bare, {**bare, "timestamp": "yesterday"}), name="by-file")
    assert [(e.kind, e.session) for e in found] == [("session.start", "by-file")] + [("prompt", "by-file")] * 2


# Codex


def test_a_rollout_is_told_in_order() -> None:
    found = read(
        lines(
            meta(),
            rollout(1, "event_msg", type="task_started", turn_id="t1"),
            heard(1, "# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>be good</INSTRUCTIONS>"),
            heard(1, "<environment_context><cwd>/srv</cwd></environment_context>"),
            heard(1, "be careful", "developer"),
            heard(2, "ok"),
            shown(2.1, "ok"),
            ran(3, "c1", "pytest -q"),
            answered(5, "c1", ended(1, "E  no orjson\n", 1.5)),
            heard(6, "Now the tests fail.", "assistant"),
            shown(6, "Now the tests fail.", "agent"),
            rollout(7, "turn_context", turn_id="t2", cwd="/srv/work/shop/sub", model="m"),
            shown(8, "ok"),
            heard(8.1, "ok"),
            ran(9, "c2", "make"),
            answered(9.5, "c2", ended(0, "fine")),
        ),
        "codex",
    )
    assert bodies(found, "prompt", "text", "prompt") == [("ok", "t1"), ("ok", "t2")]
    assert bodies(found, "reply", "text") == [("Now the tests fail.",)]
    names = ("call", "failed", "exit", "output", "seconds", "prompt", "cwd", "input")
    assert bodies(found, "tool.call", *names) == [
        ("c1", True, 1, "E  no orjson\n", 1.5, "t1", CWD, {"command": "pytest -q"}),
        ("c2", False, 0, "fine", 0.5, "t2", CWD, {"command": "make"}),
    ]
    assert [e.time for e in found] == sorted(e.time for e in found)
    assert of(found, "session.start")[0].body["version"] == "0.142.4"


def test_a_newer_history_tells_of_items() -> None:
    def item(second: float, kind: str, text: str) -> dict[str, Any]:
        inner = {"type": kind, "id": f"i{second}", "content": [{"type": "text", "text": text}]}
        return rollout(second, "event_msg", type="item_completed", turn_id="t1", item=inner)

    found = read(lines(meta(), item(1, "UserMessage", "go"), item(2, "AgentMessage", "gone")), "codex")
    assert bodies(found, "prompt", "text", "prompt") == [("go", "t1")]
    assert bodies(found, "reply", "text") == [("gone",)]


CODEX_OUTCOMES: list[tuple[str, Any, dict[str, Any]]] = [
    ("passed", ended(0, "a\n"), {"failed": False, "exit": 0, "output": "a\n"}),
    ("failed", ended(2, "a\n"), {"failed": True, "exit": 2}),
    ("only says so", ended(0, "Process exited with code 7\n"), {"failed": False, "exit": 0}),
    ("older", "Exit code: 1\nWall time: 2 seconds\nOutput:\nno",
     {"failed": True, "exit": 1, "seconds": 2, "output": "no"}),
    ("oldest", json.dumps({"output": "no", "metadata": {"exit_code": 3, "duration_seconds": 0.5}}),
     {"failed": True, "exit": 3, "output": "no", "seconds": 0.5}),
    ("an object", {"content": "no", "success": False}, {"failed": True, "exit": None, "output": "no"}),
    ("blocks", [{"type": "input_text", "text": ended(1, "no")}, {"type": "input_image", "image_url": "data:x"}],
     {"failed": True, "exit": 1, "output": f"no\n{said.PICTURE}"}),
    ("refused", "exec command rejected by user", {"failed": False, "refused": True, "exit": None}),
    ("stopped", "aborted by user after 3.1s", {"failed": False, "interrupted": True, "exit": None}),
    ("runs on", "Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nx",
     {"failed": False, "exit": None, "output": "x"}),
    ("went wrong", "exec_command failed for `/bin/bash`: CreateProcess", {"failed": True, "exit": None}),
    ("not JSON", "{torn", {"failed": False, "exit": None, "output": "{torn"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("output", "expected"), [row[1:] for row in CODEX_OUTCOMES], ids=[row[0] for row in CODEX_OUTCOMES]
)
def test_how_a_call_of_codex_went(output: Any, expected: dict[str, Any]) -> None:
    body = one_call(meta(), ran(1, "c", "make"), answered(2, "c", output), agent="codex")
    assert {name: body.get(name) for name in expected} == expected


def test_a_command_that_runs_on_ends_in_the_call_that_sees_it() -> None:
    runs = "Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"
    found = read(
        lines(
            meta(),
            ran(1, "c1", "make test"),
            answered(2, "c1", f"{runs}first\n"),
            ran(3, "c2", "", "write_stdin", session_id=7, chars=""),
            answered(4, "c2", f"{runs}second\n"),
            ran(5, "c3", "", "write_stdin", session_id=7, chars=""),
            answered(6, "c3", ended(2, "Error: third\n")),
        ),
        "codex",
    )
    of_first = {"call": "c1", "command": "make test"}
    assert bodies(found, "tool.call", "call", "failed", "exit", "continues", "output") == [
        ("c1", False, None, None, "first\n"),
        ("c2", False, None, of_first, "second\n"),
        ("c3", True, 2, of_first, "first\nsecond\nError: third\n"),
    ]


def test_the_other_tools_of_codex() -> None:
    patch = "*** Begin Patch\n*** Update File: /srv/a.py\n@@\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch"
    local = {"type": "exec", "command": ["bash", "-lc", "ls -l"], "working_directory": "/srv"}
    found = read(
        lines(
            meta(),
            rollout(1, "response_item", type="custom_tool_call", name="apply_patch", input=patch, call_id="c1"),
            answered(2, "c1", "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", "custom_tool_call_output"),
            rollout(3, "response_item", type="custom_tool_call", name="apply_patch", input=patch, call_id="c2"),
            answered(4, "c2", "apply_patch verification failed: no such lines", "custom_tool_call_output"),
            rollout(5, "response_item", type="local_shell_call", call_id="c3", action=local),
            answered(6, "c3", ended(0, "total 0")),
            rollout(7, "response_item", type="web_search_call", action={"type": "search", "query": "q"}),
            rollout(8, "response_item", type="function_call", name="_ask", namespace="mcp__wiki", call_id="c4"),
            rollout(9, "event_msg", type="turn_aborted", reason="interrupted"),
        ),
        "codex",
    )
    assert bodies(found, "tool.call", "tool", "failed", "exit", "interrupted", "unanswered") == [
        ("apply_patch", False, None, None, None),
        ("apply_patch", True, None, None, None),
        ("local_shell", False, 0, None, None),
        ("web_search", False, None, None, None),
        ("mcp__wiki__ask", False, None, True, True),
    ]
    given = of(found, "tool.call")[0].body["input"]
    assert given == {"file_path": "/srv/a.py", "files": ["/srv/a.py", "b.py"], "patch": patch}
    assert of(found, "tool.call")[2].body["input"]["command"] == "ls -l"


def test_forked_history_compaction_and_a_missing_beginning() -> None:
    twice = read(lines(meta(), meta(1, id="older"), shown(2, "go")), "codex")
    assert {e.session for e in twice} == {SESSION}
    again = rollout(
        3, "compacted", message="", replacement_history=[{"type": "message", "role": "user", "content": "go"}]
    )
    assert len(of(read(lines(meta(), shown(2, "go"), again), "codex"), "prompt")) == 1
    headless = read(lines(ran(1, "c", "ls"), answered(2, "c", ended(0, ""))), "codex", name="by-file")
    assert [(e.kind, e.session) for e in headless] == [("session.start", "by-file"), ("tool.call", "by-file")]


def test_our_mark_is_the_one_that_is_written() -> None:
    assert said.MARK == MARK
    assert stamp(61.5) == "2026-03-01T10:01:01.500Z"
