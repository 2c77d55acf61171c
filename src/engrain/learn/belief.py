"""Belief: how likely a fix is to work, as Beta(α, β), from where it came and from what became of it.

    belief(sources, here, elsewhere, now) → Belief      α, β and their mean
    lower(belief)            what fixes are ranked by: it is better than this in nine cases of ten
    interval(belief)         the 90 % interval that is shown
    believed_to_fail(belief) whether it is kept back
    cdf, quantile            of any Beta distribution

α counts what speaks for the fix, β what speaks against it. Three things are added:

    the source      taught, mined or imported: worth two outcomes, so that a few real ones decide
    elsewhere       outcomes of the same recipe in other projects, worth at most ELSEWHERE outcomes
    here            outcomes in this project: these count whole

An outcome is a row `(week, provenance, worked, failed)` of how often, with `week = time // WEEK`. It weighs what its
provenance is worth and fades by its age in weeks. Sums don't depend on the order of the rows. Counts are finite and not
negative: whoever read them from outside saw to that. Nothing here knows a store, an event or a clock.

This module is on the hook's path: it needs `math` and a namedtuple.
"""

from __future__ import annotations

from collections import namedtuple
from math import exp, fsum, lgamma, log, log1p, sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple

    class Sources(NamedTuple):
        """How often a recipe was `taught`, `mined` and `imported`, and the outcomes that came along with imports."""

        taught: int = 0
        mined: int = 0
        imported: int = 0
        worked: float = 0.0
        failed: float = 0.0

    class Belief(NamedTuple):
        """Beta(α, β) and its mean: the chance that the fix works the next time."""

        alpha: float
        beta: float
        mean: float

    Counted = tuple[int, str, float, float]
else:
    Sources = namedtuple("Sources", "taught mined imported worked failed", defaults=(0, 0, 0, 0.0, 0.0))
    Belief = namedtuple("Belief", "alpha beta mean")

WEEK = 7 * 24 * 3600 * 1_000_000
"""Microseconds: outcomes are counted by the week, so that a fix tried a thousand times is a few rows."""

HALF_LIFE = 26.0
"""Weeks after which an outcome counts half. A tool releases once or twice a year what makes a fix useless, and a fix
that is tried once a month should keep the memory of some tries: half a year does both. Measured in
docs/experiments.md: where fixes break it predicts best of five half-lives, elsewhere it is close to the best."""

PRIORS = (
    # A person who teaches a fix has seen it work; a mined one merely came before a success.
    ("taught", 1.5, 0.5),
    ("mined", 1.2, 0.8),
    ("imported", 1.2, 0.8),
)
"""What is believed before any outcome: the first source that a recipe has. Each is worth two outcomes."""

NOWHERE = (1.0, 1.0)
"""What is believed of a recipe without a source: nothing."""

AGAIN, MOST_AGAIN = 0.5, 2.0
"""What each further teaching adds to α, and what all of them may add."""

IMPORTED, ELSEWHERE = 4.0, 8.0
"""Outcomes that imported counts, and those of other projects, are worth at most: however often it worked elsewhere,
fifteen failures here are enough. Where projects are alike the mean is a third nearer (docs/experiments.md)."""

WEIGHTS = {"explicit": 1.0, "runtime_observed": 1.0, "heuristic": 0.25, "unknown": 0.25}
"""What an outcome is worth by who says so: a person, a command's exit code, or a guess from what happened around it."""

GUESSED = 0.25
"""The weight of a provenance that is not known here (written by a newer Engrain)."""

FAILING = 0.45
"""A fix with a mean up to here is believed to fail. A mined one is, by one failure that nobody denies, and stays so for
a quarter of a year; a taught one by two."""

RANKED_AT, SHOWN_FROM, SHOWN_TO = 0.1, 0.05, 0.95
"""The quantile that ranks, and the ends of the interval that is shown."""


def belief(sources: Sources, here: Iterable[Counted], elsewhere: Iterable[Counted], now: int) -> Belief:
    """What is believed of a recipe in this project at `now` (µs)."""
    week = now // WEEK
    return united(prior(sources), evidence(here, week), evidence(elsewhere, week))


def united(start: tuple[float, float], here: tuple[float, float], elsewhere: tuple[float, float]) -> Belief:
    """The belief from a prior and the evidence of both kinds, faded already."""
    return of(*added(added(start, capped(elsewhere, ELSEWHERE)), here))


def of(alpha: float, beta: float) -> Belief:
    """The belief with these counts."""
    return Belief(alpha, beta, alpha / (alpha + beta))


def prior(sources: Sources) -> tuple[float, float]:
    """α and β before any outcome that was seen by this store."""
    found = next(((alpha, beta) for name, alpha, beta in PRIORS if getattr(sources, name)), NOWHERE)
    again = min(AGAIN * max(sources.taught - 1, 0), MOST_AGAIN)
    return added(added(found, (again, 0.0)), capped((sources.worked, sources.failed), IMPORTED))


def evidence(rows: Iterable[Counted], week: int) -> tuple[float, float]:
    """How much speaks for and how much against, each row weighed and faded. `fsum` makes the order irrelevant."""
    worth = [(weight(provenance) * fade(week - then), worked, failed) for then, provenance, worked, failed in rows]
    return fsum([each * worked for each, worked, _ in worth]), fsum([each * failed for each, _, failed in worth])


def weight(provenance: str) -> float:
    """What an outcome of this provenance is worth."""
    return WEIGHTS.get(provenance, GUESSED)


def fade(age: int, half_life: float = HALF_LIFE) -> float:
    """What is left of an outcome after so many weeks. One from the future (clocks differ) counts as one of today."""
    return float(2.0 ** (-age / half_life)) if age > 0 else 1.0


def added(counts: tuple[float, float], more: tuple[float, float]) -> tuple[float, float]:
    """Both counts, added up."""
    return counts[0] + more[0], counts[1] + more[1]


def capped(counts: tuple[float, float], most: float) -> tuple[float, float]:
    """The same share of successes, from at most so many outcomes."""
    worked, failed = counts
    total = worked + failed
    return counts if total <= most else (worked / total * most, failed / total * most)


def lower(belief: Belief) -> float:
    """What fixes are ranked by: it puts fifty successes of fifty-two, which are proof, above one of one, a chance."""
    return quantile(belief.alpha, belief.beta, RANKED_AT)


def interval(belief: Belief) -> tuple[float, float]:
    """The 90 % interval that is shown beside the mean."""
    return quantile(belief.alpha, belief.beta, SHOWN_FROM), quantile(belief.alpha, belief.beta, SHOWN_TO)


def believed_to_fail(belief: Belief) -> bool:
    """Whether the fix is kept, and never served."""
    return belief.mean <= FAILING


def recovered(mean: float, low: float) -> Belief:
    """The belief with this mean and this lower end of its interval: what was told of it is enough to draw it."""
    few, many = 1e-3, 1e9
    for _ in range(60):
        total = (few * many) ** 0.5
        enough = quantile(mean * total, (1.0 - mean) * total, SHOWN_FROM) >= low
        few, many = (few, total) if enough else (total, many)
    return of(mean * few, (1.0 - mean) * few)


# The Beta distribution

NEAREST_0, NEAREST_1 = 1e-290, 1.0 - 2.0**-53
"""Between these, neither a logarithm nor a density leaves the range of floats."""


def cdf(alpha: float, beta: float, x: float) -> float:
    """The regularised incomplete beta function: how likely a value of Beta(α, β) is at most x."""
    if not 0.0 < x < 1.0:
        return 0.0 if x <= 0.0 else 1.0
    return _cdf(alpha, beta, x, _log_beta(alpha, beta))


def quantile(alpha: float, beta: float, q: float) -> float:
    """The x below which the share q of Beta(α, β) lies, to 1e-9.

    Halley's steps (Newton's with the curvature) from a good guess; two or three are enough. What leaves the bracket, or
    shrinks too slowly, is replaced by a bisection: with α or β near zero the curve is all but a step."""
    if not 0.0 < q < 1.0:
        return 0.0 if q <= 0.0 else 1.0
    scale = _log_beta(alpha, beta)
    low, high, last = 0.0, 1.0, 1.0
    near = 1e-4 / sqrt(alpha + beta + 1.0)
    x = min(max(_guess(alpha, beta, q), NEAREST_0), NEAREST_1)
    while high - low > 1e-12:
        miss = _cdf(alpha, beta, x, scale) - q
        low, high = (low, x) if miss > 0.0 else (x, high)
        step = _step(alpha, beta, x, scale, miss)
        if low < x - step < high and abs(step) <= last:
            x -= step
            # The error of a step is the cube of it, in units of the curve's width: one this small was the last.
            if abs(step) <= near * x * (1.0 - x):
                break
            last = abs(step) / 2.0
        else:
            x, last = (low + high) / 2.0, (high - low) / 2.0
    return x


def _step(alpha: float, beta: float, x: float, scale: float, miss: float) -> float:
    density = exp((alpha - 1.0) * log(x) + (beta - 1.0) * log1p(-x) - scale)
    if density == 0.0:
        return 2.0
    step = miss / density
    return step / (1.0 - 0.5 * min(1.0, step * ((alpha - 1.0) / x - (beta - 1.0) / (1.0 - x))))


def _log_beta(alpha: float, beta: float) -> float:
    return lgamma(alpha) + lgamma(beta) - lgamma(alpha + beta)


def _cdf(alpha: float, beta: float, x: float, scale: float) -> float:
    front = exp(alpha * log(x) + beta * log1p(-x) - scale)
    # The fraction converges fast on this side of the mean; beyond it, the other tail is counted.
    if x * (alpha + beta + 2.0) <= alpha + 1.0:
        return front / _fraction(alpha, beta, x)
    return 1.0 - front / _fraction(beta, alpha, 1.0 - x)


def _fraction(a: float, b: float, x: float) -> float:
    """b₀ + a₁/(b₁ + a₂/(b₂ + …)), the even part of the continued fraction of the incomplete beta function
    (https://dlmf.nist.gov/8.17.v), by Lentz's method."""
    total = a + b
    value = ratio = a * (a + 1.0 - total * x) / (a + 1.0) or 1e-300
    inverse, n, change = 0.0, 0.0, 0.0
    while abs(change - 1.0) > 1e-14 and n < 100_000.0:
        n += 1.0
        odd = a + 2.0 * n - 1.0
        over = n * (b - n) * x / odd
        above = (a + n - 1.0) * (total + n - 1.0) * x * over / odd
        below = n + over + (a + n) * (a + 1.0 - total * x + n * (2.0 - x)) / (odd + 2.0)
        inverse = 1.0 / (below + above * inverse or 1e-300)
        ratio = below + above / ratio or 1e-300
        change = ratio * inverse
        value *= change
    return value


def _guess(alpha: float, beta: float, q: float) -> float:
    """About where the quantile is: of a bell by its normal neighbour, of a curve that climbs at an end by that end's
    power law (Abramowitz and Stegun, 26.5.22 and 26.5.4)."""
    if alpha >= 1.0 and beta >= 1.0:
        return _bell(alpha, beta, q)
    total = alpha + beta
    left = exp(alpha * log(alpha / total)) / alpha
    right = exp(beta * log(beta / total)) / beta
    both = left + right
    if q * both < left:
        return float((alpha * both * q) ** (1.0 / alpha))
    return 1.0 - float((beta * both * (1.0 - q)) ** (1.0 / beta))


def _bell(alpha: float, beta: float, q: float) -> float:
    y = _normal(q)
    left, right = 1.0 / (2.0 * alpha - 1.0), 1.0 / (2.0 * beta - 1.0)
    h = 2.0 / (left + right)
    bend = (y * y - 3.0) / 6.0
    w = y * sqrt(max(h + bend, 0.0)) / h - (right - left) * (bend + 5.0 / 6.0 - 2.0 / (3.0 * h))
    return alpha / (alpha + beta * exp(min(2.0 * w, 700.0)))


def _normal(q: float) -> float:
    """The upper quantile of the normal distribution to 0.003, enough for a guess (Abramowitz and Stegun, 26.2.22)."""
    t = sqrt(-2.0 * log(min(q, 1.0 - q)))
    y = t - (2.30753 + 0.27061 * t) / (1.0 + (0.99229 + 0.04481 * t) * t)
    return y if q < 0.5 else -y
