"""Tenants on PostgreSQL: one connection, seen by one team at a time, and held to that by the database.

Each transaction says whose it is and acts in a role that owns nothing. The rules of the tables (protection.sql) then
show it rows of that tenant alone, whatever a query asks for or forgets to ask for. When the transaction ends the
connection is everybody's again, also behind a pooler that hands connections from one to the next.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from engrain.store.database import Args, Database, Record

if TYPE_CHECKING:
    from typing import Protocol

    class Shared(Database, Protocol):
        """A database that several tenants are in."""

        def acting_for(self, tenant: str) -> AbstractContextManager[None]: ...


ROLE = "engrain_tenant"

ACT = f"""SELECT set_config('search_path', %(path)s, true), set_config('engrain.tenant', %(tenant)s, true),
  set_config('role', '{ROLE}', true)"""
"""The path to the tables is said too: a part of it may be named after the user who connected."""

POSSIBLE = f"""SELECT (SELECT string_agg(quote_ident(each), ', ') FROM unnest(current_schemas(false)) AS each)
  FROM pg_roles WHERE rolname = '{ROLE}' AND pg_has_role(current_user, oid, 'MEMBER')"""


class OneTenant:
    """A database as one tenant sees it."""

    def __init__(self, shared: Shared, tenant: str) -> None:
        self._shared, self._tenant = shared, tenant
        self.dialect, self.where = shared.dialect, shared.where

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[None]:
        with self._shared.acting_for(self._tenant), self._shared.transaction(alone=alone):
            yield

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._shared.acting_for(self._tenant), self._shared.snapshot():
            yield

    def all(self, query: str, args: Args | None = None) -> list[Record]:
        with self._shared.acting_for(self._tenant):
            return self._shared.all(query, args)

    def stream(self, query: str, args: Args | None = None) -> Generator[Record, None, None]:
        with self._shared.acting_for(self._tenant):
            yield from self._shared.stream(query, args)

    def run(self, query: str, rows: Sequence[Args]) -> None:
        with self._shared.acting_for(self._tenant):
            self._shared.run(query, rows)

    def add(self, query: str, rows: Sequence[Args]) -> list[bool]:
        with self._shared.acting_for(self._tenant):
            return self._shared.add(query, rows)

    def execute(self, statement: str) -> None:
        with self._shared.acting_for(self._tenant), self._shared.transaction():
            self._shared.execute(statement)

    def of(self, tenant: str) -> Database:
        """Nobody becomes another tenant from here."""
        return self if tenant == self._tenant else self._shared.of(tenant)

    def protect(self) -> None:
        self._shared.protect()

    def match(self, groups: Sequence[Sequence[Sequence[str]]], places: Sequence[Sequence[str]]) -> str:
        return self._shared.match(groups, places)

    def wait_at_most(self, seconds: float) -> None:
        self._shared.wait_at_most(seconds)

    def announce(self) -> None:
        self._shared.announce()

    def heard(self, seconds: float) -> bool:
        return self._shared.heard(seconds)

    def compact(self) -> None:
        self._shared.compact()

    def problems(self, *, deep: bool) -> list[str]:
        return self._shared.problems(deep=deep)

    def concerns(self) -> list[str]:
        return self._shared.concerns()

    def now(self) -> int:
        return self._shared.now()

    def close(self) -> None:
        self._shared.close()


__all__ = ["OneTenant"]
