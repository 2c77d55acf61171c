"""What follows from one event by itself: its searchable text, and the row of the kind that it is."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from typing import Any

from engrain.event import (
    COMMAND,
    EPISODE,
    FAILURE,
    FIX,
    FORGET,
    HELD,
    LESSON,
    LESSON_FIRED,
    LESSON_HEEDED,
    LESSON_STATE,
    NOTE,
    NOTE_AGAIN,
    OUTCOME,
    PATTERN,
    PATTERN_USED,
    PROJECT_MERGE,
    PROJECT_SEEN,
    PROMPT,
    REDACTED,
    SERVED,
    SESSION_END,
    SESSION_START,
    TASK,
    TASK_SHOWN,
    TOOL_CALL,
    TRAIN_RUN,
    TRUST,
    Event,
    targets,
)
from engrain.learn import calls, fixes, lessons, patterns, tasks
from engrain.learn.reading import items, text
from engrain.learn.terms import names, place
from engrain.store.tables import Row

HEAD, TAIL = 24_000, 8_000
"""Characters of a long text that are searchable: its beginning and its end, where commands and errors stand."""


TAGS = frozenset({"branch", "worktree", "because", "fingerprint", "family", FAILURE, REDACTED})
"""Keys of a body that say where something happened or what was done to it: never searched for as words."""

FIRST = ("text", "prompt", "command", "error", "message", "name")
"""Keys that say what an event is about, for a line that has room for one of them."""


WORDLESS = frozenset({
    EPISODE, FORGET, OUTCOME, SERVED, HELD, LESSON_STATE, LESSON_FIRED, LESSON_HEEDED, NOTE_AGAIN, PATTERN_USED,
    TASK_SHOWN, TRUST, PROJECT_SEEN, PROJECT_MERGE, SESSION_START, SESSION_END, TRAIN_RUN,
})  # fmt: skip
"""Kinds that hold ids alone, or where something happened: nobody asks for them."""


_SPACED = bytes(ord(" ") if chr(c) in string.punctuation else c for c in range(256))


def derive(event: Event) -> list[Row]:
    """The rows that follow from an event."""
    rows = _redactions(event)
    if event.kind == NOTE_AGAIN:
        # Only to be counted.
        rows.append(Row("documents", {"text": "", "plain": "", "names": "", "place": place(event)}))
    if event.kind not in WORDLESS and (words := searchable(event)):
        said = {"text": words, "plain": spaced(words), "names": names(words), "place": place(event)}
        rows.append(Row("documents", said))
    if FAILURE in event.body:
        rows.extend(fixes.failed(event))
    if event.kind in _BY_KIND:
        rows.extend(_BY_KIND[event.kind](event))
    return rows


def spaced(text: str) -> str:
    """A text without the signs between words, which PostgreSQL would take for parts of addresses and paths."""
    # Of the bytes of a letter beyond ASCII none is a sign; a table of letters is twenty times as slow.
    return text.encode("utf-8", "surrogatepass").translate(_SPACED).decode("utf-8", "surrogatepass")


def _redactions(event: Event) -> list[Row]:
    counts = event.body.get(REDACTED)
    if not isinstance(counts, dict):
        return []
    sound = [(rule, n) for rule, n in counts.items() if len(rule) <= 100 and type(n) is int and 0 < n < 1_000_000_000]
    return [Row("redactions", {"rule": rule, "number": n}) for rule, n in sorted(sound)]


def searchable(event: Event) -> str:
    """Every text of the body, in the order of its sorted keys."""
    found = "\n".join(_texts({key: value for key, value in event.body.items() if key not in TAGS}))
    return found if len(found) <= HEAD + TAIL else f"{found[:HEAD]}\n{found[-TAIL:]}"


def gist(event: Event) -> str:
    """What the event is about, folded into one line."""
    first = _asked(event) if event.kind == TOOL_CALL else ""
    first = first or next((text(event, key) for key in FIRST if text(event, key)), "") or searchable(event)
    return " ".join(first[:2000].split())


def _asked(event: Event) -> str:
    """A call in few words: the tool, and what it was asked."""
    given = event.body.get("input")
    asked = given.get("command") or next(_texts(given), "") if isinstance(given, dict) else ""
    return f"{text(event, 'tool')}: {asked}" if isinstance(asked, str) and asked else text(event, "tool")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, dict):
        for key in sorted(value):
            yield from _texts(value[key])
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _note(event: Event) -> list[Row]:
    tags = [tag for tag in items(event, "tags") if isinstance(tag, str)]
    return [Row("notes", {"time": event.time, "text": text(event, "text"), "tags": " ".join(sorted(set(tags)))})]


def _seen(event: Event) -> list[Row]:
    return [Row("places", {"time": event.time, **{name: text(event, name) for name in ("name", "root", "remote")}})]


def _merged(event: Event) -> list[Row]:
    into = text(event, "into")
    return [Row("merges", {"time": event.time, "target": into})] if into else []


def _forgotten(event: Event) -> list[Row]:
    return [Row("tombstones", {"target": target}) for target in sorted(set(targets(event)))]


_BY_KIND: dict[str, Callable[[Event], list[Row]]] = {
    NOTE: _note,
    PROJECT_SEEN: _seen,
    PROJECT_MERGE: _merged,
    FORGET: _forgotten,
    EPISODE: fixes.lived,
    FIX: fixes.taught,
    OUTCOME: fixes.went,
    SERVED: fixes.shown,
    HELD: fixes.shown,
    TOOL_CALL: calls.called,
    COMMAND: calls.ran,
    PROMPT: calls.asked,
    LESSON: lessons.taught,
    LESSON_STATE: lessons.decided,
    LESSON_FIRED: lessons.fired,
    LESSON_HEEDED: lessons.fired,
    PATTERN: patterns.taught,
    PATTERN_USED: patterns.taught,
    TASK: tasks.told,
    TASK_SHOWN: tasks.shown,
}
