"""Timeline: what happened around something, in order. Functions over a Memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engrain.errors import NotFound
from engrain.learn.direct import WORDLESS

if TYPE_CHECKING:
    from engrain.event import Event
    from engrain.memory import Memory


def around(memory: Memory, anchor: str, number: int) -> tuple[Event, list[Event]]:
    """The event that is meant, by its id or as the best that a search finds, and what came before and after it."""
    at = next((each for each in memory.get(anchor) if each.tenant == memory.tenant), None)
    at = at or next((hit.event for hit in memory.search(anchor, limit=1, alone=True)), None)
    if at is None:
        raise NotFound(f"nothing here is called {anchor!r}, nor found by it")
    args = {
        "tenant": memory.tenant, "projects": memory.store.same_project(at.project), "without": sorted(WORDLESS),
        "time": at.time, "id": at.id,
    }  # fmt: skip
    store = memory.store
    before = store.told("events_until", {**args, "limit": number + 1})
    after = store.told("events_since", {**args, "limit": number})
    return at, [*reversed(before), *after]
