"""A real `engrain serve` in a process of its own, and a client of few words."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

from engrain.memory import Memory
from engrain.store.tokens import Tokens


class Reply(NamedTuple):
    """What a server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def fields(self) -> Any:
        return json.loads(self.body)


class Served:
    """A server, its address, and a token for each purpose."""

    def __init__(self, process: subprocess.Popen[str], port: int, socket_: str, store: str, home: str) -> None:
        self.process, self.port, self.socket, self.store, self.home = process, port, socket_, store, home
        self.token = self.new_token("read", "write")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def new_token(self, *scopes: str, tenant: str = "local", agent: str = "", days: float = 0) -> str:
        """A token that this server knows."""
        with Memory.open(self.home, store=self.store) as memory:
            return Tokens(memory.store.database).create("t", scopes, tenant=tenant, agent=agent, days=days)[1]

    def ask(
        self, method: str, path: str, body: object = None, *, token: str | None = None,
        headers: dict[str, str] | None = None, **query: object,
    ) -> Reply:  # fmt: skip
        """One request; with the usual token unless another is given, without one where it is empty."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        given = self.token if token is None else token
        sent = {**({"Authorization": f"Bearer {given}"} if given else {}), **(headers or {})}
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        if data is not None and "Content-Type" not in sent:
            sent["Content-Type"] = "application/json"
        try:
            connection.request(method, path + (f"?{urlencode(query)}" if query else ""), data, sent)
            answer = connection.getresponse()
            return Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def raw(self, data: bytes, *, wait: float = 30) -> bytes:
        """What comes back for these bytes, until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            connection.sendall(data)
            got = b""
            while piece := connection.recv(65536):
                got += piece
        return got

    def kill(self) -> None:
        """As a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def served(home: str, store: str = "", workers: int = 1, /, *more: str, **environ: str) -> Iterator[Served]:
    """A server of this home, at a port that was free; ended when nobody needs it any more."""
    process = start(home, store, workers, *more, **environ)
    try:
        yield process
    finally:
        if process.process.poll() is None:
            process.process.send_signal(signal.SIGTERM)
            process.process.wait(timeout=20)
        assert process.process.stderr is not None
        process.process.stderr.close()


def start(home: str, store: str = "", workers: int = 1, /, *more: str, **environ: str) -> Served:
    """A server that answers."""
    where = {"ENGRAIN_HOME": home, **({"ENGRAIN_STORE": store} if store else {}), **environ}
    process = subprocess.Popen(
        [sys.executable, "-m", "engrain", "serve", "--port", "0", "--no-work", "--workers", str(workers), *more],
        env={**os.environ, **where}, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    said = process.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+) and at (\S+)", said)
    assert found, said + (process.stderr.read() if process.poll() is not None else "")
    return Served(process, int(found[1]), found[2], store, home)


def inside(
    app: Any, method: str, path: str, body: object = None, *, headers: Mapping[str, str] = MappingProxyType({}),
    client: str = "127.0.0.1", calm: bool = False,
) -> Reply:  # fmt: skip
    """What an application answers in this process; `socket` is the client that needs no token. Whoever is `calm` wants
    the answer of one that breaks, too."""
    sent: list[dict[str, Any]] = []
    data = b"" if body is None else json.dumps(body).encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": data, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    path, _, query = path.partition("?")
    given = {"host": "localhost", "content-type": "application/json", "content-length": str(len(data)), **headers}
    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "root_path": "", "scheme": "http", "http_version": "1.1", "client": (client, 1), "server": ("localhost", 1),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }  # fmt: skip
    with suppress(Exception) if calm else nullcontext():
        asyncio.run(app(scope, receive, send))
    said = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], said, b"".join(each.get("body", b"") for each in sent[1:]))
