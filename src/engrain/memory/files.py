"""Files that a task will likely change, by what earlier sessions of the project changed. Functions over a Memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engrain.event import PROMPT
from engrain.memory import meaning
from engrain.memory.context import EDITORS, seen_from
from engrain.recall.files import Past, likely

if TYPE_CHECKING:
    from engrain.memory import Memory

MOST_CHANGES, MOST_NEAR = 20_000, 200
MOST_ASKED = 2000
"""Characters of what was asked in a session that are looked at."""


def recalled(memory: Memory, task: str, limit: int) -> list[str]:
    """The files that were changed before, those first that a task will likely change."""
    projects = memory.store.same_project(memory.project.id)
    args = {"tenant": memory.tenant, "projects": projects, "editors": list(EDITORS), "limit": MOST_CHANGES}
    changed: dict[str, set[str]] = {}
    for session, path, _ in memory.store.database.all("files_of_sessions", args):
        changed.setdefault(session, set()).add(seen_from(memory, path))
    asked, ids = _asked(memory, list(changed))
    near = {each.id: each.similarity for each in meaning.nearest(
        memory, task, kinds=(PROMPT,), projects=projects, limit=MOST_NEAR
    )}  # fmt: skip
    past = [
        Past(asked.get(session, ""), tuple(sorted(paths)), _nearest(near, ids.get(session, ())))
        for session, paths in reversed(changed.items())
    ]
    return likely(task, past, limit)


def _nearest(near: Mapping[str, float], ids: Iterable[str]) -> float:
    return max((near.get(id_, 0.0) for id_ in ids), default=0.0)


def _asked(memory: Memory, sessions: list[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """What was asked in sessions, and by which events."""
    asked: dict[str, str] = {}
    ids: dict[str, list[str]] = {}
    rows = memory.store.database.all("asked_in_sessions", {"tenant": memory.tenant, "sessions": sessions})
    for session, id_, text in rows:
        asked[session] = f"{asked.get(session, '')}\n{text}"[:MOST_ASKED]
        ids.setdefault(session, []).append(id_)
    return asked, ids
