"""Lessons: teach a rule, see what it would have fired on, decide on it. Functions over a Memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain.errors import BadInput, NotFound
from engrain.event import COMMAND, EVERYWHERE, LESSON, LESSON_HEEDED, LESSON_STATE, Event
from engrain.learn.belief import WEEK
from engrain.learn.lessons import LONGEST_TEXT, Past, id_of, standing
from engrain.learn.trigger import PROMPT, START, Call, Trigger, flaw, risky
from engrain.memory import briefs
from engrain.memory.fixes import look
from engrain.recall.bounded import Clock
from engrain.recall.lessons import (
    ACTIVE,
    PROPOSED,
    RETIRED,
    SEVERITIES,
    STOPPED,
    Fired,
    Row,
    Who,
    call_of,
    candidates,
    firing,
    matches,
)

if TYPE_CHECKING:
    from engrain.memory import Memory

SHORTEST_ID = 4
MOST_PAST = 2000


class Kept(NamedTuple):
    """A lesson as it is kept: what it says, when it fires, what was decided of it and how it went."""

    id: str
    project: str
    text: str
    trigger: Trigger
    severity: str
    source: str
    why: str
    state: str
    since: int
    because: str
    first: int
    risky: bool
    fired: int
    heeded: int
    ignored: int
    last: int
    worth: float
    says: str


class Would(NamedTuple):
    """A past call at which a lesson would have fired."""

    event: str
    time: int
    session: str
    tool: str
    about: str
    because: str


class Learned(NamedTuple):
    """What teaching a lesson came to; `risky` where its expression might never end on some text."""

    id: str
    event: str
    again: bool
    risky: bool


def add(
    memory: Memory, said: str, trigger: Trigger, *, severity: str, everywhere: bool, source: str, why: str,
    session: str = "", agent: str = "",
) -> Learned:  # fmt: skip
    """Saves a rule; one that was not taught by hand is only proposed."""
    said = " ".join(said.split())
    check(memory, said, trigger, severity)
    body = {
        "text": said, "severity": severity, "source": source, "why": why,
        "trigger": {name: value for name, value in trigger._asdict().items() if value},
    }  # fmt: skip
    project = EVERYWHERE if everywhere else memory.project.id
    event = memory.admitted(memory.event(LESSON, body, project=project, session=session, agent=agent))
    lesson = id_of(event.body["text"], Trigger(**event.body["trigger"]))
    again = any(row[1] == lesson and row[0] == project for row in _rows(memory, everywhere=True))
    memory.record(*([] if everywhere else [memory.sighting()]), event)
    return Learned(lesson, event.id, again, risky(trigger))


def check(memory: Memory, said: str, trigger: Trigger, severity: str) -> None:
    """Whether a rule may be kept; BadInput says why not."""
    if not said:
        raise BadInput("a lesson needs some text: what to do, or not to do, and why")
    if len(said) > LONGEST_TEXT:
        raise BadInput(f"a lesson has at most {LONGEST_TEXT} characters, not {len(said)}: it stands beside a call")
    if severity not in SEVERITIES:
        raise BadInput(f"severity is one of {', '.join(SEVERITIES)}, not {severity!r}")
    if problem := flaw(trigger):
        raise BadInput(problem)
    if trigger == Trigger(phase=trigger.phase) and trigger.phase not in (PROMPT, START):
        raise BadInput("say when it fires: --tool, --command, --path, --input or --output, or --phase start")
    given = memory.event(LESSON, {"text": said, "trigger": trigger._asdict()}, project="-")
    if taken := memory.admitted(given).body.get("redacted"):
        raise BadInput(f"the lesson holds a secret ({', '.join(sorted(taken))}): name it, do not quote it")


def listed(memory: Memory, *, everywhere: bool = False, retired: bool = False) -> list[Kept]:
    """The lessons of this project and those for all, the newest first."""
    rows = [row for row in _rows(memory, everywhere=everywhere) if retired or row[12] != RETIRED]
    return _kept(memory, rows)


def one(memory: Memory, id_: str) -> Kept:
    """The lesson with this id, or with the only one that begins so; this project's before another's."""
    rows = [row for row in _rows(memory, everywhere=True) if len(id_) >= SHORTEST_ID and row[1].startswith(id_)]
    if not rows:
        raise NotFound(f"no lesson {id_!r}; `engrain lesson list --all` names them")
    found = sorted({row[1] for row in rows})
    if len(found) > 1:
        raise BadInput(f"{id_!r} could be {' or '.join(found[:4])}: give more of it")
    ours = memory.store.same_project(memory.project.id)
    return _kept(memory, sorted(rows, key=lambda row: (row[0] not in ours, row[0] != EVERYWHERE)))[0]


def decide(memory: Memory, id_: str, state: str, why: str = "") -> Event:
    """Accepts or retires a lesson, wherever it was taught; forgetting the event takes that back."""
    lesson = one(memory, id_)
    body = {"lesson": lesson.id, "state": state, "why": why}
    event = memory.event(LESSON_STATE, body, project=lesson.project)
    memory.record(event)
    briefs.drop(memory.home)
    return event


def heed(memory: Memory, id_: str, *, heeded: bool, provenance: str = "explicit", of: str = "") -> Event:
    """Records whether a lesson that fired was heeded."""
    body = {"lesson": one(memory, id_).id, "heeded": heeded, "provenance": provenance, "of": of}
    event = memory.event(LESSON_HEEDED, body)
    memory.record(event)
    return event


def fires(memory: Memory, call: Call) -> Fired:
    """The lessons that fire at a call; nothing is recorded."""
    return firing(look(memory), who(memory), call)


def who(memory: Memory) -> Who:
    """Who asks: this tenant in this project."""
    return Who(memory.tenant, memory.store.same_project(memory.project.id))


def would_fire(
    memory: Memory, trigger: Trigger, *, everywhere: bool = False, limit: int = MOST_PAST
) -> tuple[list[Would], int]:
    """The past calls at which a trigger would have fired, the newest first, and how many calls were looked at."""
    projects = [] if everywhere else memory.store.same_project(memory.project.id)
    args = {"tenant": memory.tenant, "projects": projects, "limit": limit}
    rows = memory.store.database.all("past_calls_anywhere" if everywhere else "past_calls", args)
    found = []
    with Clock() as clock:
        for id_, time, session, kind, text in rows:
            call = past(kind, json.loads(text))._replace(phase=trigger.phase)
            because = matches(trigger, call, clock)
            if because is None:
                raise BadInput(f"the expression takes too long, on event {id_} for one; it would be stopped")
            if because:
                found.append(Would(id_, time, session, call.tool, call.command or next(iter(call.paths), ""), because))
    return found, len(rows)


def past(kind: str, body: dict[str, Any]) -> Call:
    """A call as the journal has it."""
    given = {"command": body.get("command", "")} if kind == COMMAND else body.get("input")
    tool = "Bash" if kind == COMMAND else str(body.get("tool", ""))
    return call_of(tool, given, output=body.get("output"))


def wanting(memory: Memory) -> list[Kept]:
    """The lessons that a person should look at: proposed, stopped, never heeded, silent for long."""
    return [lesson for lesson in listed(memory, everywhere=True) if lesson.says]


def _rows(memory: Memory, *, everywhere: bool) -> list[tuple[Any, ...]]:
    projects = [*memory.store.same_project(memory.project.id), EVERYWHERE]
    args = {"tenant": memory.tenant, "project": "" if everywhere else memory.project.id, "projects": projects}
    return memory.store.database.all("lessons_of", args)


def _kept(memory: Memory, rows: Sequence[tuple[Any, ...]]) -> list[Kept]:
    weeks: dict[str, list[tuple[Any, ...]]] = {}
    asked = {"tenant": memory.tenant, "lessons": sorted({row[1] for row in rows})}
    for week in memory.store.database.all("firings_of", asked) if rows else ():
        weeks.setdefault(week[0], []).append(week)
    now = memory.event(LESSON_STATE, {}, project="-").time
    return [_of(row, weeks.get(row[1], []), now) for row in rows]


def _of(row: tuple[Any, ...], weeks: Iterable[tuple[Any, ...]], now: int) -> Kept:
    counts = [(int(week) * WEEK, int(fired), int(heeded), int(ignored)) for _, week, fired, heeded, ignored, _ in weeks]
    last = max((int(week[5]) for week in weeks), default=0)
    rule = Row._make(row[:13])
    state, first, since = rule.state, int(row[13]), int(row[14])
    past_ = Past(state, first, since, last, tuple(counts))
    worth, says = standing(past_, now)
    return Kept(
        rule.lesson, rule.project, rule.text,
        Trigger(rule.tool, rule.command, rule.path, rule.input, rule.output, rule.phase),
        rule.severity, rule.source, str(row[16] or ""), state, since, str(row[15] or ""), first, bool(rule.risky),
        sum(each[1] for each in counts), sum(each[2] for each in counts), sum(each[3] for each in counts), last,
        worth, says,
    )  # fmt: skip


__all__ = [
    "ACTIVE", "PROPOSED", "RETIRED", "STOPPED", "Kept", "Learned", "Would", "add", "candidates", "decide", "fires",
    "check", "heed", "listed", "one", "wanting", "would_fire",
]  # fmt: skip
