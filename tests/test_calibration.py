"""Believed against seen, and what serving gains: against plain recounts and published values."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engrain.learn.belief import WEEK, Sources, belief, prior, quantile
from engrain.learn.calibration import SCORED, Outcome, calibration, gain, predictions

SOURCES = {"a": Sources(taught=3), "b": Sources(mined=1), "c": Sources(imported=1, worked=9, failed=2)}

outcomes = st.lists(
    st.builds(
        Outcome,
        st.sampled_from("abcd"),
        st.integers(0, 80).map(lambda days: days * WEEK),
        st.sampled_from(["explicit", "runtime_observed", "heuristic", "unknown"]),
        st.booleans(),
        st.sampled_from(["here", "there", "beyond"]),
    ),
    max_size=40,
)


def recounted(every: list[Outcome]) -> list[tuple[float, bool]]:
    """Each scored outcome with the belief from all that lie before it, asked the way users ask."""
    found = []
    for one in every:
        before = [each for each in every if each.fix == one.fix and each.time < one.time]
        rows = [(e.time // WEEK, e.provenance, float(e.worked), float(not e.worked)) for e in before]
        here = [row for row, e in zip(rows, before, strict=True) if e.project == one.project]
        there = [row for row, e in zip(rows, before, strict=True) if e.project != one.project]
        if one.provenance in SCORED:
            found.append((belief(SOURCES.get(one.fix, Sources()), here, there, one.time).mean, one.worked))
    return found


@settings(max_examples=60, deadline=None)
@given(outcomes)
def test_each_outcome_is_predicted_by_what_lay_before_it(every: list[Outcome]) -> None:
    found, expected = sorted(predictions(every, SOURCES)), sorted(recounted(every))
    assert [each for each, _ in found] == pytest.approx([each for each, _ in expected])
    assert sum(worked for _, worked in found) == sum(worked for _, worked in expected)


@settings(max_examples=60, deadline=None)
@given(outcomes, st.randoms(use_true_random=False))
def test_the_order_in_which_outcomes_arrive_is_irrelevant(every: list[Outcome], rng: random.Random) -> None:
    found, mixed = calibration(every, SOURCES), calibration(rng.sample(every, len(every)), SOURCES)
    assert (found.number, found.gap, found.brier) == pytest.approx((mixed.number, mixed.gap, mixed.brier))


@settings(max_examples=60, deadline=None)
@given(outcomes)
def test_bins_hold_every_scored_outcome(every: list[Outcome]) -> None:
    found = calibration(every, SOURCES, bins=5)
    assert found.number == sum(each.number for each in found.bins) == sum(one.provenance in SCORED for one in every)
    assert [each.low for each in found.bins] == sorted({each.low for each in found.bins})
    for each in found.bins:
        assert each.low - 1e-9 <= each.predicted <= each.high + 1e-9
        assert 0 <= each.lowest <= each.highest <= 1
    assert 0 <= found.gap <= 1
    assert 0 <= found.brier <= 1


def test_no_outcome_is_no_calibration() -> None:
    assert calibration([], {}) == ([], 0.0, 0.0, 0)
    assert calibration([Outcome("a", 5, "heuristic", True)], {}).number == 0


def test_the_first_outcomes_are_predicted_by_the_prior() -> None:
    found = calibration([Outcome("a", 1, "explicit", True), Outcome("b", 1, "runtime_observed", False)], SOURCES)
    a, b = (alpha / (alpha + beta) for alpha, beta in (prior(SOURCES["a"]), prior(SOURCES["b"])))
    assert [each.predicted for each in found.bins] == pytest.approx([b, a])
    assert [each.observed for each in found.bins] == [0, 1]
    assert found.gap == pytest.approx((1 - a + b) / 2)
    assert found.brier == pytest.approx(((1 - a) ** 2 + b**2) / 2)
    assert found.bins[1].lowest == pytest.approx(quantile(1.5, 0.5, 0.05))


def test_guesses_feed_and_are_not_scored() -> None:
    guesses = [Outcome("b", n, "heuristic", False) for n in range(8)]
    (believed, _), *others = predictions([*guesses, Outcome("b", 9, "explicit", True)], SOURCES)
    assert others == []
    assert believed == pytest.approx(1.2 / (1.2 + 0.8 + 8 / 4))


def test_outcomes_of_one_instant_do_not_know_each_other() -> None:
    together = [Outcome("b", 7, "explicit", worked) for worked in (True, False, True)]
    assert [believed for believed, _ in predictions(together, SOURCES)] == pytest.approx([0.6] * 3)


def test_a_forecast_that_is_right_lies_near_what_was_seen() -> None:
    rng = random.Random(5)
    every = [Outcome(f"{fix}", n, "explicit", rng.random() < fix / 40) for fix in range(41) for n in range(200)]
    found = calibration(every, {})
    assert found.number == 41 * 200
    assert found.gap < 0.02
    assert all(each.lowest - 0.02 <= each.predicted <= each.highest + 0.02 for each in found.bins)


# Gain

NEWCOMBE = [
    # Served, held, and the interval at 95 % of method 10 in table II of Newcombe, Statistics in Medicine 17 (1998).
    ((56, 70), (48, 80), (0.2, 0.0524, 0.3339)),
    ((9, 10), (3, 10), (0.6, 0.1705, 0.8090)),
    ((6, 7), (2, 7), (0.5714, 0.0582, 0.8062)),
    ((10, 10), (0, 20), (1.0, 0.6791, 1.0)),
]


@pytest.mark.parametrize(("served", "held", "expected"), NEWCOMBE)
def test_the_gain_is_as_published(
    served: tuple[int, int], held: tuple[int, int], expected: tuple[float, float, float]
) -> None:
    assert gain(served, held, 0.95) == pytest.approx(expected, abs=6e-5)


@pytest.mark.parametrize(("served", "held"), [((0, 0), (1, 2)), ((1, 2), (0, 0)), ((0, 0), (0, 0))])
def test_no_gain_where_an_arm_is_empty(served: tuple[int, int], held: tuple[int, int]) -> None:
    assert gain(served, held) is None


arms = st.integers(1, 300).flatmap(lambda every: st.tuples(st.integers(0, every), st.just(every)))


@settings(max_examples=60, deadline=None)
@given(arms, arms)
def test_the_gain_lies_in_its_interval_and_mirrors(served: tuple[int, int], held: tuple[int, int]) -> None:
    found, mirrored, wide = gain(served, held), gain(held, served), gain(served, held, 0.99)
    assert found is not None
    assert mirrored is not None
    assert wide is not None
    assert -1 <= found[1] <= found[0] <= found[2] <= 1
    assert found == pytest.approx((-mirrored[0], -mirrored[2], -mirrored[1]))
    assert wide[1] <= found[1] + 1e-12
    assert found[2] <= wide[2] + 1e-12
