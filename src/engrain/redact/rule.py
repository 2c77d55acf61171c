"""What a rule and a finding are.

A rule is a row: the literal hints that must be there before its pattern is even compiled, and a pattern that is matched
from the hint on. A pattern that has a group means that group alone; what stands around it is kept.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match
    from typing import NamedTuple

    class Rule(NamedTuple):
        """`name` is what the mark says, `what` what a person reads, `check` a last look at the match, `before` the
        characters in front of the hint at which the match begins, `edge` whether it must begin a word. With `heads` it
        begins at the last of these words among the `before` characters."""

        name: str
        hints: tuple[str, ...]
        pattern: str
        what: str
        check: Callable[[Match[str]], bool] | None = None
        before: int = 0
        edge: bool = True
        heads: tuple[str, ...] = ()

    class Span(NamedTuple):
        """Where a secret stands. `quote` is put around its mark where the value had none of its own (a JSON number)."""

        start: int
        end: int
        rule: str
        quote: str = ""
else:
    Rule = namedtuple("Rule", "name hints pattern what check before edge heads", defaults=(None, 0, True, ()))
    Span = namedtuple("Span", "start end rule quote", defaults=("",))


def begins(text: str, at: int) -> bool:
    """A word begins here: nothing of it stands before, or only an escape (`\\n` in JSON, `%3D` in a URL, a colour). In
    the midst of base64 a `/` or a `+` begins nothing.
    """
    if at == 0:
        return True
    before = text[at - 1]
    if not before.isalnum():
        return before not in "/+" or not compiled(_BLOB).match(text, max(0, at - 25), at)
    near = text[max(0, at - 8) : at]
    if near[-2:-1] == "\\" and before in "nrtbf":
        return True
    if compiled(r"\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})$").search(near):
        return True
    if near[-3:-2] == "%" and before in "0123456789ABCDEFabcdef":
        return True
    return before == "m" and "\x1b[" in near


_BLOB = r"(?=.*[a-z][A-Z0-9])(?=.*[0-9][A-Za-z])(?=.*[A-Z]{2}|.*[A-Z][0-9])[A-Za-z0-9+/]{25}"


def vocabulary(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())
