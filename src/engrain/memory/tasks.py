"""Tasks: how work was done, told when it begins and when it ends, and found again when it is asked for. Functions over
a Memory.

`prepare` says what is known of a request and opens a task; `finalize` says how it went. Hooks tell the same without
being asked (`learn.worked`), and whatever tells of one task is one task.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain.errors import BadInput, EngrainError, NotFound
from engrain.event import REDACTED, TASK, TASK_SHOWN, Event
from engrain.learn.kinds import UNKNOWN_TYPE, area_of, type_of
from engrain.learn.provenance import EXPLICIT, HEURISTIC, OBSERVED, UNKNOWN
from engrain.learn.tasks import (
    FIELDS,
    ID,
    OUTCOMES,
    SUCCESS,
    Task,
    Told,
    followed,
    id_of,
    merged,
    row_of,
    said_in,
    told_in,
)
from engrain.memory import meaning
from engrain.patterns import compiled
from engrain.recall import tasks as ranking
from engrain.recall.tasks import Asked, Suggestion, Who
from engrain.recall.tasks import Found as FoundTask
from engrain.recall.told import many, one_line
from engrain.redact.sensitive import sensitive
from engrain.store.vectors import job_kind

if TYPE_CHECKING:
    from engrain.memory import Memory

PREPARED, FINALIZED = "prepared", "finalized"
SHORTEST_ID = 4
MOST_LISTED = 100_000
MOST_NEAR = 200
MOST_FRESH, FRESH_SECONDS = 64, 3.0
"""Texts that are embedded before a question, should so few have no vector yet: what was finalized a moment ago."""
DAY = 86_400_000_000
SHOWN_WITHIN = 7 * DAY
"""Microseconds before a task's end in which what was shown of strategies counts for it."""

Fields = Mapping[str, Any]


class Prepared(NamedTuple):
    """A task that begins, and what is known of such work."""

    task: str
    event: str
    type: str
    provenance: str
    suggestion: Suggestion


class Finalized(NamedTuple):
    """A task that ended: what is known of it now, which strategies it followed, and that in a sentence or two."""

    task: Task
    event: str
    text: str
    redacted: dict[str, int]
    again: bool = False
    unkept: str = ""
    """Why it has no record in the repository; empty where it has one."""


# It begins


def prepare(memory: Memory, asked: Asked, *, limit: int = 3, session: str = "", agent: str = "") -> Prepared:
    """Opens a task, and says what is known of such work."""
    _check(asked.text, asked.type, "")
    said, provenance = _said({"text": asked.text, "type": asked.type, "entry": asked.entry, "area": asked.area})
    if "type" not in said and (kind := type_of(asked.text, asked.files)) != UNKNOWN_TYPE:
        said["type"], provenance["type"] = kind, HEURISTIC
    opening = memory.event(TASK, {}, session=session, agent=agent)
    task = id_of(opening.id)
    body = {**said, "task": task, "started": opening.time, "source": PREPARED, "provenance": provenance}
    opening = memory.admitted(opening._replace(body=body))
    found = suggest(memory, asked, limit=limit)
    memory.record(memory.sighting(), opening, _showing(memory, found, task, session=session, agent=agent))
    kind = str(said.get("type", UNKNOWN_TYPE))
    return Prepared(task, opening.id, kind, provenance.get("type", UNKNOWN), found)


def _showing(memory: Memory, found: Suggestion, task: str, *, session: str, agent: str) -> Event:
    shown = [each.task.id for each in found.strategies]
    return memory.event(TASK_SHOWN, {"tasks": shown, "of": task}, session=session, agent=agent)


def show(memory: Memory, found: Suggestion, *, session: str = "", agent: str = "") -> None:
    """Records which strategies were shown, so that it can be seen whether they were followed."""
    memory.record(_showing(memory, found, "", session=session, agent=agent))


# It ends


def finalize(
    memory: Memory, given: Fields, *, task: str = "", inferred: Fields | None = None, source: str = FINALIZED,
    session: str = "", agent: str = "", time: int | None = None, started: int | None = None,
) -> Finalized:  # fmt: skip
    """Records how a task went. `given` are its fields as somebody says them, `inferred` those that were only seen."""
    rows = _rows(memory, [one(memory, task).id]) if task else []
    before = merged(rows)[0] if rows else None
    text, kind = str(given.get("text", "")), str(given.get("type", ""))
    _check(text or (before.text if before else ""), kind, str(given.get("outcome", "")))
    said, provenance = _said(given)
    seen, _ = _said(inferred or {})
    for name, value in seen.items():
        if name not in said:
            said[name], provenance[name] = value, OBSERVED
    _infer(said, provenance, before)
    closing = memory.event(TASK, {}, session=session, agent=agent, time=time)
    began = started if started is not None else before.started if before else closing.time
    id_ = before.id if before else id_of(closing.id)
    body = {**said, "task": id_, "started": began, "source": source, "provenance": provenance}
    openings = [] if before or "summary" not in said else [_asked(memory, closing, id_, said, provenance)]
    done = merged([*rows, told_in(closing._replace(body=body))])[0]
    used = _followed(memory, done, session)
    closing = memory.admitted(closing._replace(body={**body, **({"followed": used} if used else {})}))
    memory.record(memory.sighting(), *openings, closing)
    whole = merged([*rows, *map(told_in, (*openings, closing))])[0]
    again = before is not None and set(before.sources) != {PREPARED}
    return Finalized(whole, closing.id, told(whole), dict(closing.body.get(REDACTED, {})), again)


def _asked(memory: Memory, closing: Event, task: str, said: Fields, provenance: Mapping[str, str]) -> Event:
    """What was asked, as an event of its own: a task is near a request in how it was asked, or in how it was done."""
    body = {
        "task": task, "text": said["text"], "started": closing.time, "source": PREPARED,
        "provenance": {"text": provenance["text"]},
    }  # fmt: skip
    return memory.admitted(
        memory.event(
            TASK, body, session=closing.session, agent=closing.agent, time=closing.time, id=f"{closing.id}-asked"
        )
    )


def _check(text: str, kind: str, outcome: str) -> None:
    if not text.strip():
        raise BadInput("say what the task is")
    if kind and not compiled(r"[\w.+ -]{1,40}").fullmatch(kind):
        raise BadInput(f"a type is one short word, such as feature or bugfix, not {one_line(kind, 40)!r}")
    if outcome and outcome not in OUTCOMES:
        raise BadInput(f"an outcome is one of {', '.join(OUTCOMES)}, not {one_line(outcome, 40)!r}")


def _said(given: Fields) -> tuple[dict[str, Any], dict[str, str]]:
    """What somebody says of a task, each field explicit; files that nobody may know of are left out."""
    said = said_in({name: _plainly(name, value) for name, value in given.items() if name in FIELDS})
    for name in ("read", "modified"):
        if name in said:
            said[name] = [path for path in said[name] if not sensitive(path)]
    return said, dict.fromkeys(said, EXPLICIT)


def known(fields: Fields) -> Fields:
    """The same fields, or BadInput that names one which no task has."""
    if unknown := sorted(fields.keys() - set(FIELDS)):
        raise BadInput(f"a task has no {unknown[0]!r}; it has {', '.join(FIELDS)}")
    return fields


def _plainly(name: str, value: Any) -> Any:
    """Tests and errors may be given as plain lines."""
    key = {"tests": "command", "errors": "message"}.get(name)
    if key is None or isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return value
    return [{key: each} if isinstance(each, str) else each for each in value]


def _infer(said: dict[str, Any], provenance: dict[str, str], before: Task | None) -> None:
    """What follows from the rest, where nobody says it."""
    files = said.get("modified", ())
    words = said.get("text") or (before.text if before else "")
    known = before.provenance if before else {}
    for name, value in (("type", type_of(words, files)), ("area", area_of(files)), ("entry", next(iter(files), ""))):
        if value and value != UNKNOWN_TYPE and name not in said and known.get(name, UNKNOWN) != EXPLICIT:
            said[name], provenance[name] = value, HEURISTIC


def _followed(memory: Memory, done: Task, session: str) -> list[str]:
    """The strategies that were shown for this task, or in its time, and that it followed."""
    args = {
        "tenant": memory.tenant, "projects": _projects(memory),
        "since": max(done.started, done.time - SHOWN_WITHIN), "until": done.time,
    }  # fmt: skip
    rows = memory.store.database.all("tasks_shown", args)
    shown = [row[0] for row in rows if row[1] == done.id or (not row[1] and row[2] in ("", session))]
    return [each.id for each in by_ids(memory, shown) if each.id != done.id and followed(each, done)]


# It is found again


def suggest(memory: Memory, asked: Asked, *, limit: int = 3, everywhere: bool = False) -> Suggestion:
    """What is known of such work: strategies that worked, and warnings. Nothing is recorded."""
    return ranking.suggested(similar(memory, asked, everywhere=everywhere), limit)


def similar(memory: Memory, asked: Asked, *, everywhere: bool = False) -> list[FoundTask]:
    """Tasks like what is asked, whatever came of them, the one that fits best first."""
    _check(asked.text, asked.type, "")
    if memory.untouched:
        return []
    projects = [] if everywhere else _projects(memory)
    who = Who(memory.tenant, projects)
    return ranking.similar(memory.store.database.all, who, asked, _near(memory, asked.text, projects))


def _near(memory: Memory, text: str, projects: Sequence[str]) -> dict[str, float]:
    """How near tasks are to a request in meaning: in how they were asked or in how they were done."""
    _embed_fresh(memory)
    events = {
        each.id: each.similarity
        for each in meaning.nearest(memory, text, kinds=(TASK,), projects=projects, limit=MOST_NEAR)
    }
    args = {"tenant": memory.tenant, "ids": sorted(events)}
    rows = memory.store.database.all("tasks_by_events", args) if events else []
    near: dict[str, float] = {}
    for event, task in rows:
        near[task] = max(near.get(task, 0.0), events[event])
    return near


def _embed_fresh(memory: Memory) -> None:
    """What was told a moment ago has its vector, unless that would take long: then a tick is at it."""
    model = meaning.model_of(memory)
    args = {"model": model, "job": job_kind(model)}
    if meaning.missing(memory) or not memory.store.database.all("task_without_vector", args):
        return
    if meaning.standing(memory).waiting <= MOST_FRESH:
        try:
            meaning.embed(memory, seconds=FRESH_SECONDS)
        except EngrainError:
            # The store is held, or the model does not answer: words must do.
            return


def by_ids(memory: Memory, ids: Iterable[str]) -> list[Task]:
    """These tasks, as far as they are known, in that order."""
    wanted = list(dict.fromkeys(ids))
    found = {each.id: each for each in merged(_rows(memory, wanted))}
    return [found[id_] for id_ in wanted if id_ in found]


def _rows(memory: Memory, ids: Sequence[str]) -> list[Told]:
    args = {"tenant": memory.tenant, "tasks": list(ids)}
    return [row_of(row) for row in memory.store.database.all("tasks_told", args)] if ids else []


def one(memory: Memory, id_: str) -> Task:
    """The task with this id, or with the only one that begins so."""
    rows = []
    if len(id_) >= SHORTEST_ID and id_.isalnum() and not memory.untouched:
        args = {"tenant": memory.tenant, "prefix": id_[:ID], "beyond": f"{id_[:ID]}~", "limit": 5}
        rows = memory.store.database.all("tasks_by_prefix", args)
    if not rows:
        raise NotFound(f"no task {one_line(id_, 40)!r}; `engrain task list` names them")
    if len(rows) > 1:
        raise BadInput(f"{id_!r} could be {' or '.join(row[0] for row in rows[:4])}: give more of it")
    return by_ids(memory, [rows[0][0]])[0]


def listed(memory: Memory, *, everywhere: bool = False, limit: int = 20, offset: int = 0) -> list[Task]:
    """Tasks, those that were told of last first."""
    if memory.untouched:
        return []
    args = {
        "tenant": memory.tenant, "project": "" if everywhere else memory.project.id, "projects": _projects(memory),
        "limit": limit, "offset": offset,
    }  # fmt: skip
    return by_ids(memory, [row[0] for row in memory.store.database.all("tasks_latest", args)])


def made_of(memory: Memory, id_: str) -> list[str]:
    """The events that a task is made of; of anything else none."""
    return [each for task in by_ids(memory, [id_]) for each in task.events]


def _projects(memory: Memory) -> list[str]:
    return memory.store.same_project(memory.project.id)


# In words


def told(task: Task) -> str:
    """What was recorded of a task, for the agent that did it."""
    counts = [f"{many(len(task.modified), 'file')} changed"] if task.modified else []
    if task.added is not None or task.removed is not None:
        counts.append(f"{task.added or 0} lines added, {task.removed or 0} removed")
    counted = [each for each in task.tests if "passed" in each]
    passed, failed = (sum(int(each.get(name, 0)) for each in counted) for name in ("passed", "failed"))
    if counted:
        counts.append(f"tests {passed} passed, {failed} failed")
    elif task.tests:
        # How many tests that were, nobody said.
        counts.append(f"tested by {many(len(task.tests), 'command')}")
    kind = f" ({task.type})" if task.type != UNKNOWN_TYPE else ""
    lines = [f"task {task.id}{kind}: {task.outcome} [{task.provenance.get('outcome', UNKNOWN)}]"]
    lines += [", ".join(counts)] if counts else []
    lines += [f"followed the strategy of task {', '.join(task.followed)}"] if task.followed else []
    return "; ".join(lines)


__all__ = [
    "FIELDS", "SUCCESS", "Asked", "Finalized", "FoundTask", "Prepared", "Suggestion", "Task", "by_ids", "finalize",
    "known", "listed", "made_of", "one", "prepare", "show", "similar", "suggest", "told",
]  # fmt: skip
