"""Wire: values as JSON and back. Arguments go as plain JSON, which the server checks; what comes back says which of our
values it is, so that it is the same value here as there. Only named tuples of these rooms are ever made.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from engrain.errors import StoreUnreachable

MARK = "$"
ROOMS = ("event", "model", "project", "learn", "recall", "store", "upkeep", "memory")
TUPLE, PAIRS = "tuple", "pairs"


def plain(value: Any) -> Any:
    """A value as the JSON of an argument."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(each) for name, each in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if value is None or isinstance(value, (str, int, float)):
        return value
    return [plain(each) for each in value]


def packed(value: Any) -> Any:
    """A value as JSON that says what it is."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        kind = type(value)
        named = f"{kind.__module__.removeprefix('engrain.')}.{kind.__qualname__}"
        return {MARK: named, "of": [packed(each) for each in value]}
    if isinstance(value, tuple):
        return {MARK: TUPLE, "of": [packed(each) for each in value]}
    if isinstance(value, Mapping):
        if MARK in value or not all(isinstance(name, str) for name in value):
            return {MARK: PAIRS, "of": [[packed(name), packed(each)] for name, each in value.items()]}
        return {name: packed(each) for name, each in value.items()}
    return [packed(each) for each in value] if isinstance(value, list) else value


def unpacked(value: Any) -> Any:
    """The value that JSON says it is."""
    if isinstance(value, list):
        return [unpacked(each) for each in value]
    if not isinstance(value, dict):
        return value
    if MARK not in value:
        return {name: unpacked(each) for name, each in value.items()}
    named, parts = str(value[MARK]), value.get("of")
    if not isinstance(parts, list):
        raise _strange(named)
    if named == PAIRS:
        return {unpacked(name): unpacked(each) for name, each in parts}
    if named == TUPLE:
        return tuple(unpacked(each) for each in parts)
    kind = _kind(named)
    if len(parts) != len(kind._fields):
        raise _strange(named)
    return kind._make(unpacked(each) for each in parts)


def _kind(named: str) -> Any:
    """A named tuple of one of our rooms."""
    module, _, name = named.rpartition(".")
    if module.split(".")[0] not in ROOMS:
        raise _strange(named)
    try:
        found = getattr(importlib.import_module(f"engrain.{module}"), name, None)
    except ImportError:
        found = None
    if not (isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields")):
        raise _strange(named)
    return found


def _strange(named: str) -> StoreUnreachable:
    return StoreUnreachable(f"the server answered with what this version does not know ({named[:80]}): upgrade Engrain")
