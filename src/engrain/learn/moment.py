"""Moment: a time as somebody types it."""

from __future__ import annotations

from engrain import event as events
from engrain.errors import BadInput

_UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def moment(text: str, default: int, now: int) -> int:
    """A day, a moment, or how long before now: `2d`, `90m`."""
    if not text:
        return default
    if text[-1] in _UNITS and text[:-1].isdigit():
        return max(0, now - int(text[:-1]) * _UNITS[text[-1]] * 1_000_000)
    try:
        return events.microseconds(f"{text}T00:00:00+00:00" if len(text) == 10 else text)
    except BadInput as exc:
        raise BadInput(
            f"{text!r} is no time: say 2026-11-18, 2026-11-18T09:30:00Z, or how long ago (90m, 12h, 2d)"
        ) from exc
