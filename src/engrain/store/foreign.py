"""Foreign: the database of another tool, which is read and never changed.

    with foreign.opened(where) as database:      a path, or a postgresql:// URL
        database.columns("mem_lessons")          what this version of the tool has; nothing where there is no such table
        database.rows("mem_lessons", ("id", "rule", "severity"))

Tools change their tables from version to version: columns that are asked for and not there are None. Rows come one at a
time, so that a table of any size can be read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from engrain.errors import BadInput, EngrainError, StoreUnreachable

WAIT_SECONDS = 5.0

Row = Mapping[str, Any]


class Foreign(Protocol):
    """Tables of another tool."""

    where: str

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table; none where it is not there."""
        ...

    def size(self, table: str) -> int:
        """How many rows a table has."""
        ...

    def rows(self, table: str, wanted: Sequence[str], order: str = "id") -> Iterator[Row]:
        """The rows of a table in that order, each with everything that is wanted."""
        ...

    def close(self) -> None:
        """Lets go of it."""
        ...


@contextmanager
def opened(where: str) -> Iterator[Foreign]:
    """The database at a path or a `postgresql://` URL, read as of one moment."""
    if where.startswith(("postgresql://", "postgres://")):
        from engrain.store.postgres import foreign_tables

        database: Foreign = foreign_tables(where)
    else:
        database = _File(where)
    try:
        yield database
    finally:
        database.close()


class _File:
    """A SQLite file, which its tool may be writing to at this moment."""

    def __init__(self, path: str) -> None:
        self.where = path
        if not os.path.isfile(path):
            raise BadInput(f"no file {path}")
        # Beside a file that is at rest, in a folder where nothing may be written, its log can't be shared.
        shared = os.path.exists(f"{path}-shm") or os.access(os.path.dirname(path) or ".", os.W_OK)
        plain = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        how = "mode=ro" if shared else "mode=ro&immutable=1"
        with self._translated():
            self._connection = sqlite3.connect(f"file:{plain}?{how}", uri=True, timeout=WAIT_SECONDS)
        try:
            with self._translated():
                self._connection.execute("BEGIN")
                self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            self.close()
            raise

    def columns(self, table: str) -> frozenset[str]:
        with self._translated():
            found = self._connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
            return frozenset(str(row[0]) for row in found)

    def size(self, table: str) -> int:
        with self._translated():
            return int(self._connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])

    def rows(self, table: str, wanted: Sequence[str], order: str = "id") -> Iterator[Row]:
        there = self.columns(table)
        names = [name for name in wanted if name in there]
        if not names:
            return
        sorted_by = f' ORDER BY "{order}"' if order in there else ""
        with self._translated():
            quoted = ", ".join(f'"{name}"' for name in names)
            for row in self._connection.execute(f'SELECT {quoted} FROM "{table}"{sorted_by}'):
                yield {**dict.fromkeys(wanted), **dict(zip(names, row, strict=True))}

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as exc:
            if "locked" in str(exc) or "unable to open" in str(exc):
                raise StoreUnreachable(f"{self.where}: {exc}") from exc
            raise _unread(self.where, exc) from exc
        except sqlite3.Error as exc:
            raise _unread(self.where, exc) from exc


def _unread(where: str, exc: sqlite3.Error) -> EngrainError:
    return BadInput(f"{where} is no database that can be read: {exc}")


def json_of(value: Any) -> Any:
    """A column that holds JSON, whichever way the database hands it out; None where it holds none."""
    import json

    if not isinstance(value, (str, bytes)):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
