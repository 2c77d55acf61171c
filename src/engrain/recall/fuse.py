"""Fuse: what several rankers found, each best first, in one order.

Each ranker gives what stands at its n-th place its weight / (DEEP + n), and what several name collects from each
(reciprocal rank fusion: no two scores need mean the same). A ranker that has nothing to say abstains: it gives an empty
list, or one that was cut where it is no surer of one than of any other. Full text by any of the words always finds
something, and fused uncut it drowns what is nearest in meaning.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

Key = TypeVar("Key", bound=Hashable)

DEEP = 10
"""The larger, the less it counts to be the first rather than the second of a list."""


class Ranking(NamedTuple, Generic[Key]):
    """What a ranker found, best first, and how much it counts; and at which places these stand, where it can't tell
    some of them apart."""

    name: str
    weight: float
    found: Sequence[Key]
    places: Sequence[int] = ()


class Fused(NamedTuple, Generic[Key]):
    """What was found, how well it stands, and at which place (from 1) each ranker has it."""

    key: Key
    score: float
    places: Mapping[str, int]


def fused(rankings: Sequence[Ranking[Key]], *, deep: float = DEEP) -> list[Fused[Key]]:
    """What any ranker found, best first; of equals what the earlier ranker has better."""
    places: dict[Key, dict[str, int]] = {}
    for ranking in rankings:
        for place, key in zip(ranking.places or range(1, len(ranking.found) + 1), ranking.found, strict=True):
            places.setdefault(key, {}).setdefault(ranking.name, place)
    weights = {ranking.name: ranking.weight for ranking in rankings}
    scored = [
        Fused(key, sum(weights[name] / (deep + place) for name, place in at.items()), at) for key, at in places.items()
    ]
    return sorted(scored, key=lambda each: -each.score)


def shared_places(scores: Sequence[float], *, alike: float) -> list[int]:
    """The places of scores (best first), from 1: what has this part of the score of one before it stands beside it."""
    places: list[int] = []
    for at, score in enumerate(scores):
        beside = at and score >= alike * scores[places[-1] - 1]
        places.append(places[-1] if beside else at + 1)
    return places


def standing_out(scores: Sequence[float], *, least: float, within: float) -> int:
    """How many of the best scores (best first) a ranker should name: those that reach `least` and come within `within`
    of the best one. 0 when even the best says too little: then it abstains."""
    if not scores or scores[0] < least:
        return 0
    return sum(1 for score in scores if score >= least and score >= scores[0] - within)
