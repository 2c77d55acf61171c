"""Replay: a history played again in the order of its time, and what the memory would have said at each failure.

At a failure the memory knows what sessions taught that were over by then, and nothing of its own; when a session ends
it learns from that, too. What it says is then held against what the agent did about that failure, later:

    useful    a step that it shows is among what was done until the command passed
    beside    it shows something else
    unjudged  it shows something, but nobody can tell: the command never passed, or nothing was done that tells
    silent    it shows nothing

Every figure is simulated: an agent that is told goes another way. What the project does all the time counts for
nothing, neither for the memory nor against it. Nothing is recorded as shown, so beliefs stay what mining makes them.

It plays on a store that somebody throws away: all calls are there, and nothing of them is learned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from engrain.event import Event
from engrain.fingerprint import fingerprint
from engrain.learn.deeds import Call
from engrain.learn.episodes import teaches
from engrain.learn.hindsight import USUAL, Done, deeds, ending, names, without
from engrain.learn.mined import learned
from engrain.learn.remedies import made_by
from engrain.model import Fingerprint, Fix, merged
from engrain.recall.answer import Asked, answer
from engrain.store import Store
from engrain.store.store import Progress
from engrain.upkeep.mining import calls_of, told

USEFUL, BESIDE, UNJUDGED, SILENT = "useful", "beside", "unjudged", "silent"

LEAST_SESSIONS = 3
"""In fewer sessions than that nothing is usual."""


class Moment(NamedTuple):
    """A failure, what would have been said, and what was done; `known` is whether its project had met it before."""

    time: int
    project: str
    session: str
    command: str
    toolchain: str
    error_type: str
    message: str
    fingerprint: str
    known: bool
    learnable: bool
    verdict: str
    match: str
    because: str
    steps: tuple[str, ...]
    done: Done


class Tally(NamedTuple):
    """Failures, by what would have become of them. `judged` are answers to those that could be learned from."""

    name: str
    failures: int = 0
    answered: int = 0
    learnable: int = 0
    judged: int = 0
    useful: int = 0
    new: int = 0
    new_silent: int = 0
    calls: int = 0
    seconds: float = 0.0

    @property
    def share(self) -> float:
        """Of what could be learned from, how much a useful step would have been shown for."""
        return self.useful / self.learnable if self.learnable else 0.0

    @property
    def precision(self) -> float:
        """Of the answers that can be judged, how many are useful."""
        return self.useful / self.judged if self.judged else 0.0


class Replayed(NamedTuple):
    """A history, played: how many sessions, all of it, by toolchain, and each failure in the order of its time."""

    sessions: int
    total: Tally
    toolchains: tuple[Tally, ...]
    moments: tuple[Moment, ...]

    def examples(self, verdict: str, number: int) -> list[Moment]:
        """Some answers to read, from each project and kind of failure one before any has a second."""
        return _spread([each for each in self.moments if each.verdict == verdict])[:number]


class _Failure(NamedTuple):
    """A failure that is to come."""

    time: int
    project: str
    session: str
    call: Call
    found: Fingerprint
    done: Done | None


class _Session(NamedTuple):
    """A session that is to end: what it did, and what failed in it."""

    time: int
    project: str
    session: str
    deeds: frozenset[str]
    failures: tuple[_Failure, ...]


def play(store: Store, tenant: str, admitted: Callable[[Event], Event], progress: Progress | None = None) -> Replayed:
    """Plays everything that this store holds."""
    rows = sorted(store.sessions(), key=lambda row: (int(row[5]), str(row[2])))
    sessions = [_read(store, tenant, str(row[1]), str(row[2])) for row in rows if row[0] == tenant]
    player = _Player(store, tenant, admitted)
    moments: list[Moment] = []
    for each in sorted(_in_order(sessions), key=lambda each: (each.time, isinstance(each, _Session))):
        if isinstance(each, _Failure):
            moments.append(player.asked(each))
        else:
            player.ended(each)
            if progress:
                progress(1)
    return summed(len(sessions), moments)


def _in_order(sessions: Iterable[_Session]) -> Iterator[_Failure | _Session]:
    for each in sessions:
        yield each
        yield from each.failures


def _read(store: Store, tenant: str, project: str, session: str) -> _Session:
    calls = calls_of(store, tenant, project, session)
    found: list[_Failure] = []
    made = made_by(calls)
    for stream in sorted({call.stream for call in calls}):
        own = [call for call in calls if call.stream == stream]
        for at, call in enumerate(own):
            if teaches(call):
                known = fingerprint(call.output, call.command, call.exit)
                slim = call._replace(output="", edits=())
                found.append(_Failure(call.time, project, session, slim, known, ending(own, at, made)))
    last = max((call.time for call in calls), default=0)
    return _Session(last, project, session, frozenset(deeds(calls)), tuple(found))


class _Player:
    """What is known by now."""

    def __init__(self, store: Store, tenant: str, admitted: Callable[[Event], Event]) -> None:
        self._store, self._tenant, self._admitted = store, tenant, admitted
        self._merges = store.database.all("dump_merges")
        self._over: Counter[str] = Counter()
        self._done: dict[str, Counter[str]] = defaultdict(Counter)
        self._met: set[tuple[str, str]] = set()

    def ended(self, each: _Session) -> None:
        """A session is over, and what it teaches is known."""
        calls = calls_of(self._store, self._tenant, each.project, each.session)
        self._store.append(map(self._admitted, learned(calls, told, tenant=self._tenant, session=each.session)))
        self._over[each.project] += 1
        self._done[each.project].update(each.deeds)

    def asked(self, each: _Failure) -> Moment:
        """What would have been said at this failure."""
        projects = merged(each.project, self._merges)
        asked = Asked(self._tenant, projects, each.time, each.call.command, each.call.cwd)
        fixes = answer(self._store.database.all, each.found, asked)
        met = (each.project, each.found.fingerprint)
        known = met in self._met
        self._met.add(met)
        return _moment(each, fixes, without(each.done, self._usual(each.project)) if each.done else None, known)

    def _usual(self, project: str) -> set[str]:
        least = max(LEAST_SESSIONS, USUAL * self._over[project])
        return {deed for deed, number in self._done[project].items() if number >= least}


def _moment(each: _Failure, fixes: Sequence[Fix], done: Done | None, known: bool) -> Moment:
    steps = tuple(step for fix in fixes for step in fix.steps)
    learnable = done is not None and done.tells
    verdict = SILENT if not steps else UNJUDGED
    if steps and done is not None and learnable:
        verdict = USEFUL if names(steps, done) else BESIDE
    found = each.found
    return Moment(
        each.time, each.project, each.session, each.call.command, found.toolchain, found.error_type, found.message,
        found.fingerprint, known, learnable, verdict, fixes[0].match if fixes else "",
        fixes[0].because if fixes else "", steps, done or Done(),
    )  # fmt: skip


# Added up


def summed(sessions: int, moments: Sequence[Moment]) -> Replayed:
    """All of it, and each toolchain, the most frequent first."""
    by_tool: dict[str, list[Moment]] = defaultdict(list)
    for each in moments:
        by_tool[each.toolchain].append(each)
    tallies = [tally(name, of) for name, of in by_tool.items()]
    ordered = sorted(tallies, key=lambda each: (-each.failures, each.name))
    return Replayed(sessions, tally("all", moments), tuple(ordered), tuple(moments))


def tally(name: str, moments: Sequence[Moment]) -> Tally:
    """What would have become of these failures."""
    useful = [each for each in moments if each.verdict == USEFUL]
    new = [each for each in moments if not each.known]
    return Tally(
        name,
        len(moments),
        sum(each.verdict != SILENT for each in moments),
        sum(each.learnable for each in moments),
        len(useful) + sum(each.verdict == BESIDE for each in moments),
        len(useful),
        len(new),
        sum(each.verdict == SILENT for each in new),
        sum(each.done.calls for each in useful),
        sum(each.done.seconds for each in useful),
    )


def _spread(moments: Sequence[Moment]) -> list[Moment]:
    """Those first that are unlike the ones before them; the latest of each kind stands for it."""
    turn: Counter[tuple[str, str]] = Counter()
    placed = []
    for each in reversed(moments):
        kind = each.project, each.fingerprint
        placed.append((turn[kind], -each.time, each))
        turn[kind] += 1
    return [each for _, _, each in sorted(placed, key=lambda row: row[:2])]
