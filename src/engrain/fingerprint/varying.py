"""What differs between two runs of one failure: a table of rows, tried in this order at each place of a message.

Every quantifier is bounded and every message is cut before it comes here, so that no line can make these explode. The
order matters where one row's text is part of another's: a path holds numbers, a URL holds a path.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern
    from typing import NamedTuple

    class Varying(NamedTuple):
        """A kind of value that never enters a key."""

        name: str
        pattern: str
        why: str
else:
    Varying = namedtuple("Varying", "name pattern why")

_FILES = (
    "py|pyi|pyx|ipynb|js|mjs|cjs|jsx|ts|tsx|mts|cts|vue|svelte|c|h|cc|cpp|cxx|hpp|hh|hxx|m|mm|rs|go"
    "|java|kt|kts|scala|sc|"
    "rb|erb|php|swift|hs|lhs|purs|elm|ml|mli|ex|exs|erl|cs|fs|vb|pl|pm|lua|r|jl|sh|bash|zsh|ps1|sql"
    "|json|ya?ml|toml|ini|cfg|"
    "conf|env|lock|txt|md|rst|html?|xml|css|scss|less|csv|log|o|a|so|dll|dylib|exe|jar|war|whl|zip|gz"
    "|tar|tgz|pem|crt|key|"
    "proto|tf|gradle|cmake|mk|bin|dat|db|sqlite3?|png|jpe?g|svg|pdf|asm|s|cu|cuh|wasm|tq|gn|bzl|dart|zig|nim|v|sv|vhd"
)

ROWS = (
    Varying("url", r"[a-z][a-z0-9+.-]{1,12}://[^\s'\"<>`‘’]{1,500}", "where it points is not why it failed"),
    Varying("email", r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}", "a person is not a cause"),
    Varying("uuid", r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b", "an id"),
    Varying(
        "time",
        r"\b\d{4}[-/]\d\d[-/]\d\d(?:[T _]\d\d[:_]\d\d(?:[:_]\d\d(?:[.,_]\d{1,9})?)?)?(?:Z|[+-]\d\d:?\d\d)?"
        r"|\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b",
        "when it happened",
    ),
    Varying(
        "address",
        r"\b\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?\b|\[?(?=[0-9a-fA-F]{0,4}:)[0-9a-fA-F]{0,4}(?::[0-9a-fA"
        r"-F]{0,4}){2,7}\]?(?::\d{1,5})?(?![\w:])",
        "a host",
    ),
    Varying(
        "host",
        r"\b[a-zA-Z][\w-]{0,62}(?:\.[\w-]{1,62}){0,6}:\d{2,5}\b(?!:\d)|\blocalhost\b(?::\d{1,5})?",
        "a host and port",
    ),
    Varying(
        "path",
        r"(?:\b[A-Za-z]:[\\/]|(?<![\w<])~?/|\.{1,2}[\\/]|\$\w{1,30}/)[^\s'\"`‘’“”:;,()<>\[\]{}"
        r"|]{1,300}(?::\d{1,7}){0,2}",
        "where it lies",
    ),
    Varying(
        "relative",
        r"\b[\w.@+-]{1,80}(?:[/\\][\w.@+$-]{1,80}){1,20}[/\\]?(?::\d{1,7}){0,2}",
        "where it lies",
    ),
    Varying("file", rf"\b[\w@+-][\w.@+-]{{0,80}}\.(?:{_FILES})\b(?::\d{{1,7}}){{0,2}}", "a file's name"),
    Varying("pointer", r"\b0[xX][0-9a-fA-F]{1,32}\b", "an address in memory"),
    Varying("hash", r"\b(?=[a-f]{0,63}\d)(?=\d{0,63}[a-f])[0-9a-f]{7,64}\b", "a hash"),
    Varying("size", r"\b\d{1,20}(?:\.\d{1,9})?\s?(?:[KMGTkmgt]i?[Bb]|[Bb]ytes?)\b", "how much"),
    Varying(
        "duration",
        r"\b\d{1,20}(?:\.\d{1,9})?\s?(?:ns|[µu]s|ms|sec(?:ond)?s?|min(?:ute)?s?|s|m|h)\b",
        "how long",
    ),
    Varying("version", r"\bv?\d{1,9}\.\d{1,9}\.[\w.+-]{0,40}\w", "a version"),
    Varying("token", r"\b(?=[A-Za-z_-]{0,200}\d)(?=[\d_-]{0,200}[A-Za-z])[\w+/=-]{20,2000}", "a value of this run"),
    Varying(
        "object",
        r"<[\w.]{1,80} [^<>\n]{0,120} at 0[xX][0-9a-fA-F]{1,32}>",
        "a value as Python shows it",
    ),
    Varying(
        "numbers",
        r"\((?:-?\d[\d.]{0,20}, ?){1,40}(?:-?\d[\d.]{0,20})?\)|\[ ?(?:-?\d[\d.]{0,20}, ?){1,40}-?\d[\d.]{0,20} ?\]",
        "a shape or a list of numbers",
    ),
    Varying("number", r"(?<![\w])[-+]?\d{1,40}(?:[.,_]\d{1,40}){0,8}(?:[eE][+-]?\d{1,4})?\w{0,8}%?", "a number"),
)

SHOWN = {"relative": "path", "file": "path", "address": "host"}
"""Rows that stand for the same thing in another form: what they mask reads alike."""

WHY = {row.name: row.why for row in ROWS}

_QUOTED = (
    r"‘[^’\n]{0,300}’|“[^”\n]{0,300}”|«[^»\n]{0,300}»|``[^`\n]{0,300}``|`[^`'\n]{0,300}[`']|(?<!\w)'\"[^'\n]{0,300}\"'"
    r"|(?<![\w\"])\"(?:[^\"\\\n]|\\.){0,300}\"|(?<![\w'])'(?:[^'\\\n]|\\.|(?<=\w)'(?=[a-z])){0,300}'(?!\w)"
)
_NAMED = (
    r"\b[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|->|#)~?[A-Za-z_$][\w$]{0,80}){1,12}(?:\(\))?|\b[A-Za-z_$][\w$]{0,80}\(\)"
    r"|\b[A-Za-z]\w{0,60}_\w{1,60}|\b_\w{1,60}|\b[a-z]{1,40}[A-Z]\w{0,60}|\b[A-Z][a-z0-9]{1,40}[A-Z]\w{0,60}"
)

_compiled: list[Pattern[str]] = []


_WORD = r"[A-Za-z]?[a-z]*+(?:[\s,;!?)\]]|[.:](?:\s|$)|$)"
_BEGINS = rf"(?<!\w)(?!{_WORD})"
"""Nothing begins inside a word, and a plain word is none of it: this one look spares every row a try at it."""

PLAIN = rf"(?:{_WORD})*+"
"""The plain words that a message begins with, often all that it has: nothing varies in them."""


def pattern() -> Pattern[str]:
    """One alternation of it all: quoted text (`q`), the rows, names that look like code (`n`)."""
    if not _compiled:
        rows = "|".join(f"(?P<{row.name}>{row.pattern})" for row in ROWS[:-1])
        last = ROWS[-1]
        found = f"(?P<q>{_QUOTED})|{rows}|(?P<n>{_NAMED})|(?P<{last.name}>{last.pattern})"
        _compiled.append(compiled(f"{_BEGINS}(?:{found})"))
    return _compiled[0]
