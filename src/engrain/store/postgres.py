"""PostgreSQL: a server that a team shares. The only module that imports psycopg."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from engrain.errors import (
    EngrainError,
    MissingExtra,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreRefused,
    StoreUnreachable,
)
from engrain.store import migrate, queries, tenants
from engrain.store.database import Args, Record
from engrain.store.tenants import OneTenant

try:
    import psycopg
except ImportError as exc:
    raise MissingExtra("a PostgreSQL store needs the extra: pip install 'engrain[postgres]'") from exc

Answer = TypeVar("Answer")

JOURNAL_LOCK = 0x656E6772
"""The advisory lock that appending shares and that erasing, rebuilding and migrating take alone."""

# Where writers share the journal, a place may be seen before one that is lower. So each holds, as long as it writes, a
# lock that tells behind which place it began: `settled` reads these. Its upper half says what it is.
_BEGAN = """pg_advisory_xact_lock_shared((17774::bigint << 48) | CASE WHEN to_regclass('mem_events') IS NULL THEN 0
  ELSE coalesce(pg_sequence_last_value(pg_get_serial_sequence('mem_events', 'seq')::regclass), 0) END)"""

CONNECT_SECONDS = 10
LOCK_SECONDS = 60
ANNOUNCE_SECONDS = 1.0
EVERYBODY = None
"""In whose name a connection acts that sees the rows of all."""

# SQLSTATE classes and codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
_TRANSLATION: tuple[tuple[str, type[EngrainError], str], ...] = (
    ("40", StoreBusy, "two writers met; nothing was changed"),
    ("55P03", StoreBusy, "another process holds it; nothing was changed"),
    ("53100", StoreFull, "the server's disk is full; what was stored before is intact"),
    ("53", StoreBusy, "the server is out of resources; nothing was changed"),
    ("25006", StoreReadOnly, "the server is read-only; nothing was changed"),
    ("42501", StoreReadOnly, "this user may not do that; nothing was changed"),
    ("57P", StoreUnreachable, "the server is shutting down or starting; nothing was changed"),
    ("08", StoreUnreachable, "the connection broke"),
    ("22", StoreRefused, "the server can't hold this value; nothing was changed"),
    ("54", StoreRefused, "this is larger than the server can hold; nothing was changed"),
)


class PostgresDatabase:
    """One connection, used by one thread at a time; opened anew when it broke between two transactions."""

    dialect = "postgres"

    def __init__(self, url: str) -> None:
        self._url = url
        self.where = _named(url)
        self._queries = queries.load(self.dialect)
        self._lock = threading.RLock()
        self._depth = 0
        self._tenant: str | None = EVERYBODY
        self._path = ""
        self._announced = float("-inf")
        self._listening: psycopg.Connection[Record] | None = None
        self._lock_seconds: float = LOCK_SECONDS
        self._connection: psycopg.Connection[Record] | None = None
        try:
            migrate.bring_up_to_date(self)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[None]:
        with self._lock, self._translated():
            if self._depth:
                yield
                return
            # Asked before anything hangs on it: a connection that broke since is opened anew here.
            self._once_more(lambda connection: connection.execute("SELECT 1"))
            with self._open().transaction():
                self._depth = 1
                try:
                    take = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
                    self._open().execute(f"SELECT {take}({JOURNAL_LOCK}), {_BEGAN}")
                    self._act()
                    yield
                finally:
                    self._depth = 0

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._lock, self._translated():
            if self._depth:
                yield
                return
            with self._open().transaction():
                self._depth = 1
                try:
                    self._open().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    self._act()
                    yield
                finally:
                    self._depth = 0

    def all(self, query: str, args: Args | None = None) -> list[Record]:
        return self._once_more(lambda c: self._asked(c, self._queries[query], args or {}))

    def _asked(self, connection: psycopg.Connection[Record], statement: str, args: Args) -> list[Record]:
        if self._depth or self._tenant is EVERYBODY:
            return connection.execute(statement, args).fetchall()
        # In one go: a question of a tenant costs one way more than one of everybody.
        with connection.pipeline(), connection.transaction():
            self._act()
            return connection.execute(statement, args).fetchall()

    def of(self, tenant: str) -> OneTenant:
        if not self._apart():
            raise StoreError(
                f"{self.where}: its tenants can't be kept apart, because this user may not act as the role "
                f"{tenants.ROLE}; docs/how-to/postgres.md says how whoever administers the server allows it"
            )
        return OneTenant(self, tenant)

    def _apart(self) -> bool:
        """Whether tenants can be kept apart here; asked until they can."""
        if not self._path:
            found = self._once_more(lambda c: c.execute(tenants.POSSIBLE).fetchall())
            self._path = str(found[0][0]) if found else ""
        return bool(self._path)

    @contextmanager
    def acting_for(self, tenant: str) -> Iterator[None]:
        """Whatever is asked meanwhile is asked by one tenant: no row of another is seen, changed or made."""
        with self._lock:
            before = self._tenant
            if self._depth and before != tenant:
                raise StoreError(f"{self.where}: a transaction of one tenant can't be joined by another")
            self._tenant = tenant
            try:
                yield
            finally:
                self._tenant = before

    def _act(self) -> None:
        """In this transaction it is the tenant who acts."""
        if self._tenant is not EVERYBODY:
            self._open().execute(tenants.ACT, {"tenant": self._tenant, "path": self._path})

    def protect(self) -> None:
        with self._lock, self._translated():
            self._open().execute(queries.text(self.dialect, "protection.sql").encode())

    def stream(self, query: str, args: Args | None = None) -> Generator[Record, None, None]:
        # A cursor on the server lives in a transaction; a stream on its own makes one.
        with self._lock, self._translated():
            if self._depth:
                yield from self._rows(query, args)
                return
            with self.snapshot():
                yield from self._rows(query, args)

    def _rows(self, query: str, args: Args | None) -> Iterator[Record]:
        with self._open().cursor(name="engrain_stream") as cursor:
            cursor.itersize = 2000
            cursor.execute(self._queries[query], args or {})
            yield from cursor

    def run(self, query: str, rows: Sequence[Args]) -> None:
        with self.transaction(), self._open().cursor() as cursor:
            cursor.executemany(self._queries[query], rows)

    def add(self, query: str, rows: Sequence[Args]) -> list[bool]:
        if not rows:
            return []
        with self.transaction(), self._open().cursor() as cursor:
            cursor.executemany(self._queries[query], rows, returning=True)
            return [result.fetchone() is not None for result in cursor.results()]

    def match(self, groups: Sequence[Sequence[Sequence[str]]], places: Sequence[Sequence[str]]) -> str:
        phrases = [["'" + "' <-> '".join(phrase) + "'" for phrase in group] for group in (*groups, *map(_each, places))]
        return " & ".join(f"({' | '.join(f'({phrase})' for phrase in group)})" for group in phrases)

    def announce(self) -> None:
        # Commits that notify go one after the other in the whole database, so this is no part of one that writes, and
        # comes once in a while. What was not heard of is found when its time has come.
        if self._depth or time.monotonic() - self._announced < ANNOUNCE_SECONDS:
            return
        self._announced = time.monotonic()
        with self._lock, suppress(psycopg.Error):
            self._open().execute("SELECT pg_notify('mem_jobs', '')")

    def heard(self, seconds: float) -> bool:
        with self._lock, self._translated():
            connection = self._open()
            if self._listening is not connection:
                connection.execute("LISTEN mem_jobs")
                self._listening = connection
            return any(True for _ in connection.notifies(timeout=seconds, stop_after=1))

    def compact(self) -> None:
        with self._lock, self._translated():
            # FULL rewrites the tables; a plain vacuum would leave the erased bytes in place. ANALYZE, because the
            # planner's statistics keep samples of the texts.
            for table in _HOLDING:
                self._open().execute(f"VACUUM (FULL, ANALYZE) {table}")
            for number, _, _, _, erased, scrubbed in self.all("vector_tables"):
                # Its index is made anew with it, which takes long: only where a vector went since the last time.
                if erased > scrubbed:
                    self._open().execute(f"VACUUM (FULL, ANALYZE) mem_vectors_{int(number)}".encode())
                    self.run("scrubbed_vectors", [{"number": number, "erased": erased}])

    def problems(self, *, deep: bool) -> list[str]:
        if not deep:
            return []
        with self._lock, self._translated():
            try:
                self._open().execute("SELECT count(*), sum(length(body)) FROM mem_events")
                self._open().execute("SELECT count(*), sum(length(words)) FROM mem_documents")
            except psycopg.errors.DataCorrupted as exc:
                return [str(exc).splitlines()[0]]
        return []

    def concerns(self) -> list[str]:
        let_in, dear = self._once_more(lambda c: (_let_in_unasked(c), c.execute(_DEAR).fetchall()))
        return [*([_UNASKED] if let_in else []), *([_READS_ALL] if dear else [])]

    def now(self) -> int:
        return int(self._once_more(lambda c: c.execute(_CLOCK).fetchall())[0][0])

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def has_schema(self) -> bool:
        found = self._once_more(lambda c: c.execute("SELECT to_regclass('mem_migrations') IS NOT NULL").fetchall())
        return bool(found[0][0])

    def execute(self, statement: str) -> None:
        with self._lock, self._translated():
            self._open().execute(statement.encode())

    def _once_more(self, ask: Callable[[psycopg.Connection[Record]], Answer]) -> Answer:
        """Asks; if the connection turns out to be broken and no transaction hangs on it, asks again on a new one."""
        with self._lock, self._translated():
            fresh = self._connection is None
            try:
                return ask(self._open())
            except psycopg.OperationalError:
                if fresh or self._depth or not self._open_is_broken():
                    raise
                return ask(self._open())

    def _open_is_broken(self) -> bool:
        return self._connection is None or self._connection.closed or self._connection.broken

    def _open(self) -> psycopg.Connection[Record]:
        if not self._depth and self._open_is_broken():
            self._connection = psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=CONNECT_SECONDS,
                # Whatever the database or the environment says: events are UTF-8.
                client_encoding="UTF8",
                application_name="engrain",
            )
            # Not as `options` of the connection: they would replace those of the URL, such as a search_path.
            self._connection.execute("SET client_min_messages = error")
            self._limit()
        assert self._connection is not None
        return self._connection

    def wait_at_most(self, seconds: float) -> None:
        with self._lock, self._translated():
            self._lock_seconds = seconds
            self._open()
            self._limit()

    def _limit(self) -> None:
        assert self._connection is not None
        self._connection.execute(f"SET lock_timeout = '{int(self._lock_seconds * 1000)}ms'".encode())

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as exc:
            raise _engrain_error(self.where, exc) from exc


_UNASKED = "PostgreSQL asks for no password: whoever reaches it reads and changes everything"
_READS_ALL = (
    "a search over all projects of a team reads all of its documents: whoever administers PostgreSQL says once "
    "ALTER FUNCTION ts_match_vq(tsvector, tsquery) LEAKPROOF"
)
_DEAR = "SELECT 1 FROM pg_proc WHERE oid = 'ts_match_vq(tsvector, tsquery)'::regprocedure AND NOT proleakproof"


def _let_in_unasked(connection: psycopg.Connection[Record]) -> bool:
    """Whether the server took our word for who we are, over more than a socket of this machine."""
    far = not connection.info.host.startswith("/")
    shown = connection.pgconn.used_password or connection.pgconn.used_gssapi
    return far and not shown and "sslcert" not in connection.info.get_parameters()


def _named(url: str) -> str:
    """A URL as it may be shown: without who asks, and without a password."""
    return re.sub(r"([?&](?:ssl)?password=)[^&]*", r"\1…", re.sub(r"//[^/]*@", "//", url))


class _Foreign:
    """The tables of another tool on a server, as of one moment (`store.foreign`)."""

    def __init__(self, url: str) -> None:
        self.where = _named(url)
        with self._translated():
            self._connection = psycopg.connect(url, connect_timeout=CONNECT_SECONDS, client_encoding="UTF8")
            # Nothing here can be changed, whatever this user may do.
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def columns(self, table: str) -> frozenset[str]:
        with self._translated():
            found = self._connection.execute(
                "SELECT a.attname FROM pg_attribute a WHERE a.attrelid = to_regclass(%s) AND a.attnum > 0 "
                "AND NOT a.attisdropped",
                (table,),
            )
            return frozenset(str(row[0]) for row in found)

    def size(self, table: str) -> int:
        with self._translated():
            row = self._connection.execute(f'SELECT count(*) FROM "{table}"'.encode()).fetchone()
            return int(row[0]) if row else 0

    def rows(self, table: str, wanted: Sequence[str], order: str = "id") -> Iterator[dict[str, Any]]:
        there = self.columns(table)
        names = [name for name in wanted if name in there]
        if not names:
            return
        quoted = ", ".join(f'"{name}"' for name in names)
        sorted_by = f' ORDER BY "{order}"' if order in there else ""
        with self._translated(), self._connection.cursor(name=f"engrain_{table}") as cursor:
            cursor.itersize = 2000
            cursor.execute(f'SELECT {quoted} FROM "{table}"{sorted_by}'.encode())
            for row in cursor:
                yield {**dict.fromkeys(wanted), **dict(zip(names, row, strict=True))}

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as exc:
            raise _engrain_error(self.where, exc) from exc


def foreign_tables(url: str) -> _Foreign:
    """Another tool's database on a server, to be read alone."""
    return _Foreign(url)


# The tables that hold what somebody wrote.
_HOLDING = (
    "mem_events", "mem_documents", "mem_notes", "mem_places", "mem_merges", "mem_bodies",
    "mem_recipes", "mem_fixes", "mem_failures",
    "mem_calls", "mem_prompts", "mem_lessons", "mem_lesson_keys", "mem_lesson_marks",
    "mem_patterns", "mem_pattern_words", "mem_tasks", "mem_task_words", "mem_task_uses",
)  # fmt: skip


def _each(words: Sequence[str]) -> list[list[str]]:
    return [[word] for word in words]


_CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"


def _engrain_error(where: str, exc: psycopg.Error) -> EngrainError:
    if exc.sqlstate is None and isinstance(exc, psycopg.ProgrammingError):
        # It tells back what it can't read, and that may be a password.
        return StoreUnreachable("the store's URL can't be read: postgresql://USER@HOST:PORT/DATABASE, and % for signs")
    first = (str(exc).strip().splitlines() or [type(exc).__name__])[0]
    if exc.sqlstate is None and isinstance(exc, psycopg.OperationalError):
        return StoreUnreachable(f"{where}: {first}")
    for prefix, kind, what in _TRANSLATION:
        if (exc.sqlstate or "").startswith(prefix):
            return kind(f"{where}: {what}")
    return StoreError(f"{where}: {first}")


__all__ = ["PostgresDatabase", "foreign_tables"]
