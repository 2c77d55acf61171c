"""HTTP: the transport for those who reach the memory over a network: one path of a server that has let them in already.

Whoever asks was let in by the guard of that server, which says in the request's state of which tenant they are and what
they may do. Every request stands for itself (no session is kept, nothing is pushed), so that a token that was revoked
opens nothing a moment later. The project is named in the address, because nobody here works in a folder:

    http://127.0.0.1:3377/mcp?project=ID

Not covered: a client of 2025 can't be asked for a person's word here, for which it would need a session; so it forgets
nothing. One of 2026 can.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import parse_qs

from mcp.server.transport_security import TransportSecuritySettings

from engrain.mcp.desk import Visit
from engrain.mcp.server import server_of
from engrain.project import Project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engrain.memory import Memory

PATH = "/mcp"
MOST_NAME = 512

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Memories = Callable[[str, Project], AbstractContextManager["Memory"]]
"""A memory of a tenant as seen from a project, one's own for a while."""


class Asker(Protocol):
    """Whoever was let in."""

    @property
    def tenant(self) -> str: ...
    @property
    def agent(self) -> str: ...
    def may(self, scope: str, /) -> bool: ...


class Surface(NamedTuple):
    """An application for one path, and what must be running while it is asked."""

    path: str
    app: Callable[[Scope, Receive, Send], Awaitable[None]]
    living: Callable[[], AbstractAsyncContextManager[Any]]


_whose: ContextVar[tuple[str, Project]] = ContextVar("whose")


def surface(memories: Memories) -> Surface:
    """MCP for a server that guards its paths: its `state` has an `asker`, and `changing`, which says why that one may
    not change something."""

    @contextmanager
    def turn() -> Iterator[Memory]:
        with memories(*_whose.get()) as memory:
            yield memory

    made = server_of(turn)
    # Host and Origin are the guard's.
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    inner = made.streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, transport_security=unguarded
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        asker: Asker = scope["state"]["asker"]
        project = _project(scope)
        visit = Visit(bool(project), asker.may("write"), scope["state"]["changing"], asker.agent)
        # A request is a task of its own: what is set here is gone with it.
        _whose.set((asker.tenant, Project(project or "-", "", "", "", "", "", "as the address says")))
        with made.desk.visited(visit):
            await inner(scope, receive, send)

    return Surface(PATH, app, lambda: inner.router.lifespan_context(inner))


def _project(scope: Scope) -> str:
    """The project that the address names."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    named = "".join(asked.get("project", ())[:1])
    return named if named.isprintable() and len(named) <= MOST_NAME else ""
