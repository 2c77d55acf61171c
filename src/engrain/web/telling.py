"""Telling: an event as people read it, in a line. Pure."""

from __future__ import annotations

from typing import Any

from engrain.event import (
    COMMAND,
    EPISODE,
    FIX,
    LESSON_FIRED,
    OUTCOME,
    PROMPT,
    REPLY,
    SERVED,
    SESSION_END,
    SESSION_START,
    TOOL_CALL,
    Event,
)
from engrain.learn.direct import gist
from engrain.learn.turns import about

_TEXTS = {
    PROMPT: ("text",), REPLY: ("text",), COMMAND: ("command",), SESSION_START: ("source",), SESSION_END: ("reason",),
    EPISODE: ("state", "command"), OUTCOME: ("provenance",),
}  # fmt: skip
_CALLED = {
    TOOL_CALL: "call", SERVED: "fix offered", "fix.held": "held back", LESSON_FIRED: "lesson fired",
    SESSION_START: "begins", SESSION_END: "ends", OUTCOME: "outcome", "lesson.state": "decision",
}  # fmt: skip


def said(event: Event) -> str:
    """What the event is about."""
    if event.kind == TOOL_CALL:
        return about(event) or gist(event)
    if event.kind == SERVED:
        return "; ".join(step for each in offered(event) for step in each[1][:1])
    if event.kind == FIX:
        return "; ".join(_strings(event.body.get("steps"))) or gist(event)
    if event.kind == LESSON_FIRED:
        return str(event.body.get("tool") or "a call")
    found = [str(event.body[name]) for name in _TEXTS.get(event.kind, ()) if event.body.get(name)]
    return " · ".join(found) or gist(event)


def called(event: Event) -> str:
    """What kind of thing it is."""
    if event.kind == TOOL_CALL and isinstance(event.body.get("tool"), str):
        return str(event.body["tool"]) or "call"
    return _CALLED.get(event.kind, event.kind)


def offered(event: Event) -> list[tuple[str, list[str]]]:
    """The fixes that an answer showed: their ids and steps."""
    fixes = event.body.get("fixes")
    told = [each for each in fixes if isinstance(each, dict)] if isinstance(fixes, list) else []
    return [(str(each.get("fix", "")), _strings(each.get("steps")) or [str(each.get("fix", ""))]) for each in told[:3]]


def failed(event: Event) -> bool:
    """Whether it is a call or a command that failed."""
    return event.body.get("failed") is True or isinstance(event.body.get("failure"), dict)


def _strings(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, (list, tuple)) else []
