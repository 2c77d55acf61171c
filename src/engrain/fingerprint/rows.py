"""Parsers as tables: a row knows a line of one tool by a plain piece of text, and reads it with one pattern.

A row is tried only on lines that hold its `hint`, so that a failure pays for the tools that spoke in it and for no
others. Named groups say what was read: `code` is the type of the error (and settles the family), `message` its
words, `file` where; **every other group is a parameter that decides the fix** and is named after what it is. A group
whose name begins with `_` is only read over.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.fingerprint.read import MAX_LINE
from engrain.fingerprint.vocabulary import words
from engrain.model import ROOT, Diagnostic
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Set
    from re import Match
    from typing import NamedTuple

    class Row(NamedTuple):
        """`type` names the error when the pattern has no `code`; `says` replaces the tool's own words."""

        toolchain: str
        hint: str
        pattern: str
        type: str
        rank: int
        says: str | None

    class Table(NamedTuple):
        """Rows (by hint and numbers) under a word without which their hint can't occur; `always` are those whose hints
        hold none; `searches` their patterns that were needed."""

        rows: tuple[Row, ...]
        owners: dict[str, list[tuple[str, list[int]]]]
        owned: frozenset[str]
        always: list[tuple[str, list[int]]]
        searches: dict[int, Callable[[str], Match[str] | None]]
else:
    Row = namedtuple("Row", "toolchain hint pattern type rank says")
    Table = namedtuple("Table", "rows owners owned always searches")

COMMON = words(
    "c py error errors warning failed fatal not found no such file directory is in the of to for a an at line",
    "cannot could with from exit code note named does exist by be has on and or it was were did already ambiguous",
    "available build building column command compilation compile config configuration connect connection container",
    "couldn current database definition denied dependencies e exception executable execute expression failure files",
    "find format function install installation instruction invalid library load lock login matching missing module",
    "name object occurred open option package packages parse parsing permission plugin prepare project read",
    "reference refused relation remote required requires resolve response returned revision role script server",
    "service space status successfully symbol syntax target task tests test timed type unable undefined unknown use",
    "valid version versions virtual w d t main run this after can any information index your path user out during",
    "if import json class method because complete bad f bin data entry level cause just stop try host trying given",
    "seen",
)
"""Words that every tool says: they call for nobody."""

MOST = 300
"""Lines of one row that are read; a tool that says the same a thousand times says nothing more."""

_RESERVED = frozenset(("code", "message", "file", "type"))


pattern_of = compiled


def row(
    toolchain: str,
    hint: str,
    pattern: str,
    type: str = "error",  # noqa: A002 - the field's own name
    rank: int = ROOT,
    says: str | None = None,
) -> Row:
    """A row of a table of lines."""
    return Row(toolchain, hint, pattern, type, rank, says)


def lines_like(source: str, text: str) -> Iterator[Match[str]]:
    """Matches of a pattern that begins with a line feed: the engine leaps from one to the next, where `^` is tried at
    each letter. As one is put before the text, a match starts where its line does."""
    return pattern_of(source).finditer("\n" + text)


def trigger(hint: str) -> str:
    """The word of a hint that calls for its row: the longest that not every tool says."""
    return max((word for word in words_of(hint) if word not in COMMON), key=len, default="")


def _enclosed(hint: str, pattern: str) -> str:
    """The longest word of a hint that has other signs on both sides, or begins the line: though every tool says it,
    most texts do not."""
    inner = hint.rstrip(_LATIN)
    inner = inner if pattern.startswith(f"^{hint}") else inner.lstrip(_LATIN)
    return max(words_of(inner), key=len, default="")


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case: what stands between signs that are no letters of English."""
    return spelled(text.lower())


def spelled(text: str) -> list[str]:
    """The same as they are spelled."""
    return text.encode("ascii", "replace").translate(_LETTERS).decode().split()


_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LETTERS = bytes(code if chr(code) in _LATIN else 32 for code in range(256))


def table(*rows: Row) -> Table:
    """Rows that are looked up by the words of a text instead of one after another."""
    owners: dict[str, dict[str, list[int]]] = {}
    always: dict[str, list[int]] = {}
    for number, each in enumerate(rows):
        word = trigger(each.hint) or _enclosed(each.hint, each.pattern)
        (owners.setdefault(word, {}) if word else always).setdefault(each.hint, []).append(number)
    lists = {word: list(hints.items()) for word, hints in owners.items()}
    return Table(rows, lists, frozenset(lists), list(always.items()), {})


def scan(table: Table, text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """What the rows read in the text, each line once by the first row that knows it."""
    numbers: list[int] = []
    hints = table.always.copy()
    for word in words & table.owned:
        hints += table.owners[word]
    for hint, its in hints:
        if hint in text:
            numbers += its
    if not numbers:
        return
    taken: set[int] = set()
    for number in sorted(numbers):
        each = table.rows[number]
        search = table.searches.get(number) or _search(table, number)
        for start, line in lines_with(each.hint, text):
            if start not in taken and (found := search(line)):
                taken.add(start)
                yield read(each, found, start)


def _search(table: Table, number: int) -> Callable[[str], Match[str] | None]:
    table.searches[number] = pattern_of(table.rows[number].pattern).search
    return table.searches[number]


def lines_with(hint: str, text: str) -> list[tuple[int, str]]:
    """Where lines that hold the hint begin, and the lines."""
    lines: list[tuple[int, str]] = []
    at = text.find(hint)
    while at >= 0 and len(lines) < MOST:
        start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        lines.append((start, text[start : min(end, start + MAX_LINE)]))
        at = text.find(hint, end)
    return lines


def read(row: Row, found: Match[str], at: int) -> Diagnostic:
    """The diagnostic of a match."""
    said = found.groupdict()
    code, says = said.get("code"), row.says
    return Diagnostic(
        row.toolchain,
        code or said.get("type") or row.type,
        (said.get("message", found[0]) or "").strip() if says is None else says.strip(),
        tuple(
            [
                (name, value.strip())
                for name, value in said.items()
                if value and name[0] != "_" and name not in _RESERVED
            ]
        ),
        said.get("file") or "",
        row.rank,
        at,
        bool(code) or says is not None,
        "" if says is None else found[0].strip(" :\t")[:400],
    )
