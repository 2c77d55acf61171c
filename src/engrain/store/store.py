"""Store: the journal and what follows from it, one method per question.

Appending is the hot path: new rows and commutative counts, under a lock that writers share. Whatever takes something
back (a forget, an earlier version of an event, a rebuild) holds the journal alone and counts again what it touched.
Either way the tables end as a function of the set of events, in whatever order these came.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from itertools import islice
from typing import NamedTuple

from engrain import event as events_
from engrain.errors import StoreBusy, StoreNewer
from engrain.event import FORGET, REPLY, SESSION_END, TOOL_CALL, Event
from engrain.model import merged, within
from engrain.store import queries
from engrain.store.database import Args, Database, Record
from engrain.store.jobs import LEARN
from engrain.store.rows import Key, event_of
from engrain.store.tables import COUNTED, DERIVED, FOLDED, Derive
from engrain.store.vectors import Vectors
from engrain.store.words import Phrases, Where, Words


class Written(NamedTuple):
    """An event as it is written: its body as text, which is made once, and what it carried."""

    event: Event
    text: str
    carried: str


Progress = Callable[[int], None]

BATCH = 2000
DAY = 86_400_000_000
BATCH_CHARACTERS = 32 * 1024 * 1024
BATCH_TRIES = 5

_LEARNED = frozenset([TOOL_CALL, REPLY, SESSION_END])


class Appended(NamedTuple):
    """What became of the events that were handed in."""

    new: int = 0
    known: int = 0
    forgotten: int = 0

    def __add__(self, other: object) -> Appended:
        if not isinstance(other, Appended):
            return NotImplemented
        return Appended(self.new + other.new, self.known + other.known, self.forgotten + other.forgotten)


class Found(NamedTuple):
    """An event that a search found, and how well its text fits."""

    event: Event
    score: float


class Choice(NamedTuple):
    """Which events are meant: all conditions that are set must hold."""

    ids: tuple[str, ...] = ()
    session: str = ""
    project: str = ""
    before: int = 0
    matching: str = ""


class _Alone(Exception):  # noqa: N818 - a signal, not an error
    """This batch takes something back, so it must hold the journal alone."""


class Store:
    """The journal and its derived tables on one database."""

    def __init__(self, database: Database, derive: Derive) -> None:
        self.database = database
        self._derive = derive
        self.words = Words(database)

    @property
    def where(self) -> str:
        """The path or URL of the store, without a password."""
        return self.database.where

    def of(self, tenant: str) -> Store:
        """The same store as one tenant sees it: where the database can, it holds the others' rows back by itself."""
        return Store(self.database.of(tenant), self._derive)

    def append(self, events: Iterable[Event], progress: Progress | None = None) -> Appended:
        """The events are in the journal, with what follows from them, each once. A transaction for each batch."""
        total = Appended()
        for batch in _batches(events):
            total += self._append_batch(batch)
            if any(written.event.kind == TOOL_CALL for written in batch):
                self.database.announce()
            if progress:
                progress(len(batch))
        return total

    def _append_batch(self, batch: list[Written]) -> Appended:
        alone = any(written.event.kind == FORGET for written in batch)
        for attempt in range(BATCH_TRIES):
            try:
                with self.database.transaction(alone=alone):
                    self._check_version()
                    return self._append(batch, alone)
            except _Alone:
                alone = True
            except StoreBusy:
                if attempt == BATCH_TRIES - 1:
                    raise
        raise StoreBusy(f"{self.where}: writers kept meeting; nothing was changed")

    def _append(self, batch: list[Written], alone: bool) -> Appended:
        unique = _earliest_by_key(batch)
        gone = self._gone([written.event for written in unique])
        wanted = [w for w in unique if (w.event.tenant, w.event.id) not in gone or w.event.kind == FORGET]
        fresh = self.database.add("insert_event", [_row(written.event, written.text) for written in wanted])
        added = [written for written, is_new in zip(wanted, fresh, strict=True) if is_new]
        new = [written.event for written in added]
        known = [written.event for written, is_new in zip(wanted, fresh, strict=True) if not is_new]
        earlier = self._earlier_than_stored(known)
        if earlier and not alone:
            raise _Alone
        rows = self._insert_derived(new)
        self._keep_bodies(added)
        self._count(new)
        self._count_rows(rows)
        self._ask_to_learn(new)
        # After the count, because replacing counts whole projects again.
        self._replace(earlier)
        forgets = [event for event in (*new, *earlier) if event.kind == FORGET]
        if forgets:
            self._erase_forgotten(forgets)
        return Appended(len(new), len(batch) - len(new) - (len(unique) - len(wanted)), len(unique) - len(wanted))

    def _gone(self, events: list[Event]) -> set[tuple[str, str]]:
        rows = self.database.all("tombstones_of", {"ids": [event.id for event in events]})
        return {(tenant, target) for tenant, target in rows}

    def _earlier_than_stored(self, known: list[Event]) -> list[Event]:
        """Of the events that are there already: those whose version given now must hold instead."""
        if not known:
            return []
        stored = {_key(e): e for e in self.get([event.id for event in known])}
        return [event for event in known if _rank(event) < _rank(stored[_key(event)])]

    def _replace(self, events: list[Event]) -> None:
        if not events:
            return
        self._erase([_key(event) for event in events])
        self.database.add("insert_event", [_row(event, events_.body_text(event)) for event in events])
        self._insert_derived(events)
        self._fold(_key(event)[:2] for event in events)

    def _keep_bodies(self, added: list[Written]) -> None:
        carrying = [written for written in added if written.carried]
        if carrying:
            rows = [{**_place(w.event), "time": w.event.time, "text": w.carried} for w in carrying]
            self.database.run("insert_bodies", rows)

    def _ask_to_learn(self, new: list[Event]) -> None:
        """Each session with new calls, or that stopped, is in line to be learned from, in one order everywhere."""
        sessions = {(e.tenant, e.project, e.session): e for e in new if e.kind in _LEARNED and e.session}
        if sessions:
            due = self.database.now()
            rows = [
                {"tenant": tenant, "project": project, "kind": LEARN, "key": session, "body": "{}", "due": due}
                for tenant, project, session in sorted(sessions)
            ]
            self.database.run("enqueue", rows)

    def _insert_derived(self, events: list[Event]) -> dict[str, list[Args]]:
        rows: dict[str, list[Args]] = {}
        for event in events:
            for row in self._derive(event):
                rows.setdefault(row.table, []).append({**_place(event), **row.values})
        for table in DERIVED:
            if table in rows:
                self.database.run(f"insert_{table}", rows[table])
        return rows

    def _count_rows(self, rows: dict[str, list[Args]]) -> None:
        """Adds to the counts of what rows are about; in one order everywhere, as below."""
        for table, folded in COUNTED.items():
            if table in rows:
                ordered = sorted(rows[table], key=lambda row: (row["tenant"], row["project"], row["fix"], row["time"]))
                self.database.run(f"add_{folded}", ordered)

    def _count(self, events: list[Event]) -> None:
        """Adds to what is counted of each, in one order everywhere: writers can't block each other."""
        sessions: dict[tuple[str, ...], Args] = {}
        projects: dict[tuple[str, ...], Args] = {}
        days = Counter((e.tenant, e.project, e.time // DAY, e.kind) for e in events)
        for e in events:
            where = {"tenant": e.tenant, "project": e.project}
            _widen(projects, (e.tenant, e.project), where, e.time)
            if e.session:
                who = {**where, "session": e.session, "agent": e.agent}
                _widen(sessions, (e.tenant, e.project, e.session, e.agent), who, e.time)
        for table, rows in (("sessions", sessions), ("projects", projects)):
            if rows:
                self.database.run(f"add_{table}", [rows[key] for key in sorted(rows)])
        if days:
            names = ("tenant", "project", "day", "kind", "events")
            self.database.run("add_days", [dict(zip(names, (*key, days[key]), strict=True)) for key in sorted(days)])

    def _fold(self, places: Iterable[tuple[str, ...]]) -> None:
        """Counts the sessions and events of these projects again from the journal."""
        rows = [{"tenant": tenant, "project": project} for tenant, project in sorted(set(places))]
        for table in FOLDED:
            self.database.run(f"unfold_{table}", rows)
            self.database.run(f"fold_{table}", rows)

    def _erase_forgotten(self, forgets: list[Event]) -> None:
        targets = {(event.tenant, target) for event in forgets for target in events_.targets(event)}
        found = self.get([target for _, target in targets])
        keys = [_key(e) for e in found if (e.tenant, e.id) in targets and e.kind != FORGET]
        self._erase(keys)
        self._fold(key[:2] for key in keys)

    def _erase(self, keys: list[Key]) -> None:
        rows = [{"tenant": tenant, "project": project, "id": id_} for tenant, project, id_ in keys]
        for table in (*DERIVED, "bodies", "events"):
            self.database.run(f"erase_{table}", rows)
        Vectors(self.database).erase(keys)

    def expiring(self, kind: str, before: int, *, limit: int) -> list[Key]:
        """Events of a kind before a time that nothing rests on, the oldest first."""
        args: Args = {"kind": kind, "before": before, "limit": limit}
        return [(str(t), str(p), str(id_)) for t, p, id_ in self.database.all("expiring", args)]

    def size_of(self, kind: str) -> int:
        """How many characters the bodies of a kind have."""
        return int(self.database.all("size_of_kind", {"kind": kind})[0][0] or 0)

    def size_cut(self, kind: str, most: int) -> int:
        """The time before which, counted from the newest, there are more characters of a kind than that."""
        return int(self.database.all("size_cut", {"kind": kind, "most": most})[0][0] or -1) + 1

    def expire(self, keys: list[Key]) -> None:
        """Takes these events away with what follows from them, and leaves no tombstone."""
        with self.database.transaction(alone=True):
            self._erase(keys)
            self._fold(key[:2] for key in keys)

    def get(self, ids: Iterable[str]) -> list[Event]:
        """The events with these ids, in the journal's order."""
        return [self._read(row) for row in self.database.all("events_by_ids", {"ids": sorted(set(ids))})]

    def calls(self, tenant: str, project: str, session: str, *, limit: int) -> list[Event]:
        """The tool calls of a session, in their order."""
        args: Args = {"tenant": tenant, "project": project, "session": session, "limit": limit}
        return [self._read(row) for row in self.database.all("calls_of_session", args)]

    def talk(self, tenant: str, project: str, session: str, *, limit: int) -> list[Event]:
        """What was asked and said in a session, in its order, and that it ended."""
        args: Args = {"tenant": tenant, "project": project, "session": session, "limit": limit}
        return [self._read(row) for row in self.database.all("talk_of_session", args)]

    def events_of_session(self, tenant: str, session: str, agent: str) -> Iterator[Event]:
        """Everything of a session, in its order."""
        args: Args = {"tenant": tenant, "session": session, "agent": agent}
        with closing(self.database.stream("events_of_session", args)) as rows:
            for row in rows:
                yield self._read(row)

    def latest(self, args: Args) -> list[Event]:
        """A page of the journal, the latest first."""
        return [self._read(row) for row in self.database.all("latest_events", args)]

    def told(self, question: str, args: Args) -> list[Event]:
        """The events that a question by name answers with."""
        return [self._read(row) for row in self.database.all(question, args)]

    def arrived(self, after: int, *, since: int, limit: int = BATCH) -> list[tuple[int, Event]]:
        """What happened since a time and came behind a place in the journal's order of arrival, with its own place.
        Read it in no snapshot: of writers who share the journal, only what nobody can come before is told."""
        args: Args = {"after": after, "most": self.last_arrived(), "since": since, "limit": limit}
        rows = self.database.all("arrived_after", args)
        return [(int(row[9]), self._read(row)) for row in rows]

    def changed(
        self, tenant: str, after: int, *, kinds: Iterable[str] = (), limit: int = BATCH
    ) -> list[tuple[int, Event]]:
        """What of a tenant, of these kinds or any, came behind a place in the order of arrival, with its own place."""
        wanted = sorted(kinds)
        args: Args = {
            "tenant": tenant, "after": after, "most": self.last_arrived(), "kinds": wanted, "every": int(not wanted),
            "limit": limit,
        }  # fmt: skip
        return [(int(row[9]), self._read(row)) for row in self.database.all("changed_after", args)]

    def last_arrived(self) -> int:
        """The place of what came last: whatever comes from now on has a higher one."""
        return int(self.database.all("settled")[0][0] or 0)

    def ids_of_session(self, tenant: str, session: str, agent: str) -> set[str]:
        """The ids of everything that a session has, in whichever projects."""
        args: Args = {"tenant": tenant, "session": session, "agent": agent}
        return {str(row[0]) for row in self.database.all("ids_of_session", args)}

    def said_in_session(self, tenant: str, session: str, agent: str) -> list[Event]:
        """How a session began, and what was said in it."""
        args: Args = {"tenant": tenant, "session": session, "agent": agent}
        return [self._read(row) for row in self.database.all("said_in_session", args)]

    def events(self) -> Iterator[Event]:
        """The whole journal, ordered by time and id."""
        with closing(self.database.stream("all_events")) as rows:
            for row in rows:
                yield self._read(row)

    def events_after(self, tenant: str, last: Event | None, *, limit: int = BATCH) -> list[Event]:
        """The events of a tenant behind one of them, or the first ones, in the journal's order."""
        time, id_, project = (last.time, last.id, last.project) if last else (-1, "", "")
        args: Args = {"tenant": tenant, "time": time, "id": id_, "project": project, "limit": limit}
        return [self._read(row) for row in self.database.all("events_after", args)]

    def _read(self, row: Record) -> Event:
        return event_of(row, self.where)

    def choose(self, choice: Choice) -> list[Key]:
        """The keys of the events that are meant; an empty choice means none."""
        if choice == Choice():
            return []
        args = {
            "session": choice.session,
            "project": choice.project,
            "projects": within(choice.project, self.database.all("dump_merges")),
            "before": choice.before,
            "matching": json.dumps(choice.matching, ensure_ascii=False)[1:-1],
        }
        if choice.ids:
            chosen = [_key(event) for event in self.get(choice.ids) if event.kind != FORGET]
            if choice == Choice(ids=choice.ids):
                return chosen
            return [key for key in self._keys(args) if key in set(chosen)]
        return self._keys(args)

    def _keys(self, args: Args) -> list[Key]:
        return [(tenant, project, id_) for tenant, project, id_ in self.database.all("chosen_events", args)]

    def search(self, terms: Sequence[Phrases], where: Where = Where(), *, limit: int = 10) -> list[Found]:  # noqa: B008
        """Events whose text has all of the terms, or if none has, any of them; best first."""
        found = self.words.all_of(terms, where, limit=limit) or self.words.any_of(terms, where, limit=limit)
        events = self.keyed([fitting.key for fitting in found])
        return [Found(events[fitting.key], fitting.score) for fitting in found if fitting.key in events]

    def keyed(self, keys: Sequence[Key]) -> dict[Key, Event]:
        """The events that have these keys."""
        wanted = set(keys)
        return {key: event for event in self.get(id_ for _, _, id_ in keys) if (key := _key(event)) in wanted}

    def same_project(self, project: str) -> list[str]:
        """The project with all those that were merged into it, and what it was merged into."""
        return merged(project, self.database.all("dump_merges"))

    def sessions(self) -> list[Record]:
        """(tenant, project, session, agent, started, ended, events) of every session."""
        return self.database.all("dump_sessions")

    def projects(self) -> list[Record]:
        """(tenant, project, started, ended, events) of every project."""
        return self.database.all("dump_projects")

    def places(self) -> list[Record]:
        """(tenant, project, id, time, name, root, remote) of every place where a project was seen."""
        return self.database.all("dump_places")

    def count(self) -> int:
        """How many events there are."""
        return int(self.database.all("count_events")[0][0])

    def span(self) -> tuple[int, int]:
        """When the first and the newest event happened; 0 when there is none."""
        _, first, last = self.database.all("count_events")[0]
        return int(first or 0), int(last or 0)

    def kinds(self) -> list[tuple[str, int]]:
        """How many events of each kind there are."""
        return [(str(kind), int(number)) for kind, number in self.database.all("count_kinds")]

    def redactions(self) -> list[tuple[str, int]]:
        """How often each rule took something out of events before they were written."""
        return [(str(rule), int(number)) for rule, number in self.database.all("count_redactions")]

    def tombstones(self) -> set[str]:
        """Every id that was forgotten."""
        return {str(row[3]) for row in self.database.all("dump_tombstones")}

    def forgotten(self) -> set[tuple[str, str]]:
        """(tenant, id) of everything that was forgotten."""
        return {(str(row[0]), str(row[3])) for row in self.database.all("dump_tombstones")}

    def dump(self) -> Iterator[str]:
        """Every derived row as a line of JSON, the same on any database that holds the same events."""
        with self.database.snapshot():
            for table in (*DERIVED, *FOLDED):
                for row in self.database.stream(f"dump_{table}"):
                    yield json.dumps([table, *row], ensure_ascii=False)

    def rebuild(self, progress: Progress | None = None) -> int:
        """Makes every derived table anew from the journal, in one transaction; how many events were read."""
        with self.database.transaction(alone=True):
            self._check_version()
            for table in (*DERIVED, *FOLDED):
                self.database.run(f"clear_{table}", [{}])
            done, journal = 0, self.events()
            while batch := list(islice(journal, BATCH)):
                rows = self._insert_derived(batch)
                self._count(batch)
                self._count_rows(rows)
                done += len(batch)
                if progress:
                    progress(len(batch))
        return done

    def snapshot(self) -> AbstractContextManager[None]:
        """Reads inside see one moment."""
        return self.database.snapshot()

    def compact(self) -> None:
        """Leaves nothing of erased events in the files of the database."""
        self.database.compact()

    def close(self) -> None:
        """Lets go of the database."""
        self.database.close()

    def _check_version(self) -> None:
        """Another process may have upgraded the store since we opened it."""
        known = queries.migrations("sqlite")
        seen, last = self.database.all("version")[0]
        if int(seen) > len(known) or str(last) > known[-1]:
            raise StoreNewer(
                f"{self.where} was upgraded by a newer Engrain; this version stops writing to it: upgrade Engrain"
            )


def _batches(events: Iterable[Event]) -> Iterator[list[Written]]:
    """The events in batches that a transaction, and memory, can hold."""
    batch: list[Written] = []
    size = 0
    for event in events:
        kept, carried = events_.without_bodies(event)
        written = Written(kept, events_.body_text(kept), carried)
        batch.append(written)
        size += len(written.text) + len(carried)
        if len(batch) == BATCH or size > BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _earliest_by_key(batch: list[Written]) -> list[Written]:
    """One event for each key, ordered by key."""
    chosen: dict[Key, Written] = {}
    for written in batch:
        key = _key(written.event)
        if key not in chosen or _rank(written.event) < _rank(chosen[key].event):
            chosen[key] = written
    return [chosen[key] for key in sorted(chosen)]


def _place(event: Event) -> Args:
    return {"tenant": event.tenant, "project": event.project, "id": event.id}


def _key(event: Event) -> Key:
    return event.tenant, event.project, event.id


def _rank(event: Event) -> tuple[bool, int, str]:
    """Of two versions of an event the lower rank holds; nothing takes a forget back."""
    return event.kind != FORGET, event.time, events_.line(event)


def _row(event: Event, text: str) -> Args:
    return {**event._asdict(), "body": text}


def _widen(rows: dict[tuple[str, ...], Args], key: tuple[str, ...], columns: Args, time: int) -> None:
    row = rows.setdefault(key, {**columns, "started": time, "ended": time, "events": 0})
    row["started"], row["ended"] = min(row["started"], time), max(row["ended"], time)
    row["events"] += 1
