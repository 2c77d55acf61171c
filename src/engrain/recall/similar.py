"""Similar: a vector → the events whose vectors are nearest to it.

PostgreSQL is asked itself. Beside a SQLite file lies a copy of its vectors, made for asking: it is never more than a
copy, so what is missing, damaged or too old of it is made anew from the table, and nobody need know.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from engrain.embed import beside
from engrain.store.rows import Key
from engrain.store.vectors import State, Table, Vectors, Wanted

if TYPE_CHECKING:
    from engrain.embed.matrix import Matrix
    from engrain.store.database import Database

EACH, SPARE = 2, 20
"""Vectors that are asked for, for each event and beside: some are of the same one."""
LOOKED_AT = 40
"""Events of which the whole is looked at beside the passages: the nearest."""
WHOLE = 0.3
"""How much the whole of a text counts, beside its nearest passage."""
AT_ONCE = 5000
LEAST_BEHIND, SHARE_BEHIND = 2000, 16
"""Vectors that may lie behind the file before it is written anew: so many, or one in so many of all."""
MUCH_BEHIND = 4
"""Times as many, before whoever asks has to write it."""


class Near(NamedTuple):
    """An event, and how near its meaning is: 1 for the same, 0 for nothing in common."""

    tenant: str
    project: str
    id: str
    kind: str
    similarity: float


class Similar:
    """Asks the vectors of one store; keeps what it needs for the next question."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._vectors = Vectors(database)
        self._held: dict[int, Matrix] = {}
        self._lock = threading.Lock()

    def nearest(self, table: Table, vector: bytes, wanted: Wanted, limit: int) -> list[Near]:
        """The events of a table that are nearest to a vector of 32-bit floats, best first."""
        rows = self._rows(table, vector, wanted, limit * EACH + SPARE)
        best: dict[Key, Near] = {}
        for near in rows:
            best.setdefault(near[:3], near)
        return self._whole(table, vector, list(best.values()))[:limit]

    def _whole(self, table: Table, vector: bytes, best: list[Near]) -> list[Near]:
        """How near events are: as their nearest passage, and a little as the whole."""
        from engrain.embed.vector import near_halves

        vectors = self._vectors.of_events(table, [each[:3] for each in best[:LOOKED_AT]])
        found = []
        for each in best[:LOOKED_AT]:
            all_of = near_halves(vector, vectors[each[:3]])
            if all_of:
                near = WHOLE * all_of[0] + (1 - WHOLE) * max(all_of[1:] or all_of)
                found.append(each._replace(similarity=near))
        return [*sorted(found, key=lambda each: (-each.similarity, each[:3])), *best[LOOKED_AT:]]

    def _rows(self, table: Table, vector: bytes, wanted: Wanted, limit: int) -> list[Near]:
        """The nearest vectors, several of one event among them."""
        if self._database.dialect != "sqlite":
            from engrain.embed.vector import halved

            return [Near(*row) for row in self._vectors.nearest(table, halved(vector), wanted, limit)]
        with self._lock:
            matrix = self._current(table, MUCH_BEHIND)
            fits = _fits(wanted)
            best = (
                matrix.nearest(vector, fits, limit, lambda rows: self._vectors.of(table, rows))
                if matrix is not None
                else []
            )
        named = self._vectors.named(table, [row for row, _ in best])
        # A row may have gone since.
        found = [(named[row], similarity) for row, similarity in best if row in named]
        return [Near(tenant, project, id_, kind, near) for (tenant, project, id_, kind), near in found]

    def settle(self, table: Table) -> None:
        """The file beside a SQLite store has about all that is in its table."""
        if self._database.dialect == "sqlite":
            with self._lock:
                self._current(table, 1)

    def forget(self, table: Table) -> None:
        """The table is gone, and so is the copy of it."""
        with self._lock:
            self._held.pop(table.number, None)
            if self._database.dialect == "sqlite":
                beside.remove(self._database.where)

    def _current(self, table: Table, patience: int) -> Matrix | None:
        """The copy, brought up to date; written when too much of it is not in its file."""
        state = self._vectors.state(table)
        if state is None:
            return None
        matrix = self._follow(table, state)
        if matrix.behind > patience * max(LEAST_BEHIND, len(matrix) // SHARE_BEHIND):
            matrix = self._rewritten(table, matrix)
        self._held[table.number] = matrix
        return matrix

    def _follow(self, table: Table, state: State) -> Matrix:
        from engrain.embed.matrix import Copied, Matrix, opened

        copied = Copied(state.stamp, state.erased, table.dimension)
        matrix = self._held.get(table.number)
        if matrix is None or matrix.copied != copied or matrix.last > state.last:
            matrix = opened(self._path(table), copied, state.last) or Matrix(copied)
        while matrix.last < state.last and (more := self._vectors.after(table, matrix.last, AT_ONCE)):
            matrix.add([v.row for v in more], [v[1:4] for v in more], [v.vector for v in more])
        return matrix

    def _rewritten(self, table: Table, matrix: Matrix) -> Matrix:
        from engrain.embed.matrix import opened

        with beside.writing(self._database.where) as mine:
            state = self._vectors.state(table)
            # What was erased meanwhile must not come back with a file.
            if mine and state is not None and (state.stamp, state.erased) == matrix.copied[:2]:
                try:
                    matrix.write(self._path(table))
                except OSError:
                    return matrix
                return opened(self._path(table), matrix.copied, matrix.last) or matrix
        return matrix

    def _path(self, table: Table) -> str:
        return beside.path(self._database.where, table.number)


def _fits(wanted: Wanted) -> Callable[[tuple[str, str, str]], bool]:
    """Whether a place is one that a question is about."""
    projects, kinds = frozenset(wanted.projects), frozenset(wanted.kinds)

    def fits(place: tuple[str, str, str]) -> bool:
        tenant, project, kind = place
        here = not projects or project in projects
        return tenant == wanted.tenant and here and (not kinds or kind in kinds)

    return fits
