"""What of an event is embedded, so that it is found by its meaning: all of its text, and each passage by itself.

A question is mostly about one passage of a text (what was seen, or what was done about it), and beside the rest of it
that passage is hard to see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from engrain.event import FIX, LESSON, NOTE, PATTERN, PROMPT, TASK, Event

LONGEST = 6000
"""Characters that are looked at; no model reads more of a text."""
MOST_PASSAGES, SHORTEST_PASSAGE = 4, 30

_END = re.compile(r"(?<=[.!?;:])\s+|\n+")

Body = Mapping[str, Any]


def meant(event: Event) -> str:
    """The text of an event that is embedded; empty when it has none."""
    of = EMBEDDED.get(event.kind)
    return of(event.body)[:LONGEST].strip() if of else ""


def passages(said: str) -> list[str]:
    """The whole text, then its passages where it has several: sentences or lines, few of them, about equally long."""
    pieces = [piece.strip() for piece in _END.split(said) if piece.strip()]
    room = max(SHORTEST_PASSAGE, len(said) // MOST_PASSAGES)
    found = [""]
    for piece in pieces:
        if len(found[-1]) >= room and len(found) < MOST_PASSAGES:
            found.append("")
        found[-1] = f"{found[-1]} {piece}".strip()
    if len(found) > 1 and len(found[-1]) < SHORTEST_PASSAGE:
        found[-2:] = [f"{found[-2]} {found[-1]}"]
    return [said, *found] if len(found) > 1 else [said]


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
