"""The guard: what stands before every route. A request comes in when all of this holds, in this order:

    Host        is one that this server goes by: a page that had its name turned to 127.0.0.1 is sent away
    Origin      is of this machine, or named in the settings, where a browser says one
    size, time  a body has a length that is allowed, and comes in time
    token       known, not expired, not revoked, with the scope that the request needs; or the login that it opened, and
                what a page changes is asked by a page of ours
    rate        not more often than the settings say

It writes the audit log of what was changed, and puts the headers on that keep a browser in bounds. No route can forget
any of it, because none is asked before.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlsplit

import anyio
import anyio.to_thread

from engrain.errors import EngrainError
from engrain.redact import redact
from engrain.rest.limits import Limit
from engrain.rest.login import HEADER, Login, Logins, named, of_form, says
from engrain.rest.problems import Problem, of_error, rendered
from engrain.rest.who import OPEN, Asker, holder, same_user, scope_of, trusted
from engrain.store.tokens import READ, WRITE, Change, Token

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Found = TypeVar("Found")

LOCAL = frozenset(["127.0.0.1", "localhost", "[::1]", "::1"])
BODY_SECONDS = 30.0
MOST_HEADERS = 32 * 1024
CHANGES = frozenset(["POST", "PUT", "PATCH", "DELETE"])
GUESSES_A_MINUTE = 120
MOST_FORM = 1024 * 1024
NO_PAGES = ("/v1/", "/mcp", "/openapi.json")

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
    guesses: float = GUESSES_A_MINUTE
    trust_local: bool = False
    secure: bool = False


class Doors(NamedTuple):
    """Who is known here: a token by its text, the same by its id, and persons at a browser. What begins with a prefix
    in `free` anybody may see; somebody who wants any other page is first shown the way in, where there is one."""

    known: Callable[[str], Token | None]
    again: Callable[[str], Token | None]
    logins: Logins
    free: tuple[str, ...] = ()
    way_in: str = ""
    near: bool = False
    """Whether looking takes no longer than waking a thread for it."""

    async def looked(self, ask: Callable[[str], Found], text: str) -> Found:
        """What is found, without anybody else waiting for it."""
        return ask(text) if self.near else await anyio.to_thread.run_sync(ask, text)


class Guard:
    """Stands before an application."""

    def __init__(self, app: App, rules: Rules, doors: Doors, noted: Callable[[str, Change], None]) -> None:
        self._app, self._rules, self._doors, self._noted = app, rules, doors, noted
        self._writes, self._reads = Limit(rules.writes), Limit(rules.reads)
        self._guesses = Limit(rules.guesses)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, secure=self._rules.secure)
        scope.setdefault("state", {})
        asker: Asker | None = None
        try:
            headers = _headers(scope)
            origin = self._placed(headers)
            answer.allow(origin)
            if scope["method"] == "OPTIONS":
                raise Problem(204, "")
            length = self._length(headers)
            asker = await self._let_in(scope, headers)
            scope["state"]["asker"] = asker
            if asker:
                scope["state"]["changing"] = partial(self._changing, scope, asker)
            body = self._bounded(receive, length)
            if packed := _packing(headers):
                body = self._unpacked(body, packed)
            if (login := scope["state"].get("login")) and scope["method"] not in ("GET", "HEAD"):
                body = await _of_our_page(headers, login, body)
            await self._app(scope, body, answer)
        except Problem as problem:
            if problem.status == 413 and not answer.status:
                await self._thrown_away(receive, ended=False)
            await answer.refuse(problem)
        except EngrainError as exc:
            # Whose token it is could not be asked.
            await answer.refuse(of_error(exc))
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
                await self._thrown_away(receive, ended=ended)
                raise self._too_large()
            raise Problem(408, "the body did not come in time")

        return bounded

    def _unpacked(self, receive: Receive, packed: str) -> Receive:
        """The body as it was before it was packed, as long as that keeps to the rules, too."""
        if packed != "gzip":
            raise Problem(415, "a body comes as it is, or packed with gzip")
        gzip, most, seen = zlib.decompressobj(zlib.MAX_WBITS | 16), self._rules.most_bytes, 0

        async def unpacked() -> Message:
            nonlocal seen
            message = await receive()
            try:
                body = gzip.decompress(message.get("body", b""), most - seen + 1)
            except zlib.error:
                raise Problem(400, "the body is not packed with gzip") from None
            seen += len(body)
            if seen > most:
                raise self._too_large()
            ends = message["type"] == "http.request" and not message.get("more_body", False)
            if gzip.unused_data or (ends and not gzip.eof):
                raise Problem(400, "the body is not one whole that gzip packed")
            return {**message, "body": body}

        return unpacked

    async def _thrown_away(self, receive: Receive, *, ended: bool) -> None:
        """Reads a little more of what is too large: who is still sending would not hear a refusal."""
        left = self._rules.most_bytes
        with anyio.move_on_after(1):
            while not ended and left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                ended = not message.get("more_body", False)

    async def _let_in(self, scope: Scope, headers: dict[str, str]) -> Asker | None:
        path, method = scope["path"], scope["method"]
        if path in OPEN or path.startswith(self._doors.free or ("\0",)):
            return None
        try:
            asker = await self._asker(scope, headers)
        except Problem as problem:
            raise self._shown_in(problem, scope, headers) from None
        needed = scope_of(method, path)
        if not asker.may(needed):
            raise Problem(403, f"this needs the scope {needed!r}; the token has {', '.join(asker.scopes)}")
        limit = self._reads if needed == READ else self._writes
        if wait := limit.wait(asker.id):
            raise Problem(429, f"more than {limit.a_minute:g} a minute; ask again later", later=wait)
        return asker

    def _shown_in(self, problem: Problem, scope: Scope, headers: dict[str, str]) -> Problem:
        """A person who wants a page is shown where to log in."""
        page = a_page(scope["method"], scope["path"], headers.get("accept", ""))
        if problem.status != 401 or not self._doors.way_in or not page:
            return problem
        wanted = scope["path"] + ("?" if scope["query_string"] else "") + scope["query_string"].decode("latin-1")
        shown = Problem(303, "log in first")
        shown.headers["Location"] = f"{self._doors.way_in}?next={quote(wanted, safe='')}"
        return shown

    async def _asker(self, scope: Scope, headers: dict[str, str]) -> Asker:
        address = str((scope.get("client") or ("",))[0])
        kind, _, text = headers.get("authorization", "").partition(" ")
        if not text and (login := await self._login(headers.get("cookie", ""))):
            return await self._logged_in(scope, login)
        if not text and address == "socket":
            return same_user(self._rules.tenant)
        if not text and self._rules.trust_local and _loopback(address):
            agent = headers.get("x-engrain-agent", "")
            return trusted(self._rules.tenant, agent if _AGENT.fullmatch(agent) else "", address)
        if kind.lower() != "bearer" or not text:
            raise self._refused(address, "a token is needed: Authorization: Bearer …; `engrain token create` makes one")
        token = await self._doors.looked(self._doors.known, text.strip())
        state = token.state(time.time_ns() // 1000) if token else "unknown"
        if token is None or state != "active":
            raise self._refused(address, f"this token is {state}; `engrain token list` lists those that hold")
        return holder(token, address)

    async def _login(self, cookies: str) -> Login | None:
        return await self._doors.looked(self._doors.logins.of, cookies) if named(cookies) else None

    async def _logged_in(self, scope: Scope, login: Login) -> Asker:
        """Whoever logged in, as long as the token holds that opened it."""
        if login.token:
            token = await self._doors.looked(self._doors.again, login.token)
            if token is None or token.state(time.time_ns() // 1000) != "active":
                await anyio.to_thread.run_sync(self._doors.logins.end, login)
                raise Problem(401, "the token that opened this login does not hold any more")
        scope["state"]["login"] = login
        return login.asker

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
        path = redact("".join(each if each.isprintable() else "?" for each in scope["path"]))[:300]
        now = time.time_ns() // 1000
        self._noted(asker.tenant, Change(0, now, asker.id, asker.address, scope["method"], path, status))


def _packing(headers: dict[str, str]) -> str:
    """How a body is packed; nothing where it is as it was."""
    said = headers.get("content-encoding", "").strip().lower()
    return "" if said == "identity" else said


async def _of_our_page(headers: dict[str, str], login: Login, body: Receive) -> Receive:
    """The body, if a page of this server sent it for this login; a browser sends its cookie along for any page."""
    if not own_page(headers):
        raise Problem(403, "only a page of this server may change something for a login")
    said = headers.get(HEADER, "")
    if not said and headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        form = await _whole(body)
        said, body = of_form(form), _once(form)
    if not says(login, said):
        raise Problem(403, f"a page says the `csrf` of its login in {HEADER} or in its form; reload it")
    return body


def a_page(method: str, path: str, accepted: str) -> bool:
    """Whether a person at a browser wants to see something."""
    return method == "GET" and not path.startswith(NO_PAGES) and "text/html" in accepted


def own_page(headers: dict[str, str]) -> bool:
    """Whether a request is not of another page than ours, as far as the browser says so."""
    origin = headers.get("origin", "")
    ours = not origin or urlsplit(origin).netloc == headers.get("host", "")
    return ours and headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


async def _whole(body: Receive) -> bytes:
    parts = bytearray()
    while True:
        message = await body()
        parts += message.get("body", b"")
        if len(parts) > MOST_FORM:
            raise Problem(413, f"a form has at most {MOST_FORM:,} bytes")
        if not message.get("more_body", False):
            return bytes(parts)


def _once(form: bytes) -> Receive:
    left = [{"type": "http.request", "body": form, "more_body": False}]

    async def receive() -> Message:
        return left.pop() if left else {"type": "http.disconnect"}

    return receive


def refusal(problem: Problem) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers and the body of a refusal to whom no application answers."""
    out = rendered(problem)
    said = [(name.lower().encode(), value.encode()) for name, value in out.headers.items()]
    return [*said, (b"content-length", str(len(out.body)).encode()), *HEADERS], out.body


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
