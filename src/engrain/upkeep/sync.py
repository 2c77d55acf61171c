"""Sync: a store of one's own beside a server. What either has and the other has not, both have afterwards.

An event has its id wherever it is, so there is nothing to merge and no conflict: sent twice it is there once, of two
versions the same one holds on both sides, and what was forgotten on one is forgotten on the other. How far it came last
time is kept for each server; begun again from nothing it comes to the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from engrain import event as events
from engrain.capture import spool
from engrain.errors import HomeUnusable, TheseRefused
from engrain.event import Event
from engrain.light import sha256
from engrain.paths import Home, reason, replace_file
from engrain.store import Store
from engrain.upkeep.tick import Appends

OVERLAP = 1000
AT_ONCE = 1000


class Synced(NamedTuple):
    """What a sync came to."""

    sent: int
    got: int
    refused: int


class Far(NamedTuple):
    """The other side: what came there behind a place, at most so many, and where events are told."""

    url: str
    changed: Callable[[int, int], list[tuple[int, Event]]]
    journal: Appends


class _Places(NamedTuple):
    """How far each side was read, and the ids of what stands there."""

    here: int = 0
    there: int = 0
    last_here: str = ""
    last_there: str = ""


def sync(home: Home, store: Store, far: Far, *, tenant: str, admit: Callable[[Event], Event]) -> Synced:
    """Both sides have what either had."""
    if not _the_same(store, far, tenant, _read(home, far.url)):
        _write(home, far.url, _Places())
    came: set[str] = set()
    got = _pull(home, store, far, came, lambda event: admit(events.checked(event._replace(tenant=tenant))))
    sent, refused = 0, 0
    places = _read(home, far.url)
    place = places.here
    while found := store.changed(tenant, place, limit=AT_ONCE):
        new, kept = _push(home, far, [admit(event) for _, event in found if event.id not in came])
        sent, refused, place = sent + new, refused + kept, found[-1][0]
        _write(home, far.url, places._replace(here=place, last_here=found[-1][1].id))
    return Synced(sent, got, refused)


def _the_same(store: Store, far: Far, tenant: str, places: _Places) -> bool:
    """Whether both are the stores that were read: of one made anew, or set back to a copy, places say nothing."""
    here = store.changed(tenant, places.here - 1, limit=1) if places.here else []
    there = far.changed(places.there - 1, 1) if places.there else []
    known = (places.here, places.last_here), (places.there, places.last_there)
    return all(
        not place or [(at, event.id) for at, event in found] == [(place, last)]
        for (place, last), found in zip(known, (here, there), strict=True)
    )


def _pull(home: Home, store: Store, far: Far, came: set[str], admit: Callable[[Event], Event]) -> int:
    new, places = 0, _read(home, far.url)
    # What came last time is looked at again: where that was cut off, it would be sent back.
    place = max(0, places.there - OVERLAP)
    while found := far.changed(place, AT_ONCE):
        given = [admit(event) for _, event in found]
        new += store.append(given).new
        came.update(event.id for event in given)
        place = found[-1][0]
        _write(home, far.url, places._replace(there=place, last_there=found[-1][1].id))
        if len(found) < AT_ONCE:
            break
    return new


def _push(home: Home, far: Far, given: list[Event]) -> tuple[int, int]:
    """How many are there now, and how many never will be: those are kept aside, for the doctor to show."""
    try:
        return far.journal.append(given).new, 0
    except TheseRefused as exc:
        for event in given:
            if event.id in exc.why:
                spool.keep_aside(home.spool, events.line(event).encode(), f"{far.url}: {exc.why[event.id]}")
        return exc.stored.new, len(exc.why)


def path(home: Home, url: str) -> str:
    """Where it is kept how far a sync with a server came."""
    return home.at("sync", f"{sha256(url.encode())[:32]}.json")


def _read(home: Home, url: str) -> _Places:
    try:
        with open(path(home, url), encoding="utf-8") as file:
            found = json.load(file)
        return _Places(int(found["here"]), int(found["there"]), str(found["last_here"]), str(found["last_there"]))
    except FileNotFoundError:
        return _Places()
    except (ValueError, KeyError, TypeError):
        # Begun again from nothing it comes to the same.
        return _Places()
    except OSError as exc:
        raise HomeUnusable(f"can't read {path(home, url)}: {reason(exc)}") from exc


def _write(home: Home, url: str, places: _Places) -> None:
    replace_file(path(home, url), json.dumps({"url": url, **places._asdict()}).encode())


__all__ = ["Far", "Synced", "sync"]
