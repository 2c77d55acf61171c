"""Reading: what a body holds, whatever somebody else wrote into it."""

from __future__ import annotations

from typing import Any

from engrain.event import Event


def text(event: Event, name: str, most: int = 0) -> str:
    """A text of the body, cut where it is too long; empty where there is none."""
    value = event.body.get(name, "")
    return "" if not isinstance(value, str) else value[:most] if most else value


def items(event: Event, name: str) -> list[Any]:
    """A list of the body; empty where there is none."""
    value = event.body.get(name, [])
    return value if isinstance(value, list) else []


def count(event: Event, name: str, most: int) -> int:
    """A whole number of the body, between 0 and the most that makes sense."""
    value = event.body.get(name, 0)
    return min(max(value, 0), most) if type(value) is int else 0


def words(event: Event, name: str) -> dict[str, str]:
    """An object of texts."""
    value = event.body.get(name)
    return {k: v for k, v in value.items() if isinstance(v, str)} if isinstance(value, dict) else {}


def fields(event: Event, name: str) -> dict[str, Any]:
    """An object, whatever is in it; empty where there is none."""
    value = event.body.get(name)
    return value if isinstance(value, dict) else {}
