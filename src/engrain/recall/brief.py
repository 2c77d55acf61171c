"""Brief: what was found → a text within a budget, the most useful first, each as a quote with its source and trust.

Whoever reads it may obey what stands in it, so it says first what it is: every recalled line is marked as a quote,
without signs that move a cursor or turn the reading order, and nothing of it can end the quote.
"""

from __future__ import annotations

from collections.abc import Iterable

from engrain.event import MARK, Event, timestamp
from engrain.learn.direct import gist
from engrain.learn.meant import meant
from engrain.recall.quote import EVIDENCE, quoted
from engrain.recall.told import one_line

TRUST = {
    "note": "somebody's word",
    "prompt": "what a person asked then",
    "reply": "what an agent said then",
    "fix": "a recipe; its record says how it went",
    "command": "recorded as it ran; its output may hold anybody's words",
    "tool.call": "recorded as it ran; its output may hold anybody's words",
}
"""How far an event of a kind is to be trusted."""

RECORDED = "recorded as it happened"

CHARACTERS = 3.5
"""Of a token, at least, in text of this kind."""
LEAST_QUOTED, MOST_QUOTED = 80, 1200
"""Characters of a quote: fewer are not worth their head."""


def trust_of(event: Event) -> str:
    """How far an event is to be trusted."""
    return TRUST.get(event.kind, RECORDED)


def said_by(event: Event) -> str:
    """Whose event it is, as far as anybody knows."""
    return one_line(event.agent, 60) or ("a person" if event.kind in ("note", "fix") else "this machine")


def brief(found: Iterable[Event], tokens: int) -> str:
    """The events as text, within so many tokens; empty where not even one has room."""
    head = f"{MARK} {EVIDENCE}"
    room = int(tokens * CHARACTERS) - len(head)
    lines: list[str] = []
    for event in found:
        about = f"- {event.kind} {event.id}, {timestamp(event.time)[:10]}, {said_by(event)} ({trust_of(event)})"
        left = room - len(about) - 4
        if left < LEAST_QUOTED:
            break
        said = quoted(one_line(meant(event) or gist(event), min(left, MOST_QUOTED)), "  ")
        lines += [about, said]
        room -= len(about) + len(said) + 2
    return "\n".join([head, *lines]) if lines else ""
