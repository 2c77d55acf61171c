"""What is believed of a fix: known values, laws, and what ranks before what."""

from __future__ import annotations

import subprocess
import sys
from math import asin, comb, fsum, pi, sqrt
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engrain
from engrain.learn import belief as module
from engrain.learn.belief import (
    ELSEWHERE,
    HALF_LIFE,
    IMPORTED,
    WEEK,
    Sources,
    belief,
    believed_to_fail,
    cdf,
    evidence,
    fade,
    interval,
    lower,
    of,
    prior,
    quantile,
)

if TYPE_CHECKING:
    from engrain.learn.belief import Counted

NOW = 2900 * WEEK + 12_345
THIS = NOW // WEEK
TAUGHT, MINED, IMPORT = Sources(taught=1), Sources(mined=1), Sources(imported=1)
modestly = settings(max_examples=60, deadline=None)


def here(worked: float, failed: float, provenance: str = "explicit", week: int = THIS) -> Counted:
    return week, provenance, worked, failed


# The distribution


def binomial(alpha: int, beta: int, x: float) -> float:
    """Of α + β − 1 tries, each a hit with chance x, at least α hit: the same number by another way."""
    tries = alpha + beta - 1
    return fsum(comb(tries, hits) * x**hits * (1 - x) ** (tries - hits) for hits in range(alpha, tries + 1))


@pytest.mark.parametrize("x", [1e-9, 0.01, 0.2, 0.5, 0.77, 0.999, 1 - 1e-12])
def test_the_share_below_is_the_closed_form(x: float) -> None:
    closed = [(1, 1, x), (0.5, 0.5, 2 / pi * asin(sqrt(x)))]
    closed += [(n, 1, x**n) for n in (0.01, 0.3, 2, 7, 90)] + [(1, n, 1 - (1 - x) ** n) for n in (0.01, 0.3, 2, 7, 90)]
    closed += [(2, 2, x * x * (3 - 2 * x))]
    for alpha, beta, expected in closed:
        assert cdf(alpha, beta, x) == pytest.approx(expected, rel=1e-9, abs=1e-12), (alpha, beta)


@modestly
@given(st.integers(1, 60), st.integers(1, 60), st.floats(0.001, 0.999))
def test_the_share_below_is_a_binomial_sum(alpha: int, beta: int, x: float) -> None:
    assert cdf(alpha, beta, x) == pytest.approx(binomial(alpha, beta, x), abs=1e-11)


@pytest.mark.parametrize("q", [0.001, 0.05, 0.1, 0.5, 0.9, 0.95, 0.999])
def test_the_quantile_is_the_closed_form(q: float) -> None:
    for n in (0.05, 0.5, 1, 3, 40, 5000):
        assert quantile(n, 1, q) == pytest.approx(q ** (1 / n), abs=1e-9), n
        assert quantile(1, n, q) == pytest.approx(-((1 - q) ** (1 / n)) + 1, abs=1e-9), n
    for n in (0.001, 0.5, 1.5, 30, 1e6):
        assert quantile(n, n, 0.5) == pytest.approx(0.5, abs=1e-9), n


counts = st.floats(-3, 6).map(lambda power: 10.0**power)


@modestly
@given(counts, counts, st.floats(0.001, 0.999))
def test_the_quantile_is_where_its_share_lies(alpha: float, beta: float, q: float) -> None:
    x = quantile(alpha, beta, q)
    assert cdf(alpha, beta, x - 1e-9) - 1e-9 <= q <= cdf(alpha, beta, x + 1e-9) + 1e-9


@modestly
@given(counts, counts, st.floats(0.001, 0.999))
def test_the_mirrored_curve_has_the_mirrored_quantile(alpha: float, beta: float, q: float) -> None:
    assert quantile(alpha, beta, q) == pytest.approx(1 - quantile(beta, alpha, 1 - q), abs=2e-9)


@pytest.mark.parametrize(("q", "x"), [(0.0, 0.0), (1.0, 1.0), (-1.0, 0.0), (2.0, 1.0)])
def test_the_ends(q: float, x: float) -> None:
    assert quantile(2, 3, q) == cdf(2, 3, q) == x


def test_a_bound_takes_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    steps, share = [0], module._cdf

    def counted(*given: float) -> float:
        steps[0] += 1
        return share(*given)

    monkeypatch.setattr(module, "_cdf", counted)
    for worked in range(30):
        for failed in range(30):
            lower(of(1.5 + worked, 0.5 + failed))
    assert steps[0] / 900 < 2.3


# Priors

PRIORS = [
    (TAUGHT, (1.5, 0.5)),
    (MINED, (1.2, 0.8)),
    (IMPORT, (1.2, 0.8)),
    (Sources(), (1.0, 1.0)),
    (Sources(taught=1, mined=9, imported=9), (1.5, 0.5)),
    (Sources(taught=2), (2.0, 0.5)),
    (Sources(taught=5), (3.5, 0.5)),
    (Sources(taught=500), (3.5, 0.5)),
    (Sources(mined=500), (1.2, 0.8)),
    (Sources(imported=1, worked=2, failed=1), (3.2, 1.8)),
    (Sources(imported=1, worked=300, failed=100), (4.2, 1.8)),
    (Sources(imported=1, worked=1e300, failed=1e300), (3.2, 2.8)),
]


@pytest.mark.parametrize(("sources", "expected"), PRIORS)
def test_the_prior_of_a_source(sources: Sources, expected: tuple[float, float]) -> None:
    assert prior(sources) == pytest.approx(expected)


def test_what_is_known_elsewhere_is_worth_eight_outcomes() -> None:
    few, many = belief(MINED, [], [here(3, 1)], NOW), belief(MINED, [], [here(900, 300)], NOW)
    assert (few.alpha, few.beta) == pytest.approx((1.2 + 3, 0.8 + 1))
    assert (many.alpha, many.beta) == pytest.approx((1.2 + 6, 0.8 + 2))
    assert believed_to_fail(belief(TAUGHT, [here(0, 15)], [here(100_000, 0)], NOW))


# Evidence

WORTH = [
    ("explicit", 1.0),
    ("runtime_observed", 1.0),
    ("heuristic", 0.25),
    ("unknown", 0.25),
    ("seen_in_a_dream", 0.25),
]


@pytest.mark.parametrize(("provenance", "worth"), WORTH)
def test_an_outcome_is_worth_its_provenance(provenance: str, worth: float) -> None:
    assert evidence([here(2, 1, provenance)], THIS) == (2 * worth, worth)


@pytest.mark.parametrize(("age", "left"), [(0, 1.0), (26, 0.5), (52, 0.25), (-1, 1.0), (-5000, 1.0), (10**7, 0.0)])
def test_an_outcome_fades(age: int, left: float) -> None:
    assert HALF_LIFE == 26
    assert fade(age) == left
    assert evidence([here(1, 0, week=THIS - age)], THIS) == (left, 0.0)


def test_all_that_faded_leaves_the_prior() -> None:
    assert belief(TAUGHT, [here(50, 50, week=0)], [], 10**7 * WEEK) == belief(TAUGHT, [], [], NOW)


@pytest.mark.parametrize("sources", [TAUGHT, MINED, IMPORT])
def test_luck_never_ranks_before_proof(sources: Sources) -> None:
    luck, proof = belief(sources, [here(1, 0)], [], NOW), belief(sources, [here(50, 2)], [], NOW)
    assert lower(luck) < lower(proof)
    assert lower(belief(Sources(taught=99), [here(1, 0)], [], NOW)) < lower(belief(MINED, [here(50, 2)], [], NOW))


FAILS = [
    (TAUGHT, 0, 0, False),
    (TAUGHT, 0, 1, False),
    (TAUGHT, 0, 2, True),
    (TAUGHT, 1, 2, False),
    (TAUGHT, 2, 5, True),
    (Sources(taught=2), 0, 2, True),
    (Sources(taught=4), 0, 2, False),
    (MINED, 0, 0, False),
    (MINED, 0, 1, True),
    (MINED, 1, 1, False),
    (MINED, 50, 2, False),
]


@pytest.mark.parametrize(("sources", "worked", "failed", "fails"), FAILS)
def test_what_is_believed_to_fail(sources: Sources, worked: int, failed: int, fails: bool) -> None:
    assert believed_to_fail(belief(sources, [here(worked, failed)], [], NOW)) is fails


def test_two_guesses_are_no_proof_of_failure() -> None:
    assert not believed_to_fail(belief(TAUGHT, [here(0, 2, "heuristic")], [], NOW))


def test_the_worked_example_of_the_documents() -> None:
    rows = [here(3, 0, "runtime_observed"), here(0, 1, "explicit", THIS - 26), here(2, 0, "heuristic", THIS - 52)]
    believed = belief(TAUGHT, rows, [here(9, 3, "runtime_observed")], NOW)
    assert (believed.alpha, believed.beta) == pytest.approx((10.625, 3.0))
    assert [round(100 * each) for each in (believed.mean, *interval(believed), lower(believed))] == [78, 58, 93, 63]


# Laws

provenances = st.sampled_from([name for name, _ in WORTH])
rows = st.lists(
    st.tuples(st.integers(THIS - 300, THIS + 9), provenances, st.integers(0, 30), st.integers(0, 30)), max_size=8
)
sources = st.builds(
    Sources, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.floats(0, 1e6), st.floats(0, 1e6)
)
close = 1e-9


@modestly
@given(sources, rows, rows, st.integers(THIS - 60, THIS + 9), provenances, st.booleans())
def test_a_success_never_lowers_and_a_failure_never_raises(
    sources: Sources, near: list[Counted], far: list[Counted], week: int, provenance: str, elsewhere: bool
) -> None:
    before = belief(sources, near, far, NOW)
    for worked, sign in ((1, 1), (0, -1)):
        one = (week, provenance, worked, 1 - worked)
        after = belief(sources, near + [one] * (not elsewhere), far + [one] * elsewhere, NOW)
        assert sign * (after.mean - before.mean) >= -close
        assert sign * (lower(after) - lower(before)) >= -close


@modestly
@given(sources, rows, rows, st.randoms(use_true_random=False))
def test_the_order_of_rows_is_irrelevant(
    sources: Sources, near: list[Counted], far: list[Counted], rng: object
) -> None:
    mixed = sorted(near, key=lambda _: rng.random()), sorted(far, key=lambda _: rng.random())  # type: ignore[attr-defined]
    assert belief(sources, *mixed, NOW) == belief(sources, near, far, NOW)


@modestly
@given(sources, rows, rows)
def test_rows_may_be_split_or_joined(sources: Sources, near: list[Counted], far: list[Counted]) -> None:
    split = [(week, by, *each) for week, by, worked, failed in near for each in ((worked, 0.0), (0.0, failed))]
    assert belief(sources, split, far, NOW) == pytest.approx(belief(sources, near, far, NOW))


@modestly
@given(rows, st.integers(0, 400))
def test_evidence_never_grows_with_time(near: list[Counted], weeks: int) -> None:
    now, later = evidence(near, THIS), evidence(near, THIS + weeks)
    assert all(after <= before for before, after in zip(now, later, strict=True))
    total = [sum(worked for _, _, worked, _ in near), sum(failed for _, _, _, failed in near)]
    assert all(seen <= most for seen, most in zip(now, total, strict=True))


@modestly
@given(sources, rows, rows)
def test_a_belief_is_sound(sources: Sources, near: list[Counted], far: list[Counted]) -> None:
    found = belief(sources, near, far, NOW)
    low, high = interval(found)
    assert 0 <= low <= lower(found) <= high <= 1
    assert 0 < found.mean < 1
    start, hereabouts = prior(sources), sum(evidence(near, THIS))
    assert found.alpha + found.beta <= sum(start) + hereabouts + ELSEWHERE + close
    assert sum(start) <= 4 + IMPORTED + close


def test_the_hook_can_afford_it() -> None:
    source = engrain.__path__[0].rsplit("/", 1)[0]
    names = "import sys; before = set(sys.modules); import engrain.learn.belief; print(*set(sys.modules) - before)"
    code = f"import sys; sys.path.insert(0, {source!r}); import collections, engrain; {names}"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"engrain.learn", "engrain.learn.belief", "math"}
