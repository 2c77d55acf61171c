"""Answers: what a hook may have to say, kept in a file of its own where the store is not one.

A hook neither waits for a server nor loads what talks to one. So beside a store on a server, PostgreSQL or another
Engrain, lies a small store in a file: of the journal it has the events that answers are made of (fixes, how they went,
lessons, episodes), and what follows from them follows there as anywhere. Each tick adds what came since; what was
forgotten is forgotten in it, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing

from engrain import event as events
from engrain.event import (
    EPISODE,
    FIX,
    FORGET,
    LESSON,
    LESSON_STATE,
    OUTCOME,
    PROJECT_MERGE,
    PROJECT_SEEN,
    Event,
)
from engrain.learn.direct import derive
from engrain.paths import Home, owner_only, replace_file
from engrain.store import Store, open_store

NAME = "answers.db"
KINDS = (EPISODE, FIX, FORGET, LESSON, LESSON_STATE, OUTCOME, PROJECT_MERGE, PROJECT_SEEN)
AT_ONCE = 1000

Changed = Callable[[int], list[tuple[int, Event]]]
"""What came behind a place of a journal, AT_ONCE at most, with its own place each."""


def path(home: Home) -> str:
    """The file that hooks ask."""
    return home.at("hook", NAME)


def keep(home: Home, store: Store, tenant: str) -> int:
    """The file has what is in this store, unless hooks ask that themselves; how much was new."""
    if store.database.dialect == "sqlite":
        return 0
    return update(home, store.where, lambda after: store.changed(tenant, after, kinds=KINDS, limit=AT_ONCE))


def update(home: Home, source: str, changed: Changed, *, tenant: str = "") -> int:
    """The file has what changed at its source since the last time; how much was new. Of another source it is begun
    anew. Call it with the tick's lock held."""
    owner_only(os.path.dirname(path(home)))
    place = _place(home, source)
    # What was told last is looked at again: where it is not there, the source was made anew, or set back to a copy.
    found = changed(place - 1) if place else []
    if not found or found[0][0] != place:
        _begin(home)
        place, found = 0, changed(0)
    if not found or found[-1][0] == place:
        return 0
    new, erased = 0, False
    with closing(open_store(path(home), derive)) as store:
        while found:
            erased = erased or any(event.kind == FORGET for _, event in found)
            new += store.append(_of(tenant, (event for _, event in found))).new
            place = max(place, found[-1][0])
            replace_file(_mark(home), f"{place} {source}".encode())
            found = changed(place) if len(found) == AT_ONCE else []
        if new and erased:
            store.compact()
    return new


def _of(tenant: str, found: Iterable[Event]) -> Iterable[Event]:
    """Events as this machine's tenant calls itself, whatever it is at their source."""
    return (events.checked(each._replace(tenant=tenant)) if tenant else each for each in found)


def _begin(home: Home) -> None:
    for name in (path(home), f"{path(home)}-wal", f"{path(home)}-shm"):
        if os.path.exists(name):
            os.unlink(name)


def _mark(home: Home) -> str:
    return f"{path(home)}.place"


def _place(home: Home, source: str) -> int:
    """How far the file is; 0 where it is of another source, or not there."""
    try:
        with open(_mark(home), encoding="utf-8") as file:
            place, _, of = file.read().partition(" ")
    except OSError:
        return 0
    return int(place) if of == source and place.isdecimal() and os.path.exists(path(home)) else 0
