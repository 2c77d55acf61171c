"""Tokens: who may ask a server of this store. Of each the store has a hash alone; whoever made it saw it once.

    engr_<id>_<secret>      the id finds the row, the secret (256 bits) is compared by its hash, in constant time

A token is of one tenant. Its scopes say what it may do, its agent in whose name it may record (any, where it is empty).
The audit log beside it says what was changed through a server, and by which token.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Sequence
from typing import NamedTuple

from engrain.errors import BadInput, NotFound
from engrain.store.database import Database

READ, WRITE, ADMIN = "read", "write", "admin"
SCOPES = (READ, WRITE, ADMIN)

PREFIX = "engr"
NO_END = 0
LONGEST_NAME = 100

_FORM = re.compile(rf"{PREFIX}_([0-9a-f]{{12}})_([A-Za-z0-9]{{43}})")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_USED_EVERY = 60_000_000
_DECOY = hashlib.sha256(b"no token").hexdigest()


class Token(NamedTuple):
    """A token as the store knows it."""

    id: str
    tenant: str
    name: str
    agent: str
    scopes: tuple[str, ...]
    created: int
    expires: int
    revoked: int
    used: int

    def state(self, now: int) -> str:
        """`active`, `expired` or `revoked`."""
        if self.revoked:
            return "revoked"
        return "expired" if self.expires and self.expires <= now else "active"


class Change(NamedTuple):
    """A line of the audit log; `place` is its place there."""

    place: int
    time: int
    token: str
    address: str
    method: str
    path: str
    status: int


class Tokens:
    """The tokens of one store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self, name: str, scopes: Sequence[str], *, tenant: str, agent: str = "", days: float = 0
    ) -> tuple[Token, str]:
        """A new token, and its text, which nobody can tell again."""
        wanted = _checked(name, scopes, days)
        now = self._database.now()
        id_, secret = secrets.token_hex(6), "".join(secrets.choice(_LETTERS) for _ in range(43))
        ends = now + int(days * 86_400_000_000) if days else NO_END
        made = Token(id_, tenant, name, agent, wanted, now, ends, 0, 0)
        row = {**made._asdict(), "scopes": " ".join(wanted), "hash": _hash(secret)}
        self._database.run("insert_token", [row])
        return made, f"{PREFIX}_{id_}_{secret}"

    def known(self, text: str) -> Token | None:
        """The token that this text is, whatever its state; None for any other text, in the same time."""
        form = _FORM.fullmatch(text)
        rows = self._database.all("token_by_id", {"id": form[1] if form else ""})
        same = hmac.compare_digest(_hash(form[2] if form else ""), rows[0][5] if rows else _DECOY)
        return _token(rows[0]) if rows and same else None

    def of(self, id_: str) -> Token | None:
        """The token with this id, whatever its state."""
        rows = self._database.all("token_by_id", {"id": id_})
        return _token(rows[0]) if rows else None

    def used(self, token: Token) -> None:
        """Notes that a token was used, about once a minute."""
        if self.long_unused(token):
            self._database.run("touch_token", [{"id": token.id, "now": self._database.now()}])

    def long_unused(self, token: Token) -> bool:
        """Whether it was last used so long ago that using it is worth a note."""
        return time.time_ns() // 1000 - token.used > _USED_EVERY

    def all(self, tenant: str = "") -> list[Token]:
        """Every token of a tenant, or of all, the newest first."""
        found = [_token(row) for row in self._database.all("all_tokens")]
        return [token for token in found if not tenant or token.tenant == tenant]

    def revoke(self, id_: str, tenant: str = "") -> Token:
        """From now on the token with this id, or the only one whose id begins so or that is named so, opens nothing."""
        found = [token for token in self.all(tenant) if id_ and (token.id.startswith(id_) or token.name == id_)]
        if not found:
            raise NotFound(f"no token {id_!r}; `engrain token list` lists them")
        if len(found) > 1:
            raise BadInput(f"{id_!r} could be {' or '.join(token.id for token in found[:4])}: give more of it")
        self._database.run("revoke_token", [{"id": found[0].id, "now": self._database.now()}])
        return found[0]

    def audit(self, tenant: str, change: Change) -> None:
        """Notes a change."""
        self._database.run("insert_audit", [{**change._asdict(), "tenant": tenant}])

    def changes(self, tenant: str, *, before: int = 2**62, limit: int = 100) -> list[Change]:
        """The latest changes, those before a place first."""
        rows = self._database.all("newest_audit", {"tenant": tenant, "before": before, "limit": limit})
        return [Change._make(row) for row in rows]

    def expire(self, before: int) -> None:
        """Forgets changes that are older."""
        self._database.run("expire_audit", [{"before": before}])


def is_token(text: str) -> bool:
    """Whether a text has the form of one."""
    return _FORM.fullmatch(text) is not None


def _checked(name: str, scopes: Sequence[str], days: float) -> tuple[str, ...]:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadInput(f"a token needs a name of 1 to {LONGEST_NAME} printable characters, to know it again by")
    if unknown := [scope for scope in scopes if scope not in SCOPES]:
        raise BadInput(f"a scope is one of {', '.join(SCOPES)}, not {unknown[0]!r}")
    if not scopes:
        raise BadInput(f"a token needs a scope: {', '.join(SCOPES)}")
    if not 0 <= days <= 36_500:
        raise BadInput("a token holds for 0 (without end) to 36,500 days")
    return tuple(scope for scope in SCOPES if scope in scopes)


def _token(row: Sequence[object]) -> Token:
    id_, tenant, name, agent, scopes, _, *times = row
    created, expires, revoked, used = (int(str(each)) for each in times)
    return Token(
        str(id_), str(tenant), str(name), str(agent), tuple(str(scopes).split()), created, expires, revoked, used
    )


def _hash(secret: str) -> str:
    # The secret is random and long: nothing slower than one hash is needed against guessing.
    return hashlib.sha256(secret.encode()).hexdigest()
