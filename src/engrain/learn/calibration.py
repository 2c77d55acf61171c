"""Calibration: did fixes work as often as was believed, and does serving them gain anything?

    calibration(outcomes, sources) → Calibration    believed against seen, in bins
    gain(served, held) → (difference, low, high)    how much more often failures end when a fix is served

Calibration is prequential: each outcome is predicted from what came before it, scored, and only then learned from, with
the priors, weights and fading of `belief`. So no belief is ever judged by an outcome that it knew. Only what a person
said or a command showed is scored; guesses are only learned from. Time and memory grow with the number of outcomes.

Not covered: the interval of a bin takes outcomes for independent, though those of one fix are kin; `sources` are as
they are at the end, because a teaching has no place in the order of outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from engrain.learn.belief import (
    HALF_LIFE,
    SHOWN_FROM,
    SHOWN_TO,
    WEEK,
    Sources,
    fade,
    interval,
    of,
    prior,
    united,
    weight,
)

BINS = 10
"""Equal parts of 0 … 1 that predictions are gathered in."""

SCORED = frozenset({"explicit", "runtime_observed"})
"""Provenances that say what was: a guess must not judge other guesses."""

LEVEL = SHOWN_TO - SHOWN_FROM
"""How much an interval that is shown holds."""


class Outcome(NamedTuple):
    """A fix was tried at `time` (µs) in `project`: it worked or it did not, and `provenance` says who says so."""

    fix: str
    time: int
    provenance: str
    worked: bool
    project: str = ""


class Bin(NamedTuple):
    """Of the predictions from `low` to `high`: their average, the share that worked, its 90 % interval, how many."""

    low: float
    high: float
    predicted: float
    observed: float
    lowest: float
    highest: float
    number: int


class Calibration(NamedTuple):
    """`gap`: how far predicted and observed lie apart, averaged over outcomes; `brier`: the mean squared error. An
    oracle has 0 in both; who always says one half has a `brier` of 0.25."""

    bins: list[Bin]
    gap: float
    brier: float
    number: int


def calibration(
    outcomes: Iterable[Outcome], sources: Mapping[str, Sources], *, bins: int = BINS, half_life: float = HALF_LIFE
) -> Calibration:
    """Believed against seen. A fix without a row in `sources` counts as one of unknown source."""
    gathered: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for believed, worked in predictions(outcomes, sources, half_life):
        gathered[min(int(believed * bins), bins - 1)].append((believed, worked))
    found = [_bin(n / bins, (n + 1) / bins, scored) for n, scored in enumerate(gathered) if scored]
    number = sum(each.number for each in found)
    squares = sum((believed - worked) ** 2 for scored in gathered for believed, worked in scored)
    gaps = sum(each.number * abs(each.predicted - each.observed) for each in found)
    return Calibration(found, gaps / max(number, 1), squares / max(number, 1), number)


def _bin(low: float, high: float, scored: list[tuple[float, bool]]) -> Bin:
    number, worked = len(scored), sum(worked for _, worked in scored)
    # Jeffreys' prior: half an outcome each way keeps the interval honest where all worked or none did.
    lowest, highest = interval(of(worked + 0.5, number - worked + 0.5))
    return Bin(low, high, sum(believed for believed, _ in scored) / number, worked / number, lowest, highest, number)


def predictions(
    outcomes: Iterable[Outcome], sources: Mapping[str, Sources], half_life: float = HALF_LIFE
) -> Iterator[tuple[float, bool]]:
    """What was believed of each scored outcome just before it, and whether it worked."""
    start: dict[str, tuple[float, float]] = {}
    anywhere: dict[str, _Faded] = {}
    here: dict[tuple[str, str], _Faded] = {}
    for (time, fix), together in groupby(sorted(outcomes, key=_when), key=_when):
        if fix not in start:
            start[fix], anywhere[fix] = prior(sources.get(fix, Sources())), _Faded(half_life)
        everything = anywhere[fix].at(time // WEEK)
        # Outcomes of one instant don't know each other: all are predicted before any is learned from.
        learned = []
        for outcome in together:
            place = here.setdefault((fix, outcome.project), _Faded(half_life))
            learned.append((place, outcome))
            if outcome.provenance in SCORED:
                yield _predicted(start[fix], place.at(time // WEEK), everything), outcome.worked
        for place, outcome in learned:
            for counts in (place, anywhere[fix]):
                counts.learn(outcome)


def _when(outcome: Outcome) -> tuple[int, str]:
    return outcome.time, outcome.fix


def _predicted(start: tuple[float, float], place: tuple[float, float], everything: tuple[float, float]) -> float:
    elsewhere = max(everything[0] - place[0], 0.0), max(everything[1] - place[1], 0.0)
    return united(start, place, elsewhere).mean


class _Faded:
    """Counts that fade as weeks pass. Two outcomes fade alike, so their sum does, and no outcome is looked at twice."""

    def __init__(self, half_life: float) -> None:
        self.half_life, self.week, self.worked, self.failed = half_life, 0, 0.0, 0.0

    def at(self, week: int) -> tuple[float, float]:
        if week > self.week:
            left = fade(week - self.week, self.half_life)
            self.week, self.worked, self.failed = week, self.worked * left, self.failed * left
        return self.worked, self.failed

    def learn(self, outcome: Outcome) -> None:
        self.at(outcome.time // WEEK)
        if outcome.worked:
            self.worked += weight(outcome.provenance)
        else:
            self.failed += weight(outcome.provenance)


# What serving gains


def gain(served: tuple[int, int], held: tuple[int, int], level: float = LEVEL) -> tuple[float, float, float] | None:
    """How much larger the share of resolved failures is where a fix was served than where it was held back, as
    `(resolved, all)` of both, with its interval; None while either has none.

    Newcombe's interval (1998, method 10): each share's own Wilson interval, put together. It is a closed form, never
    leaves -1 … 1, and holds its level where one arm has a handful of cases at 0 or 100 %, as a hold-out of 5 % has; the
    textbook interval of a difference has width 0 there. The difference of two Beta posteriors has no closed form."""
    if not (served[1] and held[1]):
        return None
    z = NormalDist().inv_cdf(0.5 + level / 2.0)
    (p, p_low, p_high), (q, q_low, q_high) = _wilson(*served, z), _wilson(*held, z)
    down, up = sqrt((p - p_low) ** 2 + (q_high - q) ** 2), sqrt((p_high - p) ** 2 + (q - q_low) ** 2)
    return p - q, max(p - q - down, -1.0), min(p - q + up, 1.0)


def _wilson(resolved: int, every: int, z: float) -> tuple[float, float, float]:
    share, square = resolved / every, z * z
    middle = share + square / (2.0 * every)
    reach = z * sqrt(share * (1.0 - share) / every + square / (4.0 * every * every))
    whole = 1.0 + square / every
    return share, (middle - reach) / whole, (middle + reach) / whole
