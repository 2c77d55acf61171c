"""A new store gets schema.sql; an old one the migrations it has not seen, each with its record in one transaction."""

from __future__ import annotations

from typing import Protocol

from engrain.errors import StoreNewer
from engrain.store import queries
from engrain.store.database import Database


class Migratable(Database, Protocol):
    """What migrating needs of a database beyond the verbs of every day."""

    def has_schema(self) -> bool: ...


def pending(database: Migratable) -> list[str]:
    """The migrations that this store has not seen. Reads only; StoreNewer if it has seen some that we don't know."""
    known = queries.migrations(database.dialect)
    if not database.has_schema():
        return list(known)
    seen = {str(row[0]) for row in database.all("migrated")}
    if newer := sorted(seen - set(known)):
        raise StoreNewer(
            f"{database.where} was written by a newer Engrain (it has {newer[-1]}); "
            "this version leaves it alone: upgrade Engrain to use it"
        )
    return [name for name in known if name not in seen]


def bring_up_to_date(database: Migratable) -> None:
    """The store has the schema of this version. Safe to call from any number of processes at once."""
    if not pending(database):
        return
    if not database.has_schema():
        _create(database)
    for name in pending(database):
        _apply(database, name)


def _create(database: Migratable) -> None:
    with database.transaction(alone=True):
        if database.has_schema():
            return
        for statement in queries.statements(queries.text(database.dialect, "schema.sql")):
            database.execute(statement)
        database.protect()
        names = queries.migrations(database.dialect)
        database.run("record_migration", [{"name": name, "time": database.now()} for name in names])


def _apply(database: Migratable, name: str) -> None:
    with database.transaction(alone=True):
        if name not in pending(database):
            return
        for statement in queries.statements(queries.text(database.dialect, "migrations", name)):
            database.execute(statement)
        database.protect()
        database.run("record_migration", [{"name": name, "time": database.now()}])
