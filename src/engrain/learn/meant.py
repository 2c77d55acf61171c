"""What of an event is embedded, so that it is found by its meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engrain.event import FIX, LESSON, NOTE, PATTERN, PROMPT, TASK, Event

LONGEST = 6000
"""Characters that are looked at; no model reads more of a text."""

Body = Mapping[str, Any]


def meant(event: Event) -> str:
    """The text of an event that is embedded; empty when it has none."""
    of = EMBEDDED.get(event.kind)
    return of(event.body)[:LONGEST].strip() if of else ""


def _saying(*names: str) -> Callable[[Body], str]:
    """These fields of a body, one below the other; a list is its texts."""

    def text(body: Body) -> str:
        return "\n".join(line for name in names for line in _lines(body.get(name)))

    return text


def _lines(value: Any) -> list[str]:
    found = value if isinstance(value, list) else [value]
    return [line for line in found if isinstance(line, str) and line.strip()]


def _task(body: Body) -> str:
    """How it was done, where somebody says that; else what was asked, which has an event and a vector of its own."""
    provenance = body.get("provenance")
    said = isinstance(provenance, dict) and provenance.get("summary") == "explicit"
    return _saying("summary")(body) if said else _saying("text")(body)


EMBEDDED: dict[str, Callable[[Body], str]] = {
    NOTE: _saying("title", "text", "facts"),
    PROMPT: _saying("text"),
    FIX: _saying("message", "cause", "example", "steps"),
    LESSON: _saying("text"),
    TASK: _task,
    PATTERN: _saying("name", "description", "uses", "area", "example"),
}
"""The kinds that have a vector, and the text that it is of. What calls and commands printed is found by its words."""
