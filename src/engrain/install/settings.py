"""A JSON file of settings: our entries put in, and nothing else of it changed, not even a space.

The text is edited where an entry belongs, in the indentation that it has. So what was put in is known to the byte
(`Put.spans`) and can be cut out again.

    {"hooks": {"Stop": [{"matcher": "*", "hooks": [{"type": "command", "command": …}]}]}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from json.decoder import JSONDecoder
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.install.command import ours
from engrain.install.wiring import Wire

HOOKS = "hooks"
_decode = JSONDecoder().raw_decode


class Put(NamedTuple):
    """The text with our entries, and where these stand in it."""

    text: str
    spans: tuple[tuple[int, int], ...]


class Member(NamedTuple):
    """A member of an object or an element of an array: where it begins (with its key) and ends, and its value."""

    key: str
    start: int
    at: int
    end: int
    value: Any


def put(text: str, wires: Sequence[Wire]) -> Put:
    """The settings with an entry for each of these events, at the end of what is there."""
    spans: list[tuple[int, int]] = []
    for wire in wires:
        at, added = _addition(text, wire)
        text = text[:at] + added + text[at:]
        size = len(added)
        moved = [(a + size if a >= at else a, b + size if b > at else b) for a, b in spans]
        spans = _joined([*moved, (at, at + size)])
    return Put(text, tuple(spans))


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """An entry that was put into the midst of one of ours is part of it."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without these parts."""
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def without(text: str) -> str:
    """The text without any entry of ours, however it came there; what that leaves empty goes, too."""
    while (found := next(_ours_in(text), None)) is not None:
        text = _dropped(text, found)
    return text


def wired(text: str) -> set[str]:
    """The events that run our hook."""
    try:
        found = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        return set()
    hooks = found.get(HOOKS) if isinstance(found, dict) else None
    if not isinstance(hooks, dict):
        return set()
    return {event for event, groups in hooks.items() if any(_has_ours(group) for group in _items(groups))}


def checked(text: str, file: str) -> str:
    """The same text, or BadInput that says why nothing can be put into it."""
    try:
        bare = text.removeprefix("\ufeff")
        found = json.loads(bare) if bare.strip() else {}
    except ValueError as exc:
        raise BadInput(f"{file}: not JSON ({exc}); it was left as it is") from exc
    hooks = found.get(HOOKS, {}) if isinstance(found, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise BadInput(f"{file}: its hooks are not what they should be; it was left as it is")
    return text


# Where things stand


def _top(text: str) -> int:
    at = _skip(text, 0)
    if text[at : at + 1] != "{":
        raise BadInput("the settings are no JSON object")
    return at


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] in (" ", "\t", "\r", "\n", "\ufeff") and at < len(text):
        at += 1
    return at


def _members(text: str, at: int) -> list[Member]:
    """What an object or an array that begins here holds."""
    keyed, found = text[at] == "{", []
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        start, key = at, ""
        if keyed:
            key, at = _decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        value, end = _decode(text, at)
        found.append(Member(key, start, at, end, value))
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return found


def _member(text: str, at: int, key: str) -> Member | None:
    # Of two members with one name the last one counts.
    return next((each for each in reversed(_members(text, at)) if each.key == key), None)


# Putting in


def _addition(text: str, wire: Wire) -> tuple[int, str]:
    """Where the entry of an event goes, and the text of it."""
    if not text.strip("\ufeff \t\r\n"):
        return len(text), json.dumps({HOOKS: {wire.event: [wire.entry]}}, indent=2) + "\n"
    top = _top(text)
    hooks = _member(text, top, HOOKS)
    if hooks is None:
        return _last(text, top, 0, HOOKS, {wire.event: [wire.entry]})
    event = _member(text, hooks.at, wire.event)
    if event is None:
        return _last(text, hooks.at, 1, wire.event, [wire.entry])
    return _last(text, event.at, 2, "", wire.entry)


def _last(text: str, at: int, depth: int, key: str, value: Any) -> tuple[int, str]:
    """The place and the text of one more member, the last one of the object or array that begins here."""
    members = _members(text, at)
    unit, newline = _style(text)
    said = json.dumps(value, indent=unit, ensure_ascii=False) if unit else json.dumps(value, ensure_ascii=False)
    named = f"{json.dumps(key)}: {said}" if key else said
    if not unit:
        return (members[-1].end, f", {named}") if members else (at + 1, named)
    margin = newline + unit * (depth + 1)
    body = margin + named.replace("\n", margin)
    if members:
        return members[-1].end, f",{body}"
    return at + 1, body + newline + unit * depth


def _style(text: str) -> tuple[str, str]:
    """The indentation of the first member (none where all stands in one line), and how lines end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    top = _top(text)
    members = _members(text, top)
    if not members:
        return "  ", newline
    before = text[top + 1 : members[0].start]
    return (before.rpartition("\n")[2] or "  ") if "\n" in before else "", newline


# Taking out


def _ours_in(text: str) -> Iterator[list[tuple[int, Member]]]:
    """Each handler of ours as the way to it: the containers with the member of each, from the outside."""
    if not text.strip("\ufeff \t\r\n"):
        return
    top = _top(text)
    hooks = _member(text, top, HOOKS)
    if hooks is None or not isinstance(hooks.value, dict):
        return
    for event in _members(text, hooks.at):
        for group in _members(text, event.at) if isinstance(event.value, list) else ():
            if not _has_ours(group.value):
                continue
            handlers = _member(text, group.at, HOOKS)
            assert handlers is not None
            for handler in _members(text, handlers.at):
                if isinstance(handler.value, dict) and ours(handler.value.get("command")):
                    yield [(top, hooks), (hooks.at, event), (event.at, group), (handlers.at, handler)]


def _dropped(text: str, way: list[tuple[int, Member]]) -> str:
    """Without the innermost member, and without those around it that hold nothing else."""
    place = len(way) - 1
    while place > 0 and len(_members(text, way[place][0])) == 1:
        place -= 1
    container, member = way[place]
    members = _members(text, container)
    number = next(n for n, each in enumerate(members) if each.start == member.start)
    if number:
        return text[: members[number - 1].end] + text[member.end :]
    if len(members) > 1:
        return text[: member.start] + text[members[1].start :]
    return text[: container + 1] + text[_skip(text, member.end) :]


def _has_ours(group: Any) -> bool:
    handlers = group.get(HOOKS) if isinstance(group, dict) else None
    return any(isinstance(each, dict) and ours(each.get("command")) for each in _items(handlers))


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
