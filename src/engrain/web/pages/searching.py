"""Search: as somebody types, narrowed by kind, project and time, and each find with why it was found."""

from __future__ import annotations

import re
from typing import Any

from engrain import event as events
from engrain.event import Event
from engrain.learn.direct import searchable
from engrain.memory import looking
from engrain.web.asked import Asked, Page

LOOKED_AT, SHOWN = 120, 40
DAY = 86_400_000_000
SINCE = {"": 0, "day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}


def show(asked: Asked) -> Page:
    """What has these words."""
    words, project, kind = asked.text("q")[:1000], asked.text("project"), asked.text("kind")
    since = asked.text("since")
    values: dict[str, Any] = {"q": words, "project": project, "kind": kind, "since": since}
    values |= {"sinces": list(SINCE), "hits": []}
    with asked.memory(project) as memory:
        if words:
            found = memory.search(words, everywhere=not project, limit=LOOKED_AT)
            oldest = events.now() - SINCE[since] if SINCE.get(since) else 0
            mine = [hit for hit in found if hit.event.tenant == memory.tenant and hit.event.time >= oldest]
            wanted = [hit for hit in mine if kind in ("", hit.event.kind)][:SHOWN]
            values["hits"] = [(hit, because(hit.event, words)) for hit in wanted]
        values |= {"kinds": list(looking.kinds(memory)), "names": looking.names(memory)}
    return Page("search.html", values)


def because(event: Event, asked_for: str) -> str:
    """Which of the words it has."""
    asked = list(dict.fromkeys(word.lower() for word in re.findall(r"\w+", asked_for)))[:12]
    text = searchable(event).lower()
    found = [word for word in asked if word in text]
    if len(found) == len(asked):
        return f"has “{found[0]}”" if len(found) == 1 else f"has all {len(found)} words"
    return f"has {', '.join(f'“{word}”' for word in found[:4])}" if found else "has words of the same stem"
