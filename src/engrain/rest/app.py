"""The application: routes behind the guard, over a pool of memories that are asked and one that is told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, Protocol

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Route

from engrain import __version__
from engrain.errors import EngrainError
from engrain.memory import Memory
from engrain.rest import metrics
from engrain.rest.desk import Desk
from engrain.rest.examples import exemplify
from engrain.rest.guard import App, Doors, Guard, Rules, a_page
from engrain.rest.intake import Intake
from engrain.rest.login import Logins
from engrain.rest.pool import Pool
from engrain.rest.problems import BROKE, MEDIA, Problem, of_error, rendered
from engrain.rest.routes import (
    entering,
    exporting,
    fixing,
    hooking,
    journal,
    looking,
    recalling,
    ruling,
    verbs,
    working,
)
from engrain.rest.routes.entering import Entry
from engrain.rest.streams import paced
from engrain.store.tokens import Change, Token, Tokens

ROUTERS = (
    journal.router, exporting.router, recalling.router, fixing.router, ruling.router, looking.router, looking.admin,
    entering.router, metrics.router, verbs.router, working.router, hooking.router,
)  # fmt: skip
"""What can be asked, in the order of the description."""

READERS = 4
DAY = 86_400_000_000

_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
}  # fmt: skip
_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"description": why, "content": {MEDIA: {"schema": _PROBLEM}}}
    for status, why in (
        (400, "not a request that can be read"),
        (401, "no token, or none that holds"),
        (403, "the token may not do this"),
        (404, "there is no such thing"),
        (413, "too large"),
        (422, "what was given can't be used"),
        (429, "more often than allowed: Retry-After says when"),
        (503, "not now: Retry-After says when"),
    )
}


class Service:
    """Everything that a running server holds; closed, it has written what it took."""

    def __init__(self, opened: Callable[[], Memory], rules: Rules) -> None:
        self.rules = rules
        writer, keeper = opened(), opened()
        self.keeper = keeper
        self.intake = Intake(writer)
        self.pool = Pool(opened, READERS)
        self.tokens = Tokens(keeper.store.database)
        self.logins = Logins(keeper.store.database)
        # On the connection that writes: whoever looks a token up does not wait for a disk.
        self._book = Tokens(writer.store.database)
        self._audit_days = keeper.config.number("server.audit_days")
        self._tidied = 0
        self.ending = False

    @property
    def near(self) -> bool:
        """Whether the store is a file here, of which a row is read sooner than a thread is woken."""
        return self.keeper.store.database.dialect == "sqlite"

    def known(self, text: str) -> Token | None:
        """The token that a request came with; that it was used is noted beside the next commit."""
        token = self.tokens.known(text)
        if token and self.tokens.long_unused(token):
            self.intake.later(partial(self._book.used, token))
        return token

    def note(self, tenant: str, change: Change) -> None:
        """Notes a change, beside the next commit."""
        self.intake.later(partial(self._book.audit, tenant, change))
        if change.time > self._tidied + DAY:
            self._tidied = change.time
            self.intake.later(self.tidy)

    def tidy(self) -> None:
        """Forgets changes that are old; once a day while there are new ones."""
        now = self.keeper.store.database.now()
        self._tidied = now
        self._book.expire(now - int(self._audit_days * DAY))

    def close(self) -> None:
        """Writes what it took, and lets go of everything."""
        self.intake.close()
        self.pool.close()
        self.keeper.close()


class Surface(Protocol):
    """Another surface at a path of this server: its application, and what must be running while it is asked. The guard
    stands before it, too."""

    @property
    def path(self) -> str: ...
    @property
    def app(self) -> App: ...
    @property
    def living(self) -> Callable[[], AbstractAsyncContextManager[Any]]: ...


class Pages(Protocol):
    """Pages of this server: their routes, the prefixes of what anybody may see of them, and where a person logs in. A
    page finds in its request's `state` who asks (`asker`) and the `login`, whose `csrf` it says when it changes
    something; POST /login and POST /logout are the server's own. At an address that is none a person sees what is
    `lost`."""

    @property
    def routes(self) -> Sequence[BaseRoute]: ...
    @property
    def free(self) -> tuple[str, ...]: ...
    @property
    def way_in(self) -> str: ...
    def lost(self, request: Request, /) -> Response: ...


def application(service: Service, surfaces: Sequence[Surface] = (), pages: Pages | None = None) -> Guard:
    """What a server runs."""

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        service.tidy()
        async with AsyncExitStack() as running:
            for surface in surfaces:
                await running.enter_async_context(surface.living())
            yield
        service.close()

    app = FastAPI(
        title="Engrain", version=__version__, summary="A memory that learns, for coding agents",
        lifespan=living, docs_url=None, redoc_url=None, openapi_url="/openapi.json", responses=_REFUSALS,
        swagger_ui_oauth2_redirect_url=None, redirect_slashes=False,
    )  # fmt: skip
    app.state.desk = Desk(service.pool, service.intake)
    app.state.entry = Entry(service.logins, service.known, service.rules.secure, pages.way_in if pages else "")
    for router in (
        journal.router,
        exporting.router,
        recalling.router,
        fixing.router,
        ruling.router,
        looking.router,
        looking.admin,
    ):
        app.include_router(router)
    app.include_router(entering.router)
    app.include_router(metrics.router)
    app.state.paced = partial(paced, ended=lambda: service.ending)
    app.state.lost = pages.lost if pages else None
    app.state.keeper = lambda: service.keeper.store.database
    for router in (verbs.router, working.router, hooking.router):
        app.include_router(router)
    for surface in surfaces:
        app.router.routes.append(Route(surface.path, _Raw(surface.app), methods=["POST"], include_in_schema=False))
    app.router.routes.extend(pages.routes if pages else ())
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(EngrainError, _refused)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _broke)
    _describe_token(app)
    doors = Doors(service.known, service.tokens.of, service.logins, near=service.near)
    if pages:
        doors = doors._replace(free=pages.free, way_in=pages.way_in)
    return Guard(app, service.rules, doors, service.note)


class _Raw:
    """An application as a route takes it: a function would be given a request, an object gets what came."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._app(scope, receive, send)


def _describe_token(app: FastAPI) -> None:
    """The document says that a token is needed, and that lists and answers are objects."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        document = made()
        schemes = document.setdefault("components", {}).setdefault("securitySchemes", {})
        schemes["token"] = {"type": "http", "scheme": "bearer"}
        document["security"] = [{"token": []}]
        for path, method in (("/health", "get"), ("/ready", "get")):
            document["paths"][path][method]["security"] = []
        exemplify(document)
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _sent(problem: Problem) -> Response:
    out = rendered(problem)
    return Response(out.body, out.status, out.headers)


async def _problem(_: Request, exc: Exception) -> Response:
    assert isinstance(exc, Problem)
    return _sent(exc)


async def _refused(_: Request, exc: Exception) -> Response:
    assert isinstance(exc, EngrainError)
    return _sent(of_error(exc))


async def _unfit(_: Request, exc: Exception) -> Response:
    assert isinstance(exc, RequestValidationError)
    found = [
        {"at": ".".join(str(part)[:60] for part in each["loc"]), "says": str(each["msg"])[:300]}
        for each in exc.errors()[:10]
    ]
    status = 400 if any(each["type"] == "json_invalid" for each in exc.errors()) else 422
    return _sent(Problem(status, "; ".join(f"{each['at']}: {each['says']}" for each in found[:4]), errors=found))


UNSAID = {
    404: "there is no such address; /openapi.json describes those that there are",
    405: "this address is not asked so; Allow says how",
}
"""What is wrong where no route of ours said it."""


async def _http(request: Request, exc: Exception) -> Response:
    assert isinstance(exc, HTTPException)
    lost: Callable[[Request], Response] | None = request.app.state.lost
    if exc.status_code == 404 and lost and a_page(request.method, request.url.path, request.headers.get("accept", "")):
        return lost(request)
    problem = Problem(exc.status_code, UNSAID.get(exc.status_code, "") or str(exc.detail))
    problem.headers.update(exc.headers or {})
    return _sent(problem)


async def _broke(_: Request, exc: Exception) -> Response:  # noqa: ARG001 - it is in the log, and nobody's business
    return _sent(Problem(500, BROKE))
