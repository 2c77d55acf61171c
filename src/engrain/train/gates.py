"""Gates: bounds that a candidate must keep, each shown first that it can say no. Pure.

A gate that can't fail proves nothing. So before a candidate is judged, every gate is asked about measurements that were
spoiled on purpose in just the way it stands against; one that lets these pass closes the whole evaluation.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engrain.train.recipe import Recipe

DRAWS = 2000


class Interval(NamedTuple):
    """A mean, and where it lies with 95 % by bootstrap."""

    value: float
    low: float
    high: float


class Judged(NamedTuple):
    """A gate's word."""

    name: str
    passed: bool
    value: float
    bound: str
    because: str
    can_fail: bool = True


class Measured(NamedTuple):
    """Of one model: for each point its session and what was right (1 or 0), of its plays the shares, and what text cost
    it."""

    sessions: tuple[str, ...]
    parsed: tuple[float, ...]
    ended: tuple[float, ...]
    tool: tuple[float, ...]
    arguments: tuple[float, ...]
    near: tuple[float, ...]
    decision: tuple[float, ...]
    nothing: tuple[float, ...]
    """Only of the points where nothing was to be called."""
    repeats: tuple[float, ...]
    empty: tuple[float, ...]
    play_repeats: float
    play_empty: float
    stops: float
    useful: float
    general: float
    held: float
    trained: float
    others: tuple[float, ...] = ()
    """Only of the points where something else was right than what it says most often."""


class Case(NamedTuple):
    """What is judged: the candidate beside the base, an incumbent or none, and a table of tool pairs."""

    recipe: Recipe
    candidate: Measured
    base: Measured
    incumbent: Measured | None
    pairs: Measured


class Gate(NamedTuple):
    """A name, what it stands against, its judgement, and measurements spoiled so that it must say no."""

    name: str
    against: str
    judge: Callable[[Case], tuple[bool, float, str, str]]
    spoil: Callable[[Case], Case]


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def interval(values: Sequence[float], groups: Sequence[str] = (), seed: int = 7) -> Interval:
    """The mean of values, and its 95 % by drawing again; of values in groups (sessions) whole groups are drawn, because
    what lies in one is alike."""
    if not values:
        return Interval(0.0, 0.0, 0.0)
    gathered: dict[str, list[float]] = {}
    for place, value in enumerate(values):
        gathered.setdefault(groups[place] if groups else str(place), []).append(value)
    sums = [(sum(group), len(group)) for group in gathered.values()]
    draw = random.Random(seed)  # noqa: S311 - a bootstrap
    means = sorted(_drawn(draw.choices(sums, k=len(sums))) for _ in range(DRAWS))
    return Interval(mean(values), means[round(0.025 * DRAWS)], means[round(0.975 * DRAWS) - 1])


def _drawn(sums: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in sums) / sum(number for _, number in sums)


def paired(mine: Measured, theirs: Measured, of: str) -> Interval:
    """By how much one is better than the other at the same places."""
    both = zip(getattr(mine, of), getattr(theirs, of), strict=True)
    return interval([a - b for a, b in both], mine.sessions)


def judged(case: Case) -> list[Judged]:
    """Every gate's word on a case, each with whether it can fail at all."""
    found = []
    for gate in GATES:
        passed, value, bound, because = gate.judge(case)
        can_fail = not gate.judge(gate.spoil(case))[0]
        because = because if can_fail else f"{because}; it let spoiled measurements pass, so it proves nothing"
        found.append(Judged(gate.name, passed and can_fail, round(value, 4), bound, because, can_fail))
    return found


def digest(report: Mapping[str, Any]) -> str:
    """What a report as JSON says, in a few letters: who changes it by hand changes this."""
    said = {name: value for name, value in report.items() if name != "digest"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def _floor(name: str, of: str, floor: str) -> Callable[[Case], tuple[bool, float, str, str]]:
    def judge(case: Case) -> tuple[bool, float, str, str]:
        bound: float = getattr(case.recipe, floor)
        share = mean(getattr(case.candidate, of))
        return share >= bound, share, f"≥ {bound:g}", f"{name}: {share:.1%} of {len(getattr(case.candidate, of))}"

    return judge


def _better(of: str) -> Callable[[Case], tuple[bool, float, str, str]]:
    """Better than the base beyond chance, and not worse than the incumbent by more than the margin."""

    def judge(case: Case) -> tuple[bool, float, str, str]:
        gain = paired(case.candidate, case.base, of)
        because = f"{gain.value:+.1%} [{gain.low:+.1%}, {gain.high:+.1%}] against the base"
        passed = gain.low > 0
        if case.incumbent is not None:
            other = paired(case.candidate, case.incumbent, of)
            passed = passed and other.low >= -case.recipe.margin
            because += f", {other.value:+.1%} [{other.low:+.1%}, {other.high:+.1%}] against the incumbent"
        return passed, gain.value, "> 0 beyond chance", because

    return judge


def _at_most(what: str, value: Callable[[Case], float], most: str) -> Callable[[Case], tuple[bool, float, str, str]]:
    def judge(case: Case) -> tuple[bool, float, str, str]:
        bound: float = getattr(case.recipe, most)
        found = value(case)
        return found <= bound, found, f"≤ {bound:g}", f"{what}: {found:.3g}"

    return judge


def _enough(case: Case) -> tuple[bool, float, str, str]:
    number = len(case.candidate.tool)
    least = case.recipe.least_points
    return number >= least, number, f"≥ {least}", f"asked at {number} places"


def _numbers(case: Case) -> tuple[bool, float, str, str]:
    """Whether everything that was measured is a number: what is none is neither more nor less than a bound."""
    every = [found for found in (case.candidate, case.base, case.incumbent, case.pairs) if found is not None]
    odd = sum(not math.isfinite(value) for found in every for value in _values(found))
    return odd == 0, odd, "≤ 0", f"measurements that are no number: {odd}"


def _values(found: Measured) -> Iterator[float]:
    for name, value in found._asdict().items():
        if name != "sessions":
            yield from value if isinstance(value, tuple) else (value,)


def _others(case: Case) -> tuple[bool, float, str, str]:
    """Right somewhere else, too, than where its usual answer is."""
    found, floor = case.candidate.others, case.recipe.others_floor
    share = mean(found)
    if not found:
        return True, 0.0, f"≥ {floor:g}", "the same was right at every place"
    because = f"right at {share:.0%} of {len(found)} places where its usual answer is wrong"
    return share >= floor, share, f"≥ {floor:g}", because


def _nothing(case: Case) -> tuple[bool, float, str, str]:
    found = case.candidate.nothing
    share, floor = mean(found), case.recipe.abstain_floor
    if not found:
        return floor == 0, 0.0, f"≥ {floor:g}", "no place where nothing was to be called"
    return share >= floor, share, f"≥ {floor:g}", f"nothing was called at {share:.0%} of {len(found)} such places"


def _repeats(case: Case) -> tuple[bool, float, str, str]:
    worst = max(mean(case.candidate.repeats), case.candidate.play_repeats)
    bound = case.recipe.most_repeats
    more = paired(case.candidate, case.base, "repeats")
    passed = worst <= bound and more.low <= case.recipe.margin
    return passed, worst, f"≤ {bound:g}", f"an earlier call again: {worst:.1%}; base {mean(case.base.repeats):.1%}"


def _stops(case: Case) -> tuple[bool, float, str, str]:
    """Ends by itself as often as it must, and no less than the incumbent does."""
    floor = case.recipe.stops_floor
    if case.incumbent is not None:
        floor = max(floor, case.incumbent.stops - 0.1)
    return (
        case.candidate.stops >= floor,
        case.candidate.stops,
        f"≥ {floor:g}",
        f"of played sessions {case.candidate.stops:.0%} ended",
    )


def _useful(case: Case) -> tuple[bool, float, str, str]:
    other = max(case.base.useful, case.incumbent.useful if case.incumbent else 0.0)
    bound = other - 0.1
    return (
        case.candidate.useful >= bound and case.candidate.useful > 0,
        case.candidate.useful,
        f"≥ {bound:.2g}, > 0",
        (f"something useful in {case.candidate.useful:.0%} of played sessions; base {case.base.useful:.0%}"),
    )


def _general(case: Case) -> float:
    return case.candidate.general - case.base.general


def _fits(case: Case) -> tuple[bool, float, str, str]:
    """What was held out got cheaper, and not much less so than what was trained."""
    gap = (case.candidate.held - case.candidate.trained) - (case.base.held - case.base.trained)
    bound = case.recipe.most_overfit
    passed = case.candidate.held < case.base.held and gap <= bound
    because = (
        f"held out {case.base.held:.3f} → {case.candidate.held:.3f}, the gap to what was trained grew by {gap:.3f}"
    )
    return passed, gap, f"≤ {bound:g}, and held out cheaper", because


def _spoil(**changes: Any) -> Callable[[Case], Case]:
    """The candidate with measurements that must not pass: a value, or what it makes of the base's or its own."""

    def spoil(case: Case) -> Case:
        made = {name: value(case) if callable(value) else value for name, value in changes.items()}
        return case._replace(candidate=case.candidate._replace(**made))

    return spoil


def _none(of: str) -> Callable[[Case], tuple[float, ...]]:
    return lambda case: (0.0,) * max(1, len(getattr(case.candidate, of)))


def _as_base(of: str) -> Callable[[Case], Any]:
    return lambda case: getattr(case.base, of)


GATES = (
    Gate("numbers", "measurements that are no numbers", _numbers, _spoil(general=math.nan)),
    Gate("points", "too few places to prove anything", _enough, _spoil(tool=())),
    Gate("parse", "half-written calls", _floor("well-formed", "parsed", "parse_floor"), _spoil(parsed=_none("parsed"))),
    Gate("ends", "no end of turn", _floor("ended by itself", "ended", "ends_floor"), _spoil(ended=_none("ended"))),
    Gate("tool", "no better tool than the base", _better("tool"), _spoil(tool=_as_base("tool"))),
    Gate("arguments", "no better arguments", _better("near"), _spoil(near=_as_base("near"))),
    Gate("others", "says the same whatever is asked", _others,
         lambda case: case._replace(recipe=case.recipe._replace(others_floor=max(0.01, case.recipe.others_floor)),
                                    candidate=case.candidate._replace(others=(0.0,) * 9))),
    Gate("decision", "calls or keeps still at the wrong time", _better("decision"),
         _spoil(decision=_as_base("decision"))),
    Gate("nothing", "calls where nothing is to be called", _nothing,
         lambda case: case._replace(recipe=case.recipe._replace(abstain_floor=max(0.01, case.recipe.abstain_floor)),
                                    candidate=case.candidate._replace(nothing=(0.0,) * 9))),
    Gate("repeats", "loops: the same call again", _repeats, _spoil(repeats=lambda case: (1.0,) * len(case.base.repeats),
                                                                   play_repeats=1.0)),
    Gate("empty", "calls without what they need",
         _at_most("calls without what they need", lambda c: max(mean(c.candidate.empty), c.candidate.play_empty),
                  "most_empty"), _spoil(empty=(1.0,), play_empty=1.0)),
    Gate("stops", "goes on when all is done", _stops,
         lambda case: case._replace(recipe=case.recipe._replace(stops_floor=max(0.01, case.recipe.stops_floor)),
                                    candidate=case.candidate._replace(stops=0.0))),
    Gate("useful", "does nothing of use", _useful, _spoil(useful=0.0)),
    Gate("general", "forgot what it knew", _at_most("nats that general text costs more", _general, "most_general_loss"),
         _spoil(general=lambda case: case.base.general + case.recipe.most_general_loss + 0.1)),
    Gate("fits", "learned by heart", _fits, _spoil(held=lambda case: case.base.held + 0.1)),
)  # fmt: skip
"""Every gate closes the way by itself."""
