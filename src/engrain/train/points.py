"""Points: places of held-out sessions where the model is asked what comes next, what the agent really did there, and
what a table of tool pairs would have said. Pure."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engrain.train.examples import Row, called
from engrain.train.shape import Reply

NOTHING = ""
"""The tool of a place where nothing was called."""


class Point(NamedTuple):
    """What was seen, what tools there were, and what followed."""

    id: str
    session: str
    project: str
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]
    tool: str
    given: Mapping[str, Any]
    before: tuple[tuple[str, str], ...]
    """Tool and arguments (as text) of the calls before it, the last one last."""


class Question(NamedTuple):
    """What the model sees."""

    messages: Sequence[dict[str, Any]]
    tools: Sequence[dict[str, Any]]


class Answer(NamedTuple):
    """What it said, and whether it ended by itself."""

    text: str
    ended: bool
    reply: Reply


def points(rows: Iterable[Row], number: int, seed: int) -> list[Point]:
    """So many places, drawn by turns from each project, those where nothing was called first among equals."""
    by_project: dict[str, list[Point]] = defaultdict(list)
    for row in rows:
        for point in _of(row):
            by_project[point.project].append(point)
    for found in by_project.values():
        found.sort(key=lambda point: hashlib.sha256(f"{seed}:{point.id}".encode()).hexdigest())
        ends = [point for point in found if point.tool == NOTHING]
        calls = [point for point in found if point.tool != NOTHING]
        # Of every eight places one where the right thing is to call nothing, as long as there are any.
        found[:] = [
            each for at in range(0, len(calls) + 7, 7) for each in (*ends[at // 7 : at // 7 + 1], *calls[at : at + 7])
        ]
    chosen: list[Point] = []
    for place in range(max(map(len, by_project.values()), default=0)):
        chosen += [found[place] for _, found in sorted(by_project.items()) if place < len(found)]
    return chosen[:number]


def _of(row: Row) -> Iterable[Point]:
    before: list[tuple[str, str]] = []
    for place, message in enumerate(row["messages"]):
        if message["role"] != "assistant":
            continue
        tool = called(message)
        given = message["tool_calls"][0]["function"]["arguments"] if tool else {}
        if message.get("learn"):
            context = tuple({k: v for k, v in each.items() if k != "learn"} for each in row["messages"][:place])
            name = f"{row['id']}:{place}"
            yield Point(name, row["session"], row["project"], context, tuple(row["tools"]), tool, given, tuple(before))
        if tool:
            before.append((tool, told(given)))


def told(given: Mapping[str, Any]) -> str:
    """Arguments as one text, so that equal ones are equal."""
    return json.dumps(given, sort_keys=True, ensure_ascii=False)


class Pairs:
    """A table: after this tool, which tool, with which arguments. What a model must beat to have learned anything."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._next: dict[str, Counter[str]] = defaultdict(Counter)
        self._given: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for row in rows:
            for point in _of(row):
                last = point.before[-1][0] if point.before else "^"
                for key in (f"{point.project} {last}", last, ""):
                    self._next[key][point.tool] += int(row["times"])
                self._given[last, point.tool][told(point.given)] += 1

    def reply(self, point: Point) -> Reply:
        """What the table says at a place."""
        last = point.before[-1][0] if point.before else "^"
        keys = (f"{point.project} {last}", last, "")
        seen = next((self._next[key] for key in keys if self._next[key]), Counter())
        tool = seen.most_common(1)[0][0] if seen else NOTHING
        given = self._given[last, tool].most_common(1)
        return Reply("" if tool else "done", tool, json.loads(given[0][0]) if given and tool else {}, True)


def alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """How much two sets of arguments have in common: of the words in their values, the harmonic mean of both shares."""
    mine, theirs = _words(one), _words(other)
    shared = sum((mine & theirs).values())
    total = sum(mine.values()) + sum(theirs.values())
    return 2 * shared / total if total else 1.0


def _words(given: Mapping[str, Any]) -> Counter[str]:
    words: Counter[str] = Counter()
    for name, value in given.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        words.update(f"{name}={word}" for word in text.split())
    return words


def recorded(rows: Sequence[Row]) -> dict[tuple[str, str], str]:
    """Tool and arguments → what came back, of every call in these rows."""
    found: dict[tuple[str, str], str] = {}
    for row in rows:
        calls: dict[str, tuple[str, str]] = {}
        for message in row["messages"]:
            for call in message.get("tool_calls", ()):
                calls[call["id"]] = (call["function"]["name"], told(call["function"]["arguments"]))
            if message["role"] == "tool" and message["tool_call_id"] in calls:
                found.setdefault(calls[message["tool_call_id"]], message["content"])
    return found
