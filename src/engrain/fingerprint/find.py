"""Asks the parsers that a text calls for.

The words of a text are taken once; a parser is asked when it owns one of them. That is a hundred times cheaper than to
run its patterns, and most failures hold the words of a few tools.
"""

from __future__ import annotations

import re

from engrain.fingerprint.parsers import PARSERS
from engrain.fingerprint.rows import words_of
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
_owners: dict[str, list[int]] = {}
_pieces: dict[str, list[tuple[str, int]]] = {}
_loose: dict[str, list[int]] = {}
_drawn: dict[str, list[int]] = {}
_NOTHING = re.compile(r"^[\W\d_]*$")


def diagnostics(text: str) -> list[Diagnostic]:
    """Everything that the parsers that are called for have found; what tools share in shape, where they found no
    root."""
    found: list[Diagnostic] = []
    needless: set[str] = set()
    rooted = False
    words = frozenset(words_of(text))
    for parser in _called_for(text, words):
        if parser.name in needless:
            continue
        new = list(_find(parser.name)(text, words))
        found += new
        if any(each.rank == ROOT for each in new):
            rooted = True
            needless.update(parser.instead_of)
    if not rooted and text:
        found += _find("general")(text, words)
    return found


def _called_for(text: str, words: Set[str]) -> Iterator[Parser]:
    if not _owners:
        _index()
    asked = {number for word in _owners.keys() & words for number in _owners[word]}
    for pieces in (_loose,) if text.isascii() else (_loose, _drawn):
        for piece, numbers in pieces.items():
            if piece in text:
                asked.update(numbers)
    for word in _pieces.keys() & words:
        for piece, number in _pieces[word]:
            if number not in asked and piece in text:
                asked.add(number)
    for number in sorted(asked):
        yield PARSERS[number]


def _index() -> None:
    """Who owns a word; which pieces to look for when a word of theirs occurs; and those that hold no whole word, apart
    from the ones that are drawn with signs that most texts lack."""
    for number, parser in enumerate(PARSERS):
        for word in parser.words:
            _owners.setdefault(word, []).append(number)
        for piece in parser.pieces:
            inner = re.findall(r"(?:(?<=[^A-Za-z])[A-Za-z]|\b[A-Z])[A-Za-z]+", piece)
            if len(words_of(piece)) > 1 and inner:
                _pieces.setdefault(max(inner, key=len).lower(), []).append((piece, number))
            elif piece.isascii():
                _loose.setdefault(piece, []).append(number)
            else:
                _drawn.setdefault(piece, []).append(number)


def unknown(text: str, exit_code: int | None) -> Diagnostic:
    """The fallback: the last line that says something, as an unknown tool's complaint."""
    for line in reversed(text[-20_000:].split("\n")):
        if len(line) > 2 and not _NOTHING.match(line[:400]):
            return diagnostic(FALLBACK, "failure", line.strip()[:400])
    return diagnostic(FALLBACK, "silence", "", (("exit", str(exit_code)),) if exit_code else (), settled=True)


def _find(name: str) -> Find:
    found = _loaded.get(name)
    if found is None:
        import importlib

        found = _loaded[name] = importlib.import_module(f"engrain.fingerprint.parsers.{name}").find
    return found
