"""The store: the journal and the tables that follow from it.

    store      Store: one method per question, the same on every database
    jobs       Jobs: slow work with leases, retries and a dead-letter list
    vectors    Vectors: what texts mean, a cache beside the journal
    tables     what is derived from an event, as rows
    rows       an event as the journal's table has it
    database   the six verbs that a database must have
    sqlite     one file, the default
    postgres   a server that a team shares
    tenants    one connection, seen by one team at a time
    migrate    schema.sql for a new store, migrations for an old one
    queries    named SQL from sql/<dialect>/queries.sql
    reader     answers questions from a SQLite file, for the hook
    foreign    the database of another tool, to be read alone

Events come in; rows, hits and a dump go out. The journal (table `events`) is the truth. Everything else is derived
from it in the same transaction, by a function that the caller hands in, and can be rebuilt. The store knows nothing
of files, agents or learning.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.store.store import Store
    from engrain.store.tables import Derive


def open_store(where: str, derive: Derive) -> Store:
    """The store at a path or a `postgresql://` URL, made if it is new, brought up to date if it is old."""
    from engrain.store.store import Store

    if where.startswith(("postgresql://", "postgres://")):
        from engrain.store.postgres import PostgresDatabase

        return Store(PostgresDatabase(where), derive)
    if "://" in where:
        from engrain.errors import BadInput

        # Taken for a path it would be a new store in a folder of that name. What follows may hold a password.
        raise BadInput(f"{where.partition('://')[0]}://… is no store: it is a path, or a postgresql:// URL")
    from engrain.store.sqlite import SqliteDatabase

    return Store(SqliteDatabase(where), derive)


def __getattr__(name: str) -> object:
    """`Store` when somebody asks for it: the reader, which the hook uses, must not pay for it."""
    if name != "Store":
        raise AttributeError(f"module 'engrain.store' has no attribute {name!r}")
    from engrain.store.store import Store

    return Store


__all__ = ["Store", "open_store"]
