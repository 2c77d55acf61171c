"""JSON that can stand on a terminal, without click."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engrain.patterns import compiled
from engrain.recall.told import CONTROLS

if TYPE_CHECKING:
    from re import Match


def as_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON that can stand on a terminal: whatever JSON itself leaves raw and a terminal obeys is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text if text.isascii() and "\x7f" not in text else compiled(_OBEYED).sub(_escaped, text)


_OBEYED = f"{CONTROLS[:-1]}(?<!\\n)"
"""One sign at a time; the line feeds are those of the layout."""


def _escaped(found: Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
