"""What Memory does with sessions: brings those that an agent wrote down, lists and tells those that are here."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engrain import event as events
from engrain.capture.admit import Gate
from engrain.errors import BadInput, NotFound
from engrain.event import MAX_TIME, SESSION_END, Event
from engrain.learn.turns import Turn, turns

if TYPE_CHECKING:
    from engrain.capture.transcripts.files import Unit
    from engrain.memory import Memory
    from engrain.upkeep.backfill import Brought

Progress = Callable[[int], None]

LATE = 3_600_000_000


class Listed(NamedTuple):
    """A session and how much happened in it; `asked` is its first prompt."""

    session: str
    agent: str
    project: str
    started: int
    ended: int
    events: int
    prompts: int
    calls: int
    failures: int
    asked: str


class Session(NamedTuple):
    """A session, told."""

    session: str
    agent: str
    projects: tuple[str, ...]
    started: int
    ended: int
    reason: str
    turns: tuple[Turn, ...]


class Wanted(NamedTuple):
    """Which sessions are meant: of a project (empty: of any), an agent, a time, with failures."""

    project: str = ""
    agent: str = ""
    since: int = 0
    before: int = MAX_TIME
    failed: bool = False


def listed(memory: Memory, wanted: Wanted, limit: int) -> list[Listed]:
    """Sessions, the latest first."""
    store = memory.store
    args = {**wanted._asdict(), "failed": int(wanted.failed), "projects": store.same_project(wanted.project)}
    rows = store.database.all("list_sessions", {**args, "tenant": memory.tenant, "limit": limit})
    return [Listed._make((*row[:9], row[9] or "")) for row in rows]


def named(memory: Memory, name: str) -> tuple[str, str]:
    """The session that is called so, or whose name alone begins so, and its agent."""
    rows = memory.store.database.all("sessions_named", {"tenant": memory.tenant, "start": name}) if name else []
    found = [(str(session), str(agent)) for session, agent in rows]
    found = [each for each in found if each[0] == name] or found
    if not found:
        raise NotFound(f"no session {name!r}; `engrain sessions --everywhere` lists them")
    if len({session for session, _ in found}) > 1:
        some = " or ".join(session for session, _ in found[:4])
        raise BadInput(f"{name!r} could be {some}: give more of it")
    return found[0]


def session(memory: Memory, name: str) -> Session:
    """A session with its turns in order."""
    id_, agent = named(memory, name)
    told = list(memory.store.events_of_session(memory.tenant, id_, agent))
    if not told:
        raise NotFound(f"of the session {id_} nothing is left")
    ended = [event for event in told if event.kind == SESSION_END]
    reason = str(ended[-1].body.get("reason", "ended")) if ended and ended[-1] is told[-1] else ""
    places = tuple(sorted({event.project for event in told}))
    return Session(id_, agent, places, told[0].time, told[-1].time, reason, tuple(turns(told)))


class Arrivals:
    """What comes into the journal from now on."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._last = memory.store.last_arrived()
        self._since = max(0, events.now() - LATE)

    def new(self) -> list[Event]:
        """What came since the last time, in its order; what waits in the spool is brought first."""
        self._memory.catch_up()
        rows = self._memory.store.arrived(self._last, since=self._since)
        if rows:
            self._last = rows[-1][0]
        came = [event for _, event in rows if event.tenant == self._memory.tenant]
        return sorted(came, key=lambda event: (event.time, event.id))


def transcripts(agent: str, paths: Sequence[str]) -> list[Unit]:
    """The sessions in these files and folders, or where the agent itself keeps them."""
    from engrain.capture.transcripts import files

    if paths:
        return files.units([os.path.expanduser(path) for path in paths])
    own = files.folders(agent, os.environ)
    there = [folder for folder in own if os.path.isdir(folder)]
    if not there:
        raise BadInput(f"no sessions of {agent} on this machine: there is no folder {own[0]}; name one")
    return files.units(there)


def bring(memory: Memory, agent: str, units: Sequence[Unit], progress: Progress | None) -> Brought:
    """What these sessions tell is in the journal."""
    from engrain.upkeep import backfill

    memory.catch_up()
    # The same gate as ever, but nobody is taken to make work trees meanwhile.
    gate = Gate(os.path.expanduser("~"), os.environ.get("XDG_CONFIG_HOME", ""), still=True)
    reading = backfill.Reading(agent, gate, tenant=memory.tenant, now=events.now(), home=memory.home.mark)
    return backfill.bring(memory.store, reading, units, progress)
