"""Serving: the application on uvicorn, at a port of this machine and, beside it, at a socket of this user's own.

A connection that says nothing, or never ends its request's head, is closed: none can be held open for nothing. On the
socket the kernel says who connected, and the same user needs no token.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import Sequence
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from engrain.errors import HomeUnusable
from engrain.rest.app import Pages, Service, Surface, application
from engrain.rest.guard import Receive, Scope, Send, refusal
from engrain.rest.metrics import Watched
from engrain.rest.problems import LATER, Problem

HEAD_SECONDS = 5.0
CLOSING_SECONDS = 10
MOST_CONNECTIONS = 1_000
LARGEST_HEAD = 64 * 1024


class Protocol(H11Protocol):
    """HTTP/1.1 with a time in which a request must have been said, and the user at the other end of a socket."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if (user := _user_of(transport)) is not None and user == os.getuid():
            self.client = ("socket", user)
        if len(self.connections) > MOST_CONNECTIONS:
            self.app = _full
        self._await_head()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before and self._waiting:
            self._waiting.cancel()
            self._waiting = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._await_head()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - what was said is quoted to nobody
        headers, body = refusal(Problem(400, "this is no request that can be read"))
        parts = (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage())
        self.transport.write(b"".join(filter(None, map(self.conn.send, parts))))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting:
            self._waiting.cancel()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._waiting:
            self._waiting.cancel()
        self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)


async def _full(_scope: Scope, _receive: Receive, send: Send) -> None:
    """What one connection too many is answered, whatever it asks."""
    problem = Problem(503, f"more than {MOST_CONNECTIONS:,} connections; nothing of this was stored", later=LATER)
    headers, body = refusal(problem)
    await send({"type": "http.response.start", "status": 503, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": body})


def _user_of(transport: Any) -> int | None:
    """Who is at the other end of a socket of this machine, as the kernel says."""
    peer = transport.get_extra_info("socket")
    if peer is None or peer.family != socket.AF_UNIX or not hasattr(socket, "SO_PEERCRED"):
        return None
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return int(user)


def listening(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A bound port. At a shared one several sockets listen, among which the kernel shares out who comes."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind((host, port))
        bound.listen(512)
    except OSError as exc:
        bound.close()
        raise HomeUnusable(f"can't listen at {host}:{port}: {(exc.strerror or str(exc)).lower()}") from exc
    return bound


def own_socket(path: str) -> socket.socket:
    """A socket that this user alone can reach."""
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if os.path.exists(path):
            _remove_if_dead(path)
        mask = os.umask(0o177)
        try:
            bound.bind(path)
        finally:
            os.umask(mask)
        bound.listen(128)
    except OSError as exc:
        bound.close()
        raise HomeUnusable(f"can't listen at {path}: {(exc.strerror or str(exc)).lower()}") from exc
    return bound


def _remove_if_dead(path: str) -> None:
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        probe.connect(path)
    except ConnectionRefusedError:
        os.unlink(path)
    finally:
        probe.close()


def serve(
    service: Service, sockets: list[socket.socket], surfaces: Sequence[Surface] = (), pages: Pages | None = None, *,
    certificate: str = "", key: str = "", log: bool = False,
) -> None:  # fmt: skip
    """Serves until it is told to end; what it took by then is written."""
    config = uvicorn.Config(
        Watched(application(service, surfaces, pages), log=log),
        http=Protocol,
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=True,
        timeout_keep_alive=int(HEAD_SECONDS),
        timeout_graceful_shutdown=CLOSING_SECONDS,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        ssl_certfile=certificate or None,
        ssl_keyfile=key or None,
    )
    _Server(config, service).run(sockets=sockets)


class _Server(uvicorn.Server):
    """A server whose streams hear that it ends."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.ending = True
        await super().shutdown(sockets)
