"""Carry: a whole store into another one, of either kind, in pieces that can be interrupted anywhere.

    read a piece in its order of arrival → the gate → write it → read back what was written → note how far

After each piece a file says how far it went; killed before that, the piece is carried once more, which changes nothing.
What was read and what was read back are each counted and summed, so that the two sums say at the end whether the other
store holds the same lines, however often this was interrupted and whatever it held before. A store that was made anew
since is carried from the start. What arrives meanwhile is carried too, and what arrives later by asking again.

Carried are the journal, what its events carried beside it, and the tokens that hold. What is derived is made there.
Sums are of digests, so that their order does not matter: a set of lines has one sum.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from engrain import event as events
from engrain import light
from engrain.errors import BadInput, NotFound, StoreDamaged
from engrain.event import Event
from engrain.learn.direct import derive
from engrain.paths import Home, replace_file, unlink_if_there
from engrain.store import Store, open_store
from engrain.store.bodies import Bodies
from engrain.store.jobs import LEARN, Jobs
from engrain.store.tokens import Tokens

Admit = Callable[[Event], Event]
Progress = Callable[[int], None]

PIECE = 2000
_WHOLE = 1 << 256


class Sum(NamedTuple):
    """How many lines, and what they add up to."""

    lines: int = 0
    total: int = 0

    def of(self, more: Iterable[Event]) -> Sum:
        """With these, too."""
        found = [int.from_bytes(hashlib.sha256(events.line(each).encode()).digest()) for each in more]
        return Sum(self.lines + len(found), (self.total + sum(found)) % _WHOLE)

    @property
    def digest(self) -> str:
        return f"{self.total:064x}"


class Way(NamedTuple):
    """How far a store was carried: behind which place, what was read, what was read back, what stays forgotten."""

    place: int = 0
    read: Sum = Sum()
    back: Sum = Sum()
    forgotten: int = 0
    bodies: int = 0
    fresh: bool = False
    """Whether the other store was empty at the start."""
    last: str = ""
    """The id of the event at that place."""


class Carried(NamedTuple):
    """What was carried, now and before."""

    events: int
    now: int
    forgotten: int
    bodies: int
    tokens: int
    digest: str


def carry(home: Home, source: str, target: str, admit: Admit, progress: Progress | None = None) -> Carried:
    """The other store holds all that this one does; StoreDamaged if it does not hold the same."""
    with _both(source, target) as (old, new):
        return _carry(old, new, home.at("carried", _name(source, target)), admit, progress)


def waiting(home: Home, source: str, target: str) -> int:
    """How many events wait to be carried, about."""
    with _both(source, target) as (old, new):
        return max(0, old.count() - _way(old, new, home.at("carried", _name(source, target))).read.lines)


@contextmanager
def _both(source: str, target: str) -> Iterator[tuple[Store, Store]]:
    if same(source, target):
        raise BadInput(f"{_plain(source)} can't be carried into itself")
    if "://" not in source and not os.path.isfile(source):
        raise NotFound(f"no store at {source}")
    with closing(open_store(source, derive)) as old, closing(open_store(target, derive)) as new:
        yield old, new


def _way(old: Store, new: Store, noted: str) -> Way:
    """How far it came. From the start where either is no longer the store that it was: made anew, or set back to an
    earlier copy."""
    way = _read(noted)
    before = old.arrived(way.place - 1, since=0, limit=1)
    here = [(place, event.id) for place, event in before] == [(way.place, way.last)]
    there = new.get([way.last]) and new.count() >= way.back.lines
    return way if here and there else Way()


def _carry(old: Store, new: Store, noted: str, admit: Admit, progress: Progress | None) -> Carried:
    way = _way(old, new, noted)
    if not way.read.lines:
        way = way._replace(fresh=new.count() == 0)
    began = way.read.lines
    way = _on(old, new, way, noted, admit, progress)
    if way.read.lines + way.forgotten < old.count():
        # Somebody's commit came later than places behind it: once more from the start, which writes nothing twice.
        way, began = _on(old, new, Way(fresh=way.fresh), noted, admit, None), 0
    if way.read != way.back:
        unlink_if_there(noted)
        raise StoreDamaged(
            f"{new.where} does not hold the same as {old.where}: of {way.read.lines:,} lines {way.back.lines:,} "
            f"came back, with another sum; {old.where} is unchanged, and the next time begins anew"
        )
    if way.fresh:
        _only_what_waits(old, new)
    tokens = _tokens(old, new)
    return Carried(way.read.lines, way.read.lines - began, way.forgotten, way.bodies, tokens, way.read.digest)


def _on(old: Store, new: Store, way: Way, noted: str, admit: Admit, progress: Progress | None) -> Way:
    bodies = Bodies(old.database)
    while piece := old.arrived(way.place, since=0, limit=PIECE):
        found = [event for _, event in piece]
        kept = bodies.get(event.id for event in found)
        whole = [admit(_with(event, kept.get(event.id))) for event in found]
        gone = new.forgotten() if new.append(whole).forgotten else set()
        lines = [events.without_bodies(each)[0] for each in whole if (each.tenant, each.id) not in gone]
        keys = {_key(each) for each in lines}
        back = [each for each in new.get(each.id for each in lines) if _key(each) in keys]
        way = way._replace(
            place=piece[-1][0], read=way.read.of(lines), back=way.back.of(back), bodies=way.bodies + len(kept),
            forgotten=way.forgotten + len(whole) - len(lines), last=piece[-1][1].id,
        )  # fmt: skip
        replace_file(noted, json.dumps(way).encode())
        if progress:
            progress(len(piece))
    return way


def _with(event: Event, body: dict[str, Any] | None) -> Event:
    """The event with what it carried, as it came."""
    return event._replace(body={**event.body, events.BODIES: body}) if body else event


def _only_what_waits(old: Store, new: Store) -> None:
    """In line to be learned from is there what is in line here, and not every session again: what was learned is in the
    journal."""
    jobs = Jobs(new.database)
    jobs.drop(LEARN)
    for tenant, project, key in Jobs(old.database).named(LEARN):
        jobs.enqueue(LEARN, key, {}, project=project, tenant=tenant)


def _tokens(old: Store, new: Store) -> int:
    now, there = new.database.now(), {token.id for token in Tokens(new.database).all()}
    rows = [row for row in old.database.all("all_tokens") if row[0] not in there and not row[8]]
    rows = [row for row in rows if not row[7] or row[7] > now]
    names = ("id", "tenant", "name", "agent", "scopes", "hash", "created", "expires")
    new.database.run("insert_token", [dict(zip(names, row, strict=False)) for row in rows])
    return len(rows)


def same(source: str, target: str) -> bool:
    """Whether both name one store."""
    if "://" in source or "://" in target:
        return source == target
    return os.path.realpath(source) == os.path.realpath(target)


def _read(noted: str) -> Way:
    try:
        with open(noted, encoding="utf-8") as file:
            place, read, back, forgotten, bodies, fresh, last = json.load(file)
    except (FileNotFoundError, ValueError):
        return Way()
    return Way(place, Sum(*read), Sum(*back), forgotten, bodies, fresh, last)


def _name(source: str, target: str) -> str:
    return f"{light.sha256(json.dumps([source, target]).encode())[:16]}.json"


def _plain(where: str) -> str:
    return where if "://" not in where else where.partition("://")[0] + "://…"


def _key(event: Event) -> tuple[str, str, str]:
    return event.tenant, event.project, event.id
