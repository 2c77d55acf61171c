"""Repeated: what is told under a key once more. The same is there once; something else is refused, because what was
told first stands and nothing of the second is kept. Functions over a Memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engrain import event as events
from engrain.errors import BadInput
from engrain.event import Event

if TYPE_CHECKING:
    from engrain.memory import Memory

SAID = (
    "text", "tags", "title", "facts", "files", "note", "tool", "input", "output", "exit", "fingerprint", "steps",
    "cause", "fix", "worked", "lesson", "trigger", "severity", "state", "name", "description", "example", "outcome",
    "summary",
)  # fmt: skip
"""Fields that somebody said. What else stands in a body follows from what was known then, and may be other now."""


def check(memory: Memory, told: Iterable[Event]) -> None:
    """Whether what stands under the ids of these says what they say; BadInput where it does not."""
    given = {event.id: event for event in told}
    for kept in memory.get(*given):
        event = given[kept.id]
        if (kept.tenant, kept.project) == (event.tenant, event.project) and _said(kept) != _said(event):
            raise BadInput("something else was told under this Idempotency-Key before, and stands; this was not stored")


def _said(event: Event) -> str:
    fields = {name: event.body[name] for name in SAID if event.body.get(name) not in (None, "", [], {})}
    return events.body_text(event._replace(body=fields))
