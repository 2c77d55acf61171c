"""Terms: what a text is found by, and what somebody typed → what to look for.

Full text takes words apart at whatever is no letter or digit: `get_user.by_id`, `src/auth.py` and `foo(bar)` need no
more. Two things do:

    getUserById          the names of a text, taken apart, are indexed beside it
    project, kind, tag   are indexed as words that nobody can type: to filter is to look for them

Typed, a name means its parts, one after the other, however it is written: `get_user_by_id` finds `getUserById`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engrain.event import COMMAND, FIX, NOTE_AGAIN, TOOL_CALL, Event
from engrain.learn.likeness import IDLE

MOST_NAMES, MOST_TYPED, MOST_TERMS = 400, 10_000, 64
"""Names of one text, characters of a question that are read, and terms that it may have."""
LONGEST = 120

FAILED, WORKED = "failed", "worked"

Phrase = tuple[str, ...]
"""Words that stand one after the other."""

_KINDS = bytes(
    ord("?") if chr(c) == "?" else ord("A") if chr(c).isupper() else ord("a") if chr(c).isalnum() else
    ord("_") if chr(c) == "_" else ord(" ") for c in range(128)
).ljust(256)  # fmt: skip
"""A letter as its kind; `?` is what may be any."""
_HUMP, _GAP = b"aA", b" "
_CAMEL = re.compile(r"\b[A-Za-z_]\w*?[a-z0-9][A-Z]\w*")
_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,200})[\"“”]")
_PLAIN = re.compile(r"[A-Za-z]?[a-z]+(?:[-/][A-Za-z]?[a-z]+)?")
_APART = re.compile(r"[./\\:#-]+")
_NAME = re.compile(r"[\w$@~+-]*(?:[./\\:#_-]+[\w$@+{}-]+)+|\w+")
_LINE = re.compile(r"(?:[:#]L?\d+)+$")


class Term(NamedTuple):
    """One thing to look for: any of these phrases."""

    phrases: tuple[Phrase, ...]


class Typed(NamedTuple):
    """What somebody typed: what stood in quotes, names, and words; each once, in their order."""

    quoted: tuple[Term, ...]
    names: tuple[Term, ...]
    words: tuple[Term, ...]


def names(text: str) -> str:
    """The names of a text that are written in one word, taken apart: `getUserById` → `get User By Id`."""
    found: dict[str, None] = {}
    for start, end in _humped(text):
        found.update((each, None) for each in _CAMEL.findall(text, start, end) if len(each) <= LONGEST)
        if len(found) >= MOST_NAMES:
            break
    return "\n".join(_SEAM.sub(" ", each) for each in list(found)[:MOST_NAMES])


def _humped(text: str) -> Iterator[tuple[int, int]]:
    """Stretches without a gap that have a small letter before a large one: few have, and to look for these is quick."""
    kinds = text.encode("ascii", "replace").translate(_KINDS)
    end, at = 0, kinds.find(_HUMP)
    while at >= 0:
        start = max(end, kinds.rfind(_GAP, end, at) + 1)
        end = kinds.find(_GAP, at)
        end = len(text) if end < 0 else end
        yield start, end
        at = kinds.find(_HUMP, end)


def typed(text: str) -> Typed:
    """What any text that somebody types means; of idle words alone, these."""
    text = text[:MOST_TYPED]
    quoted = [Term((phrase,)) for found in _QUOTED.findall(text) if (phrase := parts(found))]
    split = [(written, parts(written)) for written in _NAME.findall(text)]
    # Of a path or a dotted name each part that is a name by itself, too.
    written_so = [
        each for whole, _ in split for each in dict.fromkeys((whole, _LINE.sub("", whole), *_APART.split(whole)))
    ]
    named = [term for each in written_so if _is_name(each) and (term := _spelt(each))]
    words = [word for _, phrase in split for word in phrase]
    telling = [word for word in words if word not in IDLE and (len(word) > 1 or not word.isascii() or word.isdigit())]
    chosen = telling if telling or named else words
    return Typed(_first(quoted), _first(named), _first(Term(((word,),)) for word in chosen))


def _spelt(name: str) -> Term | None:
    """However a name of several words may stand in a text: all of them apart, as one, and as its signs part it, where
    `cart::NameStrict` has two."""
    apart = parts(name)
    signed = tuple(word.lower() for word in _WORD.findall(name))
    return Term(tuple(dict.fromkeys((apart, ("".join(apart),), signed)))) if len(apart) > 1 else None


def _first(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(terms))[:MOST_TERMS]


def _is_name(written: str) -> bool:
    """Whether it is written as names are; `read-only` and `and/or` are words of any text."""
    return len(written) <= LONGEST and not _PLAIN.fullmatch(written)


def parts(written: str) -> Phrase:
    """The words of a text, names taken apart."""
    return tuple(part.lower() for part in _WORD.findall(_SEAM.sub(" ", written)))


# Where and what, as words


def place(event: Event) -> str:
    """Where an event happened and what it is, as words to filter by."""
    words = [of_tenant(event.tenant), of_project(event.project), of_kind(event.kind)]
    if event.agent:
        words.append(of_agent(event.agent))
    words += sorted({of_tag(tag) for tag in _tags(event)})
    if isinstance(before := event.body.get("supersedes"), str) and 0 < len(before) <= LONGEST:
        words.append(of_superseded(before))
    if again := said_again(event):
        words.append(of_again(again))
    if went := outcome(event):
        words.append(of_outcome(went))
    return " ".join(words)


def said_again(event: Event) -> str:
    """The note that an event says to have been said again; empty where it says nothing such."""
    note = event.body.get("note")
    return note if event.kind == NOTE_AGAIN and isinstance(note, str) and len(note) <= LONGEST else ""


def _tags(event: Event) -> Iterator[str]:
    for name in ("tags", "type"):
        value = event.body.get(name)
        for tag in value if isinstance(value, list) else [value]:
            if isinstance(tag, str) and 0 < len(tag) <= LONGEST:
                yield tag


def outcome(event: Event) -> str:
    """How it went, where that is known: worked or failed."""
    body = event.body
    if event.kind in (TOOL_CALL, COMMAND) and ("failed" in body or type(body.get("exit")) is int):
        went_wrong = body.get("failed") is True or (type(body.get("exit")) is int and body["exit"] != 0)
        return FAILED if went_wrong else WORKED
    said = body.get("outcome")
    if event.kind != FIX and isinstance(said, str):
        return {"success": WORKED, "worked": WORKED, "failure": FAILED, "failed": FAILED}.get(said, "")
    return ""


def _of(letter: str, name: str) -> str:
    # It ends in a digit, so that no stemmer takes anything off.
    return f"{letter}{name.encode('utf-8', 'replace').hex()}0"


def of_tenant(name: str) -> str:
    return _of("t", name)


def of_project(name: str) -> str:
    return _of("p", name)


def of_kind(name: str) -> str:
    return _of("k", name)


def of_agent(name: str) -> str:
    return _of("a", name)


def of_tag(name: str) -> str:
    return _of("g", name.casefold())


def of_superseded(id_: str) -> str:
    return _of("s", id_)


def of_again(id_: str) -> str:
    return _of("r", id_)


def of_outcome(name: str) -> str:
    return _of("o", name)
