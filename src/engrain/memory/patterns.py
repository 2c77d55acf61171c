"""Patterns: teach how code and tests are written here, and find what fits. Functions over a Memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain.errors import BadInput, NotFound
from engrain.event import EVERYWHERE, PATTERN, PATTERN_USED, REDACTED, Event
from engrain.learn.likeness import words
from engrain.learn.patterns import (
    AREA,
    CODE,
    DESCRIPTION,
    EXAMPLE,
    FORMS,
    LINE,
    MOST_LINES,
    NAME,
    TEST,
    Said,
    about,
    alike,
    id_of,
    reaches,
    said_in,
)
from engrain.memory import meaning

if TYPE_CHECKING:
    from engrain.memory import Memory

MOST = 100
"""Patterns that a question looks at, the most relevant ones."""

MOST_ASKED, MOST_ROWS = 80, 20_000

SHORTEST_ID = 4
_FUSED = 60
"""Of reciprocal rank fusion: how much less the first place is worth than all."""


class Pattern(NamedTuple):
    """A pattern as it is kept: what it says, how often it was seen and when. `because` is why a search found it."""

    id: str
    project: str
    form: str
    name: str
    description: str
    example: str
    uses: tuple[str, ...]
    avoid: tuple[str, ...]
    area: str
    source: str
    times: int
    first: int
    last: int
    because: str = ""


class Learned(NamedTuple):
    """What teaching a pattern came to; `again` where it reinforced one that was known."""

    id: str
    event: str
    again: bool
    times: int
    redacted: dict[str, int]


def learn(
    memory: Memory, said: Said, *, everywhere: bool = False, source: str = "taught", session: str = "", agent: str = ""
) -> Learned:
    """Saves a pattern, or reinforces the one that says nearly the same."""
    _check(said)
    project = EVERYWHERE if everywhere else memory.project.id
    body = {**said._asdict(), "source": source}
    event = memory.admitted(memory.event(PATTERN, body, project=project, session=session, agent=agent))
    # What is compared and named is what may be written.
    said = said_in(event)
    known = _known(memory, said, project)
    if known is not None:
        event = event._replace(body={**event.body, "pattern": known.id})
    memory.record(*([] if everywhere else [memory.sighting()]), event)
    taken = event.body.get(REDACTED, {})
    return Learned(
        known.id if known else id_of(said), event.id, known is not None, 1 + (known.times if known else 0), taken
    )


def _check(said: Said) -> None:
    if not said.name.strip():
        raise BadInput("a pattern needs a name")
    if not (said.description.strip() or said.example.strip()):
        raise BadInput("say what the pattern is: a description, an example, or both")
    if said.form not in FORMS:
        raise BadInput(f"a pattern is of {' or '.join(FORMS)}, not {said.form!r}")
    for name, most in (("name", NAME), ("description", DESCRIPTION), ("example", EXAMPLE), ("area", AREA)):
        if len(getattr(said, name)) > most:
            raise BadInput(f"the {name} of a pattern has at most {most} characters: keep what is typical")
    for name, lines in (("use case", said.uses), ("anti-pattern", said.avoid)):
        if len(lines) > MOST_LINES or any(len(line) > LINE for line in lines):
            raise BadInput(f"a pattern has at most {MOST_LINES} lines of {name}s, of {LINE} characters each")


def _known(memory: Memory, said: Said, project: str) -> Pattern | None:
    """The pattern of this project that says nearly the same, the nearest in words first."""
    found = _by_words(memory, about(said), form=said.form, projects=_projects(memory, project))
    near = [each for each in _kept(memory, found) if each.project == project and alike(said, _said(each))]
    return near[0] if near else None


def similar(
    memory: Memory, asked: str, *, form: str = "", path: str = "", everywhere: bool = False, limit: int = 5
) -> list[Pattern]:
    """The patterns that fit what is asked, the most relevant first; those that hold for `path` where it is given."""
    projects = [] if everywhere else [*memory.store.same_project(memory.project.id), EVERYWHERE]
    by_words = _by_words(memory, asked, form=form, projects=projects)
    by_meaning = _by_meaning(memory, asked, projects)
    score: dict[str, float] = {}
    for ranked in (by_words, by_meaning):
        for place, id_ in enumerate(ranked):
            score[id_] = score.get(id_, 0.0) + 1 / (_FUSED + place)
    best = sorted(score, key=lambda id_: (-score[id_], id_))[:MOST]
    found = [each for each in _kept(memory, best) if (not form or each.form == form) and _holds(each, path)]
    return [each._replace(because=_why(each.id, by_words, by_meaning)) for each in found[: min(limit, MOST)]]


def _holds(each: Pattern, path: str) -> bool:
    return not path or reaches(each.area, path)


def _why(id_: str, by_words: Sequence[str], by_meaning: Sequence[str]) -> str:
    said = [name for name, ranked in (("words", by_words), ("meaning", by_meaning)) if id_ in ranked]
    return " and ".join(said)


def _by_words(memory: Memory, asked: str, *, form: str, projects: Sequence[str]) -> list[str]:
    """Ids of patterns in which any of the words stands, those with the most of the rarest first."""
    args = {
        "tenant": memory.tenant, "words": words(asked)[:MOST_ASKED], "form": form, "limit": MOST_ROWS,
        "project": "some" if projects else "", "projects": list(projects),
    }  # fmt: skip
    within: dict[str, list[str]] = {}
    for word, pattern in memory.store.database.all("patterns_like", args) if args["words"] else ():
        within.setdefault(word, []).append(pattern)
    score: dict[str, float] = {}
    for patterns in within.values():
        for pattern in patterns:
            score[pattern] = score.get(pattern, 0.0) + 1 / len(patterns)
    return sorted(score, key=lambda id_: (-score[id_], id_))[:MOST]


def _by_meaning(memory: Memory, asked: str, projects: Sequence[str]) -> list[str]:
    """Ids of patterns that mean something near, best first; none where nothing can tell."""
    events = [near.id for near in meaning.nearest(memory, asked, kinds=(PATTERN,), projects=projects, limit=MOST)]
    rows = memory.store.database.all("patterns_by_events", {"tenant": memory.tenant, "ids": events}) if events else []
    taught = {str(row[0]): str(row[1]) for row in rows}
    return list(dict.fromkeys(taught[id_] for id_ in events if id_ in taught))


def listed(memory: Memory, *, form: str = "", everywhere: bool = False, limit: int = MOST) -> list[Pattern]:
    """Patterns of this project and those for all, the most often seen first."""
    projects = _projects(memory, memory.project.id)
    args = {
        "tenant": memory.tenant, "project": "" if everywhere else memory.project.id, "projects": projects,
        "form": form, "limit": min(limit, MOST),
    }  # fmt: skip
    return _kept(memory, [row[0] for row in memory.store.database.all("patterns_counted", args)])


def one(memory: Memory, id_: str) -> Pattern:
    """The pattern with this id, or with the only one that begins so."""
    rows = []
    if len(id_) >= SHORTEST_ID and id_.isalnum():
        args = {"tenant": memory.tenant, "prefix": id_, "beyond": f"{id_}~", "limit": 5}
        rows = memory.store.database.all("patterns_by_prefix", args)
    if not rows:
        raise NotFound(f"no pattern {id_!r}; `engrain pattern list` names them")
    if len(rows) > 1:
        raise BadInput(f"{id_!r} could be {' or '.join(row[0] for row in rows[:4])}: give more of it")
    return _kept(memory, [rows[0][0]])[0]


def used(memory: Memory, id_: str, *, session: str = "", agent: str = "") -> Event:
    """Records that a pattern was followed; forgetting the event takes it back."""
    pattern = one(memory, id_)
    body = {"pattern": pattern.id}
    event = memory.event(PATTERN_USED, body, project=pattern.project, session=session, agent=agent)
    memory.record(event)
    return event


def made_of(memory: Memory, id_: str) -> list[str]:
    """The events that a pattern is made of; of anything else none."""
    args = {"tenant": memory.tenant, "patterns": [id_]}
    return [str(row[0]) for row in memory.store.database.all("events_of_patterns", args)]


def _projects(memory: Memory, project: str) -> list[str]:
    return [EVERYWHERE] if project == EVERYWHERE else [*memory.store.same_project(project), EVERYWHERE]


def _kept(memory: Memory, ids: Sequence[str]) -> list[Pattern]:
    """These patterns, in that order."""
    if not ids:
        return []
    ask, some = memory.store.database.all, list(ids)
    told: dict[str, list[tuple[Any, ...]]] = {}
    for row in ask("patterns_told", {"tenant": memory.tenant, "patterns": some}):
        told.setdefault(row[0], []).append(row)
    counts = {row[0]: row[1:] for row in ask("patterns_seen", {"tenant": memory.tenant, "patterns": some})}
    return [_of(id_, told[id_], counts[id_]) for id_ in ids if id_ in told and id_ in counts]


def _of(id_: str, rows: Sequence[tuple[Any, ...]], counts: Sequence[Any]) -> Pattern:
    """What was said last holds; what it is for and what to avoid is all that was ever said."""
    _, project, form, name, description, example, _, _, area, source = rows[0]
    description = description or next((row[4] for row in rows if row[4]), "")
    example = example or next((row[5] for row in rows if row[5]), "")
    uses, avoid = (_lines(row[column] for row in rows) for column in (6, 7))
    times, first, last = (int(each) for each in counts)
    return Pattern(id_, project, form, name, description, example, uses, avoid, area, source, times, first, last)


def _lines(packed: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for text in packed for line in json.loads(text)))[:MOST_LINES]


def _said(each: Pattern) -> Said:
    return Said(each.form, each.name, each.description, each.example, each.uses, each.avoid, each.area)


__all__ = ["CODE", "MOST", "TEST", "Learned", "Pattern", "Said", "learn", "listed", "made_of", "one", "similar", "used"]
