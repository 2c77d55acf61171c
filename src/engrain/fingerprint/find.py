"""Asks the parsers that a text calls for.

The words of a text are taken once; a parser is asked when it owns one of them. That is a hundred times cheaper than to
run its patterns, and most failures hold the words of a few tools.
"""

from __future__ import annotations

from engrain.fingerprint.parsers import PARSERS
from engrain.fingerprint.rows import COMMON, pattern_of, spelled, words_of
from engrain.model import ROOT, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Set

    from engrain.model import Diagnostic

    Look = tuple[str, int, int, list[tuple[str, int]]]
    """A piece, whom it calls for, all that the look at it can call for, and the pieces that hold it."""

    Find = Callable[[str, Set[str]], Iterable[Diagnostic]]

FALLBACK = "unknown"
"""The toolchain of what no parser knows."""

_EVERYBODY = (1 << len(PARSERS)) - 1
_loaded: dict[str, Find] = {}

# Sets of parsers are bits: the parser in row `n` of the table is `1 << n`.
_instead_of: list[int] = []
_owners: dict[str, tuple[int, list[Look]]] = {}
_owned: set[str] = set()
_loose: list[Look] = []
_drawn: list[Look] = []
_NOTHING = r"^[\W\d_]*$"


def diagnostics(text: str) -> list[Diagnostic]:
    """Everything that the parsers that are called for have found; what tools share in shape, where they found no
    root."""
    found: list[Diagnostic] = []
    rooted = False
    words = frozenset(words_of(text))
    asked = _called_for(text, words)
    while asked:
        number = (asked & -asked).bit_length() - 1
        asked &= asked - 1
        new = list(_find(PARSERS[number].name)(text, words))
        found += new
        if roots := [each.at for each in new if each.rank == ROOT]:
            rooted = True
            asked &= ~_instead_of[number]
            if not text[: min(roots)].strip():
                break
    if not rooted and text:
        # A line that its own tool has read is not read again by its shape: `error: Recipe … failed` is a wrapper's.
        taken = {each.at for each in found}
        found += [each for each in _find("general")(text, words) if each.at not in taken]
    return found


def _called_for(text: str, words: frozenset[str]) -> int:
    if not _owners:
        _index()
    asked = 0
    looks = _loose.copy() if text.isascii() else _loose + _drawn
    for word in words & _owned:
        owners, pieces = _owners[word]
        asked |= owners
        looks += pieces
    free = _EVERYBODY & ~asked
    for piece, its, every, narrower in looks:
        if every & free and piece in text:
            free &= ~its
            for longer, those in narrower:
                if those & free and longer in text:
                    free &= ~those
    return _EVERYBODY & ~free


def _index() -> None:
    """Who owns a word, which pieces to look for when a word of theirs occurs, and which hold no whole word.

    Of the last, drawn ones are left out where a text is plain, longer ones where the shorter (or the sign) that they
    hold is absent.
    """
    bits = {parser.name: 1 << number for number, parser in enumerate(PARSERS)}
    words: dict[str, int] = {}
    pieces: dict[str, int] = {}
    for parser in PARSERS:
        _instead_of.append(sum(bits[name] for name in parser.instead_of))
        for word in parser.words:
            words[word] = words.get(word, 0) | bits[parser.name]
        for piece in parser.pieces:
            pieces[piece] = pieces.get(piece, 0) | bits[parser.name]
    loose: dict[str, int] = {}
    whole: dict[str, list[tuple[str, int]]] = {}
    for piece, its in pieces.items():
        if spelling := _whole_word(piece):
            whole.setdefault(spelling, []).append((piece, its))
        else:
            loose[piece] = its
            if not any(map(str.isalpha, piece)):
                loose.setdefault(max(sign for sign in piece if not sign.isalnum()), 0)
    _owners.update((word, (its, [])) for word, its in words.items())
    for spelling, its_pieces in whole.items():
        looks = _owners.setdefault(spelling.lower(), (0, []))[1]
        looks.append(_look(spelling, 0, its_pieces) if len(its_pieces) > 1 else _look(*its_pieces[0], []))
    _owned.update(_owners)
    shortest = [piece for piece in loose if not any(other in piece for other in loose if other != piece)]
    for piece in shortest:
        longer = [(other, loose[other]) for other in loose if piece in other and other != piece]
        (_loose if piece.isascii() else _drawn).append(_look(piece, loose[piece], longer))


def _look(piece: str, its: int, narrower: list[tuple[str, int]]) -> Look:
    every = its
    for _, those in narrower:
        every |= those
    return piece, its, every, narrower


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


_MOST_SAID = frozenset(("error", "module", "line", "file", "cannot", "failed"))
"""Of the words that every tool says, those that hardly a failure lacks."""


def _whole_word(piece: str) -> str:
    """The word of a piece that is a whole word of the text and that few tools say, the longest of them; none where the
    piece is but the end of one."""
    found = spelled(piece)
    if found and piece[:1].isalpha() and found[0] in _TORN:
        del found[0]
    telling = [word for word in found if word.lower() not in COMMON]
    return max(telling or [word for word in found if word.lower() not in _MOST_SAID] or found, key=len, default="")


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
