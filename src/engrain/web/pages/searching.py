"""Search: as somebody types, narrowed by kind, project and time, and each find with why it was found."""

from __future__ import annotations

from typing import Any

from engrain import event as events
from engrain.memory import looking
from engrain.web.asked import Asked, Page

SHOWN, LONGEST = 30, 1000
DAY = 86_400_000_000
SINCE = {"": 0, "day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}


def show(asked: Asked) -> Page:
    """What is remembered of these words, the most useful first."""
    words, project, kind = asked.text("q")[:LONGEST], asked.text("project"), asked.text("kind")
    since = asked.text("since")
    values: dict[str, Any] = {"q": words, "project": project, "kind": kind, "since": since}
    values |= {"sinces": list(SINCE), "hits": []}
    with asked.memory(project) as memory:
        if words:
            oldest = events.now() - SINCE[since] if SINCE.get(since) else 0
            found = memory.search(
                words, everywhere=not project, limit=SHOWN, kinds=(kind,) if kind else (), since=oldest,
                alone=True,
            )  # fmt: skip
            values["hits"] = [hit for hit in found if hit.event.tenant == memory.tenant]
        values |= {"kinds": list(looking.kinds(memory)), "names": looking.names(memory)}
    return Page("search.html", values)
