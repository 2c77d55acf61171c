"""Logins: a person at a browser, let in by a token or by a ticket, known again by a cookie.

    token or ticket → POST /login → a cookie that no script can read → pages, which know the login's `csrf`

The server alone has the login, in memory: the cookie is a random name for it. It holds as long as the token does that
opened it, at most for half a day. Whatever a page changes says the `csrf` of its login, in the header
`X-Engrain-CSRF` or a field `csrf` of its form, and comes from this very server: another page, also one of this
machine, can say neither.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from typing import NamedTuple
from urllib.parse import parse_qs

from engrain.rest.who import Asker

COOKIE = "engrain_login"
HEADER, FIELD = "x-engrain-csrf", "csrf"
HOURS = 12
TICKET_SECONDS = 60.0
MOST = 1_000


class Login(NamedTuple):
    """Somebody who logged in; `token` is the id of the token that opened it, empty for this machine's own user."""

    name: str
    asker: Asker
    token: str
    csrf: str
    ends: float


class Ticket(NamedTuple):
    """What a link opens a login with, once and soon."""

    asker: Asker
    token: str
    ends: float


class Logins:
    """Those of a running server."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._logins: dict[str, Login] = {}
        self._tickets: dict[str, Ticket] = {}
        self._lock = threading.Lock()

    def begin(self, asker: Asker, token: str = "") -> Login:
        """A new login."""
        made = Login(secrets.token_urlsafe(32), asker, token, secrets.token_urlsafe(32), self._clock() + HOURS * 3600)
        with self._lock:
            _room(self._logins, self._clock())
            self._logins[made.name] = made
        return made

    def of(self, cookies: str) -> Login | None:
        """The login that a request's cookies name."""
        found = self._logins.get(_named(cookies))
        return found if found and found.ends > self._clock() else None

    def end(self, login: Login) -> None:
        """It opens nothing any more."""
        with self._lock:
            self._logins.pop(login.name, None)

    def ticket(self, asker: Asker, token: str = "", *, text: str = "") -> str:
        """What a link may carry in place of a token: it opens one login, within a minute."""
        text = text or secrets.token_urlsafe(32)
        with self._lock:
            _room(self._tickets, self._clock())
            self._tickets[text] = Ticket(asker, token, self._clock() + TICKET_SECONDS)
        return text

    def redeemed(self, text: str) -> Login | None:
        """The login that a ticket opens; a ticket opens one."""
        with self._lock:
            found = self._tickets.pop(text, None)
        return self.begin(found.asker, found.token) if found and found.ends > self._clock() else None


def cookie(login: Login | None, *, secure: bool) -> str:
    """The header that gives a browser its login, or takes it away."""
    value, age = (login.name, HOURS * 3600) if login else ("", 0)
    return f"{COOKIE}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict" + ("; Secure" if secure else "")


def says(login: Login, said: str) -> bool:
    """Whether a page said what only a page of this login knows."""
    return hmac.compare_digest(login.csrf.encode(), said.encode("utf-8", "replace"))


def of_form(body: bytes) -> str:
    """The `csrf` of a form."""
    try:
        return parse_qs(body.decode("latin-1"), max_num_fields=1000).get(FIELD, [""])[0]
    except ValueError:
        return ""


def _named(cookies: str) -> str:
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(cookies)
    except CookieError:
        return ""
    return jar[COOKIE].value if COOKIE in jar else ""


def _room(held: dict[str, Login] | dict[str, Ticket], now: float) -> None:
    """Forgets what has ended, and beyond a number of them the oldest."""
    for name in [name for name, each in held.items() if each.ends <= now]:
        del held[name]
    while len(held) >= MOST:
        del held[next(iter(held))]
