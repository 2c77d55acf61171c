"""Claude Code: what it tells its hooks on stdin, one JSON object an event → the event that is recorded, or none.

A command that fails is told by `PostToolUseFailure` and by nothing else: `error` begins with `Exit code N`, then comes
what the command wrote. `PostToolUse` is success alone. What an answer holds beside its text (the file before an edit,
the patch that follows from it) is left out: the input says it already.

https://code.claude.com/docs/en/hooks.md
"""

from __future__ import annotations

from engrain import light
from engrain.capture.adapters import FIRST, nested
from engrain.capture.own import answers_of_ours, without_own
from engrain.capture.session import SHELLS, shortened
from engrain.errors import BadEvent
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from engrain.capture.session import Session
    from engrain.event import Event
    from engrain.project import Project

    Said = dict[str, Any]

AGENT = FIRST

SHOWS = frozenset(("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"))
"""Events at which it reads an answer of ours."""

_EXIT = r"Exit code (\d{1,10})\b"
_ANSWERS = ("stdout", "stderr", "content", "result", "text", "filenames", "file")
"""Keys of an answer that hold what the agent saw, in the order in which it saw it."""
_SILENT = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
"""Tools whose answer repeats their input."""


def said(event: str, given: Said) -> Said | None:
    """What it told, in its own words."""
    return {**given, "hook_event_name": event} if event in RECORDED or event in SHOWS else None


answer = nested
"""What it reads."""


def event(said: Said, session: Session, place: Project, time: int) -> Event | None:
    """What happened, if it is one of the things that are recorded."""
    record = RECORDED.get(_text(said, "hook_event_name"))
    return record(said, session, place, time) if record else None


def _started(said: Said, session: Session, place: Project, time: int) -> Event:
    return session.started(
        time,
        source=_text(said, "source"),
        model=_text(said, "model"),
        cwd=_text(said, "cwd"),
        branch=place.branch,
        worktree=place.worktree,
        transcript=_text(said, "transcript_path"),
    )


def _prompted(said: Said, session: Session, place: Project, time: int) -> Event | None:
    text = without_own(_text(said, "prompt"))
    name = _text(said, "prompt_id")
    if not text:
        return None
    return session.prompted(
        time, name or str(time), shortened(text), prompt=name, cwd=_text(said, "cwd"), branch=place.branch
    )


def _called(said: Said, session: Session, place: Project, time: int) -> Event | None:
    answer = said.get("tool_response")
    about = {
        "exit": _passed(said, answer),
        "interrupted": _flag(answer, "interrupted"),
        "refused": _flag(said, "refused"),
        "guessed": _flag(said, "guessed"),
    }
    return _call(said, _seen(said, answer), session, place, time, failed=False, **about)


def _failed(said: Said, session: Session, place: Project, time: int) -> Event | None:
    error = _text(said, "error")
    code = said.get("exit_code")
    about = {
        "exit": code if type(code) is int else exit_code(error),
        "interrupted": said.get("is_interrupt") is True or None,
        "guessed": _flag(said, "guessed"),
    }
    return _call(said, error, session, place, time, failed=True, **about)


def _call(said: Said, output: str, session: Session, place: Project, time: int, **about: Any) -> Event | None:
    call = _text(said, "tool_use_id")
    tool = _text(said, "tool_name")
    if not call or not tool:
        return None
    took = said.get("duration_ms")
    about |= {
        "seconds": took / 1000 if isinstance(took, (int, float)) else None,
        "cwd": _text(said, "cwd"),
        "branch": place.branch,
        "prompt": _text(said, "prompt_id"),
        "subagent": _text(said, "agent_id"),
    }
    seen = "" if answers_of_ours(command(said)) else without_own(output)
    try:
        return session.called(time, call, tool, _shortened(said.get("tool_input")), seen, **about)
    except BadEvent:
        # An input of no size or shape that can be kept is no reason to lose the call.
        return session.called(time, call, tool, {}, seen, **about)


def _replied(said: Said, session: Session, _place: Project, time: int) -> Event | None:
    text = without_own(_text(said, "last_assistant_message"))
    name = light.sha256(text.encode("utf-8", "replace"))
    return session.replied(time, name, shortened(text), subagent=_text(said, "agent_id")) if text else None


def _ended(said: Said, session: Session, _place: Project, time: int) -> Event:
    return session.ended(time, reason=_text(said, "reason"))


# `Reply` is no event of its own: other agents tell apart what was said and that they stopped.
RECORDED: dict[str, Callable[[Said, Session, Project, int], Event | None]] = {
    "SessionStart": _started,
    "UserPromptSubmit": _prompted,
    "PostToolUse": _called,
    "PostToolUseFailure": _failed,
    "Stop": _replied,
    "SubagentStop": _replied,
    "Reply": _replied,
    "SessionEnd": _ended,
}


def command(said: Said) -> str:
    """The command line of a call of the shell; empty for any other tool."""
    given = said.get("tool_input")
    line = given.get("command") if isinstance(given, dict) and said.get("tool_name") in SHELLS else ""
    return line if isinstance(line, str) else ""


def exit_code(error: str) -> int | None:
    """The number in the first line of an error, where it has one."""
    found = compiled(_EXIT).match(error)
    return int(found[1]) if found else None


def _passed(said: Said, answer: Any) -> int | None:
    """A command that succeeded ended with 0, unless it still runs or its code was found to mean no harm."""
    if said.get("tool_name") not in SHELLS or not isinstance(answer, dict):
        return None
    unknown = ("backgroundTaskId", "returnCodeInterpretation", "interrupted")
    return None if any(answer.get(key) for key in unknown) else 0


def _seen(said: Said, answer: Any) -> str:
    """What the agent saw of a tool's answer."""
    if said.get("tool_name") in _SILENT:
        return ""
    return "\n".join(_texts(answer))


def _texts(answer: Any, depth: int = 0) -> list[str]:
    if isinstance(answer, str):
        return [answer] if answer else []
    if isinstance(answer, list) and depth < 4:
        return [text for item in answer for text in _texts(item, depth + 1)]
    if isinstance(answer, dict) and depth < 4:
        known = [text for key in _ANSWERS if key in answer for text in _texts(answer[key], depth + 1)]
        return known or ([] if depth or not answer else [light.dumps(answer)])
    return []


def _flag(answer: Any, name: str) -> bool | None:
    return True if isinstance(answer, dict) and answer.get(name) is True else None


def _shortened(value: Any, depth: int = 0) -> Any:
    """An input with the middle left out of its long texts, however deep they lie."""
    if isinstance(value, dict) and depth < 8:
        return {key: _shortened(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list) and depth < 8:
        return [_shortened(item, depth + 1) for item in value]
    return shortened(value)


def _text(said: Said, name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""
