"""Forget: erases events everywhere and leaves a tombstone of the id alone.

The journal, the derived tables, the full-text index, the write-ahead log, the spool and the copies under the home
lose the bytes. The ids are also kept in a ledger beside the store, so that a copy restored after the store itself was
lost does not bring them back. Copies elsewhere can't be reached for sure: they are named, not touched.
"""

from __future__ import annotations

from typing import NamedTuple

from engrain import event as events
from engrain.capture import spool
from engrain.errors import BadEvent, NotFound, StoreBusy
from engrain.event import EVERYWHERE, Event
from engrain.paths import Home, append_line
from engrain.store import Store
from engrain.store.jobs import Jobs
from engrain.store.store import Choice
from engrain.upkeep import backup
from engrain.upkeep.tick import drained

COMPACT = "compact"
"""The job that compacts the store when a reader was in the way."""

_IDS_AT_ONCE = 1000


class Forgotten(NamedTuple):
    """What was erased, which copies were cleaned, and which still hold it."""

    ids: tuple[str, ...]
    compacted: bool
    cleaned: tuple[str, ...]
    still_holding: tuple[str, ...]


def chosen(home: Home, store: Store, choice: Choice) -> list[str]:
    """The ids that a choice means, spool included; NotFound when it means nothing."""
    drained(home, store)
    ids = sorted({key[2] for key in store.choose(choice)})
    if not ids:
        raise NotFound("nothing to forget: no event fits")
    return ids


def forget(home: Home, store: Store, ids: list[str], *, tenant: str) -> Forgotten:
    """Erases these events for good."""
    drained(home, store)
    for start in range(0, len(ids), _IDS_AT_ONCE):
        tombstone = events.forget(ids[start : start + _IDS_AT_ONCE], tenant=tenant)
        # The ledger first: should we die here, the worst is an id that is forgotten a little later.
        append_line(home.forgotten, events.line(tombstone))
        store.append([tombstone])
    _drop_aside(home, ids)
    compacted = _compact(store)
    cleaned, holding = backup.clean(home, set(ids))
    return Forgotten(tuple(ids), compacted, tuple(cleaned), tuple(holding))


def ledger(home: Home) -> list[Event]:
    """Every forget that this home has seen, whatever became of its store."""
    try:
        with open(home.forgotten, "rb") as file:
            lines = [line for line in file.read().split(b"\n") if line]
    except FileNotFoundError:
        return []
    found = []
    for text in lines:
        try:
            found.append(events.parse(text))
        except BadEvent:
            continue  # torn by a crash between the ledger and the journal: that forget never returned
    return found


def _drop_aside(home: Home, ids: list[str]) -> None:
    """A record that could not be read is dropped when a forgotten id stands in it."""
    wanted = [id_.encode() for id_ in ids]
    for path, _ in spool.aside(home.spool):
        record = spool.aside_record(path)
        if any(id_ in record for id_ in wanted):
            spool.drop_aside(path)


def _compact(store: Store) -> bool:
    try:
        store.compact()
    except StoreBusy:
        Jobs(store.database).enqueue(COMPACT, "store", {}, project=EVERYWHERE)
        return False
    return True
