"""From hints to matches.

Two searches, because two kinds of secrets are found in two ways. The keys of providers are long runs of word characters
with a digit; ordinary text has few such runs, and only in them, and shortly before them, are hundreds of hints looked
for. Words such as `password` or `bearer` can stand anywhere; one expression made of all of them finds where.

A pattern is compiled when its hint turns up for the first time, and matched at the hint alone. Where a pattern begins
before its hint it is searched for in that many characters; what has been searched is not searched again.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from engrain.redact.assignment import KEYWORDS, assignment, provided
from engrain.redact.command import COMMANDS
from engrain.redact.providers import ANYWHERE, PROVIDERS, SHAPES
from engrain.redact.rule import Rule, Span, begins, compiled
from engrain.redact.structure import BLOBS, STRUCTURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_RUN = re.compile(b"x" * 16 + b"x*")
_KINDS = bytes(
    ord("9") if chr(c).isdigit() else ord("x") if chr(c).isalnum() or chr(c) in "_-" else ord(" ") for c in range(128)
).ljust(256)
_ALIKE = bytes(ord("x") if c == ord("9") else c for c in range(256))
_LEAD = 16
_AHEAD = 640

ORDER: dict[str, int] = {}
"""The place of a rule's name in the tables; where spans overlap, the first one names the secret."""
for _rule in (*PROVIDERS, *ANYWHERE, *SHAPES.values(), *BLOBS, *STRUCTURE, *KEYWORDS, *COMMANDS):
    ORDER.setdefault(_rule.name, len(ORDER))


def _by_hint(rules: Iterable[Rule]) -> dict[bytes, list[Rule]]:
    table: dict[bytes, list[Rule]] = {}
    for rule in rules:
        for hint in rule.hints:
            table.setdefault(hint.encode(), []).append(rule)
    return table


_IN_RUNS = _by_hint((*PROVIDERS, *BLOBS))
_EXACT = _by_hint(ANYWHERE)
_WORDS = _by_hint((*STRUCTURE, *COMMANDS))
_NAMES = frozenset(keyword.hint.encode() for keyword in KEYWORDS)
_words: list[re.Pattern[bytes]] = []


def in_runs(text: str, raw: bytes) -> Iterator[Span]:
    """Keys of providers."""
    runs = list(_runs(raw))
    if not runs:
        return
    yield from _shapes(text, runs)
    yield from provided(text, runs)
    yield from _providers(text, raw, runs)


def at_hints(text: str, raw: bytes, low: bytes) -> Iterator[Span]:
    """What stands at a hint anywhere in the text."""
    for hint, rules in _EXACT.items():
        at = raw.find(hint)
        while at >= 0:
            span, after = _first(rules, text, at)
            if span:
                yield span
            at = raw.find(hint, after)
    searched: dict[Rule, int] = {}
    named = 0
    for word in _all_words().finditer(low):
        at, hint = word.start(), word[0]
        for rule in _WORDS.get(hint, ()):
            if at >= searched.get(rule, 0) or rule.before:
                span, searched[rule] = _at(rule, text, at, searched.get(rule, 0))
                if span:
                    yield span
        if at >= named and hint in _NAMES:
            span, named = assignment(text, at, len(hint))
            if span:
                yield span


def _all_words() -> re.Pattern[bytes]:
    """One expression for every hint, branched letter by letter, which is what the engine is fast at."""
    if not _words:
        _words.append(re.compile(_branched(sorted({*_WORDS, *_NAMES}))))
    return _words[0]


def _branched(words: list[bytes]) -> bytes:
    if b"" in words:
        return b""
    firsts = sorted({word[:1] for word in words})
    ways = [re.escape(first) + _branched([word[1:] for word in words if word[:1] == first]) for first in firsts]
    return ways[0] if len(ways) == 1 else b"(?:" + b"|".join(ways) + b")"


def _runs(raw: bytes) -> Iterator[tuple[int, int]]:
    """Stretches of sixteen and more word characters with a digit among them."""
    kinds = raw.translate(_KINDS)
    for run in _RUN.finditer(kinds.translate(_ALIKE)):
        start, end = run.span()
        if kinds.find(b"9", start, end) >= 0:
            yield start, end


def _shapes(text: str, runs: list[tuple[int, int]]) -> Iterator[Span]:
    for start, end in runs:
        rule = SHAPES.get(end - start)
        match = compiled(rule.pattern).match(text, start) if rule else None
        if rule and match and (rule.check is None or rule.check(match)):
            yield Span(start, match.end(), rule.name)


def _providers(text: str, raw: bytes, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """The hints of providers are looked for in the runs alone, put one behind the other."""
    windows = [(max(0, start - _LEAD), end + 2) for start, end in runs]
    dense = b"\n".join([raw[start:end] for start, end in windows])
    places: list[int] = []
    size = 0
    for start, end in windows:
        places.append(size)
        size += min(end, len(raw)) - start + 1
    for hint, rules in _IN_RUNS.items():
        place = dense.find(hint)
        while place >= 0:
            window = bisect_right(places, place) - 1
            span, after = _first(rules, text, windows[window][0] + place - places[window])
            place += 1
            if span:
                yield span
                behind = bisect_left(windows, (after - 1, 0)) - 1
                place = max(place, places[behind]) if behind > window else place
            place = dense.find(hint, place)


def _first(rules: list[Rule], text: str, at: int) -> tuple[Span | None, int]:
    """What the first of these rules finds at this hint."""
    for rule in rules:
        span, after = _at(rule, text, at, 0)
        if span:
            return span, after
    return None, at + 1


def _at(rule: Rule, text: str, at: int, searched: int) -> tuple[Span | None, int]:
    """The secret of this rule at this hint, if there is one, and the end of what has been looked at."""
    pattern = compiled(rule.pattern)
    if rule.before:
        match = pattern.search(text, max(searched, at - rule.before), at + _AHEAD)
    else:
        match = pattern.match(text, at)
    if match and (not rule.edge or begins(text, match.start())) and (rule.check is None or rule.check(match)):
        start, end = match.span(match.lastindex or 0)
        return Span(start, end, rule.name), max(at + 1, match.end())
    return None, max(searched, at - rule.before // 2)
