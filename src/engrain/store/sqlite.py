"""SQLite: one owner-only file, write-ahead log, short transactions. The only module that imports sqlite3 to store."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import quote

from engrain.errors import (
    EngrainError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreRefused,
)
from engrain.paths import owner_only, reason
from engrain.store import migrate, queries
from engrain.store.database import Args, Record

BUSY_SECONDS = 15.0
LOOK_SECONDS = 0.25

# Primary result codes: https://www.sqlite.org/rescode.html. A write that the disk refuses comes as FULL or as IOERR.
_TRANSLATION: dict[int, tuple[type[EngrainError], str]] = {
    sqlite3.SQLITE_BUSY: (StoreBusy, "another process holds it; nothing was changed"),
    sqlite3.SQLITE_LOCKED: (StoreBusy, "another process holds it; nothing was changed"),
    sqlite3.SQLITE_FULL: (StoreFull, "the disk is full; what was stored before is intact"),
    sqlite3.SQLITE_IOERR: (StoreFull, "the disk refuses to read or write; what was stored before is intact"),
    sqlite3.SQLITE_READONLY: (StoreReadOnly, "it is read-only; nothing was changed"),
    sqlite3.SQLITE_PERM: (StoreReadOnly, "permission denied; nothing was changed"),
    sqlite3.SQLITE_TOOBIG: (StoreRefused, "this is larger than it can hold; nothing was changed"),
    sqlite3.SQLITE_CANTOPEN: (StoreError, "it can't be opened"),
    sqlite3.SQLITE_CORRUPT: (StoreDamaged, "the file is damaged; `engrain doctor` explains"),
    sqlite3.SQLITE_NOTADB: (StoreDamaged, "the file is not a database; `engrain doctor` explains"),
}


class SqliteDatabase:
    """One connection, used by one thread at a time. A frozen one reads a file that nobody changes."""

    dialect = "sqlite"

    def __init__(self, path: str, *, frozen: bool = False) -> None:
        self.where = os.path.abspath(path)
        self._frozen = frozen
        self._queries = queries.load(self.dialect)
        self._lock = threading.RLock()
        self._depth = 0
        self._seen = 0
        with self._translated():
            self._connection = _connect(self.where, frozen)
            try:
                self._open_schema()
            except BaseException:
                self._connection.close()
                raise

    def _open_schema(self) -> None:
        if not self._frozen:
            migrate.bring_up_to_date(self)
        elif not self.has_schema():
            raise StoreDamaged(f"{self.where}: not a store of Engrain")
        else:
            migrate.pending(self)

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[None]:  # noqa: ARG002 - SQLite has one writer anyway
        with self._lock, self._translated():
            if self._depth:
                yield
                return
            self._connection.execute("BEGIN IMMEDIATE")
            self._depth = 1
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # A full disk makes SQLite roll back by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            finally:
                self._depth = 0

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._lock, self._translated():
            if self._depth:
                yield
                return
            self._connection.execute("BEGIN")
            self._depth = 1
            try:
                yield
            finally:
                self._depth = 0
                self._connection.execute("ROLLBACK")

    def all(self, query: str, args: Args | None = None) -> list[Record]:
        with self._lock, self._translated():
            return self._connection.execute(self._queries[query], _plain(args or {})).fetchall()

    def stream(self, query: str, args: Args | None = None) -> Generator[Record, None, None]:
        with self._lock, self._translated():
            yield from self._connection.execute(self._queries[query], _plain(args or {}))

    def run(self, query: str, rows: Sequence[Args]) -> None:
        with self.transaction():
            self._connection.executemany(self._queries[query], [_plain(row) for row in rows])

    def add(self, query: str, rows: Sequence[Args]) -> list[bool]:
        statement = self._queries[query]
        with self.transaction():
            return [self._connection.execute(statement, _plain(row)).rowcount == 1 for row in rows]

    def of(self, tenant: str) -> SqliteDatabase:  # noqa: ARG002 - a file has one owner
        return self

    def match(self, groups: Sequence[Sequence[Sequence[str]]], places: Sequence[Sequence[str]]) -> str:
        said = [" OR ".join(f'"{" ".join(phrase)}"' for phrase in group) for group in groups]
        put = [" OR ".join(f'"{word}"' for word in group) for group in places]
        return " AND ".join([*(f"({{text names}} : ({each}))" for each in said), *(f"(place : ({p}))" for p in put)])

    def wait_at_most(self, seconds: float) -> None:
        with self._lock, self._translated():
            self._connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def announce(self) -> None:
        """Who waits looks at the file."""

    def heard(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while (version := self._version()) == self._seen and time.monotonic() < deadline:
            time.sleep(min(LOOK_SECONDS, seconds))
        changed, self._seen = version != self._seen, version
        return changed

    def _version(self) -> int:
        """A number that another connection's commit changes."""
        with self._lock, self._translated():
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def compact(self) -> None:
        with self._lock, self._translated():
            # Before version 3.42 the full-text index keeps deleted words until its segments are merged.
            self._connection.execute("INSERT INTO words (words) VALUES ('optimize')")
            self._connection.execute("VACUUM")
            busy = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if busy:
                raise StoreBusy(
                    f"{self.where}: a reader holds the write-ahead log; what was erased may still lie in it"
                )

    def problems(self, *, deep: bool) -> list[str]:
        check = "integrity_check" if deep else "quick_check"
        try:
            with self._lock, self._translated():
                found = [str(row[0]) for row in self._connection.execute(f"PRAGMA {check}(20)")]
                if deep and not self._frozen:
                    self._connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
        except StoreDamaged as exc:
            return [str(exc)]
        return [] if found == ["ok"] else found

    def copy_to(self, path: str) -> None:
        """An online copy into a new file, whole whatever others write meanwhile."""
        with self._lock, self._translated():
            target = _connect(path)
            try:
                # All pages in one step, which holds one moment of the log: with several, each commit of another
                # process starts the copy anew, and under steady writing it never ends.
                self._connection.backup(target, pages=-1)
                # One file, not three, and nothing of it in a log.
                target.execute("PRAGMA journal_mode = DELETE")
            finally:
                target.close()

    def leave_one_file(self) -> None:
        """Ends write-ahead logging, so that the store is one file."""
        with self._lock, self._translated():
            self._connection.execute("PRAGMA journal_mode = DELETE")

    def concerns(self) -> list[str]:
        return []

    def now(self) -> int:
        return time.time_ns() // 1000

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def has_schema(self) -> bool:
        with self._lock, self._translated():
            found = self._connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone()
            return found is not None

    def protect(self) -> None:
        """There are no roles in a file."""

    def execute(self, statement: str) -> None:
        with self._lock, self._translated():
            self._connection.execute(statement)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as exc:
            raise _engrain_error(self.where, exc) from exc


def _engrain_error(where: str, exc: sqlite3.Error) -> EngrainError:
    code = getattr(exc, "sqlite_errorcode", None)
    kind, what = _TRANSLATION.get((code or 0) & 0xFF, (StoreError, str(exc)))
    return kind(f"{where}: {what}")


def _connect(path: str, frozen: bool = False) -> sqlite3.Connection:
    how = "mode=ro&immutable=1" if frozen else _access(path)
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?{how}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _set_up(connection, writable=how == "mode=rw")
    except BaseException:
        connection.close()
        raise
    return connection


def _set_up(connection: sqlite3.Connection, *, writable: bool) -> None:
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA cache_size = -65536")
    if writable and connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")
    # A segment of the spool is removed after the commit, so the commit must be on the disk.
    connection.execute("PRAGMA synchronous = FULL")


def _access(path: str) -> str:
    """How to open the file: to write, made owner-only if it is new, or else as it lies."""
    folder = os.path.dirname(path)
    if not os.path.exists(path):
        owner_only(folder)
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except OSError as exc:
            raise StoreReadOnly(f"can't make {path}: {reason(exc)}") from exc
    if os.access(path, os.W_OK) and os.access(folder, os.W_OK):
        return "mode=rw"
    # Without the right to write there can be no shared memory beside the log: a store at rest is read as it lies.
    return "mode=ro" if os.path.exists(f"{path}-shm") else "mode=ro&immutable=1"


def _plain(args: Args) -> Args:
    """Lists travel as JSON, for json_each."""
    if any(isinstance(value, list) for value in args.values()):
        return {k: json.dumps(v) if isinstance(v, list) else v for k, v in args.items()}
    return args
