"""Line: requests to a server, and what its answers mean.

Every answer but success is an error: either what was asked can't be done however often it is asked (`BadInput`,
`NotFound`, `StoreRefused`), or it can be later, and whoever asks keeps what it has. An answer that is none of ours, as
a proxy may give it, is of the second kind.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from engrain import __version__
from engrain.errors import (
    BadConfig,
    BadInput,
    EngrainError,
    HomeUnusable,
    NotFound,
    StoreBusy,
    StoreError,
    StoreForbidden,
    StoreFull,
    StoreUnreachable,
)
from engrain.paths import Home, reason

TOKEN = "ENGRAIN_TOKEN"  # noqa: S105 - the name of a variable
SECONDS = 15.0
MOST_WAIT = 3.0
"""Seconds that a server which says so is waited for, once."""
MOST_ANSWER = 1 << 30

MEANS: dict[int, type[EngrainError]] = {
    400: BadInput, 413: BadInput, 422: BadInput, 501: BadInput, 404: NotFound,
    401: StoreForbidden, 403: StoreForbidden, 421: StoreForbidden,
    408: StoreBusy, 429: StoreBusy, 503: StoreBusy, 507: StoreFull,
}  # fmt: skip
"""What a status is here; any other is a server that does not answer as it should."""

AGAIN = (429, 503)


class Reply(NamedTuple):
    """What came back."""

    status: int
    later: str
    kind: str
    body: bytes


class Line:
    """A connection to a server, opened when first used and again when it broke."""

    def __init__(self, url: str, token: str, *, seconds: float = SECONDS) -> None:
        self.url = checked_url(url)
        self.seconds = seconds
        self._token = token
        self._connection: http.client.HTTPConnection | None = None

    def ask(
        self, method: str, path: str, body: Any = None, *, key: str = "", takes: Sequence[int] = (200, 201),
        **query: Any,
    ) -> Any:  # fmt: skip
        """The JSON object that a request is answered with; an error says what is wrong and whether to come again.
        `key`: what is sent twice under it is done once; `takes`: which answers are no errors."""
        return _fields(self.url, self._answered(method, path, body, key, takes, query))

    def raw(self, path: str, **query: Any) -> bytes:
        """The bytes of an answer that is no JSON."""
        return self._answered("GET", path, None, "", (200,), query).body

    def close(self) -> None:
        """Lets go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _answered(
        self, method: str, path: str, body: Any, key: str, takes: Sequence[int], query: dict[str, Any]
    ) -> Reply:
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        target = path + (f"?{urlencode(query, doseq=True)}" if query else "")
        reply = self._sent(method, target, data, key)
        if reply.status in AGAIN and (wait := _seconds(reply.later)) <= MOST_WAIT:
            sleep(wait)
            reply = self._sent(method, target, data, key)
        if reply.status not in takes:
            raise _refusal(self.url, reply)
        return reply

    def _sent(self, method: str, target: str, data: bytes | None, key: str) -> Reply:
        # A connection that was kept may have been closed meanwhile; whatever is sent again has an id or a key.
        for fresh in (self._connection is None, True):
            try:
                return self._once(method, target, data, key)
            except (OSError, http.client.HTTPException) as exc:
                self.close()
                if fresh:
                    said = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc) or type(exc).__name__
                    raise StoreUnreachable(f"{self.url} does not answer: {said.lower()}") from exc
        raise StoreUnreachable(f"{self.url} does not answer")

    def _once(self, method: str, target: str, data: bytes | None, key: str) -> Reply:
        if self._connection is None:
            self._connection = _connection(self.url, self.seconds)
        headers = {"User-Agent": f"engrain/{__version__}", "Accept": "application/json"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if key:
            headers["Idempotency-Key"] = key
        # Refused unread, as what is too large: why, is said all the same.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._connection.request(method, target, data, headers)
        answer = self._connection.getresponse()
        body = answer.read(MOST_ANSWER)
        if answer.will_close:
            self.close()
        return Reply(answer.status, answer.getheader("Retry-After", ""), answer.getheader("Content-Type", ""), body)


def _fields(url: str, reply: Reply) -> dict[str, Any]:
    try:
        found = json.loads(reply.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise StoreUnreachable(f"{url} answers, but not as Engrain does")
    return found


def _refusal(url: str, reply: Reply) -> EngrainError:
    detail = str(_fields(url, reply).get("detail", "")) if "problem+json" in reply.kind else ""
    if not detail:
        return StoreUnreachable(f"{url} answers {reply.status}, but not as Engrain does")
    kind = MEANS.get(reply.status, StoreError)
    return kind(detail if issubclass(kind, (BadInput, NotFound)) else f"{url}: {detail}")


class _Local(http.client.HTTPConnection):
    """Over a socket of this machine."""

    def __init__(self, path: str, seconds: float) -> None:
        super().__init__("localhost", timeout=seconds)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def is_url(where: str) -> bool:
    """Whether a store is one behind a server."""
    return where.startswith(("http://", "https://", "unix://"))


def token_of(home: Home, environ: Mapping[str, str]) -> str:
    """The token for the server: of the environment, else of a file in the home that is only this user's."""
    if given := environ.get(TOKEN, "").strip():
        return given
    try:
        with open(home.token, encoding="ascii", errors="replace") as file:
            return file.readline(1000).strip()
    except FileNotFoundError:
        return ""
    except OSError as exc:
        raise HomeUnusable(f"can't read {home.token}: {reason(exc)}") from exc


def checked_url(url: str) -> str:
    """The address of a server, without what only a browser would need."""
    try:
        parts = urlsplit(url)
        known = parts.path if parts.scheme == "unix" else parts.hostname and (parts.port or True)
    except ValueError:
        known = None
    if (
        not known
        or not url.isprintable()
        or " " in url
        or parts.query
        or parts.fragment
        or (parts.scheme != "unix" and parts.path not in ("", "/"))
    ):
        raise BadConfig(f"{url!r} is no address of a server: give http://HOST:PORT, https://… or unix:///PATH")
    if parts.username or parts.password:
        raise BadConfig("a token does not belong into the address of a server: set ENGRAIN_TOKEN")
    return url.rstrip("/")


def _connection(url: str, seconds: float) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return _Local(os.path.expanduser(parts.netloc + parts.path), seconds)
    host = str(parts.hostname)
    if parts.scheme == "https":
        return http.client.HTTPSConnection(host, parts.port, timeout=seconds, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, parts.port, timeout=seconds)


def _seconds(said: str) -> float:
    return float(said) if said.isascii() and said.isdigit() else MOST_WAIT + 1
