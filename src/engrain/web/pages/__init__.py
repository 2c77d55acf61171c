"""Pages: each address, what it shows and what its form does."""

from __future__ import annotations

from typing import NamedTuple

from engrain.web.asked import Shown
from engrain.web.pages import (
    failures,
    fixes,
    forgetting,
    health,
    lessons,
    live,
    overview,
    patterns,
    projects,
    replay,
    searching,
    sessions,
    tasks,
    training,
)


class Address(NamedTuple):
    """An address: what is shown there, what a form that is sent there does."""

    path: str
    show: Shown | None
    do: Shown | None = None


ADDRESSES = (
    Address("/", overview.show),
    Address("/live", live.show),
    Address("/live/stream", live.stream),
    Address("/failures", failures.listed),
    Address("/failures/{key}", failures.one),
    Address("/failures/{key}/fixes", None, failures.teach),
    Address("/fixes", fixes.listed),
    Address("/fixes/{id}", fixes.one),
    Address("/fixes/{id}/rate", None, fixes.rate),
    Address("/fixes/{id}/correct", fixes.correcting, fixes.correct),
    Address("/forget", forgetting.ask, forgetting.do),
    Address("/search", searching.show),
    Address("/sessions", sessions.listed),
    Address("/sessions/{name}", sessions.one),
    Address("/lessons", lessons.listed, lessons.add),
    Address("/lessons/new", lessons.editing),
    Address("/lessons/{id}", lessons.editing, lessons.replace),
    Address("/lessons/{id}/state", None, lessons.decide),
    Address("/tasks", tasks.listed),
    Address("/tasks/{id}", tasks.one),
    Address("/patterns", patterns.listed),
    Address("/replay", replay.show),
    Address("/training", training.show),
    Address("/projects", projects.listed),
    Address("/status", health.show),
)
