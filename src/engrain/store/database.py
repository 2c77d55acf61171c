"""The verbs that a database must have. Two have them: sqlite and postgres.

A query is named; its text lies in sql/<dialect>/queries.sql. Arguments are named too; a list is passed as a list and
each dialect unfolds it its own way.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Args = dict[str, Any]
Record = tuple[Any, ...]


class Database(Protocol):
    """A connection with named queries, transactions and foreign errors translated."""

    @property
    def dialect(self) -> str:
        """Which of the two it is."""
        ...

    @property
    def where(self) -> str:
        """The path or URL, without a password."""
        ...

    def transaction(self, *, alone: bool = False) -> AbstractContextManager[None]:
        """All or nothing. `alone` waits for other writers and keeps them out until the end."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Reads inside see one moment."""
        ...

    def all(self, query: str, args: Args | None = None) -> list[Record]:
        """Every row of the answer."""
        ...

    def stream(self, query: str, args: Args | None = None) -> Generator[Record, None, None]:
        """The rows of the answer without holding them all."""
        ...

    def run(self, query: str, rows: Sequence[Args]) -> None:
        """Runs a statement once for each row of arguments."""
        ...

    def add(self, query: str, rows: Sequence[Args]) -> list[bool]:
        """Runs an insert for each row of arguments; whether each one was new."""
        ...

    def execute(self, statement: str) -> None:
        """Runs a statement that makes or takes away a table."""
        ...

    def protect(self) -> None:
        """Every table has what each must have beside its columns, after one was made."""
        ...

    def match(self, groups: Sequence[Sequence[Sequence[str]]], places: Sequence[Sequence[str]]) -> str:
        """The full-text query for any phrase of each group, and any word of each group of places, that nobody can
        misread. Words are of letters and digits alone."""
        ...

    def wait_at_most(self, seconds: float) -> None:
        """From now on somebody else who holds it is waited for no longer than this."""
        ...

    def of(self, tenant: str) -> Database:
        """The same database as one tenant sees it, where the database can hold tenants apart; a file has one owner."""
        ...

    def announce(self) -> None:
        """Whoever waits for work hears that there may be some."""
        ...

    def heard(self, seconds: float) -> bool:
        """Whether somebody announced work since the last time; waits for it, but no longer than this."""
        ...

    def compact(self) -> None:
        """Leaves nothing of erased rows in the files."""
        ...

    def problems(self, *, deep: bool) -> list[str]:
        """What is wrong with the database, one line each; empty when nothing is."""
        ...

    def concerns(self) -> list[str]:
        """What whoever runs the database should change about it, one line each."""
        ...

    def now(self) -> int:
        """Microseconds by the clock that everybody who shares this database shares."""
        ...

    def close(self) -> None:
        """Lets go of it."""
        ...
