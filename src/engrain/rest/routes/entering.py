"""Entering: a person's way in, by a token or a ticket, and out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Annotated, NamedTuple
from urllib.parse import parse_qs, urlencode

import anyio.to_thread
from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from engrain.rest.desk import Here
from engrain.rest.guard import own_page
from engrain.rest.limits import Limit
from engrain.rest.login import Login, Logins, cookie
from engrain.rest.problems import Problem
from engrain.rest.shapes import Fields
from engrain.rest.who import holder
from engrain.store.tokens import Token

router = APIRouter(tags=["login"])

TRIES_A_MINUTE = 30
MOST_FORM = 16 * 1024


class Entry(NamedTuple):
    """What lets persons in."""

    logins: Logins
    known: Callable[[str], Token | None]
    secure: bool
    way_in: str = ""
    tries: Limit = Limit(TRIES_A_MINUTE)


@router.post("/v1/tickets", status_code=201)
def ticket(request: Request, here: Here) -> Fields:
    """A ticket for a link: within a minute it logs one browser in, as whoever asks for it."""
    entry: Entry = request.app.state.entry
    made = entry.logins.ticket(here.asker, _token_of(request, here.asker.id))
    return {"ticket": made, "seconds": 60}


@router.post("/login", include_in_schema=False)
async def log_in(request: Request) -> Response:
    """Log a browser in by a token or a ticket: it gets a cookie, and goes to the page it wanted. JSON in, JSON out."""
    entry: Entry = request.app.state.entry
    headers = dict(request.headers)
    if not own_page(headers):
        raise Problem(403, "only a page of this server logs in")
    said = _said(await request.body(), headers.get("content-type", ""))
    login = await _login(entry, said, _address(request))
    if login is None:
        refused = _refused(entry, request)
        if refused.status == 401 and entry.way_in and "text/html" in headers.get("accept", ""):
            # Somebody typed it: they are shown the way in once more.
            again = urlencode({"wrong": 1, "next": _local(said.get("next", ""))})
            return RedirectResponse(f"{entry.way_in}?{again}", status_code=303)
        raise refused
    if headers.get("content-type", "").startswith("application/json"):
        answer: Response = JSONResponse({"csrf": login.csrf})
    else:
        answer = RedirectResponse(_local(said.get("next", "")), status_code=303)
    answer.headers["set-cookie"] = cookie(login, secure=entry.secure)
    return answer


@router.get("/enter", response_model=None, include_in_schema=False)
def enter(
    request: Request, ticket: Annotated[str, Query(max_length=200)],
    next: Annotated[str, Query(max_length=2000)] = "/",  # noqa: A002 - the name that pages know it by
) -> Response:  # fmt: skip
    """A link with a ticket: it logs a browser in, once, and leads on to a page."""
    entry: Entry = request.app.state.entry
    login = entry.logins.redeemed(ticket)
    if login is None:
        raise _refused(entry, request)
    answer = RedirectResponse(_local(next), status_code=303)
    answer.headers["set-cookie"] = cookie(login, secure=entry.secure)
    return answer


@router.post("/logout", response_model=None, include_in_schema=False)
def log_out(request: Request) -> Response:
    """Log out: the cookie opens nothing any more."""
    entry: Entry = request.app.state.entry
    login: Login | None = getattr(request.state, "login", None)
    if login:
        entry.logins.end(login)
    answer = RedirectResponse("/", status_code=303)
    answer.headers["set-cookie"] = cookie(None, secure=entry.secure)
    return answer


def _token_of(request: Request, asker: str) -> str:
    """The token that a login of whoever asks depends on."""
    login: Login | None = getattr(request.state, "login", None)
    return login.token if login else "" if asker == "socket" or asker.startswith("trusted:") else asker


def _refused(entry: Entry, request: Request) -> Problem:
    if wait := entry.tries.wait(_address(request)):
        return Problem(429, "too many that do not hold; try again later", later=wait)
    return Problem(401, "neither a token nor a ticket that holds; `engrain token create NAME` makes a token")


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


async def _login(entry: Entry, said: dict[str, str], address: str) -> Login | None:
    if said.get("ticket"):
        return await anyio.to_thread.run_sync(entry.logins.redeemed, said["ticket"])
    token = await anyio.to_thread.run_sync(entry.known, said.get("token", "").strip())
    if token is None or token.state(time.time_ns() // 1000) != "active":
        return None
    return await anyio.to_thread.run_sync(entry.logins.begin, holder(token, address), token.id)


def _said(body: bytes, kind: str) -> dict[str, str]:
    if len(body) > MOST_FORM:
        raise Problem(413, f"a login has at most {MOST_FORM:,} bytes")
    try:
        if kind.startswith("application/json"):
            told = json.loads(body)
            return {name: value for name, value in told.items() if isinstance(value, str)}
        return {name: values[0] for name, values in parse_qs(body.decode(), max_num_fields=20).items()}
    except (ValueError, AttributeError, RecursionError) as exc:
        raise Problem(422, "a login says `token` or `ticket`, as a form or as JSON") from exc


def _local(path: str) -> str:
    """The page to go to: one of this server."""
    safe = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable() and path.isascii()
    return path if safe else "/"
