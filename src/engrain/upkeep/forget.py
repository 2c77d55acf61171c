"""Forget: erases events everywhere and leaves a tombstone of the id alone.

The journal, the derived tables, the full-text index, the write-ahead log, the spool and the copies under the home
lose the bytes. The ids are also kept in a ledger beside the store, so that a copy restored after the store itself was
lost does not bring them back. Copies elsewhere can't be reached for sure: they are named, not touched.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from engrain import event as events
from engrain.capture import spool
from engrain.embed import beside
from engrain.errors import BadEvent, NotFound, StoreBusy
from engrain.event import EVERYWHERE, Event
from engrain.paths import Home, append_line
from engrain.store import Store
from engrain.store.jobs import Job, Jobs
from engrain.store.store import Choice
from engrain.upkeep import backup
from engrain.upkeep.tick import drained, locked

COMPACT = "compact"
"""The job that leaves nothing of what was erased in files and copies, when whoever forgot it could not or died."""

_IDS_AT_ONCE = 1000
_WAIT_SECONDS = 30.0


class Forgotten(NamedTuple):
    """What was erased, which copies were cleaned, and which still hold it."""

    ids: tuple[str, ...]
    compacted: bool
    cleaned: tuple[str, ...]
    still_holding: tuple[str, ...]


def chosen(home: Home, store: Store, choice: Choice, *, tenant: str) -> list[str]:
    """The ids that a choice of this tenant means, spool included; NotFound when it means nothing."""
    drained(home, store)
    ids = {id_ for owner, _, id_ in store.choose(choice) if owner == tenant}
    if choice == Choice(ids=choice.ids):
        # Forgotten before is no mistake: whoever died over it says it again.
        ids |= {id_ for id_ in choice.ids if (tenant, id_) in store.forgotten()}
    if not ids and not aside_with(home, choice):
        raise NotFound("nothing to forget: no event fits")
    return sorted(ids)


def aside_with(home: Home, choice: Choice) -> list[str]:
    """Records kept aside that hold the text of a choice which asks for nothing else: of what nobody could read, nobody
    can tell the session, the project or the time."""
    if not choice.matching or choice != Choice(matching=choice.matching):
        return []
    forms = {choice.matching.encode("utf-8", "replace")}
    forms |= {json.dumps(choice.matching, ensure_ascii=flag)[1:-1].encode("utf-8", "replace") for flag in (True, False)}
    found = []
    for path, _ in spool.aside(home.spool):
        record = spool.aside_record(path)
        if any(form in record for form in forms):
            found.append(path)
    return found


def drop_aside(home: Home, choice: Choice) -> int:
    """Drops those records; how many."""
    with locked(home, wait=_WAIT_SECONDS) as mine:
        if not mine:
            raise StoreBusy(f"{home.root}: a tick is at work")
        found = aside_with(home, choice)
        for path in found:
            spool.drop_aside(path)
    return len(found)


def forget(home: Home, store: Store, ids: list[str], *, tenant: str) -> Forgotten:
    """Erases these events for good."""
    drained(home, store)
    # In line before anything is erased: should we die, the next tick scrubs what we left in files and copies.
    key = events.id_of(COMPACT, *ids)
    jobs = Jobs(store.database)
    jobs.enqueue(COMPACT, key, {}, project=EVERYWHERE, tenant=tenant)
    forgets = [
        events.forget(ids[start : start + _IDS_AT_ONCE], tenant=tenant) for start in range(0, len(ids), _IDS_AT_ONCE)
    ]
    for one in forgets:
        # The ledger first: should we die here, the worst is an id that is forgotten a little later.
        append_line(home.forgotten, events.line(one))
        store.append([one])
    try:
        with locked(home, wait=_WAIT_SECONDS) as mine:
            if not mine:
                raise StoreBusy(f"{home.root}: a tick is at work")
            cleaned, holding = _scrub(home, store, forgets)
    except StoreBusy:
        return Forgotten(tuple(ids), False, (), ())
    jobs.finish(Job(tenant, EVERYWHERE, COMPACT, key, {}, 0, ""))
    return Forgotten(tuple(ids), True, tuple(cleaned), tuple(holding))


def scrub(home: Home, store: Store) -> None:
    """Leaves nothing of all that this home ever forgot in files and copies; call it with the tick's lock held."""
    _scrub(home, store, ledger(home))


def _scrub(home: Home, store: Store, forgets: list[Event]) -> tuple[list[str], list[str]]:
    # The copies first: nothing is ever in their way.
    cleaned, holding = backup.clean(home, forgets)
    _drop_aside(home, [target for one in forgets for target in events.targets(one)])
    store.compact()
    if store.database.dialect == "sqlite":
        beside.remove(store.where)
    return cleaned, holding


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
    """A record that could not be read is dropped when it says a forgotten id as its own."""
    said = [json.dumps(id_, ensure_ascii=flag).encode("utf-8", "replace") for id_ in ids for flag in (True, False)]
    wanted = [between + id_ for id_ in set(said) for between in (b'"id":', b'"id": ')]
    for path, _ in spool.aside(home.spool):
        record = spool.aside_record(path)
        if any(form in record for form in wanted):
            spool.drop_aside(path)
