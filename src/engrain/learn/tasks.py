"""Tasks: what was asked, how it was done and how it went, made of every event that tells of it.

An event tells some fields of a task, each with its provenance: somebody said it (`explicit`), it was seen as it ran
(`runtime_observed`), or it was inferred (`heuristic`). A task is all of its events, field by field: what is held for
surer wins, then what was told later. So hooks, an agent that finalizes, and a person who corrects a record by hand can
all tell of one task, in any order. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engrain import event as events
from engrain.event import TASK, Event
from engrain.learn.commands import key
from engrain.learn.kinds import UNKNOWN_TYPE
from engrain.learn.likeness import words
from engrain.learn.provenance import PROVENANCES, UNKNOWN
from engrain.learn.reading import fields as object_of
from engrain.learn.reading import items, text
from engrain.store.tables import Row

SUCCESS, FAILED, CANCELLED = "success", "failed", "cancelled"
OUTCOMES = (SUCCESS, FAILED, CANCELLED, UNKNOWN)

TEXTS = {"text": 4000, "type": 40, "outcome": 20, "summary": 1000, "entry": 300, "area": 200, "pr": 300}
"""Characters of each text of a task that are kept."""

LISTS = {"read": 50, "modified": 50, "commands": 20, "tests_added": 50}
NUMBERS = ("added", "removed", "seconds")
RECORDS = {
    "tests": (20, ("command",), ("passed", "failed", "errors", "skipped")),
    "errors": (10, ("fingerprint", "type", "message"), ()),
}
"""Lists of objects: how many are kept, their texts, their numbers."""

FIELDS = (*TEXTS, *LISTS, *NUMBERS, *RECORDS)
LINE, NAME, MOST = 400, 200, 1_000_000_000
ID = 12
MOST_WORDS, MOST_USES = 60, 20

_RANKS = {name: rank for rank, name in enumerate(PROVENANCES)}


class Task(NamedTuple):
    """A task, as all that tells of it says by now. `provenance` has a word for each field; `events` are its ids."""

    id: str
    project: str
    session: str
    agent: str
    started: int
    time: int
    text: str = ""
    type: str = UNKNOWN_TYPE
    outcome: str = UNKNOWN
    summary: str = ""
    entry: str = ""
    area: str = ""
    read: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    tests: tuple[Mapping[str, Any], ...] = ()
    tests_added: tuple[str, ...] = ()
    errors: tuple[Mapping[str, Any], ...] = ()
    added: int | None = None
    removed: int | None = None
    seconds: float | None = None
    pr: str = ""
    followed: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    provenance: Mapping[str, str] = {}
    events: tuple[str, ...] = ()


class Told(NamedTuple):
    """What one event tells of a task, as a row has it."""

    task: str
    id: str
    project: str
    session: str
    agent: str
    started: int
    time: int
    source: str
    fields: Mapping[str, Any]
    provenance: Mapping[str, str]
    followed: tuple[str, ...]


def id_of(name: str) -> str:
    """The id of the task that began with this event."""
    return events.id_of(TASK, name)[:ID]


def told(event: Event) -> list[Row]:
    """What an event tells of a task, the words that it is about, and the strategies that it followed."""
    task = text(event, "task", ID)
    said = said_in(event.body)
    if not task or not said:
        return []
    started = event.body.get("started")
    given = object_of(event, "provenance")
    whole = {
        "fields": said,
        "provenance": {name: given[name] if given.get(name) in PROVENANCES else UNKNOWN for name in said},
        "followed": _followed(event),
        "source": text(event, "source", NAME),
    }
    values = {
        "task": task, "time": event.time, "session": event.session, "agent": event.agent,
        "started": started if type(started) is int and 0 <= started <= event.time else event.time,
        "outcome": said.get("outcome", ""), "told": json.dumps(whole, ensure_ascii=False, sort_keys=True),
    }  # fmt: skip
    uses = [_use(event, each, task, followed=1) for each in _followed(event)]
    about = [{"word": word, "task": task, "time": event.time} for word in _words(said)]
    return [Row("tasks", values), *(Row("task_words", each) for each in about), *uses]


def shown(event: Event) -> list[Row]:
    """Which strategies somebody was shown; an empty name stands for a question that had no answer."""
    names = [each[:ID] for each in items(event, "tasks") if isinstance(each, str) and each][:MOST_USES]
    return [_use(event, name, text(event, "of", ID), followed=0) for name in dict.fromkeys(names or [""])]


def _use(event: Event, task: str, of: str, *, followed: int) -> Row:
    values = {"task": task, "time": event.time, "session": event.session, "about": of, "followed": followed}
    return Row("task_uses", values)


def _followed(event: Event) -> list[str]:
    names = (each[:ID] for each in items(event, "followed") if isinstance(each, str) and each)
    return list(dict.fromkeys(names))[:MOST_USES]


def _words(said: Mapping[str, Any]) -> list[str]:
    """What a task is found by: what was asked, what was done, and the names of what it touched."""
    paths = [*said.get("modified", ()), *said.get("read", ())[:10], *said.get("tests_added", ())[:5]]
    about = "\n".join([*(said.get(name, "")[:1500] for name in ("text", "summary", "entry", "area")), *paths])
    return words(about)[:MOST_WORDS]


# What a body says, whoever wrote it


def said_in(body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a task that a body has, as far as they make sense; what says nothing is left out."""
    said: dict[str, Any] = {}
    for name, most in TEXTS.items():
        if isinstance(value := body.get(name), str) and value.strip():
            said[name] = value.strip()[:most]
    for name, most in LISTS.items():
        if found := [each.strip()[:LINE] for each in _list(body.get(name)) if isinstance(each, str) and each.strip()]:
            said[name] = list(dict.fromkeys(found))[:most]
    for name in NUMBERS:
        value = body.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MOST:
            said[name] = value if name == "seconds" else round(value)
    for name, (most, texts, numbers) in RECORDS.items():
        if kept := [_record(each, texts, numbers) for each in _list(body.get(name)) if isinstance(each, dict)][:most]:
            said[name] = kept
    if said.get("outcome", UNKNOWN) not in OUTCOMES:
        del said["outcome"]
    return said


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _record(given: Mapping[str, Any], texts: Iterable[str], numbers: Iterable[str]) -> dict[str, Any]:
    kept: dict[str, Any] = {name: value[:LINE] for name in texts if isinstance(value := given.get(name), str) and value}
    counts = {name: value for name in numbers if type(value := given.get(name)) is int and 0 <= value <= MOST}
    return {**kept, **counts}


# Many events, one task


def merged(rows: Iterable[Told]) -> list[Task]:
    """The tasks that these rows tell of, each once, in the order in which they come."""
    found: dict[str, list[Told]] = {}
    for row in rows:
        found.setdefault(row.task, []).append(row)
    return [_merged(id_, each) for id_, each in found.items()]


def _merged(id_: str, rows: Sequence[Told]) -> Task:
    rows = sorted(rows, key=lambda row: (row.time, row.id), reverse=True)
    first = min(rows, key=lambda row: (row.started, row.id))
    said, provenance = {}, dict.fromkeys(FIELDS, UNKNOWN)
    for name in FIELDS:
        telling = [row for row in rows if name in row.fields]
        # Nobody knows better than who says that it is not known, but whoever knows does.
        telling = [row for row in telling if row.fields[name] != UNKNOWN] or telling
        if telling:
            best = min(telling, key=lambda row: _RANKS[row.provenance.get(name, UNKNOWN)])
            said[name], provenance[name] = _frozen(best.fields[name]), best.provenance.get(name, UNKNOWN)
    return Task(
        id_, first.project, first.session or next((row.session for row in rows if row.session), ""),
        first.agent or next((row.agent for row in rows if row.agent), ""), first.started, rows[0].time,
        followed=tuple(dict.fromkeys(each for row in rows for each in row.followed)),
        sources=tuple(sorted({row.source for row in rows})), provenance=provenance,
        events=tuple(sorted(row.id for row in rows)), **said,
    )  # fmt: skip


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def row_of(row: Sequence[Any]) -> Told:
    """A row of the store."""
    task, id_, project, session, agent, started, time, whole = row
    held = json.loads(whole)
    return Told(
        task, id_, project, session, agent, started, time, held["source"], held["fields"], held["provenance"],
        tuple(held["followed"]),
    )  # fmt: skip


def told_in(event: Event) -> Told:
    """What an event tells of a task, as a row of the store would have it."""
    values = told(event)[0].values
    about = (event.id, event.project, event.session, event.agent)
    return row_of((values["task"], *about, values["started"], values["time"], values["told"]))


# Whether one was done as another


def tested_by(task: Task) -> frozenset[str]:
    """The commands by which a task was tested, each under one name."""
    return frozenset(key(str(each["command"])) for each in task.tests if each.get("command"))


def followed(strategy: Task, done: Task) -> list[str]:
    """What a task has of a strategy: files that both changed, commands by which both were tested. None: it was not
    followed."""
    files = sorted(set(strategy.modified) & set(done.modified))
    return [*files, *sorted(tested_by(strategy) & tested_by(done))]
