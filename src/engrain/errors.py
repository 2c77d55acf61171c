"""Everything that Engrain refuses to do, and who gets to see it.

    EngrainError                   the caller sees one line, never a traceback
    ├── BadInput                   exit 2: what was given can't be used
    │   ├── BadEvent               an event that breaks its contract
    │   ├── BadConfig              config.toml or an environment variable
    │   ├── Elsewhere              that is done where the store is, not over a server
    │   ├── WrongBase              an adapter and a model that do not belong together
    │   └── MissingExtra           an optional part is not installed
    ├── NotFound                   exit 1: asked for something that is not there
    ├── GateClosed                 exit 1: a gate said no, or was never asked
    ├── NoRoom                     the disk has no room for a model; what was there before is as it was
    ├── EmbedderUnavailable        no vectors can be made now: search goes by words alone
    ├── HomeUnusable               the folder of Engrain's state can't be read or written
    │   └── SpoolUnwritable        an event could not be put into the spool: it was NOT recorded
    └── StoreError                 the database
        ├── StoreBusy              somebody else holds it for too long
        ├── StoreDamaged           the file is not what it should be
        ├── StoreFull              no room left on the disk
        ├── StoreReadOnly          it can be read, not written
        ├── StoreUnreachable       the server does not answer
        ├── StoreForbidden         the server does not let this token in
        ├── StoreRefused           this database can't hold that event
        │   └── TheseRefused       … some of those that were sent, by their ids; the others are stored
        └── StoreNewer             written by a newer Engrain than this one

Foreign errors (sqlite3, psycopg, OSError) are translated once, where they enter. A message says what happened and what
is still safe; it never suggests a command that destroys something, because an agent may read it and obey.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class EngrainError(Exception):
    """The root: catch this to catch everything that Engrain raises on purpose."""

    exit_code = 1


class BadInput(EngrainError):
    """What was given can't be used as it is."""

    exit_code = 2


class BadEvent(BadInput):
    """An event that breaks its contract: a missing field, a time out of range, a body that is no JSON object."""


class BadConfig(BadInput):
    """A setting that can't be understood; the message names its source."""


class Elsewhere(BadInput):
    """What was asked is done where the store is, not over a server."""


class WrongBase(BadInput):
    """An adapter was trained on another model than the one that was given."""


class MissingExtra(BadInput):
    """An optional part of Engrain is needed and not installed."""


class NotFound(EngrainError):
    """Asked for something that is not there."""


class GateClosed(EngrainError):
    """A gate said no to a run, or was never asked: nothing is made of it."""


class NoRoom(EngrainError):
    """The disk has no room for a model; nothing of it is left, and what was there before is as it was."""


class EmbedderUnavailable(EngrainError):
    """The model that makes vectors is missing or does not answer; search goes by words alone."""


class HomeUnusable(EngrainError):
    """The folder that holds Engrain's state can't be read or written."""


class SpoolUnwritable(HomeUnusable):
    """The event could not be written, so it is not recorded; the caller still has it."""


class StoreError(EngrainError):
    """The database could not do what was asked; nothing was half-done."""


class StoreBusy(StoreError):
    """Another process holds the store for longer than we wait."""


class StoreDamaged(StoreError):
    """The database file is not what it should be."""


class StoreFull(StoreError):
    """The disk has no room left; what was stored before is intact."""


class StoreReadOnly(StoreError):
    """The store can be read but not written."""


class StoreUnreachable(StoreError):
    """The database server does not answer."""


class StoreRefused(StoreError):
    """This database can't hold what was given, however often it is tried."""


class StoreForbidden(StoreError):
    """The server does not let this token in, or not for that; what should be stored is kept until it does."""


class TheseRefused(StoreRefused):
    """Some of the events can't be held, for the reason that each id has; `stored` counts the others, which are."""

    def __init__(self, message: str, why: dict[str, str], stored: Any) -> None:
        super().__init__(message)
        self.why, self.stored = why, stored


class StoreNewer(StoreError):
    """The store was written by a newer Engrain; this one must not touch it."""


__all__ = [
    "EngrainError",
    "BadInput",
    "BadEvent",
    "BadConfig",
    "Elsewhere",
    "WrongBase",
    "MissingExtra",
    "NotFound",
    "GateClosed",
    "NoRoom",
    "EmbedderUnavailable",
    "HomeUnusable",
    "SpoolUnwritable",
    "StoreError",
    "StoreBusy",
    "StoreDamaged",
    "StoreFull",
    "StoreReadOnly",
    "StoreUnreachable",
    "StoreForbidden",
    "StoreRefused",
    "TheseRefused",
    "StoreNewer",
]
