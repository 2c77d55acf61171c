"""Logins: a person at a browser, let in by a token or by a ticket, known again by a cookie.

    token or ticket → POST /login → a cookie that no script can read → pages, which know the login's `csrf`

The cookie is a random name; who that is stands in the store, so any worker of the server knows it and none has to keep
it. It holds as long as the token does that opened it, at most for half a day. Whatever a page changes says the `csrf`
of its login, in the header `X-Engrain-CSRF` or a field `csrf` of its form, and comes from this very server: another
page, also one of this machine, can say neither.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import parse_qs

from engrain.rest.who import Asker
from engrain.store import logins
from engrain.store.database import Database
from engrain.store.logins import LOGIN, TICKET, Held

COOKIE = "engrain_login"
HEADER, FIELD = "x-engrain-csrf", "csrf"
HOURS = 12
TICKET_SECONDS = 60
LONGEST = 200
"""Characters of a name that is looked for."""


class Login(NamedTuple):
    """Somebody who logged in; `token` is the id of the token that opened it, empty for this machine's own user."""

    name: str
    asker: Asker
    token: str

    @property
    def csrf(self) -> str:
        """What only pages of this login know. It follows from the name, which no page is told."""
        return hmac.new(self.name.encode("utf-8", "replace"), b"csrf", hashlib.sha256).hexdigest()


class Logins:
    """Those of a server, whichever of its workers is asked."""

    def __init__(self, database: Database, clock: Callable[[], int] = lambda: time.time_ns() // 1000) -> None:
        self._held, self._clock = logins.Logins(database), clock

    def begin(self, asker: Asker, token: str = "") -> Login:
        """A new login."""
        made = Login(secrets.token_urlsafe(32), asker, token)
        self._keep(made.name, LOGIN, asker, token, HOURS * 3600)
        return made

    def of(self, cookies: str) -> Login | None:
        """The login that a request's cookies name."""
        name = named(cookies)
        found = self._held.of(name, self._clock()) if 0 < len(name) <= LONGEST else None
        return Login(name, _asker(found), found.token) if found else None

    def end(self, login: Login) -> None:
        """It opens nothing any more."""
        self._held.end(login.name)

    def ticket(self, asker: Asker, token: str = "") -> str:
        """What a link may carry in place of a token: it opens one login, within a minute."""
        text = secrets.token_urlsafe(32)
        self._keep(text, TICKET, asker, token, TICKET_SECONDS)
        return text

    def redeemed(self, text: str) -> Login | None:
        """The login that a ticket opens; a ticket opens one."""
        found = self._held.redeemed(text, self._clock()) if 0 < len(text) <= LONGEST else None
        return self.begin(_asker(found), found.token) if found else None

    def _keep(self, name: str, form: str, asker: Asker, token: str, seconds: int) -> None:
        now = self._clock()
        who = (asker.tenant, asker.id, asker.agent, asker.scopes, asker.address)
        self._held.keep(name, Held(form, *who, token, now + seconds * 1_000_000), now)


def _asker(held: Held) -> Asker:
    return Asker(held.asker, held.tenant, held.agent, held.scopes, held.address)


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


def named(cookies: str) -> str:
    """The name in a request's cookies; empty where there is none."""
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(cookies)
    except CookieError:
        return ""
    return jar[COOKIE].value if COOKIE in jar else ""
