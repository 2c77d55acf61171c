"""Logins: persons at a browser, and the tickets that let them in. They are in the store, so that any worker of a
server, on any machine, knows them; of each name there is a hash alone, so whoever reads the table can open nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from engrain.store.database import Database

LOGIN, TICKET = "login", "ticket"
MOST = 100
"""Of one who asks."""


class Held(NamedTuple):
    """A login or a ticket: who comes in by it, the id of the token that opened it (or none), and when it ends."""

    form: str
    tenant: str
    asker: str
    agent: str
    scopes: tuple[str, ...]
    address: str
    token: str
    ends: int


class Logins:
    """The logins and tickets of one store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, name: str, held: Held, now: int) -> None:
        """From now on this name lets somebody in. Those that have ended go, and of too many the oldest."""
        row = {**held._asdict(), "scopes": " ".join(held.scopes), "hash": _hash(name)}
        with self._database.transaction():
            self._database.run("insert_login", [row])
            self._database.run(
                "expire_logins", [{"tenant": held.tenant, "asker": held.asker, "most": MOST, "now": now}]
            )

    def of(self, name: str, now: int) -> Held | None:
        """The login of this name, if it holds."""
        return _held(self._database.all("login_of", {"hash": _hash(name), "form": LOGIN, "now": now}))

    def redeemed(self, text: str, now: int) -> Held | None:
        """The ticket of this text, if it holds: for whoever asks first, and for nobody after."""
        return _held(self._database.all("redeem_login", {"hash": _hash(text), "form": TICKET, "now": now}))

    def end(self, name: str) -> None:
        """It opens nothing any more."""
        self._database.run("end_login", [{"hash": _hash(name)}])


def _held(rows: Sequence[Sequence[object]]) -> Held | None:
    if not rows:
        return None
    _, form, tenant, asker, agent, scopes, address, token, ends = rows[0]
    who = (str(tenant), str(asker), str(agent), tuple(str(scopes).split()), str(address))
    return Held(str(form), *who, str(token), int(str(ends)))


def _hash(name: str) -> str:
    # A name is random and long: one hash is enough.
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
