"""Live: what happens in running sessions, as it happens.

A stream lasts for some seconds; the browser asks for the next one by itself and says where the last one ended.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from engrain import event as events
from engrain.event import (
    COMMAND,
    HELD,
    LESSON_FIRED,
    MAX_TIME,
    NOTE,
    PROMPT,
    REPLY,
    SERVED,
    SESSION_END,
    SESSION_START,
    TOOL_CALL,
    Event,
)
from engrain.memory import looking
from engrain.memory.history import Wanted
from engrain.web.asked import Asked, Page, Stream
from engrain.web.rendering import rendered

POLL, LASTS = 1.0, 20.0
RUNNING = 30 * 60 * 1_000_000
SHOWN = 40
KINDS = (PROMPT, TOOL_CALL, COMMAND, SERVED, HELD, LESSON_FIRED, REPLY, NOTE, SESSION_START, SESSION_END)


def show(asked: Asked) -> Page:
    """What happened last, and where to go on."""
    with asked.memory() as memory:
        memory.catch_up()
        place = memory.store.last_arrived()
        project = asked.text("project")
        args = {"tenant": memory.tenant, "kind": "", "session": "", "time": MAX_TIME, "id": "", "limit": 4 * SHOWN}
        projects = memory.store.same_project(project) if project else []
        last = memory.store.latest({**args, "project": project, "projects": projects})
        running = memory.sessions(Wanted(project=project, since=events.now() - RUNNING), limit=12)
        values = {
            "rows": [event for event in last if event.kind in KINDS][:SHOWN], "running": running,
            "names": looking.names(memory), "place": place, "project": project,
        }  # fmt: skip
    return Page("live.html", values)


def stream(asked: Asked) -> Stream:
    """What comes from now on, each as a piece of the page."""
    return Stream(_lines(asked, asked.number("after", 0), asked.text("project")), POLL)


def _lines(asked: Asked, place: int, project: str) -> Iterator[str]:
    ends, since = time.monotonic() + LASTS, max(0, events.now() - RUNNING)
    yield "retry: 1000\n\n"
    while time.monotonic() < ends:
        with asked.memory() as memory:
            memory.catch_up()
            rows = memory.store.arrived(place, since=since)
            names = looking.names(memory) if rows else {}
            ours = memory.store.same_project(project) if project else []
        for at, event in rows:
            place = at
            if event.tenant == asked.asker.tenant and event.kind in KINDS and (not ours or event.project in ours):
                yield _told(at, event, names)
        yield ": still here\n\n"
        yield ""


def _told(place: int, event: Event, names: dict[str, str]) -> str:
    html = rendered("_happened.html", {"event": event, "names": names, "alive": "fresh"})
    data = "\n".join(f"data: {line}" for line in html.splitlines() if line.strip())
    return f"id: {place}\nevent: happened\n{data}\n\n"
