"""Transcripts of Claude Code: `projects/<folder>/<session>.jsonl`, subagents in `<session>/subagents/agent-*.jsonl`.

    type        what is taken from it
    user        a prompt, or the results of tools (`tool_result`, beside it `toolUseResult` with more)
    assistant   what the agent said, and the tools it used (`tool_use`)
    progress    what subagents did, where no file of their own tells it
    system      the place where it was compacted; nothing else
    others      nothing: snapshots of files, queues, summaries, titles, attachments

A summary after a compaction, what a command of the agent itself put in (`isMeta`) and the task that a subagent is given
are no prompts. What a person refused has not failed; nor has what somebody interrupted, or what was never run because a
call beside it failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engrain import event as events
from engrain.capture.session import SHELLS, Session, shortened
from engrain.capture.transcripts import said
from engrain.capture.transcripts.call import Call, unanswered
from engrain.capture.transcripts.records import Unread, records
from engrain.errors import BadEvent
from engrain.event import Event

AGENT = "claude-code"

REFUSED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "Permission to use ",
    "Permission for this action has been denied",
    "This command requires approval",
    "This Bash command contains multiple operations",
    "Claude requested permissions to ",
    "User rejected ",
    "User denied ",
    "Execution stopped by PreToolUse hook",
)
"""How the answer to a call begins that somebody, or a rule, did not allow."""

STOPPED = ("[Request interrupted by user", "Interrupted by user", "Tool execution was interrupted")
NOT_RUN = ("<tool_use_error>Sibling tool call errored", "<tool_use_error>Cancelled: parallel tool call")

_EXIT = re.compile(r"\s*Exit code (-?\d{1,10})(?:\s|$)")
_TYPE = re.compile(rb'"type"\s*:\s*"([a-z-]+)"')
_SKIPPED = frozenset(
    [b"file-history-snapshot", b"queue-operation", b"summary", b"custom-title", b"ai-title", b"last-prompt"]
)


def read(
    lines: Iterable[bytes],
    *,
    project: Callable[[str], str],
    tenant: str,
    name: str = "",
    subagent: str = "",
    settled: int = events.MAX_TIME,
    unread: Unread | None = None,
) -> Iterator[Event]:
    """The events of one file.

    `project` says which project a folder is; `name` and `subagent` hold where no line says which session it is, and
    whose. A call without an answer gets none any more where the file ends before `settled`.
    """
    return _Reader(project, tenant, name, subagent).read(lines, settled, unread or Unread())


def bulky(line: bytes) -> bool:
    """Whether a line is of a type that tells nothing, seen without reading it whole."""
    found = _TYPE.search(line, 0, 4000)
    # Only the type of the record itself counts, not one further in.
    if not found or line.count(b"{", 0, found.start()) != 1:
        return False
    if found[1] == b"progress":
        return b'"agent_progress"' not in line or (b'"tool_use"' not in line and b'"tool_result"' not in line)
    return found[1] in _SKIPPED


class _Reader:
    def __init__(self, project: Callable[[str], str], tenant: str, name: str, subagent: str) -> None:
        self._project = project
        self._tenant = tenant
        self._name = name
        self._subagent = subagent
        self._place = ""
        self._sessions: dict[str, Session] = {}
        self._calls: dict[str, Call] = {}
        self._answered: set[str] = set()
        self._prompt = ""
        self._last = self._stamp = 0

    def read(self, lines: Iterable[bytes], settled: int, unread: Unread) -> Iterator[Event]:
        for record in records(lines, unread, bulky):
            try:
                yield from self._of(record)
            except BadEvent:
                unread.number += 1
        if self._last < settled:
            yield from unanswered(self._calls, unread)
        else:
            unread.waiting += len(self._calls)

    def _of(self, record: dict[str, Any]) -> Iterator[Event]:
        kind = record.get("type")
        if kind == "progress":
            record = _of_a_subagent(record)
            kind = record.get("type")
        message = record.get("message")
        if kind not in ("user", "assistant") or not isinstance(message, dict):
            return
        time = self._time(record)
        session, about = self._session(record), _about(record, self._subagent)
        if session.id not in self._sessions:
            self._sessions[session.id] = session
            if not about.get("subagent"):
                yield session.started(time, **_start(record))
        blocks = message.get("content")
        if kind == "assistant":
            yield from self._agent(session, time, record, blocks, about)
        else:
            yield from self._person(session, time, record, blocks, about)

    def _session(self, record: dict[str, Any]) -> Session:
        id_ = _word(record.get("sessionId")) or _word(record.get("session_id")) or self._name
        if id_ in self._sessions:
            return self._sessions[id_]
        if not self._place:
            self._place = self._project(_word(record.get("cwd")))
        return Session(AGENT, id_, project=self._place, tenant=self._tenant)

    def _time(self, record: dict[str, Any]) -> int:
        """When it happened; what has the same time as the line before it happened just after that."""
        try:
            stamp = events.microseconds(record.get("timestamp"))
        except BadEvent:
            stamp = self._stamp
        self._last = self._last + 100 if stamp == self._stamp and self._last else stamp
        self._stamp = stamp
        return self._last

    def _agent(
        self, session: Session, time: int, record: dict[str, Any], blocks: Any, about: dict[str, Any]
    ) -> Iterator[Event]:
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        name = _word(record.get("uuid")) or str(time)
        for number, block in enumerate(blocks if isinstance(blocks, list) else ()):
            if not isinstance(block, dict):
                continue
            if block.get("type") == "text":
                text = block.get("text")
                if isinstance(text, str) and text.strip() and not _not_said(record, text):
                    own = name if number == 0 else f"{name}:{number}"
                    text = shortened(said.without_ours(text.strip()))
                    yield session.replied(time + number, own, text, subagent=about.get("subagent"))
            elif block.get("type") in ("tool_use", "server_tool_use", "mcp_tool_use"):
                self._asked(session, time + number, block, about)

    def _asked(self, session: Session, time: int, block: dict[str, Any], about: dict[str, Any]) -> None:
        call = _word(block.get("id"))
        if call and call not in self._answered:
            about = {**about, "prompt": self._prompt or None}
            self._calls.setdefault(call, Call(session, _word(block.get("name")), block.get("input"), time, about))

    def _person(
        self, session: Session, time: int, record: dict[str, Any], blocks: Any, about: dict[str, Any]
    ) -> Iterator[Event]:
        if isinstance(blocks, list):
            for number, block in enumerate(blocks):
                if isinstance(block, dict) and str(block.get("type", "")).endswith("tool_result"):
                    yield from self._result(session, time + number, record, block, about)
        if _no_prompt(record) or about.get("subagent"):
            return
        text = said.prompt(_spoken(blocks))
        if text:
            self._prompt = _word(record.get("promptId")) or _word(record.get("uuid")) or str(time)
            rest = {key: value for key, value in about.items() if key != "subagent"}
            yield session.prompted(time, self._prompt, text, prompt=self._prompt, **rest)

    def _result(
        self, session: Session, time: int, record: dict[str, Any], block: dict[str, Any], about: dict[str, Any]
    ) -> Iterator[Event]:
        name = _word(block.get("tool_use_id"))
        if not name or name in self._answered:
            return
        self._answered.add(name)
        # A result whose call was torn is told all the same: it may be a failure.
        call = self._calls.pop(name, None) or Call(session, "", {}, 0, {**about, "prompt": self._prompt or None})
        output = said.output(block.get("content"))
        more = record.get("toolUseResult")
        outcome = _outcome(call.tool, output, block.get("is_error") is True, more if isinstance(more, dict) else {})
        yield call.answered(time, name, output, **outcome)


def _of_a_subagent(record: dict[str, Any]) -> dict[str, Any]:
    """The record that a progress of a subagent carries, as if it stood by itself."""
    data = record.get("data")
    inner = data.get("message") if isinstance(data, dict) else None
    if not isinstance(inner, dict) or not isinstance(data, dict):
        return {}
    agent = data.get("agentId") or record.get("parentToolUseID") or "subagent"
    around = {key: record[key] for key in ("sessionId", "cwd", "gitBranch", "timestamp", "version") if key in record}
    return {**around, **inner, "agentId": agent, "isSidechain": True}


def _about(record: dict[str, Any], subagent: str) -> dict[str, Any]:
    """`subagent` is whose file it is, where no record says so."""
    sub = _word(record.get("agentId")) or subagent
    if record.get("isSidechain") is True and not sub:
        sub = "subagent"
    return {"cwd": _word(record.get("cwd")), "branch": _word(record.get("gitBranch")), "subagent": sub}


def _start(record: dict[str, Any]) -> dict[str, Any]:
    return {
        "cwd": _word(record.get("cwd")),
        "branch": _word(record.get("gitBranch")),
        "version": _word(record.get("version")),
    }


def _outcome(tool: str, output: Any, error: bool, more: dict[str, Any]) -> dict[str, Any]:
    """How a call went, of which nothing is guessed."""
    text = output if isinstance(output, str) else ""
    found = _EXIT.match(text) if error else None
    if error and not found:
        if text.startswith(REFUSED):
            return {"failed": False, "refused": True}
        if text.startswith(STOPPED):
            return {"failed": False, "interrupted": True}
        if text.startswith(NOT_RUN):
            return {"failed": False, "unanswered": True}
    if more.get("interrupted") is True:
        return {"failed": False, "interrupted": True}
    if found:
        return {"failed": int(found[1]) != 0, "exit": int(found[1])}
    if error:
        return {"failed": True}
    # Of what runs on in the background, and of what ended with a code that only looks like a failure, nobody knows.
    known = tool in SHELLS and not more.keys() & {"backgroundTaskId", "returnCodeInterpretation"}
    return {"failed": False, **({"exit": 0} if known else {})}


def _no_prompt(record: dict[str, Any]) -> bool:
    marks = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain")
    return any(record.get(mark) is True for mark in marks)


def _not_said(record: dict[str, Any], text: str) -> bool:
    """What the agent did not say itself: an error of its service, a place held."""
    message = record["message"]
    return record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>" or text == "(no content)"


def _spoken(blocks: Any) -> str:
    """What a person wrote, without pictures."""
    if isinstance(blocks, str):
        return blocks
    texts = [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    return "\n".join(text for text in texts if isinstance(text, str) and not text.startswith(STOPPED))


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
