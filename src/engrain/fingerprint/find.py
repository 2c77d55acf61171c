"""Asks the parsers that a text calls for.

The words of a text are taken once; a parser is asked when it owns one of them. That is a hundred times cheaper than to
run its patterns, and most failures hold the words of a few tools.
"""

from __future__ import annotations

import re

from engrain.fingerprint.parsers import PARSERS
from engrain.fingerprint.rows import pattern_of, words_of
from engrain.model import ROOT, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Set

    from engrain.fingerprint.parsers import Parser
    from engrain.model import Diagnostic

    Find = Callable[[str, Set[str]], Iterable[Diagnostic]]

FALLBACK = "unknown"
"""The toolchain of what no parser knows."""

_loaded: dict[str, Find] = {}
_owners: dict[str, tuple[list[int], list[tuple[str, int]]]] = {}
_loose: list[tuple[str, list[int], list[tuple[str, list[int]]]]] = []
_drawn: list[tuple[str, list[int], list[tuple[str, list[int]]]]] = []
_NOTHING = r"^[\W\d_]*$"


def diagnostics(text: str) -> list[Diagnostic]:
    """Everything that the parsers that are called for have found; what tools share in shape, where they found no
    root."""
    found: list[Diagnostic] = []
    needless: set[str] = set()
    rooted = False
    begins = len(text) - len(text.lstrip())
    words = frozenset(words_of(text))
    for parser in _called_for(text, words):
        if parser.name in needless:
            continue
        new = list(_find(parser.name)(text, words))
        found += new
        roots = [each.at for each in new if each.rank == ROOT]
        if roots:
            rooted = True
            needless.update(parser.instead_of)
            if min(roots) <= begins:
                break
    if not rooted and text:
        found += _find("general")(text, words)
    return found


def _called_for(text: str, words: Set[str]) -> Iterator[Parser]:
    if not _owners:
        _index()
    asked: set[int] = set()
    for word in _owners.keys() & words:
        numbers, pieces = _owners[word]
        asked.update(numbers)
        for piece, number in pieces:
            if number not in asked and piece in text:
                asked.add(number)
    for piece, numbers, narrower in _loose if text.isascii() else _loose + _drawn:
        if piece in text:
            asked.update(numbers)
            for longer, its in narrower:
                if longer in text:
                    asked.update(its)
    for number in sorted(asked):
        yield PARSERS[number]


def _index() -> None:
    """Who owns a word, which pieces to look for when a word of theirs occurs, and which hold no whole word.

    Of the last, drawn ones are left out where a text is plain, longer ones where the shorter that they hold is absent.
    """
    loose: dict[str, list[int]] = {}
    for number, parser in enumerate(PARSERS):
        for word in parser.words:
            _owners.setdefault(word, ([], []))[0].append(number)
        for piece in parser.pieces:
            if word := _whole_word(piece):
                _owners.setdefault(word, ([], []))[1].append((piece, number))
            else:
                loose.setdefault(piece, []).append(number)
    shortest = [piece for piece in loose if not any(other in piece for other in loose if other != piece)]
    for piece in shortest:
        longer = [(other, loose[other]) for other in loose if piece in other and other != piece]
        (_loose if piece.isascii() else _drawn).append((piece, loose[piece], longer))


_TORN = frozenset(
    (
        "ailed",
        "ailure",
        "an",
        "arning",
        "ermission",
        "Error",
        "Exception",
        "ndefined",
        "onnect",
        "onnection",
        "ould",
        "rror",
    )
)
"""Words at the beginning of a piece that stand for the end of one in the text (`TypeError: `, `Failed`, `failed`)."""


def _whole_word(piece: str) -> str:
    """The longest word of a piece that is a whole word of the text; none where the piece is but the end of one."""
    found = re.findall(r"[A-Za-z]+", piece)
    if found and piece[:1].isalpha() and found[0] in _TORN:
        del found[0]
    return max(found, key=len, default="").lower()


def unknown(text: str, exit_code: int | None) -> Diagnostic:
    """The fallback: the last line that says something, as an unknown tool's complaint."""
    for line in reversed(text[-20_000:].split("\n")):
        if len(line) > 2 and not pattern_of(_NOTHING).match(line[:400]):
            return diagnostic(FALLBACK, "failure", line.strip()[:400])
    return diagnostic(FALLBACK, "silence", "", (("exit", str(exit_code)),) if exit_code else (), settled=True)


def _find(name: str) -> Find:
    found = _loaded.get(name)
    if found is None:
        import importlib

        found = _loaded[name] = importlib.import_module(f"engrain.fingerprint.parsers.{name}").find
    return found
