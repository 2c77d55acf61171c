"""The guard: what stands before every route. A request comes in when all of this holds, in this order:

    Host        is one that this server goes by: a page that had its name turned to 127.0.0.1 is sent away
    Origin      is of this machine, or named in the settings, where a browser says one
    size, time  a body has a length that is allowed, and comes in time
    token       known, not expired, not revoked, with the scope that the request needs
    rate        not more often than the settings say

It writes the audit log of what was changed, and puts the headers on that keep a browser in bounds. No route can forget
any of it, because none is asked before.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from engrain.rest.limits import Limit
from engrain.rest.problems import Problem, rendered
from engrain.rest.who import OPEN, Asker, holder, same_user, scope_of, trusted
from engrain.store.tokens import READ, WRITE, Change, Token

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOCAL = frozenset(["127.0.0.1", "localhost", "[::1]", "::1"])
BODY_SECONDS = 30.0
MOST_HEADERS = 32 * 1024
CHANGES = frozenset(["POST", "PUT", "PATCH", "DELETE"])
GUESSES_A_MINUTE = 120

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")
_AGENT = re.compile(r"[A-Za-z0-9._-]{1,100}")

ASKED_WITH = (
    b"authorization, content-type, idempotency-key, x-engrain-agent, mcp-protocol-version, mcp-method, mcp-name"
)
"""Headers that pages may send."""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
"""On every answer that does not say them itself."""


class Rules(NamedTuple):
    """What the settings say."""

    tenant: str
    hosts: frozenset[str] = LOCAL
    origins: frozenset[str] = frozenset()
    most_bytes: int = 16 * 1024 * 1024
    writes: float = 100
    reads: float = 500
    trust_local: bool = False
    secure: bool = False


class Guard:
    """Stands before an application."""

    def __init__(
        self, app: App, rules: Rules, known: Callable[[str], Token | None], noted: Callable[[str, Change], None]
    ) -> None:
        self._app, self._rules, self._known, self._noted = app, rules, known, noted
        self._writes, self._reads = Limit(rules.writes), Limit(rules.reads)
        self._guesses = Limit(GUESSES_A_MINUTE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, secure=self._rules.secure)
        asker: Asker | None = None
        try:
            headers = _headers(scope)
            origin = self._placed(headers)
            answer.allow(origin)
            if scope["method"] == "OPTIONS":
                raise Problem(204, "")
            length = self._length(headers)
            asker = await self._let_in(scope, headers)
            scope.setdefault("state", {})["asker"] = asker
            if asker:
                scope["state"]["changing"] = partial(self._changing, scope, asker)
            await self._app(scope, self._bounded(receive, length), answer)
        except Problem as problem:
            await answer.refuse(problem)
        finally:
            self._note(scope, asker, answer.status)

    def _placed(self, headers: dict[str, str]) -> str:
        """The origin of the page that asks, if one does; refused where it, or our name in it, is foreign."""
        host = _HOST.fullmatch(headers.get("host", ""))
        if host is None:
            raise Problem(400, "a request needs one well-formed Host")
        if host[1].lower() not in self._rules.hosts:
            raise Problem(
                421, f"this server does not go by the name {host[1][:100]!r}; `server.hosts` names those it does"
            )
        origin = headers.get("origin", "")
        if origin and not self._friendly(origin):
            raise Problem(403, "a page of another origin may not ask; `server.origins` names those that may")
        return origin

    def _friendly(self, origin: str) -> bool:
        if origin in self._rules.origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and (parts.hostname or "") in LOCAL

    def _length(self, headers: dict[str, str]) -> int:
        said = headers.get("content-length", "")
        if said and not (said.isascii() and said.isdigit()):
            raise Problem(400, "Content-Length is no number")
        if said and int(said[:18]) > self._rules.most_bytes:
            raise self._too_large()
        return int(said) if said else -1

    def _too_large(self) -> Problem:
        return Problem(413, f"a request has at most {self._rules.most_bytes:,} bytes; send what is larger in parts")

    def _bounded(self, receive: Receive, length: int) -> Receive:
        """The body, as long as it keeps to the rules."""
        deadline = anyio.current_time() + BODY_SECONDS
        seen = 0
        ended = length == 0

        async def bounded() -> Message:
            nonlocal seen, ended
            if ended:
                return await receive()
            with anyio.move_on_at(deadline):
                message = await receive()
                seen += len(message.get("body", b""))
                ended = not message.get("more_body", False)
                if seen <= self._rules.most_bytes:
                    return message
                await self._thrown_away(receive, ended)
                raise self._too_large()
            raise Problem(408, "the body did not come in time")

        return bounded

    async def _thrown_away(self, receive: Receive, ended: bool) -> None:
        """Reads a little more of what is too large: who is still sending would not hear a refusal."""
        left = self._rules.most_bytes
        with anyio.move_on_after(1):
            while not ended and left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                ended = not message.get("more_body", False)

    async def _let_in(self, scope: Scope, headers: dict[str, str]) -> Asker | None:
        path, method = scope["path"], scope["method"]
        if path in OPEN:
            return None
        address = str((scope.get("client") or ("",))[0])
        asker = await self._asker(headers, address)
        needed = scope_of(method, path)
        if not asker.may(needed):
            raise Problem(403, f"this needs the scope {needed!r}; the token has {', '.join(asker.scopes)}")
        limit = self._reads if needed == READ else self._writes
        if wait := limit.wait(asker.id):
            raise Problem(429, f"more than {limit.a_minute:g} a minute; ask again later", later=wait)
        return asker

    async def _asker(self, headers: dict[str, str], address: str) -> Asker:
        kind, _, text = headers.get("authorization", "").partition(" ")
        if not text and address == "socket":
            return same_user(self._rules.tenant)
        if not text and self._rules.trust_local and _loopback(address):
            agent = headers.get("x-engrain-agent", "")
            return trusted(self._rules.tenant, agent if _AGENT.fullmatch(agent) else "", address)
        if kind.lower() != "bearer" or not text:
            raise self._refused(address, "a token is needed: Authorization: Bearer …; `engrain token create` makes one")
        token = await anyio.to_thread.run_sync(self._known, text.strip())
        state = token.state(time.time_ns() // 1000) if token else "unknown"
        if token is None or state != "active":
            raise self._refused(address, f"this token is {state}; `engrain token list` lists those that hold")
        return holder(token, address)

    def _refused(self, address: str, why: str) -> Problem:
        if wait := self._guesses.wait(address):
            return Problem(429, "too many requests without a token that holds; ask again later", later=wait)
        return Problem(401, why)

    def _changing(self, scope: Scope, asker: Asker, what: str) -> str:
        """Why a request that was let in to ask may not change this; where it may (''), it is in the audit log."""
        if not asker.may(WRITE):
            return f"{what} needs the scope {WRITE!r}; the token has {', '.join(asker.scopes)}"
        if wait := self._writes.wait(asker.id):
            return f"more than {self._rules.writes:g} changes a minute; try again in {wait:.0f} s"
        now = time.time_ns() // 1000
        self._noted(
            asker.tenant, Change(0, now, asker.id, asker.address, scope["method"], f"{scope['path']} {what}", 200)
        )
        return ""

    def _note(self, scope: Scope, asker: Asker | None, status: int) -> None:
        if asker is None or scope["method"] not in CHANGES or scope_of(scope["method"], scope["path"]) == READ:
            return
        path = "".join(each if each.isprintable() else "?" for each in scope["path"])[:300]
        now = time.time_ns() // 1000
        self._noted(asker.tenant, Change(0, now, asker.id, asker.address, scope["method"], path, status))


class _Answer:
    """The way out: headers on everything, and a refusal in place of an answer that has not begun."""

    def __init__(self, send: Send, *, secure: bool) -> None:
        self._send = send
        self._more = list(HEADERS)
        if secure:
            self._more.append((b"strict-transport-security", b"max-age=31536000"))
        self.status = 0

    def allow(self, origin: str) -> None:
        """A page of this origin may read the answer."""
        if origin:
            self._more += [
                (b"access-control-allow-origin", origin.encode("latin-1", "replace")),
                (b"access-control-allow-methods", b"GET, POST, DELETE"),
                (b"access-control-allow-headers", ASKED_WITH),
                (b"access-control-max-age", b"600"),
                (b"vary", b"origin"),
            ]

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            said = {name.lower() for name, _ in message.get("headers", ())}
            message["headers"] = [
                *message.get("headers", ()),
                *((name, value) for name, value in self._more if name == b"vary" or name not in said),
            ]
        await self._send(message)

    async def refuse(self, problem: Problem) -> None:
        """Sends a refusal, unless an answer is on its way already."""
        if self.status:
            return
        out = rendered(problem) if problem.status != 204 else None
        headers = [(k.lower().encode(), v.encode()) for k, v in (out.headers if out else {}).items()]
        body = out.body if out else b""
        headers.append((b"content-length", str(len(body)).encode())) if out else None
        await self({"type": "http.response.start", "status": problem.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


def _headers(scope: Scope) -> dict[str, str]:
    """Headers that are said once; one of ours that is said twice is nobody's."""
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
        raise Problem(431, f"the headers of a request have at most {MOST_HEADERS:,} bytes")
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "authorization", "content-length"):
            raise Problem(400, f"{key} is said twice")
        found[key] = value.decode("latin-1")
    return found


def _loopback(address: str) -> bool:
    return address == "::1" or address.startswith("127.")


def hosts_of(host: str, more: Iterable[str]) -> frozenset[str]:
    """The names that a server goes by."""
    own = {host.lower(), f"[{host.lower()}]"} if host not in ("0.0.0.0", "::", "") else set()  # noqa: S104 - compared
    return frozenset(LOCAL | own | {each.strip().lower() for each in more if each.strip()})
