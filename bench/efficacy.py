"""Efficacy: how often the interval that is shown holds the truth, where the truth is known because it was made up.

Fixes get a true chance to work, drawn from a distribution; outcomes are drawn from it, spread over weeks, said by a
person, seen, or guessed (and then sometimes wrong). What is asked then is what users get: `belief`, `interval`,
`calibration`, `gain`. Every draw is seeded.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from bench.figure import Figure
from engrain.learn.belief import HALF_LIFE, WEEK, Belief, Sources, belief, interval, lower
from engrain.learn.calibration import Outcome, calibration, gain

if TYPE_CHECKING:
    from engrain.learn.belief import Counted

NOW = 3000 * WEEK
SOURCES = (Sources(taught=1), Sources(mined=1), Sources(imported=1))
BANDS = ((3, 5), (6, 15), (16, 60))
SEEN_BY = {"runtime_observed": 0.6, "explicit": 0.25, "heuristic": 0.15}
GUESS_RIGHT = 0.9
"""How often a guess says what was."""

Draw = Callable[[random.Random], float]


class Truth(NamedTuple):
    """How likely fixes are to work, in one imagined world."""

    name: str
    draw: Draw


def _good_or_bad(rng: random.Random) -> float:
    return rng.betavariate(9, 1) if rng.random() < 0.7 else rng.betavariate(1, 4)


TRUTHS = (
    Truth("any chance alike", random.Random.random),
    Truth("mostly good", lambda rng: rng.betavariate(4, 1)),
    Truth("good or bad", _good_or_bad),
)


class Case(NamedTuple):
    """One fix: how many outcomes it had, whether the interval held its truth, and how far off the mean was."""

    outcomes: int
    held: bool
    error: float


def measure(full: bool) -> Iterator[Figure]:
    """Every figure of efficacy."""
    cases = 20_000 if full else 4_000
    yield from _coverage(cases)
    yield from _harder(cases)
    yield from _calibrated(cases // 4)
    yield from _half_lives(cases // 4)
    yield from _gained(cases)
    yield from _speed()


# The interval that is shown


def _coverage(cases: int) -> Iterator[Figure]:
    found = {truth.name: [_case(_rng(truth.name, n), truth.draw) for n in range(cases)] for truth in TRUTHS}
    every = [case for made in found.values() for case in made]
    yield Figure("90 % intervals that hold the truth", _share(every), "%", least=85, most=95, note=_bands(every))
    for name, made in found.items():
        yield Figure(f"… {name}", _share(made), "%", note=_bands(made))


def _share(cases: list[Case]) -> float:
    return 100 * sum(case.held for case in cases) / len(cases)


def _bands(cases: list[Case]) -> str:
    shares = [(low, high, _share([case for case in cases if low <= case.outcomes <= high])) for low, high in BANDS]
    off = 100 * sum(case.error for case in cases) / len(cases)
    return ", ".join(f"{low}–{high} outcomes {share:.1f} %" for low, high, share in shares) + f"; mean off by {off:.1f}"


def _rng(*seed: object) -> random.Random:
    return random.Random("/".join(map(str, seed)))


def _number(rng: random.Random) -> int:
    """3 to 60 outcomes, few more often than many: as many from 3 to 12 as from 13 to 60, about."""
    return int(3 * 20.34 ** rng.random())


def _case(rng: random.Random, draw: Draw, *, weeks: int = 12) -> Case:
    truth, number = draw(rng), _number(rng)
    here = _rows(rng, [truth] * number, rng.randint(1, weeks))
    return _judged(number, belief(rng.choice(SOURCES), here, (), NOW), truth)


def _judged(outcomes: int, believed: Belief, truth: float) -> Case:
    low, high = interval(believed)
    return Case(outcomes, low <= truth <= high, abs(believed.mean - truth))


def _rows(rng: random.Random, chances: list[float], weeks: int) -> list[Counted]:
    """Outcomes with these chances, in this order spread evenly over the last weeks, counted as the store does."""
    counts: Counter[tuple[int, str, bool]] = Counter()
    for n, chance in enumerate(chances):
        week = NOW // WEEK - weeks + 1 + n * weeks // len(chances)
        provenance = _said_by(rng)
        counts[week, provenance, _seen(rng, provenance, chance)] += 1
    return [(week, by, number * worked, number * (not worked)) for (week, by, worked), number in counts.items()]


def _said_by(rng: random.Random) -> str:
    return rng.choices(list(SEEN_BY), list(SEEN_BY.values()))[0]


def _seen(rng: random.Random, provenance: str, chance: float) -> bool:
    worked = rng.random() < chance
    return worked if provenance != "heuristic" or rng.random() < GUESS_RIGHT else not worked


# Worlds that the belief does not claim to know: reported, not held to a bound


def _harder(cases: int) -> Iterator[Figure]:
    for name, make in (
        ("the same outcomes spread over a year", _year),
        ("the chance walks by a quarter a year", _walking),
        ("projects alike, 20 outcomes elsewhere", _alike),
        ("projects alike, none elsewhere", _alone),
        ("20 outcomes elsewhere, of a project that has nothing to do with it", _unlike),
        ("taught five times, and that says nothing", _taught_again),
    ):
        made = [make(_rng(name, n), TRUTHS[n % len(TRUTHS)].draw) for n in range(cases)]
        yield Figure(f"held, {name}", _share(made), "%", note=_bands(made))


def _year(rng: random.Random, draw: Draw) -> Case:
    return _case(rng, draw, weeks=52)


def _walking(rng: random.Random, draw: Draw) -> Case:
    number, truth = _number(rng), draw(rng)
    chances = [truth]
    for _ in range(number - 1):
        truth = min(max(truth + rng.gauss(0, 0.25 / number**0.5), 0.0), 1.0)
        chances.append(truth)
    return _judged(number, belief(rng.choice(SOURCES), _rows(rng, chances, 52), (), NOW), truth)


def _alike(rng: random.Random, draw: Draw) -> Case:
    """Projects differ around what is common to them, about as much as 16 outcomes leave open."""
    return _near(rng, draw, elsewhere=20)


def _alone(rng: random.Random, draw: Draw) -> Case:
    return _near(rng, draw, elsewhere=0)


def _near(rng: random.Random, draw: Draw, elsewhere: int) -> Case:
    common, number = draw(rng), _number(rng)
    near = rng.betavariate(16 * common + 0.01, 16 * (1 - common) + 0.01)
    here, there = _rows(rng, [near] * number, 12), _rows(rng, [common] * elsewhere, 12)
    return _judged(number, belief(rng.choice(SOURCES), here, there, NOW), near)


def _unlike(rng: random.Random, draw: Draw) -> Case:
    here, other, number = draw(rng), draw(rng), _number(rng)
    elsewhere = _rows(rng, [other] * 20, 12)
    return _judged(number, belief(rng.choice(SOURCES), _rows(rng, [here] * number, 12), elsewhere, NOW), here)


def _taught_again(rng: random.Random, draw: Draw) -> Case:
    truth, number = draw(rng), _number(rng)
    return _judged(number, belief(Sources(taught=5), _rows(rng, [truth] * number, 12), (), NOW), truth)


# Believed against seen


def _calibrated(fixes: int) -> Iterator[Figure]:
    for truth in TRUTHS:
        rng, outcomes = _rng("calibration", truth.name), list[Outcome]()
        for fix in range(fixes):
            chance = truth.draw(rng)
            outcomes += _history(rng, f"{fix}", [chance] * _number(rng), 12)
        sources = {f"{fix}": SOURCES[fix % 3] for fix in range(fixes)}
        found = calibration(outcomes, sources, bins=5)
        bins = ", ".join(f"{100 * each.predicted:.0f} → {100 * each.observed:.0f}" for each in found.bins)
        note = f"{bins}; {found.number:,} outcomes, Brier {found.brier:.3f}"
        yield Figure(f"believed and seen lie apart by, {truth.name}", 100 * found.gap, "points", note=note)


def _history(rng: random.Random, fix: str, chances: list[float], weeks: int) -> list[Outcome]:
    made = []
    for n, chance in enumerate(chances):
        provenance, when = _said_by(rng), NOW - weeks * WEEK * (len(chances) - n) // len(chances)
        made.append(Outcome(fix, when, provenance, _seen(rng, provenance, chance)))
    return made


# How fast evidence fades


def _half_lives(fixes: int) -> Iterator[Figure]:
    """The squared error of predictions over two years, for the half-life in use and for others."""
    for name, chances in (("stands still", _still), ("breaks for half of them", _breaking), ("walks", _drifting)):
        rng, outcomes = _rng("half-life", name), list[Outcome]()
        for fix in range(fixes):
            outcomes += _history(rng, f"{fix}", chances(rng, _number(rng)), 104)
        sources = {f"{fix}": SOURCES[fix % 3] for fix in range(fixes)}
        errors = {weeks: calibration(outcomes, sources, half_life=weeks).brier for weeks in (6, 13, HALF_LIFE, 52, 1e9)}
        others = ", ".join(f"{weeks:g} weeks {error:.4f}" for weeks, error in errors.items() if weeks != HALF_LIFE)
        note = others.replace("1e+09 weeks", "never fading")
        yield Figure(f"squared error where the truth {name}", errors[HALF_LIFE], "Brier", note=note)


def _still(rng: random.Random, number: int) -> list[float]:
    return [_good_or_bad(rng)] * number


def _breaking(rng: random.Random, number: int) -> list[float]:
    chance, until = _good_or_bad(rng), rng.randrange(2 * number)
    return ([chance] * until + [rng.betavariate(1, 4)] * number)[:number]


def _drifting(rng: random.Random, number: int) -> list[float]:
    chance, made = _good_or_bad(rng), []
    for _ in range(number):
        made.append(chance)
        chance = min(max(chance + rng.gauss(0, 0.35 / number**0.5), 0.0), 1.0)
    return made


# What a hold-out shows


def _gained(cases: int) -> Iterator[Figure]:
    """Shares of resolved failures with and without a fix; one in twenty is held back."""
    held = 0
    for n in range(cases):
        rng = _rng("gain", n)
        with_fix, without, every = rng.betavariate(4, 2), rng.betavariate(2, 3), rng.randint(40, 2000)
        back = max(every // 20, 1)
        served = sum(rng.random() < with_fix for _ in range(every - back)), every - back
        found = gain(served, (sum(rng.random() < without for _ in range(back)), back))
        assert found is not None
        held += found[1] <= with_fix - without <= found[2]
    yield Figure("90 % intervals of the gain that hold it", 100 * held / cases, "%", least=85, most=95)


# How fast


def _speed() -> Iterator[Figure]:
    rng = _rng("speed")
    rows = [(_rows(rng, [0.7] * number, 12), rng.choice(SOURCES)) for number in range(1, 61)]
    believed = [belief(sources, here, (), NOW) for here, sources in rows]
    yield Figure("a lower bound", _best(lambda: [lower(each) for each in believed]) / 60, "µs", most=60)
    every = _best(lambda: [belief(sources, here, (), NOW) for here, sources in rows]) / 60
    yield Figure("a belief from its rows", every, "µs", note=f"{sum(len(here) for here, _ in rows) / 60:.0f} rows")


def _best(work: Callable[[], object]) -> float:
    """Microseconds of the best of seven."""
    times = []
    for _ in range(7):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times) * 1e6
