"""Pages of a list: a cursor says where the last page ended, so that nothing is told twice while more arrives."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from engrain.errors import BadInput

Row = TypeVar("Row")


def cursor_of(*key: Any) -> str:
    """The place behind a row, as a client hands it back."""
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def key_of(cursor: str, *kinds: type) -> tuple[Any, ...] | None:
    """The place that a cursor says; None for the beginning."""
    if not cursor:
        return None
    try:
        key = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error, RecursionError) as exc:
        raise BadInput("cursor is none that this server gave") from exc
    if not isinstance(key, list) or [type(each) for each in key] != list(kinds):
        raise BadInput("cursor is none that this server gave")
    return tuple(key)


def page(
    rows: Sequence[Row], limit: int, key: Callable[[Row], Sequence[Any]], out: Callable[[Row], Any]
) -> dict[str, Any]:
    """A page of rows of which one more than asked for was fetched."""
    shown = rows[:limit]
    after = cursor_of(*key(shown[-1])) if len(rows) > limit else None
    return {"items": [out(row) for row in shown], "next": after}


def slice_of(rows: Sequence[Row], cursor: str, limit: int, out: Callable[[Row], Any]) -> dict[str, Any]:
    """A page of a list that is made whole each time."""
    start = (key_of(cursor, int) or (0,))[0]
    if start < 0:
        raise BadInput("cursor is none that this server gave")
    shown = rows[start : start + limit]
    after = cursor_of(start + limit) if start + limit < len(rows) else None
    return {"items": [out(row) for row in shown], "next": after}
