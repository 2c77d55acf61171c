"""How one test went, and how the runner's own sums are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

PASSED, FAILED, ERROR, SKIPPED = OUTCOMES = ("passed", "failed", "error", "skipped")


class Result(NamedTuple):
    """How a test went. `number` tests, where the runner counts them and names none; `file` is a package for go."""

    name: str
    outcome: str
    file: str = ""
    seconds: float | None = None
    tool: str = ""
    number: int = 1


class Counts(NamedTuple):
    """How many tests went how."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0


def summed(tool: str, named: Iterable[Result], totals: Mapping[str, int]) -> list[Result]:
    """Those that are named, each once, and for each outcome one result for all that the runner only counts."""
    kept: dict[tuple[str, str, str], Result] = {}
    for each in named:
        kept.setdefault((each.name, each.file, each.outcome), each._replace(tool=tool))
    told = list(kept.values())
    for outcome in OUTCOMES:
        more = totals.get(outcome, 0) - sum(1 for each in told if each.outcome == outcome)
        if more > 0:
            told.append(Result("", outcome, tool=tool, number=more))
    return told


def added(totals: dict[str, int], pairs: Iterable[tuple[str, str]], words: Mapping[str, str]) -> None:
    """Adds what a summary line counts: (`3`, `passed`) …; a word that says nothing of an outcome is passed over."""
    for number, word in pairs:
        if word in words:
            totals[words[word]] = totals.get(words[word], 0) + int(number)
