"""The surface: every page at its address, as routes of a server whose guard lets people in and hands over memories.

An address leads to a function from a request to a page, to the address of another page, or to a stream. Errors are
pages, too, and say in one line what is the matter. Nothing on a page runs but its own files: the policy that goes with
each answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Body, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute

from engrain.errors import EngrainError, NotFound, StoreBusy, StoreError, StoreUnreachable
from engrain.web import assets
from engrain.web.asked import Asked, Gone, Memories, Page, Shown, Stream
from engrain.web.pages import ADDRESSES
from engrain.web.rendering import rendered

ASSETS, WAY_IN = "/assets/{mark}/{name:path}", "/login"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY, "cache-control": "no-store",
    # With less than this a browser says `Origin: null` for our own forms.
    "referrer-policy": "same-origin",
}  # fmt: skip
FOR_GOOD = {"cache-control": "public, max-age=31536000, immutable"}


class Pages(NamedTuple):
    """The routes, the beginnings of addresses that anybody may ask (nothing of the memory is there), where a person
    logs in, and what stands at an address that is none."""

    routes: Sequence[BaseRoute]
    free: tuple[str, ...]
    way_in: str
    lost: Callable[[Request], Response]


def pages(memories: Memories) -> Pages:
    """The pages for a server that guards its paths: a request's `state` says who asks (`asker`) and, where a person
    logged in, the `login` whose `csrf` forms send back."""
    router = APIRouter(include_in_schema=False, default_response_class=Response)
    for address in ADDRESSES:
        if address.show is not None:
            router.add_api_route(address.path, _getting(memories, address.show), methods=["GET"])
        if address.do is not None:
            router.add_api_route(address.path, _posting(memories, address.do), methods=["POST"])
    router.add_api_route(WAY_IN, _way_in, methods=["GET"])
    router.add_api_route(ASSETS, _asset, methods=["GET"])

    def lost(request: Request) -> Response:
        return _answered(_nothing, memories, request, b"")

    return Pages(router.routes, ("/assets/",), WAY_IN, lost)


def _getting(memories: Memories, show: Shown) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:
        return _answered(show, memories, request, b"")

    return endpoint


def _posting(memories: Memories, do: Shown) -> Callable[[Request, bytes], Response]:
    def endpoint(request: Request, body: Annotated[bytes, Body()] = b"") -> Response:
        return _answered(do, memories, request, body)

    return endpoint


def _answered(shown: Shown, memories: Memories, request: Request, body: bytes) -> Response:
    login = getattr(request.state, "login", None)
    path = request.url.path
    asked = Asked(memories, request.state.asker, path, token=login.csrf if login else "")
    try:
        asked.read(request.url.query, body.decode("utf-8", "replace"))
        out = shown(asked, **{name: str(value) for name, value in request.path_params.items()})
    except EngrainError as exc:
        out = Page("wrong.html", {"title": "That did not work", "says": str(exc)}, _status(exc))
    if isinstance(out, Stream):
        return StreamingResponse(request.app.state.paced(*out), media_type="text/event-stream", headers=HEADERS)
    if isinstance(out, Gone):
        return RedirectResponse(out.to, 303, HEADERS)
    values = {"here": path, "asked": asked, **out.values}
    return HTMLResponse(rendered(out.template, values), out.status, HEADERS)


def _nothing(_: Asked) -> Page:
    return Page(
        "wrong.html", {"title": "There is nothing here", "says": "this memory has no page at this address"}, 404
    )


def _way_in(request: Request) -> Response:
    """Where a person logs in; what they wanted to see is kept meanwhile."""
    wanted, wrong = request.query_params.get("next", "/")[:2000], "wrong" in request.query_params
    return HTMLResponse(rendered("login.html", {"wanted": wanted, "wrong": wrong}), 200, HEADERS)


STATUS: tuple[tuple[type[EngrainError], int], ...] = (
    (NotFound, 404), (StoreBusy, 503), (StoreUnreachable, 503), (StoreError, 500), (EngrainError, 422),
)  # fmt: skip
"""Which status an error of ours is; the first row that fits."""


def _status(exc: EngrainError) -> int:
    return next(status for kind, status in STATUS if isinstance(exc, kind))


def _asset(mark: str, name: str) -> Response:
    """A file under the name that its content gives it; under any other it is not kept."""
    asset = assets.held(name)
    if asset is None:
        return Response("there is no such file", 404, media_type="text/plain")
    kept = FOR_GOOD if assets.address(name) == f"/assets/{mark}/{name}" else {"cache-control": "no-cache"}
    return Response(asset.data, 200, kept, asset.kind)
