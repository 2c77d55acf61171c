"""The values that rooms hand to each other: what a parser found, the fingerprint of a failure, a fix for it.

This module is on the hook's path: namedtuples, and no dataclasses, typing or pathlib.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.event import JOINED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, NamedTuple

    Steps = set[tuple[str, str]]

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

    class Fix(NamedTuple):
        """What is known to help against a failure, and how sure that is. `match`: `exact` for the same failure,
        `generalised` for another of its family, `similar` for one that is only alike."""

        id: str
        general: str
        steps: tuple[str, ...]
        cause: str
        example: str
        failure: str
        match: str
        belief: float
        low: float
        high: float
        worked: int
        failed: int
        taught: int
        mined: int
        imported: int
        here: bool
        first: int
        last: int
        because: str
else:
    Diagnostic = namedtuple("Diagnostic", "toolchain type message decides file rank at settled shown")
    Fingerprint = namedtuple(
        "Fingerprint", "fingerprint family toolchain error_type message parameters through root diagnostics known"
    )
    Part = namedtuple("Part", "name value enters why")
    Fix = namedtuple(
        "Fix",
        "id general steps cause example failure match belief low high worked failed taught mined imported"
        " here first last because",
    )


def merged(project: str, merges: Iterable[Sequence[Any]]) -> list[str]:
    """A project with all those that were merged into it, and what it was merged into; `merges` are rows as dumped.

    What somebody merged is one. Of what was seen to be one, two projects that the same one grew into (forks) have in
    common what it was, and nothing of each other."""
    said, grew = _steps(merges)
    back = {(later, earlier) for earlier, later in grew}
    return sorted(_reached(project, said | back) | _reached(project, said | grew))


def within(project: str, merges: Iterable[Sequence[Any]]) -> list[str]:
    """A project with all that belongs to it: the same without what it grew into."""
    said, grew = _steps(merges)
    return sorted(_reached(project, said | {(later, earlier) for earlier, later in grew}))


def _steps(merges: Iterable[Sequence[Any]]) -> tuple[Steps, Steps]:
    """From which project to which others one gets: by what was said, both ways, and by what was seen, onwards."""
    said: Steps = set()
    grew: Steps = set()
    for _, source, id_, _, into in merges:
        if str(id_).startswith(JOINED):
            grew.add((str(source), str(into)))
        else:
            said |= {(str(source), str(into)), (str(into), str(source))}
    return said, grew


def _reached(project: str, steps: Steps) -> set[str]:
    same, more = {project}, {project}
    while more:
        more = {to for of, to in steps if of in more} - same
        same |= more
    return same


EXACT, GENERALISED, SIMILAR = "exact", "generalised", "similar"

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
