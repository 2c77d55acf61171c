"""The values that rooms hand to each other: a diagnostic that a parser found, and the fingerprint of a failure.

This module is on the hook's path: namedtuples, and no dataclasses, typing or pathlib.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    class Diagnostic(NamedTuple):
        """One thing that a tool complained of: which tool, what kind of complaint, in what words, and what decides
        its fix."""

        toolchain: str
        type: str
        message: str
        decides: tuple[tuple[str, str], ...]
        file: str
        rank: int
        at: int
        settled: bool
        shown: str

    class Fingerprint(NamedTuple):
        """The same failure has the same `fingerprint`; the same failure of another module, file or user the same
        `family`. `through` says in which exceptions the root was wrapped: it enters neither."""

        fingerprint: str
        family: str
        toolchain: str
        error_type: str
        message: str
        parameters: Mapping[str, str]
        through: str
        root: Diagnostic
        diagnostics: tuple[Diagnostic, ...]
        known: bool

    class Part(NamedTuple):
        """A leaf of the explanation: `enters` is `both`, `fingerprint`, `family` or `neither`, `why` says the
        reason."""

        name: str
        value: str
        enters: str
        why: str
else:
    Diagnostic = namedtuple("Diagnostic", "toolchain type message decides file rank at settled shown")
    Fingerprint = namedtuple(
        "Fingerprint", "fingerprint family toolchain error_type message parameters through root diagnostics known"
    )
    Part = namedtuple("Part", "name value enters why")

ROOT, SECOND, GUESS, OUTER, WARNING, WRAPPER, NOISE = range(7)
"""Ranks of a diagnostic. A root wins over what merely follows from it (SECOND), over a line
that only sounds like a complaint (GUESS), over an exception that the root went through on its way out
(OUTER), over a tool's own warnings, over a
wrapper that only repeats an exit code, and over warnings of whoever else spoke."""


def diagnostic(
    toolchain: str,
    type: str,  # noqa: A002 - the field's own name
    message: str = "",
    decides: tuple[tuple[str, str], ...] = (),
    *,
    file: str = "",
    rank: int = ROOT,
    at: int = 0,
    settled: bool = False,
    shown: str = "",
) -> Diagnostic:
    """A diagnostic. `settled`: its type alone is the family, however the tool words it (an error code, a lint rule).
    `message` enters the keys; `shown` is what a person reads where the two differ."""
    return Diagnostic(toolchain, type, message, decides, file, rank, at, settled, shown)
