"""Patterns: how code and tests are written here, as rows of what was taught.

A pattern is taught once and reinforced whenever it is taught again in nearly the same words, or was followed: how often
and when last is counted from these events. `alike` says what is nearly the same. Which pattern an event is about is
decided when it is taught and said in it, so that its rows follow from it alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import NamedTuple

from engrain.event import PATTERN_USED, Event
from engrain.learn.likeness import overlap, words
from engrain.learn.reading import items, text
from engrain.patterns import compiled
from engrain.store.tables import Row

CODE, TEST = FORMS = ("code", "test")

NAME, DESCRIPTION, EXAMPLE, LINE, AREA = 120, 1000, 2000, 200, 200
"""Characters of a name, a description, an example, a use case and an area."""
MOST_LINES, MOST_WORDS = 10, 80
ID = 12

ALIKE, NAMED = 0.75, 0.25
"""The part of their words that two patterns share that are one; less will do where they have one name."""


class Said(NamedTuple):
    """What a pattern says; `uses` is what it is for, `avoid` what not to do in its place, `area` where it holds."""

    form: str
    name: str
    description: str = ""
    example: str = ""
    uses: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    area: str = ""


def taught(event: Event) -> list[Row]:
    """A pattern as it was taught, or that one was followed."""
    pattern = text(event, "pattern", ID)
    if event.kind == PATTERN_USED:
        said = Said("", "")
    else:
        said = said_in(event)
        pattern = pattern or id_of(said)
    if not pattern or not (said.name or event.kind == PATTERN_USED):
        return []
    values = {
        **said._asdict(), "pattern": pattern, "time": event.time, "source": text(event, "source", NAME) or "taught",
        "uses": json.dumps(said.uses, ensure_ascii=False), "avoid": json.dumps(said.avoid, ensure_ascii=False),
        "told": int(bool(said.name)),
    }  # fmt: skip
    found = words(about(said))[:MOST_WORDS]
    return [Row("patterns", values), *(Row("pattern_words", {"word": word}) for word in found)]


def said_in(event: Event) -> Said:
    """What an event says of a pattern, as far as a row has room for it."""
    form = text(event, "form")
    return Said(
        form if form in FORMS else CODE,
        text(event, "name", NAME),
        text(event, "description", DESCRIPTION),
        text(event, "example", EXAMPLE),
        _lines(event, "uses"),
        _lines(event, "avoid"),
        text(event, "area", AREA),
    )


def _lines(event: Event, name: str) -> tuple[str, ...]:
    return tuple(line[:LINE] for line in items(event, name) if isinstance(line, str) and line)[:MOST_LINES]


def id_of(said: Said) -> str:
    """The id of a pattern that is new: what it says."""
    whole = json.dumps(said, ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:ID]


def alike(one: Said, other: Said) -> bool:
    """Whether two are one pattern: of one form and area, in nearly the same words, or less near under one name."""
    if (one.form, _area(one.area)) != (other.form, _area(other.area)):
        return False
    near = overlap(_all(one), _all(other))
    code = overlap(_tokens(one.example), _tokens(other.example))
    return max(near, code) >= (NAMED if words(one.name) == words(other.name) else ALIKE)


def about(said: Said) -> str:
    """Everything that it says, to be compared and embedded."""
    return "\n".join(filter(None, (said.name, said.description, *said.uses, said.area, said.example)))


def reaches(area: str, path: str) -> bool:
    """Whether a path lies in an area; none is everywhere."""
    wanted = _area(area)
    return not wanted or f"/{wanted}/" in f"/{path.strip('/')}/"


def _area(area: str) -> str:
    return area.strip().strip("/").removesuffix("/**").removesuffix("/*").strip("/")


def _all(said: Said) -> Iterable[str]:
    return words(about(said))


def _tokens(code: str) -> Iterable[str]:
    """Of an example of some length every three signs that follow each other, however it is laid out."""
    signs = compiled(r"\w+|[^\w\s]").findall(code)
    return [" ".join(signs[n : n + 3]) for n in range(len(signs) - 2)] if len(signs) >= 8 else []
