"""JSON as people write it, with comments and trailing commas: where each member stands, so that the text can be edited.

Whoever dumps a file anew loses its comments, its order and its spaces; here nothing is ever dumped but what is added.
"""

from __future__ import annotations

import json
from json.decoder import JSONDecoder
from typing import Any, NamedTuple

MARK = "\ufeff"
_SPACES = " \t\r\n\ufeff"
_strict = JSONDecoder().raw_decode


class Member(NamedTuple):
    """A member of an object or an element of an array: where it begins (with its key) and ends, and its value."""

    key: str
    start: int
    at: int
    end: int
    value: Any


def loads(text: str) -> Any:
    """The value of a whole text, or ValueError; of two members with one name the last one counts."""
    at = skip(text, 0)
    value, end = _value(text, at, 0)
    if skip(text, end) < len(text):
        raise ValueError(f"something stands behind the value, in {_place(text, skip(text, end))}")
    return value


def empty(text: str) -> bool:
    """Whether there is nothing but spaces and comments."""
    return skip(text, 0) >= len(text)


def top(text: str) -> int:
    """Where the value begins."""
    return skip(text, 0)


def skip(text: str, at: int) -> int:
    """The next place that is neither space nor comment."""
    while at < len(text):
        if text[at] in _SPACES:
            at += 1
        elif text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise ValueError(f"a comment without an end, in {_place(text, at)}")
            at = end + 2
        else:
            break
    return at


def members(text: str, at: int, depth: int = 0) -> list[Member]:
    """What an object or an array that begins here holds."""
    return _members(text, at, depth)[0]


def member(text: str, at: int, key: str) -> Member | None:
    """The member of that name of an object that begins here."""
    return next((each for each in reversed(members(text, at)) if each.key == key), None)


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    if text[at : at + 1] not in ("{", "["):
        try:
            value: tuple[Any, int] = _strict(text, at)
        except ValueError as exc:
            raise ValueError(f"no value, in {_place(text, at)}") from exc
        return value
    if depth > 100:
        raise ValueError("deeper than 100 levels")
    found, end = _members(text, at, depth + 1)
    if text[at] == "[":
        return [each.value for each in found], end
    return {each.key: each.value for each in found}, end


def _members(text: str, at: int, depth: int) -> tuple[list[Member], int]:
    keyed, close = text[at] == "{", "}" if text[at] == "{" else "]"
    found: list[Member] = []
    at = skip(text, at + 1)
    while text[at : at + 1] != close:
        start, key = at, ""
        if keyed:
            key, at = _key(text, at)
        value, end = _value(text, at, depth)
        found.append(Member(key, start, at, end, value))
        at = skip(text, end)
        if text[at : at + 1] == ",":
            at = skip(text, at + 1)
        elif text[at : at + 1] != close:
            raise ValueError(f"a comma or a {close} is missing, in {_place(text, at)}")
    return found, at + 1


def _key(text: str, at: int) -> tuple[str, int]:
    """The name of a member, and where its value begins."""
    if text[at : at + 1] != '"':
        raise ValueError(f"a name in quotes is missing, in {_place(text, at)}")
    try:
        key, at = _strict(text, at)
    except ValueError as exc:
        raise ValueError(f"a name has no end, in {_place(text, at)}") from exc
    at = skip(text, at)
    if text[at : at + 1] != ":":
        raise ValueError(f"a colon is missing, in {_place(text, at)}")
    return key, skip(text, at + 1)


def _place(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


# Putting in

Piece = tuple[int, str]
"""A place, and what is put in there."""


def last(text: str, at: int, depth: int, key: str, value: Any) -> list[Piece]:
    """One more member, the last one of the object or array that begins here, as the text around it is written."""
    there = members(text, at)
    unit, newline = style(text)
    said = json.dumps(value, indent=unit, ensure_ascii=False) if unit else json.dumps(value, ensure_ascii=False)
    named = f"{json.dumps(key)}: {said}" if key else said
    margin = newline + unit * (depth + 1)
    body = margin + named.replace("\n", margin) if unit else named
    if not there:
        return [(at + 1, body + newline + unit * depth if unit else body)]
    comma = skip(text, there[-1].end)
    if text[comma : comma + 1] == ",":
        return [(_line_end(text, comma + 1) if unit else comma + 1, body if unit else f" {body}")]
    if not unit:
        return [(there[-1].end, f", {body}")]
    return _joined_pieces([(there[-1].end, ","), (_line_end(text, there[-1].end), body)])


def style(text: str) -> tuple[str, str]:
    """The indentation of the first member (none where all stands in one line), and how lines end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    at = top(text)
    there = members(text, at)
    if not there:
        return "  ", newline
    before = text[at + 1 : there[0].start]
    if "\n" not in before:
        return "", newline
    line = before.rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip(" \t"))] or "  ", newline


def _line_end(text: str, at: int) -> int:
    """Behind what is said of a member in its own line."""
    rest = text[at:].split("\n", 1)[0].rstrip("\r")
    bare = rest.strip(" \t")
    if bare.startswith("//") or (bare.startswith("/*") and bare.endswith("*/") and bare.count("*/") == 1):
        return at + len(rest)
    return at


def _joined_pieces(pieces: list[Piece]) -> list[Piece]:
    first, second = pieces
    return [(first[0], first[1] + second[1])] if first[0] == second[0] else pieces


# Taking out


def without(text: str, container: int, found: Member) -> str:
    """The text without a member of the object or array that begins here, and without one comma."""
    there = members(text, container)
    number = next(n for n, each in enumerate(there) if each.start == found.start)
    comma = skip(text, found.end)
    followed = text[comma : comma + 1] == ","
    if not number:
        end = comma + 1 if followed else found.end
        return (
            text[: found.start] + text[_solid(text, end) :] if followed else text[: container + 1] + text[end:].lstrip()
        )
    before = skip(text, there[number - 1].end)
    start = _before(text, before + 1, found.start)
    if followed:
        return text[:start] + text[comma + 1 :]
    return text[:before] + text[before + 1 : start] + text[found.end :]


def _before(text: str, least: int, at: int) -> int:
    """Where the spaces before a place begin; the line end of a comment is no space."""
    start = at
    while start > least and text[start - 1] in _SPACES:
        start -= 1
    if "//" in text[least:start].rpartition("\n")[2]:
        end = text.find("\n", start, at)
        return at if end < 0 else end + 1
    return start


def _solid(text: str, at: int) -> int:
    """The next place that is no space."""
    while at < len(text) and text[at] in _SPACES:
        at += 1
    return at
