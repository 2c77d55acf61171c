"""Answers: fields for programs and a short text that says the same to a model; recalled words stand in quotes.

Clients hand a model either of the two, so both say what is recalled, from whom, and how far it is to be trusted. In the
text each quoted line begins with `> `, whatever it contains: nothing that was recalled can step out of its quote.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from engrain.event import MARK, Event, timestamp
from engrain.learn.direct import gist
from engrain.model import Fix
from engrain.recall.brief import said_by, trust_of
from engrain.recall.quote import EVIDENCE, quoted
from engrain.recall.told import one_line, record, source

MOST_TEXT = 8000
"""Characters of one answer: about 2,000 tokens."""

LINE = 240
"""Characters of what is quoted in a list."""


class Answer(NamedTuple):
    """What a tool answers: for programs, and for a model that reads."""

    fields: dict[str, Any]
    text: str


def recalled(fields: dict[str, Any], lines: Iterable[str]) -> Answer:
    """An answer that holds what others wrote, and says so first."""
    return Answer({"evidence": EVIDENCE, **fields}, "\n".join((f"{MARK} {EVIDENCE}", *lines)))


def cut(text: str, start: int = 0, most: int = MOST_TEXT) -> tuple[str, int]:
    """A piece of a long text, and how many characters come after it."""
    piece = text[start : start + most]
    return piece, max(0, len(text) - start - len(piece))


def brief(event: Event) -> dict[str, Any]:
    """An event in a list: enough to choose by, its id for the whole."""
    return {
        "id": event.id,
        "kind": event.kind,
        "when": timestamp(event.time)[:16] + "Z",
        "source": said_by(event),
        "trust": trust_of(event),
        "quote": one_line(gist(event), LINE),
    }


def line(item: dict[str, Any]) -> str:
    """A row of a list."""
    return f"- {item['id']} {item['when']} {item['kind']}, {item['source']}\n{quoted(item['quote'], '  ')}"


def whole(event: Event) -> str:
    """All that an event says, to be read."""
    return json.dumps(event.body, ensure_ascii=False, indent=1)


def fix_fields(fix: Fix) -> dict[str, Any]:
    """A fix for programs."""
    return {
        "id": fix.id,
        "steps": list(fix.steps),
        "cause": fix.cause,
        "match": fix.match or "listed",
        "because": fix.because,
        "worked": fix.worked,
        "failed": fix.failed,
        "belief": round(fix.belief, 3),
        "source": source(fix).split()[0],
        "trust": record(fix),
    }


def fix_lines(number: int, fix: Fix) -> Iterator[str]:
    """A fix for a model."""
    yield f"{number}. fix {fix.id}: {record(fix)}; believed to help in {100 * fix.belief:.0f} % of cases"
    yield from (quoted(step, "   ") for step in fix.steps)
    if fix.cause:
        yield "   because\n" + quoted(fix.cause, "   ")
