"""Rollouts of Codex: `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`.

    type             what is taken from it
    session_meta     which session, where, which version; the first one holds, others come with forked history
    turn_context     the folder, the model and the turn of what follows
    response_item    messages, calls of tools, their outputs
    event_msg        messages again (old and new histories have one, most have both), a turn that was stopped
    others           nothing: `compacted` repeats what was said before

What a person said stands in one or both of two places: each text counts as often as the place that has it more often.
A command that runs on is polled by calls of their own (`write_stdin`): the one that sees its end has the exit code,
and says which call it continues.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engrain import event as events
from engrain.capture.session import SHELLS, Session, shortened
from engrain.capture.transcripts import said
from engrain.capture.transcripts.call import Call, unanswered
from engrain.capture.transcripts.files import lines
from engrain.capture.transcripts.records import Unread, records
from engrain.errors import BadEvent
from engrain.event import Event

AGENT = "codex"

REFUSED = (
    "exec command rejected by user",
    "rejected by user",
    "patch rejected by user",
    "user rejected",
    "user cancelled",
    "approval denied",
    "command rejected",
)
STOPPED = ("aborted by user", "aborted")
FAILED = (
    "apply_patch verification failed",
    "failed to parse function arguments",
    "exec_command failed",
    "execution error",
    "failed in sandbox",
    "tool call error",
    "unsupported call",
    "write_stdin failed",
    "err: ",
)
"""How answers begin that carry no exit code."""

MOST_RUNNING = 64_000
"""Characters that are kept of what a command wrote before it was polled for the last time."""

_SKIPPED = re.compile(
    rb'"type"\s*:\s*"(?:token_count|reasoning|agent_reasoning\w*|exec_command_output_delta|world_state)"'
)
_HEAD = 1000
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_RUNS = re.compile(r"^Process running with session ID (\d+)$", re.MULTILINE)
_WALL = re.compile(r"^Wall time: ([\d.]{1,12}) seconds?$", re.MULTILINE)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


def wrote(path: str) -> bool:
    """Whether a file is a rollout of Codex, by how it begins."""
    try:
        first = next(lines(path, Unread()), b"")
    except OSError:
        # Whoever reads it tells why it can't be read.
        return False
    return _META.search(first) is not None


_META = re.compile(rb'"type"\s*:\s*"session_meta"')


def read(
    lines: Iterable[bytes],
    *,
    project: Callable[[str], str],
    tenant: str,
    name: str = "",
    subagent: str = "",  # noqa: ARG001 - a reader like the other
    settled: int = events.MAX_TIME,
    unread: Unread | None = None,
) -> Iterator[Event]:
    """The events of one file.

    `project` says which project a folder is; `name` and `subagent` hold where no line says which session it is, and
    whose. A call without an answer gets none any more where the file ends before `settled`.
    """
    return _Reader(project, tenant, name).read(lines, settled, unread or Unread())


def bulky(line: bytes) -> bool:
    """Whether a line is of a type that tells nothing, seen without reading it whole."""
    found = _SKIPPED.search(line, 0, 200)
    return bool(found) and line.count(b"{", 0, found.start() if found else 0) <= 2


class _Reader:
    def __init__(self, project: Callable[[str], str], tenant: str, name: str) -> None:
        self._project = project
        self._tenant = tenant
        self._name = name
        self._session: Session | None = None
        self._cwd = self._branch = self._model = self._turn = self._prompt = ""
        self._calls: dict[str, Call] = {}
        self._answered: set[str] = set()
        self._running: dict[str, tuple[str, str, str]] = {}
        self._heard: dict[str, Counter[int]] = {"response_item": Counter(), "event_msg": Counter()}
        self._named: Counter[str] = Counter()
        self._last = self._stamp = 0

    def read(self, lines: Iterable[bytes], settled: int, unread: Unread) -> Iterator[Event]:
        for record in records(lines, unread, bulky):
            payload = record.get("payload", record)
            try:
                if isinstance(payload, dict):
                    yield from self._of(record, payload)
            except BadEvent:
                unread.number += 1
        if self._last < settled:
            yield from unanswered(self._calls, unread)
        else:
            unread.waiting += len(self._calls)

    def _of(self, record: dict[str, Any], payload: dict[str, Any]) -> Iterator[Event]:
        kind = record.get("type")
        time = self._time(record)
        if kind == "session_meta" or (kind is None and "instructions" in record):
            yield from self._meta(time, payload)
        elif kind == "turn_context":
            self._cwd = _word(payload.get("cwd")) or self._cwd
            self._model = _word(payload.get("model")) or self._model
            self._turn = _word(payload.get("turn_id")) or self._turn
        elif kind == "event_msg":
            yield from self._said(time, payload)
        elif kind == "response_item" or "payload" not in record:
            yield from self._item(time, payload)

    def _time(self, record: dict[str, Any]) -> int:
        """When it happened; what has the same time as the line before it happened just after that."""
        try:
            stamp = events.microseconds(record.get("timestamp"))
        except BadEvent:
            stamp = self._stamp
        self._last = self._last + 1 if stamp == self._stamp and self._last else stamp
        self._stamp = stamp
        return self._last

    def _meta(self, time: int, payload: dict[str, Any]) -> Iterator[Event]:
        if self._session:
            return
        git = payload.get("git")
        self._cwd = _word(payload.get("cwd"))
        self._branch = _word(git.get("branch")) if isinstance(git, dict) else ""
        self._name = _word(payload.get("id")) or _word(payload.get("session_id")) or self._name
        yield from self._began(time, version=_word(payload.get("cli_version")), model=_word(payload.get("model")))

    def _began(self, time: int, **about: Any) -> Iterator[Event]:
        self._session = Session(AGENT, self._name, project=self._project(self._cwd), tenant=self._tenant)
        yield self._session.started(time, cwd=self._cwd, branch=self._branch, **about)

    def _here(self, time: int) -> Iterator[Event]:
        """A file without its first lines is a session all the same."""
        if not self._session:
            yield from self._began(time)

    # What was said

    def _said(self, time: int, payload: dict[str, Any]) -> Iterator[Event]:
        kind, item = payload.get("type"), payload.get("item")
        if kind == "item_completed" and isinstance(item, dict):
            who = {"UserMessage": "user", "AgentMessage": "assistant"}.get(str(item.get("type")), "")
            yield from self._message(time, "event_msg", who, _text(item.get("content")), payload)
        elif kind in ("user_message", "agent_message"):
            who = "user" if kind == "user_message" else "assistant"
            yield from self._message(time, "event_msg", who, _text(payload.get("message")), payload)
        elif kind == "task_started":
            self._turn = _word(payload.get("turn_id")) or self._turn
        elif kind == "turn_aborted":
            self._stopped()

    def _stopped(self) -> None:
        for name, call in self._calls.items():
            self._calls[name] = call._replace(about={**call.about, "interrupted": True})

    def _message(self, time: int, place: str, who: str, text: str, payload: dict[str, Any]) -> Iterator[Event]:
        text = said.prompt(text) if who == "user" else shortened(said.without_ours(text.strip()))
        if not text or who not in ("user", "assistant"):
            return
        yield from self._here(time)
        assert self._session
        heard = self._heard[place]
        key = hash((who, text))
        heard[key] += 1
        if heard[key] <= self._heard["event_msg" if place == "response_item" else "response_item"][key]:
            return
        if who == "assistant":
            name = _word(payload.get("id")) or f"{time}"
            yield self._session.replied(time, name, text)
            return
        turn = _turn(payload) or self._turn or str(time)
        self._named[turn] += 1
        self._prompt = turn if self._named[turn] == 1 else f"{turn}:{self._named[turn]}"
        yield self._session.prompted(time, self._prompt, text, prompt=self._prompt, cwd=self._cwd, branch=self._branch)

    # What was done

    def _item(self, time: int, payload: dict[str, Any]) -> Iterator[Event]:
        kind = str(payload.get("type", ""))
        if kind == "message":
            yield from self._message(
                time, "response_item", _word(payload.get("role")), _text(payload.get("content")), payload
            )
        elif kind.endswith("_call"):
            yield from self._here(time)
            self._asked(time, kind, payload)
            if kind == "web_search_call" or (kind == "image_generation_call"):
                yield from self._result(time, _name(payload, time), "", payload)
        elif kind.endswith("_output"):
            yield from self._here(time)
            output = payload["output"] if "output" in payload else payload.get("tools")
            yield from self._result(time, _name(payload, time), output, payload)

    def _asked(self, time: int, kind: str, payload: dict[str, Any]) -> None:
        assert self._session
        name = _name(payload, time)
        if name in self._answered:
            return
        tool, given = _tool(kind, payload), _given(payload)
        cwd = _word(given.pop("workdir", "")) or _word(given.get("working_directory")) or self._cwd
        about = {"cwd": cwd, "branch": self._branch, "prompt": self._prompt or None}
        self._calls.setdefault(name, Call(self._session, tool, given, time, about))

    def _result(self, time: int, name: str, value: Any, payload: dict[str, Any]) -> Iterator[Event]:
        assert self._session
        if name in self._answered:
            return
        self._answered.add(name)
        call = self._calls.pop(name, None) or Call(self._session, "", {}, 0, {"cwd": self._cwd, "prompt": self._prompt})
        text, outcome = _outcome(call.tool, value, payload)
        output = said.output(text)
        outcome = self._continued(name, call, output, outcome)
        yield call.answered(time, name, outcome.pop("output", output), **outcome)

    def _continued(self, name: str, call: Call, output: Any, outcome: dict[str, Any]) -> dict[str, Any]:
        """A command that runs on, by the number that its polls name; its end belongs to the command."""
        runs = outcome.pop("runs", "")
        given = call.given if isinstance(call.given, dict) else {}
        polled = str(given.get("session_id", "")) if call.tool == "write_stdin" else ""
        if runs and not polled:
            self._running[runs] = (name, _word(given.get("command")), output if isinstance(output, str) else "")
        if polled in self._running:
            of, command, before = self._running[polled]
            whole = shortened(f"{before}{output}" if isinstance(output, str) else before, MOST_RUNNING)
            outcome["continues"] = {"call": of, "command": command}
            if "exit" in outcome:
                outcome["output"] = whole
                del self._running[polled]
            else:
                self._running[polled] = (of, command, whole)
        return outcome


def _tool(kind: str, payload: dict[str, Any]) -> str:
    name = _word(payload.get("name")) or kind.removesuffix("_call")
    space = _word(payload.get("namespace"))
    return f"{space}__{name.removeprefix('_')}" if space else name


def _given(payload: dict[str, Any]) -> dict[str, Any]:
    """What the tool was given, a command as one text under that name."""
    value = payload.get("arguments", payload.get("input", payload.get("action")))
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            if _PATCHED.search(value):
                return {"file_path": _PATCHED.findall(value)[0], "files": _PATCHED.findall(value), "patch": value}
            return {"text": value}
    if not isinstance(value, dict):
        return {} if value is None else {"value": value}
    given = dict(value)
    command = given.pop("cmd", given.pop("command", None))
    if command is not None:
        given["command"] = _line(command)
    return given


def _line(command: Any) -> Any:
    """A command that was given as words, as the line that it is; `bash -lc LINE` is LINE."""
    if not isinstance(command, list) or not all(isinstance(word, str) for word in command):
        return command
    if len(command) == 3 and command[1] in ("-lc", "-c") and command[0].rpartition("/")[2] in ("bash", "sh", "zsh"):
        return command[2]
    import shlex

    return shlex.join(command)


def _outcome(tool: str, value: Any, payload: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """What a call answered, and how it went; nothing is guessed."""
    ok: Any = payload.get("success")
    code: Any = None
    seconds: Any = None
    if isinstance(value, str) and value.startswith("{"):
        value = _unpacked(value)
    if isinstance(value, dict):
        ok = value.get("success", ok)
        about = value.get("metadata")
        if isinstance(about, dict):
            code, seconds = about.get("exit_code"), about.get("duration_seconds")
        value = value.get("output", value.get("content", value))
    text = said.joined(value)
    if text is None:
        return value, {"failed": ok is False}
    head, split, rest = text.partition("\nOutput:\n")
    if len(head) > _HEAD or not split:
        head, rest = text[:_HEAD] if split == "" and _EXIT.match(text) else "", text
    if found := _EXIT.search(head):
        code = int(found[1])
    if wall := _WALL.search(head):
        seconds = float(wall[1])
    more: dict[str, Any] = {"seconds": seconds} if isinstance(seconds, (int, float)) else {}
    if runs := _RUNS.search(head):
        return rest, {**more, "failed": False, "runs": runs[1]}
    if type(code) is int:
        return rest, {**more, "failed": code != 0, **({"exit": code} if tool in _HAS_EXIT else {})}
    return text, {**more, **_without_code(text.lower().lstrip(), ok)}


_HAS_EXIT = SHELLS | {"write_stdin", ""}


def _without_code(text: str, ok: Any) -> dict[str, Any]:
    if text.startswith(REFUSED) or "rejected by user" in text[:200]:
        return {"failed": False, "refused": True}
    if text.startswith(STOPPED):
        return {"failed": False, "interrupted": True}
    return {"failed": ok is False or text.startswith(FAILED) or "failed for `" in text[:40]}


def _unpacked(text: str) -> Any:
    """Older versions put the output and the exit code into one JSON text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict) and "output" in value and "metadata" in value else text


def _turn(payload: dict[str, Any]) -> str:
    passed = payload.get("internal_chat_message_metadata_passthrough")
    return _word(passed.get("turn_id")) if isinstance(passed, dict) else _word(payload.get("turn_id"))


def _name(payload: dict[str, Any], time: int) -> str:
    return _word(payload.get("call_id")) or _word(payload.get("id")) or f"{payload.get('type')}:{time}"


def _text(value: Any) -> str:
    """The texts of a message; pictures and the tags around them are left out."""
    if isinstance(value, str):
        return value
    texts = [block.get("text") for block in value if isinstance(block, dict)] if isinstance(value, list) else []
    return "\n".join(t for t in texts if isinstance(t, str) and not t.startswith(("<image", "</image")))


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
