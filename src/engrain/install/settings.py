"""A JSON file of settings: our entries put in, and nothing else of it changed, not even a space.

The text is edited where an entry belongs, in the indentation that it has. So what was put in is known to the byte
(`Put.spans`) and can be cut out again. Agents agree on `hooks` and differ below it:

    {"hooks": {"Stop": [{"matcher": "*", "hooks": [{"type": "command", "command": …}]}]}}     Claude Code, Codex, Gemini
    {"hooks": {"stop": [{"command": …}]}}                                                     Cursor, Windsurf
    {"mcpServers": {"engrain": {"command": "engrain", "args": ["mcp"]}}}                      a server that they start
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.install import jsonc
from engrain.install.command import ours
from engrain.install.jsonc import Member

HOOKS = "hooks"
SERVERS = ("mcpServers", "mcp")
NAME = "engrain"


class Entry(NamedTuple):
    """What is put into a file: a value under its way of names, or with `append` one more in the list that is there."""

    way: tuple[str, ...]
    value: Any
    append: bool = False


class Put(NamedTuple):
    """The text with our entries, and where these stand in it."""

    text: str
    spans: tuple[tuple[int, int], ...]


Way = list[tuple[int, Member]]
"""How a member is reached: the containers with the member of each, from the outside."""


def put(text: str, entries: Sequence[Entry]) -> Put:
    """The settings with these entries, each at the end of what is there; what is there already stays as it is."""
    spans: list[tuple[int, int]] = []
    for entry in entries:
        for at, added in reversed(_addition(text, entry)):
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


def cut(text: str, spans: Sequence[Sequence[int]]) -> str:
    """The text without these parts."""
    for start, end in sorted(map(tuple, spans), reverse=True):
        text = text[:start] + text[end:]
    return text


def without(text: str, but: Collection[str] = ()) -> str:
    """The text without any entry of ours, however it came there; what that leaves empty goes, too. `but` are handlers
    (`handler`) that stay."""
    while (found := next(_ours_in(text, but), None)) is not None:
        left = _dropped(text, found)
        try:
            jsonc.loads(left)
        except ValueError as exc:
            raise BadInput(f"our entries can't be taken out of what stands around them ({exc})") from exc
        text = left
    return text


def handler(entry: Entry) -> str:
    """What tells an entry of a hook from another one."""
    value = entry.value
    inner = value[HOOKS][0] if isinstance(value, dict) and HOOKS in value else value
    return _named(entry.way[-1], inner)


def wired(text: str) -> set[str]:
    """The events that run our hook."""
    try:
        found = jsonc.loads(text) if not jsonc.empty(text) else {}
    except ValueError:
        return set()
    hooks = found.get(HOOKS) if isinstance(found, dict) else None
    if not isinstance(hooks, dict):
        return set()
    return {event for event, groups in hooks.items() if any(_has_ours(group) for group in _items(groups))}


def checked(text: str, file: str, entries: Sequence[Entry] = ()) -> str:
    """The same text, or BadInput that says why nothing can be put into it."""
    try:
        found = {} if jsonc.empty(text) else jsonc.loads(text)
    except (ValueError, RecursionError) as exc:
        raise BadInput(f"{file}: not JSON ({exc}); it was left as it is") from exc
    if not isinstance(found, dict) or not all(_fits(found, entry) for entry in entries):
        raise BadInput(f"{file}: its settings are not what they should be; it was left as it is")
    return text


def bare(text: str) -> bool:
    """Whether nothing is said in it that anybody would miss."""
    try:
        return not text.strip(" \t\r\n\ufeff") or (not jsonc.empty(text) and jsonc.loads(text) in ({}, {"version": 1}))
    except ValueError:
        return False


def _fits(found: Any, entry: Entry) -> bool:
    for name in entry.way[:-1]:
        found = found.get(name, {})
        if not isinstance(found, dict):
            return False
    return not entry.append or isinstance(found.get(entry.way[-1], []), list)


# Putting in


def _addition(text: str, entry: Entry) -> list[jsonc.Piece]:
    """Where an entry goes, and the text of it; nothing where it is there."""
    if jsonc.empty(text):
        said = json.dumps(_nested(entry.way, entry), indent=2, ensure_ascii=False) + "\n"
        return [(len(text), said if not text.strip("\ufeff") or text.endswith("\n") else f"\n{said}")]
    at = jsonc.top(text)
    for depth, name in enumerate(entry.way):
        found = jsonc.member(text, at, name)
        if found is None:
            return jsonc.last(text, at, depth, name, _nested(entry.way[depth + 1 :], entry))
        at = found.at
    if not entry.append or _there(found.value if found else None, entry):
        return []
    return jsonc.last(text, at, len(entry.way), "", entry.value)


def _nested(way: Sequence[str], entry: Entry) -> Any:
    value = [entry.value] if entry.append else entry.value
    for name in reversed(way):
        value = {name: value}
    return value


def _there(groups: Any, entry: Entry) -> bool:
    """Whether a list has the handler of this entry, alone or beside others."""
    name = entry.way[-1]
    return any(_named(name, each) == handler(entry) for group in _items(groups) for each in _handlers(group))


# Taking out


def _ours_in(text: str, but: Collection[str]) -> Iterator[Way]:
    """Each handler and each server of ours."""
    if jsonc.empty(text):
        return
    top = jsonc.top(text)
    hooks = jsonc.member(text, top, HOOKS)
    if hooks is not None and isinstance(hooks.value, dict):
        yield from _handlers_in(text, [(top, hooks)], but)
    for name in SERVERS:
        servers = jsonc.member(text, top, name)
        if servers is not None and isinstance(servers.value, dict):
            mine = jsonc.member(text, servers.at, NAME)
            if mine is not None and _server(mine.value) and _named(NAME, mine.value) not in but:
                yield [(top, servers), (servers.at, mine)]


def _handlers_in(text: str, way: Way, but: Collection[str]) -> Iterator[Way]:
    hooks = way[-1][1]
    for event in jsonc.members(text, hooks.at):
        for group in jsonc.members(text, event.at) if isinstance(event.value, list) else ():
            if not _has_ours(group.value):
                continue
            here: Way = [*way, (hooks.at, event), (event.at, group)]
            inner = jsonc.member(text, group.at, HOOKS)
            if inner is None:
                if _named(event.key, group.value) not in but:
                    yield here
                continue
            for each in jsonc.members(text, inner.at):
                if _ours(each.value) and _named(event.key, each.value) not in but:
                    yield [*here, (inner.at, each)]


def _dropped(text: str, way: Way) -> str:
    """Without the innermost member, and without those around it that hold nothing else."""
    place = len(way) - 1
    while place > 0 and len(jsonc.members(text, way[place][0])) == 1:
        place -= 1
    return jsonc.without(text, *way[place])


def _has_ours(group: Any) -> bool:
    return any(_ours(each) for each in _handlers(group))


def _handlers(group: Any) -> list[Any]:
    return _items(group.get(HOOKS)) if isinstance(group, dict) and HOOKS in group else [group]


def _ours(value: Any) -> bool:
    return isinstance(value, dict) and ours(value.get("command"))


def _server(value: Any) -> bool:
    """Whether a server is ours: it runs `engrain mcp`."""
    if not isinstance(value, dict):
        return False
    words = [*_words(value.get("command")), *_words(value.get("args"))]
    return [word.rpartition("/")[2] for word in words[:2]] == [NAME, "mcp"]


def _words(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [word for word in _items(value) if isinstance(word, str)]


def _named(name: str, value: Any) -> str:
    return json.dumps([name, value], sort_keys=True)


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
