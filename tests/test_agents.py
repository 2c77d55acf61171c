"""Every agent but Claude Code: what it tells its hooks is recorded, and at a failure the fix stands in the field
that it reads.

Hooks are run as its settings run them: the entry that `init` writes, by a shell, with a payload on stdin.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from engrain import event as events
from engrain.capture import spool
from engrain.capture.adapters import NAMES, adapter
from engrain.event import FAILURE, HELD, SERVED, TOOL_CALL, Event
from engrain.hook.guessing import failed
from engrain.install import launcher, texts, wiring
from engrain.memory import Memory
from engrain.paths import Home
from tests import transcripts
from tests.agents import EVENTS, FAILS, OTHERS, OUTPUT, SHOP, WHO, context, payload
from tests.making import Ran

EVERY = [(agent, event) for agent, told in EVENTS.items() for event in told]


@pytest.fixture
def wired(home: Home) -> Iterator[Home]:
    """A home with a launcher; whatever tick a hook starts is over when the test is."""
    launcher.write(home)
    yield home
    with Memory.open(home.root) as memory:
        while not memory.tick(seconds=10).ran:
            os.sched_yield()


def entry(agent: str, event: str) -> list[str]:
    """What an agent runs at an event."""
    of = wiring.agent(agent)
    if agent == "opencode":
        return ["sh", "-c", f'"$ENGRAIN_HOME/bin/hook" {event} opencode']
    if agent == "cline":
        return ["sh", "-c", texts.cline(event)]
    wire = next(each for each in of.wires if each.event == event)
    said = wiring.entry(of, wire)
    return ["sh", "-c", (said["hooks"][0] if "hooks" in said else said)["command"]]


def told(agent: str, event: str, said: object = None, **environ: str) -> Ran:
    data = json.dumps(payload(agent, event) if said is None else said).encode()
    done = subprocess.run(
        entry(agent, event), input=data, capture_output=True, timeout=60, check=False, env={**os.environ, **environ}
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def recorded(home: Home) -> list[Event]:
    """What hooks wrote, whether a tick was quick enough to take it away or not."""
    with Memory.open(home.root) as memory:
        memory.catch_up()
        found = {event.id: event for event in memory.store.events()}
    for path in spool.waiting(home.spool):
        with open(path, "rb") as file:
            found |= {event.id: event for event in map(events.parse, filter(None, file.read().split(b"\n")))}
    return sorted(found.values(), key=lambda event: (event.time, event.id))


def of(home: Home, kind: str) -> list[Event]:
    return [event for event in recorded(home) if event.kind == kind]


def taught(home: Home) -> str:
    with Memory.open(home.root) as memory:
        return memory.remember_error_fix("ModuleNotFoundError: No module named 'orjson'", "pip install orjson").fix


def test_there_is_an_example_of_every_event_that_is_wired() -> None:
    for agent in wiring.AGENTS:
        if agent.name in EVENTS and agent.wires:
            assert {wire.event for wire in agent.wires} == set(EVENTS[agent.name]), agent.name
    hooks = {file.path.rpartition("/")[2] for file in wiring.agent("cline").files}
    assert hooks == set(EVENTS["cline"])
    for event in EVENTS["opencode"]:
        assert f'"{event}"' in texts.OPENCODE
    assert set(NAMES) == {agent.name for agent in wiring.AGENTS}


KINDS = {
    "codex": {
        "SessionStart": "session.start", "UserPromptSubmit": "prompt", "PostToolUse": "tool.call", "Stop": "reply",
        "SubagentStop": "reply", "SessionEnd": "session.end",
    },
    "cursor": {
        "sessionStart": "session.start", "beforeSubmitPrompt": "prompt", "postToolUse": "tool.call",
        "postToolUseFailure": "tool.call", "afterAgentResponse": "reply", "sessionEnd": "session.end",
    },
    "gemini": {
        "SessionStart": "session.start", "BeforeAgent": "prompt", "AfterTool": "tool.call", "AfterAgent": "reply",
        "SessionEnd": "session.end",
    },
    "opencode": {
        "session.created": "session.start", "chat.message": "prompt", "tool.execute.after": "tool.call",
        "tool.error": "tool.call", "session.idle": "reply", "session.deleted": "session.end",
    },
    "windsurf": {
        "pre_user_prompt": "prompt", "post_read_code": "tool.call", "post_write_code": "tool.call",
        "post_run_command": "tool.call", "post_mcp_tool_use": "tool.call", "post_cascade_response": "reply",
    },
    "cline": {
        "TaskStart": "session.start", "TaskResume": "session.start", "UserPromptSubmit": "prompt",
        "PostToolUse": "tool.call", "TaskCancel": "session.end",
    },
}  # fmt: skip


@pytest.mark.parametrize(("agent", "event"), EVERY)
def test_every_event_is_recorded_as_what_it_is(agent: str, event: str) -> None:
    """By the adapter alone: that the hook does the same is seen below."""
    from engrain.capture.adapters import claude_code
    from engrain.capture.session import Session
    from engrain.hook.guessing import judged
    from engrain.project import Project

    given = adapter(agent).said(event, payload(agent, event))
    assert given is not None
    given = judged(given) if given.get("unsure") else given
    session = Session(agent, given["session_id"], project="p", tenant="local")
    made = claude_code.event(given, session, Project("p", "", "", "", "", "", ""), 1)
    assert (made.kind if made else None) == KINDS[agent].get(event)
    assert WHO not in json.dumps(given), "who the user is, is nobody's business"
    assert adapter(agent).said("someday", {"x": [1]}) is None


@pytest.mark.parametrize("agent", sorted(OTHERS))
def test_events_that_are_not_wired_and_unknown_ones_are_silent(wired: Home, agent: str) -> None:
    said = {"someday": {"x": [1]}, **OTHERS[agent]}
    for event, given in said.items():
        given = given if agent in ("windsurf", "cline") else {"hook_event_name": event, **given}
        line = f'"$ENGRAIN_HOME/bin/hook" {event} {agent}'
        done = subprocess.run(["sh", "-c", line], input=json.dumps(given).encode(), capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), event
    assert [event.kind for event in recorded(wired)] == []
    assert not os.path.exists(wired.at("hook.log"))


@pytest.mark.parametrize(("agent", "event"), FAILS)
def test_at_a_failure_the_fix_stands_in_the_field_that_the_agent_reads(wired: Home, agent: str, event: str) -> None:
    fix = taught(wired)
    done = told(agent, event)
    assert (done.code, done.err) == (0, "")
    said = context(agent, event, done.out)
    assert "`pip install orjson`" in said
    assert fix in said
    assert len(said.encode()) <= 500
    (served,) = of(wired, SERVED)
    (call,) = of(wired, TOOL_CALL)
    assert (served.body["of"], call.agent, call.body["failed"]) == (call.id, agent, True)
    assert call.body["input"]["command"] == "python app.py"
    assert call.body[FAILURE]["parameters"] == {"module": "orjson"}
    assert call.body.get("cwd") == "~/shop" or call.body.get("cwd") == SHOP
    assert call.body.get("exit") == (None if agent == "codex" else 1)
    assert call.body.get("guessed") == (True if agent == "codex" else None)
    assert not os.path.exists(wired.at("hook.log"))


@pytest.mark.parametrize(("agent", "event"), [("windsurf", "post_run_command"), ("cline", "PostToolUse")])
def test_agents_that_show_nothing_are_recorded_alone(wired: Home, agent: str, event: str) -> None:
    taught(wired)
    done = told(agent, event)
    assert (done.code, done.out.strip()) == (0, '{"cancel":false}' if agent == "cline" else "")
    assert [call.agent for call in of(wired, TOOL_CALL)] == [agent]
    assert of(wired, SERVED) == of(wired, HELD) == []


@pytest.mark.parametrize("agent", sorted(EVENTS))
def test_a_session_of_each_agent_is_told_whole(wired: Home, agent: str) -> None:
    for event in EVENTS[agent]:
        done = told(agent, event)
        assert (done.code, done.err) == (0, "")
    learned = ("episode", "fix", "task")
    kinds = [event.kind for event in recorded(wired) if event.agent == agent and event.kind not in learned]
    wanted = [kind for event in EVENTS[agent] if (kind := KINDS[agent].get(event))]
    assert sorted(kinds) == sorted(wanted)
    assert len({event.session for event in recorded(wired) if event.agent == agent}) == 1
    assert not os.path.exists(wired.at("hook.log"))


@pytest.mark.parametrize("agent", sorted(EVENTS))
@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"tool_input": 3, "tool_response": [[[[[["x"]]]]]], "cwd": 1}'])
def test_garbage_is_no_reason_to_complain(home: Home, agent: str, data: bytes) -> None:
    for event in EVENTS[agent]:
        try:
            given = json.loads(data)
        except ValueError:
            continue
        if isinstance(given, dict):
            adapter(agent).said(event, given)
    _ = home


# Codex: how a command ended is told by its output, and by the rollout


def after(**more: Any) -> dict[str, Any]:
    return payload("codex", "PostToolUse", **more)


def test_what_codex_says_of_an_end_holds() -> None:
    say = adapter("codex").said
    for answer in (
        "Process exited with code 3\nOutput:\nbroken",
        "Exit code: 3\nWall time: 1 seconds\nOutput:\nbroken",
    ):
        said = say("PostToolUse", after(tool_response=answer))
        assert (said["hook_event_name"], said["exit_code"], said["error"]) == ("PostToolUseFailure", 3, "broken")
    said = say("PostToolUse", after(tool_response={"output": "fine", "metadata": {"exit_code": 0}}))
    assert (said["hook_event_name"], said["tool_response"]) == ("PostToolUse", {"stdout": "fine"})
    said = say("PostToolUse", after(tool_response="exec command rejected by user"))
    assert (said["hook_event_name"], said["refused"]) == ("PostToolUse", True)
    broke = {
        "tool_name": "mcp__db__ask",
        "tool_response": {"content": [{"type": "text", "text": "no"}], "isError": True},
    }
    assert say("PostToolUse", after(**broke))["hook_event_name"] == "PostToolUseFailure"


def test_a_patch_of_codex_is_an_edit_and_no_command(wired: Home) -> None:
    patch = "*** Begin Patch\n*** Update File: app.py\n@@\n-a\n+b\n*** End Patch"
    told(
        "codex", "PostToolUse", after(tool_name="apply_patch", tool_input={"command": patch}, tool_response="Success.")
    )
    (call,) = of(wired, TOOL_CALL)
    assert call.body["input"]["file_path"] == "app.py"
    assert "patch" not in call.body["input"], "its content lies beside the journal, where it expires"


GUESSES = [
    (True, "python app.py", OUTPUT),
    (True, "pytest -q", "F.\n=== FAILURES ===\nE  AssertionError: no\nFAILED tests/test_x.py::test_y - AssertionError"),
    (True, "make", "make: *** No rule to make target 'x'.  Stop."),
    (True, "npm test", "sh: 1: vitest: not found"),
    (False, "pytest -q", "tests/test_errors.py ....\n==== 48 passed, 1 warning in 2.31s ===="),
    (False, "cat build.log", OUTPUT),
    (False, "git log --oneline", "abc fix: ModuleNotFoundError: No module named 'orjson'"),
    (False, "grep -rn Traceback .", "a.py:1:Traceback (most recent call last):"),
    (False, "bun test", "(pass) fails on an error\n 204 pass\n 0 fail\nRan 204 tests across 4 files."),
    (False, "npm run build", "0 errors, 2 warnings\nbuilt in 3.2s"),
    (False, "true", ""),
]


@pytest.mark.parametrize(("wanted", "command", "output"), GUESSES)
def test_a_failure_is_told_from_what_a_command_wrote(wanted: bool, command: str, output: str) -> None:
    assert failed(output, command) is wanted


def test_the_rollout_sets_right_what_was_guessed(wired: Home, tmp_path: object) -> None:
    session = str(EVENTS["codex"]["Stop"]["session_id"])
    calls = {
        "call_1": ("python app.py", OUTPUT, 1),  # guessed right
        "call_2": ("make docs", "warning: error in x.py: no such file: y", 0),
        "call_3": ("./run", "it did not work", 4),  # nothing that anybody could tell it by
        "call_4": ("ls", "a.py", 0),
    }
    for call, (line, output, _) in calls.items():
        told("codex", "PostToolUse", after(tool_use_id=call, tool_input={"command": line}, tool_response=output))
    path = os.path.join(str(tmp_path), "rollout-2026-11-18T09-30-00-x.jsonl")
    records = [transcripts.meta(0, id=session, cwd=SHOP)]
    for call, (line, output, code) in calls.items():
        said = transcripts.answered(2, call, transcripts.ended(code, output))
        records += [transcripts.ran(1, call, line), said]
    with open(path, "wb") as file:
        file.write(transcripts.lines(*records))
    told("codex", "Stop", payload("codex", "Stop", transcript_path=path))
    with Memory.open(wired.root) as memory:
        memory.catch_up()
        memory.confirm(path)
        found = {event.body["call"]: event.body for event in memory.store.events() if event.kind == TOOL_CALL}
        before = list(memory.dump())
        assert memory.confirm(path) == 0, "twice is once"
        assert list(memory.dump()) == before
        memory.rebuild()
        assert list(memory.dump()) == before
    assert {call: (body["exit"], body["failed"]) for call, body in found.items()} == {
        call: (code, code != 0) for call, (_, _, code) in calls.items()
    }
    assert {call for call, body in found.items() if FAILURE in body} == {"call_1", "call_3"}
    assert not any("guessed" in body for body in found.values())


# Cursor


def test_cursor_runs_its_own_hooks_and_leaves_those_of_claude_code_alone(wired: Home) -> None:
    cursor = {"CURSOR_VERSION": "2.6", "CURSOR_PROJECT_DIR": SHOP, "CLAUDE_PROJECT_DIR": SHOP}
    told("cursor", "postToolUse", **cursor)
    assert [call.agent for call in of(wired, TOOL_CALL)] == ["cursor"]
    from engrain.install.command import command

    said = json.dumps({"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash", "tool_use_id": "t9"})
    done = subprocess.run(
        ["sh", "-c", command("PostToolUse")], input=said.encode(), capture_output=True, check=True,
        env={**os.environ, **cursor},
    )  # fmt: skip
    assert done.stdout == b""
    assert len(of(wired, TOOL_CALL)) == 1


def test_what_cursor_was_not_allowed_is_no_failure() -> None:
    say = adapter("cursor").said
    said = say("postToolUseFailure", payload("cursor", "postToolUseFailure", failure_type="permission_denied"))
    assert (said["hook_event_name"], said["refused"]) == ("PostToolUse", True)
    fine = say("postToolUse", payload("cursor", "postToolUse", tool_output='{"exitCode":0,"stdout":"ok"}'))
    assert (fine["hook_event_name"], fine["tool_response"]) == ("PostToolUse", {"stdout": "ok"})
    plain = say("postToolUse", payload("cursor", "postToolUse", tool_output=OUTPUT))
    assert plain["unsure"] is True


# Gemini CLI

HEAD = "Command: x\nDirectory: (root)\n"


@pytest.mark.parametrize(
    ("shown", "code", "output"),
    [
        ("Output: fine\nProcess Group PGID: 1", 0, "fine"),
        ("Output: (empty)\nBackground PIDs: 4, 5", 0, ""),
        (f"{HEAD}Stdout: fine\nStderr: (empty)\nError: (none)\nExit Code: 0\nSignal: (none)", 0, "fine"),
        (f"{HEAD}Output: Error: no\nError: (none)\nExit Code: 2\nSignal: (none)", 2, "Error: no"),
    ],
)  # fmt: skip
def test_gemini_s_headings_are_no_output(shown: str, code: int, output: str) -> None:
    from engrain.capture.adapters.claude_code import exit_code

    given = payload("gemini", "AfterTool", tool_response={"llmContent": [{"text": shown}], "returnDisplay": ""})
    said = adapter("gemini").said("AfterTool", given)
    assert said.get("error", (said.get("tool_response") or {}).get("stdout")) == output
    assert (said.get("exit_code") or 0) == code
    assert exit_code(output) is None


def test_the_same_call_told_twice_is_one_and_at_another_time_another(wired: Home) -> None:
    for moment in ("1", "1", "2"):
        told("gemini", "AfterTool", payload("gemini", "AfterTool", timestamp=moment))
    assert len(of(wired, TOOL_CALL)) == 2


# OpenCode: the plugin itself, run by node

SCRIPT = """
import { pathToFileURL } from "node:url"
const { Engrain } = await import(pathToFileURL(process.argv[2]).href)
const hooks = await Engrain({ directory: process.argv[3] })
const session = "ses_1", said = JSON.parse(process.argv[4])
await hooks.event({ event: { type: "session.created", properties: { info: { id: session } } } })
const message = { message: { id: "msg_1" }, parts: [{ type: "text", text: "make the tests pass" }] }
await hooks["chat.message"]({ sessionID: session }, message)
const output = { title: "Run it", output: said.output, metadata: { exit: 1, output: said.output } }
const input = { tool: "bash", sessionID: session, callID: "call_1", args: { command: "python app.py" } }
await hooks["tool.execute.after"](input, output)
const state = { status: "error", input: { filePath: "a.py" }, error: "no such file" }
const part = { type: "tool", sessionID: session, callID: "call_2", tool: "read", state }
for (let n = 0; n < 2; n++) await hooks.event({ event: { type: "message.part.updated", properties: { part } } })
const text = { type: "text", sessionID: session, messageID: "msg_2", text: "All tests pass." }
await hooks.event({ event: { type: "message.part.updated", properties: { part: text } } })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: session } } })
const system = { system: [] }
await hooks["experimental.chat.system.transform"]({ sessionID: session }, system)
await hooks.event({ event: { type: "nobody.knows", properties: {} } })
console.log(JSON.stringify({ output: output.output, system: system.system }))
"""

RUNTIMES = [name for name in ("node", "bun") if shutil.which(name)]


def plugin(runtime: str, tmp_path: object, **environ: str) -> dict[str, Any]:
    ours, script = (os.path.join(str(tmp_path), name) for name in ("engrain.mjs", "script.mjs"))
    for path, text in ((ours, texts.OPENCODE), (script, SCRIPT)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    words = [runtime, script, ours, str(tmp_path), json.dumps({"output": OUTPUT})]
    done = subprocess.run(words, capture_output=True, check=True, timeout=60, env={**os.environ, **environ})
    assert done.stderr == b""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.skipif(not RUNTIMES, reason="neither node nor bun is there to run a plugin")
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_the_plugin_of_opencode_records_and_puts_the_fix_behind_the_output(
    wired: Home, tmp_path: object, runtime: str
) -> None:
    taught(wired)
    with Memory.open(wired.root, folder=str(tmp_path)) as memory:
        memory.learn_lesson("seed the database first", phase="start")
    done = plugin(runtime, tmp_path)
    assert done["output"].startswith(OUTPUT)
    assert "`pip install orjson`" in done["output"][len(OUTPUT) :]
    assert [text for text in done["system"] if "seed the database first" in text]
    kinds = [event.kind for event in recorded(wired) if event.agent == "opencode"]
    assert sorted(kinds) == sorted(
        ["session.start", "prompt", "tool.call", "tool.call", "reply", "fix.served", "lesson.fired"]
    )


@pytest.mark.skipif(not RUNTIMES, reason="neither node nor bun is there to run a plugin")
def test_without_engrain_the_plugin_does_nothing(home: Home, tmp_path: object) -> None:
    done = plugin(RUNTIMES[0], tmp_path, ENGRAIN_HOME=home.at("nowhere"))
    assert done == {"output": OUTPUT, "system": []}
