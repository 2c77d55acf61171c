"""From rules to text: where secrets are, and the text with marks in their place.

How it stays fast. Hints are found first, by plain search in a copy of the text that has one byte a character; a pattern
is compiled when its hint turns up for the first time in this process, and is matched at the hint alone. Rules of
providers are cheaper still: their hints are looked for only in runs of sixteen and more word characters with a digit.

How it stays bounded. Quantifiers that something may follow are bounded, a search goes on behind what it has seen, and
the number of secrets that are looked for everywhere else in the text is limited.
"""

from __future__ import annotations

from engrain.patterns import compiled
from engrain.redact import match
from engrain.redact.beneath import coloured, wrapped
from engrain.redact.beside import companions, neighbours
from engrain.redact.keys import private_keys
from engrain.redact.likely import mixed, switches, wordy
from engrain.redact.rule import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OPEN, CLOSE = "«redacted:", "»"
_MARK = r"«redacted:([a-z0-9-]{1,40})(?::(\d{1,9}))?»"
_PASSES = 8
_REACH = 20_000
_ELSEWHERE = 64


class Marks:
    """What each secret was called: the same one gets the same mark, another of its kind a number."""

    __slots__ = ("counts", "found", "taken")

    def __init__(self) -> None:
        self.taken: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        self.found: dict[str, int] = {}

    def of(self, rule: str, secret: str) -> str:
        """The mark of this secret."""
        self.found[rule] = self.found.get(rule, 0) + 1
        mark = self.taken.get(secret)
        if mark is None:
            number = self.counts[rule] = self.counts.get(rule, 0) + 1
            mark = f"{OPEN}{rule}{CLOSE}" if number == 1 else f"{OPEN}{rule}:{number}{CLOSE}"
            self.taken[secret] = mark
        return mark

    def reserve(self, text: str) -> None:
        """Numbers that marks in the text have already are not given to other secrets."""
        for mark in compiled(_MARK).finditer(text):
            self.counts[mark[1]] = max(self.counts.get(mark[1], 0), int(mark[2] or 1))


_plain: set[str] = set()
"""Short texts that hold no secret: keys, names, folders, branches come with every event."""
_SHORT, _MOST_PLAIN = 120, 20_000


def clean(text: str, marks: Marks) -> str:
    """The text without secrets; the same object when there are none."""
    if text in _plain:
        return text
    found = spans(text)
    if not found:
        if len(text) <= _SHORT:
            if len(_plain) >= _MOST_PLAIN:
                _plain.clear()
            _plain.add(text)
        return text
    if OPEN in text:
        marks.reserve(text)
    for _ in range(_PASSES):
        text, places = _marked(text, found, marks)
        found = _around(text, places)
        if not found:
            break
    return text


def _around(text: str, places: list[int]) -> list[Span]:
    """What there is to find now that these marks stand there: a mark may end a word that went on before.

    Nothing can have changed further from a mark than any rule looks, so that of a large text only these parts are read.
    """
    windows: list[tuple[int, int]] = []
    for place in places:
        if windows and place <= windows[-1][1] + _REACH:
            windows[-1] = (windows[-1][0], place + _REACH)
        else:
            windows.append((max(0, place - _REACH), place + _REACH))
    lines = [(text.rfind("\n", 0, start + 1) + 1 if start else 0, end) for start, end in windows]
    return [
        Span(start + span.start, start + span.end, span.rule, span.quote)
        for start, end in lines
        for span in spans(text[start:end])
    ]


def spans(text: str) -> list[Span]:
    """Where the secrets are, in order and apart from one another.

    Marks are blanked out before, so that they are never read as text; a copy with one byte a character is what is
    searched for hints, so that their positions are those of the text.
    """
    if len(text) < 6:
        return []
    if OPEN in text:
        text = compiled(_MARK).sub(lambda mark: "«" * len(mark[0]), text)
    if not text.isascii():
        text = _plainly(text)
    found = [*_read(text), *coloured(text, _read)]
    if not found:
        return []
    found += companions(text, found)
    found += _elsewhere(text, found)
    return _apart([_behind_escape(text, span) for span in found])


def _read(text: str, wraps: int = 1) -> list[Span]:
    """What the rules find, in no order; in what is wrapped in base64, too, at most twice over."""
    raw = text.encode("ascii", "replace")
    low = raw.lower()
    runs = match.runs_of(raw)
    found = [*match.in_runs(text, raw, runs), *match.at_hints(text, raw, low), *private_keys(text, low)]
    found += neighbours(text, low)
    if wraps >= 0:
        found += wrapped(text, runs, lambda beneath: _read(beneath, wraps - 1))
    return found


_LIKENESSES = {"\u00a0": " ", "：": ":", "＝": "=", "“": '"', "”": '"', "‘": "'", "’": "'"}


def _plainly(text: str) -> str:
    """The text with signs of other keyboards as those of programs, place by place."""
    for sign, plain in _LIKENESSES.items():
        if sign in text:
            text = text.replace(sign, plain)
    return text


def _behind_escape(text: str, span: Span) -> Span:
    """The span without the rest of an escape (`\\n`, `\\u008a`) in which it began: what is left must stay readable."""
    slash = text.rfind("\\", max(0, span.start - 5), span.start)
    escape = compiled(r"\\(?:u[0-9a-fA-F]{4}|[nrtbf])").match(text, slash) if slash >= 0 else None
    return span._replace(start=escape.end()) if escape and span.start < escape.end() < span.end else span


def _elsewhere(text: str, found: list[Span]) -> Iterator[Span]:
    """Other places of the same text where a secret that was found stands again, unannounced."""
    seen: set[str] = set()
    known = {span.start for span in found}
    for span in found:
        secret = text[span.start : span.end]
        if len(seen) >= _ELSEWHERE:
            return
        if secret in seen or not telling(secret):
            continue
        seen.add(secret)
        at = text.find(secret)
        while at >= 0:
            if at not in known:
                yield Span(at, at + len(secret), span.rule)
            at = text.find(secret, at + len(secret))


def telling(secret: str) -> bool:
    """So particular that it can't stand elsewhere by chance, and safe to cut out anywhere."""
    return (
        8 <= len(secret) <= 4096
        and mixed(secret)
        and not (wordy(secret) and switches(secret) < 4)
        and not any(c in secret for c in "\"'\\\n<>{}«»")
    )


def _apart(found: list[Span]) -> list[Span]:
    """Overlapping spans become one; the rule that stands first in the tables names it."""
    joined: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start, -span.end)):
        if joined and span.start < joined[-1].end:
            last = joined[-1]
            rule = min(last.rule, span.rule, key=lambda name: match.ORDER.get(name, -1))
            joined[-1] = Span(last.start, max(last.end, span.end), rule, last.quote or span.quote)
        else:
            joined.append(span)
    return joined


def _marked(text: str, found: list[Span], marks: Marks) -> tuple[str, list[int]]:
    """The text with marks, and where they stand."""
    parts: list[str] = []
    places: list[int] = []
    at = size = 0
    for span in found:
        mark = f"{span.quote}{marks.of(span.rule, text[span.start : span.end])}{span.quote}"
        parts += (text[at : span.start], mark)
        places.append(size + span.start - at)
        size = places[-1] + len(mark)
        at = span.end
    parts.append(text[at:])
    return "".join(parts), places
