"""Problems: what is wrong with a request, as RFC 9457 says it: one status, one title, one line that helps.

Every refusal of the server has this form, from a foreign Host to an id that is not there. A client that reads `status`
alone knows enough: 4xx is refused and will be again, 429 and 503 are for later and say when.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, NamedTuple

from engrain.errors import (
    BadInput,
    EmbedderUnavailable,
    EngrainError,
    HomeUnusable,
    MissingExtra,
    NotFound,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreRefused,
    StoreUnreachable,
)

MEDIA = "application/problem+json"
LATER = 2
"""Seconds after which a client may ask again what could not be done now."""

BROKE = "a flaw of this server, which goes on; keep what you sent"

UNREAD = (400, 408, 413, 431)
"""Refusals after which the rest of a request is not worth reading."""

STATUS: tuple[tuple[type[EngrainError], int], ...] = (
    (NotFound, 404),
    (MissingExtra, 501),
    (StoreRefused, 422),
    (BadInput, 422),
    (StoreBusy, 503),
    (StoreUnreachable, 503),
    (StoreFull, 507),
    (StoreReadOnly, 503),
    (EmbedderUnavailable, 503),
    (HomeUnusable, 503),
    (StoreError, 500),
    (EngrainError, 500),
)
"""Which status an error of ours is; the first row that fits."""


class Problem(Exception):  # noqa: N818 - RFC 9457's own name for it
    """A refusal on its way out."""

    def __init__(self, status: int, detail: str, *, later: float = 0.0, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.detail, self.more = status, detail, more
        self.headers: dict[str, str] = {}
        if later:
            self.headers["Retry-After"] = str(max(1, round(later + 0.499)))
        if status in UNREAD:
            self.headers["Connection"] = "close"
        if status == HTTPStatus.UNAUTHORIZED:
            self.headers["WWW-Authenticate"] = 'Bearer realm="engrain"'


class Rendered(NamedTuple):
    """A refusal as it is sent."""

    status: int
    headers: dict[str, str]
    body: bytes


def of_error(exc: EngrainError) -> Problem:
    """What an error of ours is to a client."""
    status = next(status for kind, status in STATUS if isinstance(exc, kind))
    return Problem(status, " ".join(str(exc).split()), later=LATER if status == HTTPStatus.SERVICE_UNAVAILABLE else 0)


def rendered(problem: Problem) -> Rendered:
    """The bytes of a refusal."""
    fields = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.detail,
        **problem.more,
    }
    body = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
    return Rendered(problem.status, {"Content-Type": MEDIA, **problem.headers}, body)
