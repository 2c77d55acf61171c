"""Noted: when a note says what another says already, and how often it was said.

Two notes are one where they have the same words in the same order, whatever stands between: capitals, full stops,
articles. No word more may differ: `on port 8080` and `on port 8081`, `enabled` and `disabled`, what comes before what
are nearly the same text and another fact. What is said again is an event of its own that names the note and holds no
text, so the note is kept once and how often it was said follows from the journal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

FILLING = vocabulary("a also an and are here is it its just please really so that the there this very we")
"""Words that a fact does not hang on."""

_ROUND = ".,;:!?\"'`()…“”‘’*_"
_PLAIN = r"[A-Za-z]?[a-z]+(?:-[a-z]+)*"
_LISTS = ("tags", "facts", "files")
_ONES = ("title", "type")

Body = Mapping[str, Any]


def sense(said: str) -> tuple[str, ...]:
    """The words of a text that it hangs on, in their order; names as they are written."""
    found: list[str] = []
    for written in said.split():
        bare = written.strip(_ROUND)
        if compiled(_PLAIN).fullmatch(bare):
            found += [_one(word) for word in bare.lower().split("-")]
        elif bare:
            found.append(bare)
    return tuple(word for word in found if word not in FILLING)


def _one(word: str) -> str:
    """`Sundays` is `sunday`."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def same(new: Body, old: Body) -> bool:
    """Whether a note says what another says already, and nothing beside."""
    said = sense(str(new.get("text", "")))
    beside = all(set(new.get(name) or ()) <= set(old.get(name) or ()) for name in _LISTS)
    named = all(new.get(name, "") in ("", old.get(name, "")) for name in _ONES)
    return bool(said) and beside and named and said == sense(str(old.get("text", "")))
