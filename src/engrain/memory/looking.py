"""What pages ask of a memory beside what commands ask: what it did in few numbers, what was done about a failure, what
goes on. Functions over a Memory; none of them reads a whole table that grows with the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engrain.errors import BadInput
from engrain.event import EVERYWHERE, FIX, REDACTED, Event
from engrain.memory import failures, fixes
from engrain.memory.failures import Episode, Told
from engrain.memory.fixes import Taught
from engrain.memory.proof import Gain, compared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engrain.memory import Memory, Seen

SHOWN_BY_US = "runtime_observed"
MOST_STEPS = 24


class Went(NamedTuple):
    """How often fixes were seen to work and to fail, by who says so."""

    provenance: str
    worked: int
    failed: int


class Did(NamedTuple):
    """What the memory did."""

    failures: int
    answered: int
    went: tuple[Went, ...]
    compared: Gain

    @property
    def resolved(self) -> int:
        """Answers that were followed and, as the next run of the command showed, helped."""
        return sum(each.worked for each in self.went if each.provenance == SHOWN_BY_US)

    @property
    def tried(self) -> int:
        """Answers that were followed."""
        return sum(each.worked + each.failed for each in self.went if each.provenance == SHOWN_BY_US)


class Step(NamedTuple):
    """What was done between a failure and its end."""

    id: str
    time: int
    tool: str
    about: str
    exit: int | None
    failed: bool


class Lived(NamedTuple):
    """An episode and what was done in it."""

    episode: Episode
    steps: tuple[Step, ...]


def did(memory: Memory) -> Did:
    """What the memory did so far."""
    ask, tenant = memory.store.database.all, {"tenant": memory.tenant}
    number, answered = ask("count_failures", tenant)[0]
    went = tuple(Went(str(how), int(worked), int(failed)) for how, worked, failed in ask("outcomes_counted", tenant))
    return Did(int(number), int(answered), went, compared(memory))


def kinds(memory: Memory) -> dict[str, int]:
    """How many events of each kind this tenant has, the most frequent first."""
    rows = memory.store.database.all("count_kinds_of", {"tenant": memory.tenant})
    return {str(kind): int(number) for kind, number in rows}


def projects(memory: Memory) -> list[Seen]:
    """Every project of this tenant, the busiest first."""
    mine = {row[1] for row in memory.store.projects() if row[0] == memory.tenant}
    return [seen for seen in memory.projects() if seen.id in mine]


def names(memory: Memory) -> dict[str, str]:
    """What the projects of this tenant are called, by their ids."""
    found = {EVERYWHERE: "everywhere"}
    for row in sorted(memory.store.places(), key=lambda row: (row[3], row[2])):
        if row[0] == memory.tenant and row[4]:
            found[str(row[1])] = str(row[4])
    return found


def agents(memory: Memory) -> list[tuple[str, int]]:
    """Every agent that was heard of, and when that was last."""
    rows = memory.store.database.all("agents_heard", {"tenant": memory.tenant})
    return [(str(agent), int(ended)) for agent, ended in rows]


def redactions(memory: Memory) -> list[tuple[str, int]]:
    """How often each rule took something out of what this tenant told, before it was written."""
    rows = memory.store.database.all("count_redactions_of", {"tenant": memory.tenant})
    return [(str(rule), int(number)) for rule, number in rows]


def latest_of(memory: Memory, kind: str, number: int) -> list[Event]:
    """The latest events of a kind, the last first; quick for a kind that is rare."""
    if not kinds(memory).get(kind):
        return []
    places = [str(row[1]) for row in memory.store.projects() if row[0] == memory.tenant]
    rows = memory.store.database.all("ids_of_kind", {"tenant": memory.tenant, "projects": places, "kind": kind})
    found = memory.store.get(str(row[0]) for row in rows)
    return sorted(found, key=lambda event: (event.time, event.id), reverse=True)[:number]


def known(memory: Memory, keys: Sequence[str]) -> dict[str, int]:
    """For how many of these failures and families how many fixes are kept."""
    rows = memory.store.database.all("fixes_known_for", {"tenant": memory.tenant, "keys": sorted(set(keys))})
    return {str(key): int(number) for key, number in rows}


def lived(memory: Memory, told: Told) -> list[Lived]:
    """What was done in each episode of a failure, from the call that failed to the one that ended it."""
    found = {event.id: event for event in memory.store.get([each.id for each in told.episodes])}
    ended = memory.store.get([str(event.body.get("by", "")) for event in found.values()])
    until = {event.id: event.time for event in ended}
    return [
        Lived(each, _steps(memory, each, until.get(str(found[each.id].body.get("by", "")), each.time)))
        for each in told.episodes
        if each.id in found
    ]


def _steps(memory: Memory, each: Episode, until: int) -> tuple[Step, ...]:
    rows = memory.store.database.all("calls_between", {
        "tenant": memory.tenant, "session": each.session, "since": each.time, "until": until, "limit": MOST_STEPS,
    })  # fmt: skip
    return tuple(_step(row) for row in rows)


def _step(row: tuple[Any, ...]) -> Step:
    id_, time, tool, command, path, code, failed = row
    return Step(str(id_), int(time), str(tool or "command"), str(command or path), code, bool(failed))


def teach(memory: Memory, key: str, steps: Sequence[str], *, cause: str = "", example: str = "") -> Taught:
    """Teaches what to do against a failure that was recorded."""
    told = failures.whole(memory, key)
    if told.found is None:
        raise BadInput("what was recorded of this failure is not known again; `engrain fix` takes its output")
    return fixes.teach(memory, told.found, steps, cause=cause, example=example, session="", agent="")


def said_of(memory: Memory, id_: str) -> Event | None:
    """The last event that taught a fix."""
    made = [event for event in memory.store.get(fixes.made_of(memory, id_)) if event.kind == FIX]
    return max(made, key=lambda event: (event.time, event.id), default=None)


def correct(memory: Memory, id_: str, steps: Sequence[str], *, cause: str = "", example: str = "") -> str:
    """The same fix with other steps; what was known of the wrong one is forgotten. The id of the corrected one."""
    fix = fixes.one(memory, id_)
    said = said_of(memory, fix.id)
    if said is None:
        raise BadInput(f"nobody taught {fix.id} here: it can be rated or forgotten")
    lines = fixes.checked(memory, steps)
    kept = {name: value for name, value in said.body.items() if name not in (REDACTED, "worked", "failed")}
    body = {**kept, "steps": list(lines), "cause": cause, "example": example, "source": "taught"}
    event = memory.admitted(memory.event(FIX, body, project=said.project))
    before = fixes.made_of(memory, fix.id)
    memory.record(event)
    now = memory.store.database.all("fixes_of_events", {"tenant": memory.tenant, "ids": [event.id]})
    if fix.id not in {str(row[0]) for row in now}:
        memory.forget(before)
    return str(now[0][0]) if now else fix.id


def keys_of(memory: Memory, id_: str) -> list[str]:
    """The failures and families that a fix is kept for."""
    rows = memory.store.database.all("fixes_by_ids", {"tenant": memory.tenant, "fixes": [id_]})
    return sorted({str(row[2]) for row in rows})
