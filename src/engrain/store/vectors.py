"""Vectors: what texts mean, as numbers, in a table for each model and length of vector.

They are a cache beside the journal: in no dump, no export and no copy, made again whenever they are missing, and gone
with their event. A vector is given and kept as its bytes: 16-bit floats, which on PostgreSQL are a `halfvec`. The same
text has the same hash, so that it is embedded once.
"""

from __future__ import annotations

import os
import struct
from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engrain import light
from engrain.errors import StoreError
from engrain.event import EVERYWHERE, Event
from engrain.store import queries
from engrain.store.database import Args, Database, Record
from engrain.store.queries import about
from engrain.store.rows import Key, event_of

_BEFORE = 4
"""Bytes before the numbers of a vector that PostgreSQL sends."""
_NUMBER = 2
"""Bytes of a number that is kept."""


class Table(NamedTuple):
    """Where the vectors of one model and length are."""

    number: int
    model: str
    dimension: int
    stamp: str
    erased: int
    scrubbed: int


class State(NamedTuple):
    """What tells whether a copy of a table is still true."""

    stamp: str
    erased: int
    last: int


class Plan(NamedTuple):
    """How far texts are in line for a model, and how long a text took lately."""

    planned: int = 0
    seconds_each: float = 0.0


class Vector(NamedTuple):
    """The vectors of an event: of the whole, then of its parts; an event without a text has an empty one."""

    event: Event
    hash: str
    vectors: tuple[bytes, ...]


class Placed(NamedTuple):
    """A vector with the row that it has, and where its event happened."""

    row: int
    tenant: str
    project: str
    kind: str
    vector: bytes


class Wanted(NamedTuple):
    """Which events a question is about: of this tenant, of these projects and kinds, or of all."""

    tenant: str
    projects: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


NOT_POSSIBLE = (
    "search by meaning needs pgvector 0.8 or later in the database of the store; whoever administers PostgreSQL says "
    "once CREATE EXTENSION vector"
)


class Vectors:
    """The vectors of one store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Tables

    def tables(self) -> list[Table]:
        """Every table, in the order that they were made."""
        return [Table(*row) for row in self._database.all("vector_tables")]

    def table(self, model: str, dimension: int = 0) -> Table | None:
        """The newest table of a model, of that length if it is named."""
        found = [each for each in self.tables() if each.model == model and dimension in (0, each.dimension)]
        return found[-1] if found else None

    def make(self, model: str, dimension: int) -> Table:
        """The table of a model and a length; it is made if it is not there."""
        if found := self.table(model, dimension):
            return found
        if not self.possible():
            raise StoreError(f"{self._database.where}: {NOT_POSSIBLE}")
        with self._database.transaction(alone=True):
            if found := self.table(model, dimension):
                return found
            number = max((each.number for each in self.tables()), default=0) + 1
            self._run("make_vectors", number, dimension)
            self._database.protect()
            row = {"number": number, "model": model, "dimension": dimension, "stamp": os.urandom(8).hex()}
            self._database.run("add_vector_table", [row])
        made = self.table(model, dimension)
        assert made is not None
        return made

    def drop(self, table: Table) -> None:
        """Takes a table away with all that is in it, and what was in line for its model."""
        with self._database.transaction(alone=True):
            self._run("drop_vectors", table.number, table.dimension)
            self._database.run("remove_vector_table", [{"number": table.number}])
            self.replan(table.model)

    def _run(self, script: str, number: int, dimension: int) -> None:
        text = queries.load(self._database.dialect)[about(script, number)]
        for statement in queries.statements(f"{text};"):
            self._database.execute(statement.replace("#", str(dimension)))

    def possible(self) -> bool:
        """Whether this database can hold vectors."""
        return self._database.dialect == "sqlite" or bool(self._database.all("vectors_possible")[0][0])

    # What is in line

    def plan(self, model: str) -> Plan:
        """How far texts are in line for a model."""
        for planned, texts, seconds in self._database.all("vector_plan", {"model": model}):
            return Plan(int(planned), seconds / texts if texts else 0.0)
        return Plan()

    def arrived(self) -> int:
        """The place of what arrived last."""
        return int(self._database.all("last_arrived")[0][0] or 0)

    def put_in_line(self, model: str, kinds: Sequence[str], size: int) -> int:
        """Jobs for what arrived since the last time, in pieces; how many those are.

        Alone, because a place that is lower than the last one may be committed later, where writers share a lock.
        """
        if self.plan(model).planned >= self.arrived():
            return 0
        with self._database.transaction(alone=True):
            after = self.plan(model).planned
            pieces = self._database.all("pieces_told", {"kinds": list(kinds), "size": size, "after": after})
            if not pieces:
                return 0
            due = self._database.now()
            self._database.run("enqueue", [_job(model, first, last, due) for first, last in pieces])
            self._database.run("set_vector_plan", [{"model": model, "planned": pieces[-1][1]}])
        return len(pieces)

    def replan(self, model: str) -> None:
        """Everything is to be looked at anew for a model."""
        with self._database.transaction():
            self._database.run("drop_jobs_of", [{"kind": job_kind(model)}])
            self._database.run("set_vector_plan", [{"model": model, "planned": 0}])

    def took(self, model: str, texts: int, seconds: float) -> None:
        """Remembers how long embedding takes, for whoever asks how long it still will."""
        self._database.run("clock_vectors", [{"model": model, "texts": texts, "seconds": seconds}])

    def told(self, kinds: Sequence[str]) -> int:
        """How many events there are that may have a vector."""
        return int(self._database.all("count_told", {"kinds": list(kinds)})[0][0])

    def count(self, table: Table) -> int:
        """How many of them have been looked at."""
        return int(self._database.all(about("count_vectors", table.number))[0][0])

    def without(self, table: Table, kinds: Sequence[str], first: int, last: int) -> list[Event]:
        """What arrived between two places and has no vector yet, the newest first."""
        args: Args = {"kinds": list(kinds), "first": first, "last": last}
        rows = self._database.all(about("told_without_vector", table.number), args)
        return [event_of(row, self._database.where) for row in rows]

    # Vectors

    def known(self, table: Table, hashes: Iterable[str]) -> set[str]:
        """Which of these texts have a vector already."""
        rows = self._database.all(about("vectors_known", table.number), {"hashes": sorted(set(hashes))})
        return {str(row[0]) for row in rows}

    def put(self, table: Table, made: Sequence[Vector]) -> int:
        """Keeps vectors of events that are still there; how many events have one now that had none."""
        rows = [
            {**_about(each), "part": part, "vector": self._kept(vector)}
            for each in made
            for part, vector in enumerate(each.vectors)
        ]
        fresh = self._database.add(about("insert_vectors", table.number), rows)
        return sum(new for row, new in zip(rows, fresh, strict=True) if row["part"] == 0)

    def share(self, table: Table, made: Sequence[Vector]) -> int:
        """Gives events the vectors that their text has already; how many."""
        rows = [{**_about(each), "part": part} for each in made for part in range(MOST_PARTS)]
        fresh = self._database.add(about("copy_vectors", table.number), rows)
        return sum(new for row, new in zip(rows, fresh, strict=True) if row["part"] == 0)

    def erase(self, keys: Iterable[Key]) -> None:
        """Takes away the vectors of these events, of every model."""
        rows = [{"tenant": tenant, "project": project, "id": id_} for tenant, project, id_ in keys]
        for table in self.tables():
            if any(self._database.add(about("erase_vectors", table.number), rows)):
                self._database.run("erased_vectors", [{"number": table.number}])

    def _kept(self, vector: bytes) -> bytes | str | None:
        if not vector or self._database.dialect == "sqlite":
            return vector or None
        return str(list(struct.unpack(f"<{len(vector) // _NUMBER}e", vector)))

    # Asking PostgreSQL, which has the nearest itself

    def nearest(self, table: Table, vector: bytes, wanted: Wanted, limit: int) -> list[Record]:
        """(tenant, project, id, kind, similarity) of the nearest, best first."""
        args: Args = {
            "tenant": wanted.tenant, "projects": list(wanted.projects), "anywhere": not wanted.projects,
            "kinds": list(wanted.kinds), "any": not wanted.kinds, "vector": self._kept(vector), "limit": limit,
        }  # fmt: skip
        few = self._database.all(about("vectors_chosen", table.number), {**args, "limit": FEW + 1})[0][0] <= FEW
        if few:
            return self._database.all(about("vectors_nearest_of_few", table.number), args)
        with self._database.snapshot():
            wide = str(min(MOST_WIDE, max(LEAST_WIDE, 2 * limit)))
            self._database.all("vectors_walk", {"wide": wide, "most": str(MOST_WALKED)})
            rows = self._database.all(about("vectors_nearest", table.number), args)
        return sorted(rows, key=lambda row: (-row[4], *row[:3]))

    def of_events(self, table: Table, keys: Sequence[Key]) -> dict[Key, list[bytes]]:
        """The vectors of these events, that of the whole first."""
        found: dict[Key, list[bytes]] = {key: [] for key in keys}
        args = {name: sorted({key[at] for key in keys}) for at, name in enumerate(("tenants", "projects", "ids"))}
        rows = self._database.all(about("vectors_of_events", table.number), args)
        for tenant, project, id_, _, vector in rows:
            if (key := (tenant, project, id_)) in found:
                found[key].append(self._given(vector))
        return found

    def _given(self, kept: bytes) -> bytes:
        """A kept vector as its bytes; PostgreSQL sends its length before it, and the larger byte of a number first."""
        if self._database.dialect == "sqlite":
            return kept
        numbers = array("H", kept[_BEFORE:])
        numbers.byteswap()
        return numbers.tobytes()

    # Asking for rows, for a copy beside a SQLite file

    def state(self, table: Table) -> State | None:
        """What tells whether a copy of a table is still true; None when the table is gone."""
        for stamp, erased, last in self._database.all(about("vectors_state", table.number), {"number": table.number}):
            return State(str(stamp), int(erased), int(last or 0))
        return None

    def after(self, table: Table, row: int, limit: int) -> list[Placed]:
        """Vectors behind a row, in their order."""
        rows = self._database.all(about("vectors_after", table.number), {"after": row, "limit": limit})
        return [Placed(*each) for each in rows]

    def of(self, table: Table, rows: Iterable[int]) -> dict[int, bytes]:
        """The vectors in these rows."""
        return dict(self._database.all(about("vectors_of", table.number), {"rows": list(rows)}))

    def named(self, table: Table, rows: Iterable[int]) -> dict[int, tuple[str, str, str, str]]:
        """Which events these rows are of: (tenant, project, id, kind)."""
        found = self._database.all(about("vectors_named", table.number), {"rows": list(rows)})
        return {int(row): (tenant, project, id_, kind) for row, tenant, project, id_, kind in found}


MOST_PARTS = 5
"""Vectors of one event: of the whole, and of its parts."""
FEW = 20_000
"""Vectors that PostgreSQL compares one by one: as quick as its index, and nothing is missed."""
LEAST_WIDE, MOST_WIDE = 100, 1000
MOST_WALKED = 200_000
"""Vectors that a walk through the index looks at, at most, until enough of them are what the question is about."""


def job_kind(model: str) -> str:
    """The kind of the jobs that embed what arrived between two places: one for each model."""
    return f"embed:{model}"


def _job(model: str, first: int, last: int, due: int) -> Args:
    return {
        "tenant": EVERYWHERE, "project": EVERYWHERE, "kind": job_kind(model), "key": f"{first}-{last}", "due": due,
        "body": light.dumps({"first": first, "last": last}, ordered=True),
    }  # fmt: skip


def _about(each: Vector) -> Args:
    event = each.event
    return {
        "tenant": event.tenant, "project": event.project, "id": event.id, "kind": event.kind, "hash": each.hash,
    }  # fmt: skip
