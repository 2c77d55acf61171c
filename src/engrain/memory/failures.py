"""Failures as somebody looks at them: week by week, as a list, and one of them whole. Functions over a Memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engrain import event as events
from engrain.errors import BadInput, NotFound
from engrain.event import COMMAND, Event
from engrain.fingerprint import explain, fingerprint
from engrain.learn.belief import WEEK
from engrain.memory.fixes import listed_by_id, one
from engrain.model import Fingerprint, Fix, Part

if TYPE_CHECKING:
    from engrain.memory import Memory

WEEKS = 12
MOST = 200
SHORTEST_KEY = 4


class Week(NamedTuple):
    """What happened in a week: commands that failed, answers that were shown or held back, fixes that worked or not."""

    week: int
    failures: int = 0
    shown: int = 0
    held: int = 0
    worked: int = 0
    failed: int = 0


class Wanted(NamedTuple):
    """Which failures are meant: of a project, a tool, with these words in their message (empty: of any)."""

    project: str = ""
    toolchain: str = ""
    words: str = ""
    since: int = 0


class Listed(NamedTuple):
    """A kind of failure: what it says, how often it came, and that for each of the last weeks."""

    fingerprint: str
    family: str
    toolchain: str
    error_type: str
    message: str
    times: int
    first: int
    last: int
    weeks: tuple[int, ...]


class Time(NamedTuple):
    """One time that a failure came."""

    id: str
    time: int
    project: str
    command: str
    session: str


class Episode(NamedTuple):
    """What became of a failure in a session."""

    id: str
    time: int
    project: str
    session: str
    state: str


class Went(NamedTuple):
    """How a fix went, once; `id` is the event that says so."""

    id: str
    time: int
    fix: str
    worked: bool
    provenance: str


class Told(NamedTuple):
    """A failure, whole: what it is and why, when it came, what is known to help, how that went."""

    listed: Listed
    found: Fingerprint | None
    parts: tuple[Part, ...]
    times: tuple[Time, ...]
    fixes: tuple[Fix, ...]
    episodes: tuple[Episode, ...]
    outcomes: tuple[Went, ...]


def weeks(memory: Memory, number: int = WEEKS) -> list[Week]:
    """The last weeks, this one last, each with what happened in it."""
    ask, last = memory.store.database.all, events.now() // WEEK
    first = last - number + 1
    since = {"tenant": memory.tenant, "since": first * WEEK}
    found = {week: Week(week) for week in range(first, last + 1)}
    for week, failures in ask("failures_by_week", since):
        _note(found, week, failures=failures)
    for week, shown, held in ask("servings_by_week", since):
        _note(found, week, shown=shown, held=held)
    for week, worked, failed in ask("outcomes_by_week", {**since, "since": first}):
        _note(found, week, worked=worked, failed=failed)
    return [found[week] for week in sorted(found)]


def _note(found: dict[int, Week], week: int, **counts: int) -> None:
    """What lies in the future by the clock of some machine is no week of these."""
    if int(week) in found:
        counted = {name: int(value) for name, value in counts.items()}
        found[int(week)] = found[int(week)]._replace(**counted)


def toolchains(memory: Memory) -> list[tuple[str, int]]:
    """The tools that failed, the most frequent first."""
    rows = memory.store.database.all("toolchains", {"tenant": memory.tenant})
    return [(str(name), int(number)) for name, number in rows]


def listed(memory: Memory, wanted: Wanted, *, limit: int, offset: int = 0) -> list[Listed]:
    """Kinds of failure, the most frequent first."""
    args = {
        "tenant": memory.tenant, **wanted._asdict(), "projects": memory.store.same_project(wanted.project),
        "limit": min(limit, MOST), "offset": offset,
    }  # fmt: skip
    question = "failures_counted" if wanted == Wanted() else "failures_ranked"
    return _told(memory, [(str(r[0]), int(r[1]), int(r[2]), int(r[3])) for r in _ask(memory, question, args)])


def _told(memory: Memory, rows: list[tuple[str, int, int, int]]) -> list[Listed]:
    keys = [row[0] for row in rows]
    first = events.now() // WEEK - WEEKS + 1
    says = {row[0]: row for row in _ask(memory, "failures_told", {"tenant": memory.tenant, "fingerprints": keys})}
    counts: dict[str, dict[int, int]] = {}
    asked = {"tenant": memory.tenant, "fingerprints": keys, "since": first * WEEK}
    for key, week, number in _ask(memory, "failures_weekly", asked):
        counts.setdefault(key, {})[int(week)] = int(number)
    found = []
    for key, times, began, ended in rows:
        spread = tuple(counts.get(key, {}).get(week, 0) for week in range(first, first + WEEKS))
        _, family, toolchain, error_type, message = map(str, says[key][:5])
        found.append(Listed(key, family, toolchain, error_type, message, times, began, ended, spread))
    return found


def whole(memory: Memory, key: str, *, limit: int = 20) -> Told:
    """One kind of failure with all that is known of it; by its fingerprint or the beginning of it."""
    kind = _named(memory, key)
    places = _ask(memory, "failures_like", {"tenant": memory.tenant, "fingerprint": kind.fingerprint, "limit": limit})
    seen = {event.id: event for event in memory.store.get([row[1] for row in places])}
    last = next((seen[row[1]] for row in places if row[1] in seen), None)
    found = _again(last)
    parts = tuple(explain(found)) if found is not None and found.fingerprint == kind.fingerprint else ()
    fixes = _fixes(memory, kind)
    return Told(
        kind, found if parts else None, parts,
        tuple(_time(seen[row[1]]) for row in places if row[1] in seen), fixes,
        tuple(_episodes(memory, kind.fingerprint, limit)), tuple(outcomes(memory, [fix.id for fix in fixes])),
    )  # fmt: skip


def _named(memory: Memory, key: str) -> Listed:
    asked = {"tenant": memory.tenant, "start": key, "beyond": f"{key}~", "limit": 2}
    rows = _ask(memory, "failures_named", asked) if len(key) >= SHORTEST_KEY and key.replace(":", "").isalnum() else []
    if not rows:
        raise NotFound(f"no failure {key!r}; `engrain stats` names those that come again")
    if len(rows) > 1 and rows[0][0] != key:
        raise BadInput(f"{key!r} could be {rows[0][0]} or {rows[1][0]}: give more of it")
    return _told(memory, [(str(rows[0][0]), int(rows[0][1]), int(rows[0][2]), int(rows[0][3]))])[0]


def _again(event: Event | None) -> Fingerprint | None:
    """The fingerprint of a recorded failure, taken anew so that it can be explained."""
    if event is None:
        return None
    code = event.body.get("exit")
    return fingerprint(_output(event), _command(event), code if type(code) is int else None)


def _fixes(memory: Memory, kind: Listed) -> tuple[Fix, ...]:
    rows = _ask(memory, "fixes_of_failure", {
        "tenant": memory.tenant, "fingerprint": kind.fingerprint, "family": kind.family, "limit": MOST,
    })  # fmt: skip
    found = listed_by_id(memory, [str(row[0]) for row in rows])
    # A recipe for the family that came of one that is shown says the same once more.
    general = {fix.general for fix in found}
    return tuple(sorted((fix for fix in found if fix.id not in general), key=lambda fix: (-fix.low, fix.id)))


def _episodes(memory: Memory, key: str, limit: int) -> list[Episode]:
    rows = _ask(memory, "episodes_of", {"tenant": memory.tenant, "fingerprint": key, "limit": limit})
    return [Episode(str(id_), int(time), project, session, state) for project, id_, time, session, state, _, _ in rows]


def outcomes(memory: Memory, fixes: list[str], *, limit: int = MOST) -> list[Went]:
    """How these fixes went, each time, the latest first."""
    rows = _ask(memory, "outcomes_of", {"tenant": memory.tenant, "fixes": fixes, "limit": limit}) if fixes else []
    return [Went(str(id_), int(time), fix, bool(worked), how) for fix, time, how, worked, _, _, id_ in rows]


def one_fix(memory: Memory, id_: str) -> tuple[Fix, list[Went]]:
    """A fix, and how it went each time."""
    fix = one(memory, id_)
    return fix, outcomes(memory, [fix.id])


def _time(event: Event) -> Time:
    return Time(event.id, event.time, event.project, _command(event), event.session)


def _command(event: Event) -> str:
    given = event.body.get("input")
    said = (
        event.body.get("command") if event.kind == COMMAND else given.get("command") if isinstance(given, dict) else ""
    )
    return said if isinstance(said, str) else ""


def _output(event: Event) -> str:
    said = event.body.get("output")
    return said if isinstance(said, str) else ""


def _ask(memory: Memory, question: str, args: dict[str, Any]) -> list[tuple[Any, ...]]:
    return memory.store.database.all(question, args)


__all__ = [
    "Episode", "Listed", "Time", "Told", "Wanted", "Week", "Went", "listed", "one_fix", "outcomes",
    "toolchains", "weeks", "whole",
]  # fmt: skip
