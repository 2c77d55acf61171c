"""Files that a task will likely change, by what earlier sessions of the project changed. Functions over a Memory.

What a session changed with an editor's tool stands in its calls; what it changed by commands (`sed -i`, a patch), and
what somebody says of a task that no hook saw, stands in its tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engrain.event import PROMPT, TASK
from engrain.memory import meaning, tasks
from engrain.recall.files import Past, alike, likely
from engrain.recall.files import weighed as weighed_by

if TYPE_CHECKING:
    from engrain.memory import Memory

EDITORS = (
    "Edit", "MultiEdit", "NotebookEdit", "Write", "apply_patch", "create_file", "edit_file", "replace", "str_replace",
    "write_file",
)  # fmt: skip
MOST_CHANGES, MOST_TASKS, MOST_NEAR = 20_000, 2000, 300
MOST_ASKED = 2000
"""Characters of what was asked in a session that are looked at."""


class Changed(NamedTuple):
    """That a session changed these files: when, and of a task what was asked and the events that tell of it."""

    session: str
    time: int
    files: tuple[str, ...]
    asked: str = ""
    events: tuple[str, ...] = ()


def seen_from(memory: Memory, path: str) -> str:
    """A path as seen from the root of the project."""
    from engrain.redact.home import homeless

    for root in (memory.project.root, homeless(memory.project.root, memory.gate.home)):
        if root and path.startswith(f"{root.rstrip('/')}/"):
            return path[len(root.rstrip("/")) + 1 :]
    return path


def inside(memory: Memory, path: str) -> bool:
    """Whether a path, as seen from the root of the project, lies in it; where no root is known any may."""
    return not memory.project.root or path[:1] not in "/~"


class Weighed(NamedTuple):
    """A file that was changed: how much speaks for it, whether that was for something alike, in how many sessions, and
    when first and last."""

    weight: float
    alike: bool
    times: int
    first: int
    last: int


def recalled(memory: Memory, task: str, limit: int) -> list[str]:
    """The files that were changed before, those first that a task will likely change."""
    return likely(task, _past(memory, task, _sessions(memory)), limit)


def weighed(memory: Memory, task: str) -> dict[str, Weighed]:
    """Each file that was changed before, and how much speaks for that the task will change it."""
    sessions = _sessions(memory)
    past = _past(memory, task, sessions)
    weights, like = weighed_by(task, past), alike(task, past)
    times: dict[str, dict[str, int]] = {}
    for each in (each for several in sessions.values() for each in several):
        for path in each.files:
            times.setdefault(path, {})[each.session] = each.time
    return {
        path: Weighed(weight, path in like, len(at := times[path].values()), min(at), max(at))
        for path, weight in weights.items()
    }


def _sessions(memory: Memory) -> dict[str, list[Changed]]:
    """What each session changed, each change in its order of time."""
    sessions: dict[str, list[Changed]] = {}
    for each in sorted((*_by_calls(memory), *_by_tasks(memory)), key=lambda each: each.time):
        sessions.setdefault(each.session, []).append(each)
    return sessions


def _past(memory: Memory, task: str, sessions: Mapping[str, Sequence[Changed]]) -> list[Past]:
    """What each session was asked and changed, the earliest first."""
    near = {each.id: each.similarity for each in meaning.nearest(
        memory, task, kinds=(PROMPT, TASK), projects=_projects(memory), limit=MOST_NEAR
    )}  # fmt: skip
    asked, prompts = _asked(memory, list(sessions))
    past = []
    for session, several in sorted(sessions.items(), key=lambda item: item[1][-1].time):
        files = sorted({path for each in several for path in each.files})
        said = asked.get(session) or "\n".join(each.asked for each in several)[:MOST_ASKED]
        told = [*prompts.get(session, ()), *(id_ for each in several for id_ in each.events)]
        past.append(Past(said, tuple(files), _nearest(near, told)))
    return past


def _by_calls(memory: Memory) -> list[Changed]:
    args = {
        "tenant": memory.tenant, "projects": _projects(memory), "editors": list(EDITORS), "limit": MOST_CHANGES,
    }  # fmt: skip
    rows = memory.store.database.all("files_of_sessions", args)
    seen = [(session, int(time), seen_from(memory, path)) for session, path, time in rows]
    return [Changed(session, time, (path,)) for session, time, path in seen if inside(memory, path)]


def _by_tasks(memory: Memory) -> list[Changed]:
    """A task that no session did is one of its own."""
    return [
        Changed(each.session or each.id, each.time, each.modified, each.text, each.events)
        for each in tasks.listed(memory, limit=MOST_TASKS)
        if each.modified
    ]


def _projects(memory: Memory) -> list[str]:
    return memory.store.same_project(memory.project.id)


def _nearest(near: Mapping[str, float], ids: Iterable[str]) -> float:
    return max((near.get(id_, 0.0) for id_ in ids), default=0.0)


def _asked(memory: Memory, sessions: Sequence[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """What was asked in sessions, and by which events."""
    asked: dict[str, str] = {}
    ids: dict[str, list[str]] = {}
    rows = memory.store.database.all("asked_in_sessions", {"tenant": memory.tenant, "sessions": list(sessions)})
    for session, id_, text in rows:
        asked[session] = f"{asked.get(session, '')}\n{text}"[:MOST_ASKED]
        ids.setdefault(session, []).append(id_)
    return asked, ids
