"""Rank: what rankers found → what is most worth reading first, each once, with the reason.

How well it fits comes first; what it is, how old it is and how it went since only decide between things that fit about
as well. Weights were chosen on real sessions, a part of them held out: docs/experiments.md.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import exp, log
from typing import NamedTuple, TypeVar

from engrain.event import COMMAND, FIX, LESSON, NOTE, PATTERN, PROMPT, REPLY, TASK, TOOL_CALL
from engrain.learn.likeness import overlap
from engrain.learn.terms import parts

KEY, EXACT, WORDS, MEANING = "key", "exact", "words", "meaning"
WEIGHTS = {KEY: 10.0, EXACT: 0.2, WORDS: 1.0, MEANING: 0.7}
"""How much each ranker counts. What is about the very failure that was typed stands before all that is only like it."""
LEAST_SURE, SURE = 0.25, 0.4
"""Words count fully where the best text has this much of what the question says, rare words more; of less they count
much less, and of too little nothing: they abstain."""

LEAST_FIT, LEAST_NEAR, WITHIN_NEAR = 0.3, 0.15, 0.2
"""A ranker names what stands out: words that fit at least this part as well as the best; a meaning at least this near,
and this much less near than the nearest."""

SAME_NAMES = 0.9
"""What has this part of the score of another has the same names: the rest is how long the text is."""

KINDS = {
    NOTE: 1.0, LESSON: 1.0, PATTERN: 1.0, FIX: 1.0, TASK: 1.0,
    PROMPT: 0.95, REPLY: 0.85, COMMAND: 0.75, TOOL_CALL: 0.75,
}  # fmt: skip
"""How far each kind is a memory that somebody meant to keep; what was only recorded counts less."""
OTHER_KIND = 0.6

ELSEWHERE = 0.85
"""What counts that another project remembers, where all are asked."""
SHARE_ELSEWHERE, NEAR_ELSEWHERE, MARGIN = 0.3, 0.3, 0.1
"""Where only this project is asked, another is heard when what it has fits best by words and by meaning at once: this
share of what was asked, this near, and by so much better than anything here."""
OLD, HALF = 0.9, 180 * 86_400_000_000.0
"""What counts that is very old, and the time after which half of the difference is left."""
UNTRUE, FADED, PROVED = 0.5, 0.7, 1.1
"""What counts that is believed to fail or was laid aside, what was proposed alone, and what worked again and again."""

ALIKE = 0.9
"""Of the words of two texts, how many must be in both to tell them once."""

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


Scored = Sequence[tuple[Hashable, float]]


class Standing(NamedTuple):
    """What is known of something found, besides that it fits."""

    kind: str
    age: int = 0
    here: bool = True
    holds: float = 1.0


def worth(standing: Standing) -> float:
    """What a thing counts besides how well it fits, up to 1."""
    recent = OLD + (1 - OLD) * exp(-log(2) * max(0, standing.age) / HALF)
    scope = 1.0 if standing.here else ELSEWHERE
    return KINDS.get(standing.kind, OTHER_KIND) * recent * scope * standing.holds


def proven(worked: int, failed: int) -> float:
    """What counts how often a thing worked: nothing is known → 1; it failed → less; it was proved again and again → a
    little more."""
    believed = (worked + 2) / (worked + failed + 3) / (2 / 3)
    return max(UNTRUE, min(PROVED, believed))


def once(found: Iterable[Item], text: Callable[[Item], str], limit: int) -> list[tuple[Item, int]]:
    """The first of those that say nearly the same, and how many more there are of each."""
    kept: list[tuple[Item, frozenset[str]]] = []
    more: list[int] = []
    for item in found:
        said = frozenset(parts(text(item)))
        at = next((n for n, (_, other) in enumerate(kept) if overlap(said, other) >= ALIKE), None)
        if at is not None:
            more[at] += 1
        elif len(kept) < limit:
            kept.append((item, said))
            more.append(0)
    return [(item, number) for (item, _), number in zip(kept, more, strict=True)]


def clearly(there: Scored, here: Scored, *, least: float) -> bool:
    """Whether the best of another place is good, and better than the best here by far."""
    return bool(there) and there[0][1] >= max(least, MARGIN + (here[0][1] if here else 0.0))


def sure(share: float) -> float:
    """How much words count, where the best text has this share of what was asked."""
    return min(1.0, share / SURE) ** 2 if share >= LEAST_SURE else 0.0


def fitting(found: Sequence[tuple[Key, float]]) -> list[Key]:
    """What fits at least a part as well as the best."""
    return [key for key, score in found if score >= LEAST_FIT * found[0][1]]
