"""Who asks: the token that a request came with, or the same user on this machine, and what that may do."""

from __future__ import annotations

from typing import NamedTuple

from engrain.memory.remote.verbs import VERBS
from engrain.store.tokens import ADMIN, READ, SCOPES, WRITE, Token


class Asker(NamedTuple):
    """Somebody who was let in."""

    id: str
    tenant: str
    agent: str
    scopes: tuple[str, ...]
    address: str

    def may(self, scope: str) -> bool:
        """Whether this is allowed to them."""
        return scope in self.scopes


def holder(token: Token, address: str) -> Asker:
    """Who holds a token."""
    return Asker(token.id, token.tenant, token.agent, token.scopes, address)


def same_user(tenant: str) -> Asker:
    """Whoever came by the socket of this user's own, with this user's credentials."""
    return Asker("socket", tenant, "", SCOPES, "socket")


def trusted(tenant: str, agent: str, address: str) -> Asker:
    """An agent on this machine without a token, where the settings say that such are trusted."""
    return Asker(f"trusted:{agent or address}", tenant, agent, (READ, WRITE), address)


def scope_of(method: str, path: str) -> str:
    """What a request needs: reading asks, writing changes, and what concerns everybody is for admins."""
    if path.startswith("/v1/admin"):
        return ADMIN
    if method in ("GET", "HEAD") or path in ASKING or VERBS.get(path.removeprefix("/v1/memory/")) == READ:
        return READ
    return WRITE


ASKING = frozenset(
    [
        "/v1/match",
        "/v1/lessons/match",
        "/v1/context",
        "/mcp",
        "/v1/tickets",
        "/logout",
        "/v1/tasks/similar",
        "/v1/patterns/match",
    ]
)
"""Questions whose words are too long for an address, so that they are posted, and what changes nothing that is kept.
What changes something over MCP asks the guard once more (`changing`)."""

OPEN = frozenset(["/health", "/ready", "/login", "/enter"])
"""What anybody may ask: whether somebody is there, and to be let in."""
