"""From hints to matches.

Two searches, because two kinds of secrets are found in two ways. The keys of providers are long runs of word characters
with a digit; ordinary text has few such runs, and only in them, and shortly before them, are hundreds of hints looked
for. Words such as `password` or `bearer` can stand anywhere; one expression made of all of them finds where.

A pattern is compiled when its hint turns up for the first time, and matched at the hint alone. Where a pattern begins
before its hint it is searched for in that many characters; what has been searched is not searched again.
"""

from __future__ import annotations

from bisect import bisect_right

from engrain.patterns import compiled
from engrain.redact.announced import ANNOUNCED
from engrain.redact.assignment import assignment
from engrain.redact.beside import foreign, provided
from engrain.redact.command import COMMANDS
from engrain.redact.names import KEYWORDS
from engrain.redact.providers import ANYWHERE, PROVIDERS, SHAPES
from engrain.redact.rule import Rule, Span, begins
from engrain.redact.structure import BLOBS, STRUCTURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from re import Pattern

    _Way = tuple[int, Rule, "_Head | None"]
    """A rule, its number, and where the words stand that it begins with, if it has such."""

_RUN = b"x" * 16 + b"x*"
_KINDS = bytes(
    ord("9") if chr(c).isdigit() else ord("x") if chr(c).isalnum() or chr(c) in "_-" else ord(" ") for c in range(128)
).ljust(256)
_ALIKE = bytes(ord("x") if c == ord("9") else c for c in range(256))
_KEY_TYPES = ("Imt0eSI", "JrdHki", "a3R5I")
"""`"kty"` in base64: a JSON web key that was wrapped."""
_LEAD = 16
_AGAIN = 512

ORDER: dict[str, int] = {}
"""The place of a rule's name in the tables; where spans overlap, the first one names the secret."""
_named = [rule.name for rule in (*PROVIDERS, *ANYWHERE, *SHAPES.values(), *BLOBS, *STRUCTURE, *ANNOUNCED)]
for _name in (*_named, "provider-key", *[keyword.name for keyword in KEYWORDS], *[rule.name for rule in COMMANDS]):
    ORDER.setdefault(_name, len(ORDER))


def _by_hint(rules: Iterable[Rule]) -> dict[bytes, list[Rule]]:
    table: dict[bytes, list[Rule]] = {}
    for rule in rules:
        for hint in rule.hints:
            table.setdefault(hint.encode(), []).append(rule)
    return table


_IN_RUNS = _by_hint((*PROVIDERS, *BLOBS))
_EXACT = _by_hint(ANYWHERE)
_WORDS: dict[bytes, list[tuple[int, Rule]]] = {}
for _number, _rule in enumerate((*STRUCTURE, *ANNOUNCED, *COMMANDS)):
    for _hint in _rule.hints:
        _WORDS.setdefault(_hint.encode(), []).append((_number, _rule))
_NAMES = frozenset(keyword.hint.encode() for keyword in KEYWORDS)
_words: list[Pattern[bytes]] = []
_expressions: list[bytes] = []
_HABIT, _MOST_STANDING = 16, 64
_dense: list[int] = [0]
"""How many texts with runs this process has read."""


def runs_of(raw: bytes) -> list[tuple[int, int]]:
    """Stretches of sixteen and more word characters with a digit among them."""
    kinds = raw.translate(_KINDS)
    runs = [run.span() for run in compiled(_RUN).finditer(kinds.translate(_ALIKE))]
    return [(start, end) for start, end in runs if kinds.find(b"9", start, end) >= 0]


def in_runs(text: str, raw: bytes, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Keys of providers."""
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
    yield from foreign(text)
    taken: dict[int, int] = {}
    heads: dict[int, _Head] = {}
    ways: dict[bytes, list[_Way]] = {}
    named = 0
    for at, hint in _hinted(low):
        if hint not in ways:
            ways[hint] = _possible(hint, low, heads)
        for number, rule, head in ways[hint]:
            begin = head.before(at) if head else at
            if begin >= taken.get(number, 0):
                span, behind = _at(rule, text, begin)
                if span or not head:
                    taken[number] = behind
                if span:
                    yield span
        if at >= named and hint in _NAMES:
            span, named = assignment(text, at, len(hint))
            if span:
                yield span


def _hinted(low: bytes) -> Iterator[tuple[int, bytes]]:
    """Every hint and its place; one may begin in another (` -p` and `pass` in ` -passin`)."""
    pattern = _all_words()
    word = pattern.search(low)
    while word:
        yield word.start(), word[0]
        word = pattern.search(low, word.start() + 1)


def _possible(hint: bytes, low: bytes, heads: dict[int, _Head]) -> list[_Way]:
    """The rules of a hint that this text can hold at all: those whose heads, if they have some, stand in it."""
    found: list[_Way] = []
    for number, rule in _WORDS.get(hint, ()):
        head = heads.setdefault(number, heads.get(number) or _Head(rule, low)) if rule.heads else None
        if head is None or head.words:
            found.append((number, rule, head))
    return found


class _Head:
    """Where the words stand that a rule begins with, looked for only as far as its hints have come."""

    __slots__ = ("last", "low", "reach", "searched", "words")

    def __init__(self, rule: Rule, low: bytes) -> None:
        self.words = [word for word in (head.encode() for head in rule.heads) if word in low]
        self.low, self.reach = low, rule.before
        self.searched, self.last = 0, -1

    def before(self, at: int) -> int:
        """The last one of them that stands closely before, or -1."""
        start = max(self.searched, at - self.reach)
        # The space behind a head may be the one before the hint (`zip -P`).
        self.last = max(self.last, *[self.low.rfind(word, start, at + 1) for word in self.words])
        self.searched = at
        return self.last if self.last >= at - self.reach else -1


def _all_words() -> Pattern[bytes]:
    """One expression for every hint, branched letter by letter, which is what the engine is fast at."""
    if not _words:
        _words.append(compiled(_branched(sorted({*_WORDS, *_NAMES}))))
    return _words[0]


def _branched(words: list[bytes]) -> bytes:
    if b"" in words:
        return b""
    firsts = sorted({word[:1] for word in words})
    ways = [_escaped(first) + _branched([word[1:] for word in words if word[:1] == first]) for first in firsts]
    return ways[0] if len(ways) == 1 else b"(?:" + b"|".join(ways) + b")"


def _escaped(letter: bytes) -> bytes:
    return letter if letter.isalnum() else b"\\" + letter


def _shapes(text: str, runs: list[tuple[int, int]]) -> Iterator[Span]:
    for begin, end in runs:
        start = begin + _escape(text, begin)
        if end - start >= 64 and any(kty in text[start:end] for kty in _KEY_TYPES):
            yield Span(start, end, "jwk")
        rule = SHAPES.get(end - start)
        match = compiled(rule.pattern).match(text, start) if rule else None
        if rule and match and (rule.check is None or rule.check(match)):
            yield Span(start, match.end(), rule.name)


def _escape(text: str, at: int) -> int:
    """How much of a run belongs to an escape in front of it: the `n` of `\\n`, the `32m` of a colour."""
    before = text[max(0, at - 8) : at]
    if before.endswith("\\"):
        code = compiled(r"u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}").match(text, at)
        return code.end() - at if code else 1
    colour = compiled(r"\d{0,3}m").match(text, at) if "\x1b[" in before else None
    return colour.end() - at if colour else 0


def _providers(text: str, raw: bytes, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """The hints of providers are looked for in the runs alone, put one behind the other."""
    windows = [(max(0, start - _LEAD), end + 2) for start, end in runs]
    dense = b"\n".join([raw[start:end] for start, end in windows])
    places: list[int] = []
    size = 0
    for start, end in windows:
        places.append(size)
        size += min(end, len(raw)) - start + 1
    for hint in _standing(dense):
        rules, place = _IN_RUNS[hint], dense.find(hint)
        while place >= 0:
            window = bisect_right(places, place) - 1
            offset = windows[window][0] - places[window]
            span, after = _first(rules, text, place + offset)
            if span:
                yield span
            place += 1
            if after > place + offset:
                place = max(place, _place(windows, places, after, len(dense)))
            place = dense.find(hint, place)


def _standing(dense: bytes) -> Iterable[bytes]:
    """The hints that may stand in the runs, in the order of the tables. Who reads many texts has one expression find
    most of them to hold none; it is dear to make, and few texts are worth it."""
    _dense[0] += 1
    if _dense[0] < _HABIT:
        return _IN_RUNS
    first = compiled(_any_in_runs())
    found: set[bytes] = set()
    match, times = first.search(dense), 0
    while match:
        if times == _MOST_STANDING:
            return _IN_RUNS
        found.add(match[0])
        match, times = first.search(dense, match.start() + 1), times + 1
    # The expression stops at the shortest: `sk-` stands for all that begin so.
    return [hint for hint in _IN_RUNS if any(map(hint.startswith, found))] if found else ()


def _any_in_runs() -> bytes:
    if not _expressions:
        _expressions.append(_branched(sorted(_IN_RUNS)))
    return _expressions[0]


def _place(windows: list[tuple[int, int]], places: list[int], at: int, size: int) -> int:
    """Where this place of the text is among the windows: in one, or at the next."""
    window = bisect_right(windows, (at, at + size)) - 1
    start, end = windows[window]
    if at < end:
        return places[window] + at - start
    return places[window + 1] if window + 1 < len(places) else size


def _first(rules: list[Rule], text: str, at: int) -> tuple[Span | None, int]:
    """What the first of these rules finds at this hint, and where to go on."""
    after = at + 1
    for rule in rules:
        if at >= rule.before:
            span, behind = _at(rule, text, at - rule.before)
            if span:
                return span, max(after, behind)
            after = max(after, behind)
    return None, after


def _at(rule: Rule, text: str, begin: int) -> tuple[Span | None, int]:
    """The secret of this rule that begins here, if there is one, and where the next may begin."""
    if rule.edge and not begins(text, begin):
        return None, begin + 1
    match = compiled(rule.pattern).match(text, begin)
    if not match:
        return None, begin + 1
    if rule.check is not None and not rule.check(match):
        # Something long that is no secret is not looked at again from each of its hints.
        return None, max(begin + 1, match.end() - _AGAIN)
    start, end = match.span(match.lastindex or 0)
    return Span(start, end, rule.name), match.end()
