"""Finding: the one thing in a memory that is most worth knowing, for whoever has just filled it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engrain.memory import context
from engrain.model import Fix
from engrain.project import Project

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.recall.context import Failed

PROJECTS = 10
"""Projects that are looked at, the busiest first."""

LOOKED_AT = 5
"""Failures of each: the most frequent may be one that nothing is known against."""


class Finding(NamedTuple):
    """A failure that came again and again in a project, and what ended it, where that is known."""

    project: str
    message: str
    times: int
    sessions: int
    fix: Fix | None


def finding(memory: Memory) -> Finding | None:
    """The failure that most sessions met, one with a remedy before one without; None where nothing came again."""
    found: list[tuple[bool, int, int, Finding]] = []
    for seen in memory.projects()[:PROJECTS]:
        place = Project(seen.id, seen.name, seen.root, seen.remote, "", "", "it has the most events")
        begin = context.start(memory.seen_from(memory.tenant, place), LOOKED_AT)
        found += [_ranked(seen.name or seen.id[:12], each) for each in begin.errors]
    return max(found, key=lambda each: each[:3])[3] if found else None


def _ranked(project: str, each: Failed) -> tuple[bool, int, int, Finding]:
    fix = each.fixes[0] if each.fixes else None
    return fix is not None, each.sessions, each.times, Finding(project, each.message, each.times, each.sessions, fix)
