"""Lines of a file → the JSON objects in them, each at once; what can't be read is counted.

A line that was cut short, one that goes on with the next record (a writer died, another went on), bad escapes, raw
control characters, an array in place of lines, and a file that somebody pretty-printed are all understood.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

MOST = 64 * 1024 * 1024
"""Bytes of one record; a longer one is not held."""

_loads = json.JSONDecoder(strict=False).decode
_ESCAPE = re.compile(r'\\(u[0-9a-fA-F]{4}|["\\/bfnrt])|\\')
_AGAIN = re.compile(r'.\{"(?:parentUuid|timestamp|type)"\s*:')
_NOTHING = object()


class Unread:
    """How many records of a file could not be read, and how many of its calls still wait for their answer."""

    __slots__ = ("number", "waiting")

    def __init__(self) -> None:
        self.number = self.waiting = 0


def records(
    lines: Iterable[bytes], unread: Unread | None = None, skip: Callable[[bytes], bool] = lambda _: False
) -> Iterator[dict[str, Any]]:
    """Every object, in order; `skip` says by its bytes which line need not be read."""
    unread = Unread() if unread is None else unread
    for piece in _pieces(lines, unread, skip):
        found = _read(piece)
        if found is _NOTHING:
            unread.number += 1
            continue
        for value in found if isinstance(found, list) else (found,):
            if isinstance(value, dict):
                yield value


_BYTE_ORDER = b"\xef\xbb\xbf"
"""What some editors begin a file with."""


def _pieces(lines: Iterable[bytes], unread: Unread, skip: Callable[[bytes], bool]) -> Iterator[str]:
    """Each line, or the lines of one object that was spread over several."""
    held: list[bytes] = []
    size, indent = 0, b""
    for each in lines:
        line = each.removeprefix(_BYTE_ORDER)
        bare = line.strip()
        if held:
            held.append(line)
            size += len(line)
            if line.startswith(indent) and line[len(indent) :].rstrip() in (b"}", b"},"):
                yield _text(b"".join(held).strip().removesuffix(b","))
                held = []
            elif size > MOST or bare[:2] == b'{"':
                unread.number += 1
                held = []
        if held or not bare or bare in (b"[", b"]", b"],"):
            continue
        if bare == b"{":
            held, size, indent = [line], len(line), line[: len(line) - len(line.lstrip())]
        elif len(bare) > MOST:
            unread.number += 1
        elif not skip(bare) and bare not in (b"}", b"},"):
            yield _text(bare)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _read(text: str) -> Any:
    """The value of a text; `_NOTHING` where there is none."""
    try:
        return _loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return _loads(_ESCAPE.sub(lambda match: match[0] if match[1] else "\\\\", text))
    except (ValueError, RecursionError):
        return _after_a_torn_one(text)


def _after_a_torn_one(text: str) -> Any:
    """The record that another writer began on the line that one left behind."""
    for match in reversed(list(_AGAIN.finditer(text))):
        try:
            return _loads(text[match.start() + 1 :])
        except (ValueError, RecursionError):
            continue
    return _NOTHING
