"""Likeness: how much two texts are about the same, by their words.

`loginForm`, `login_form.tsx` and `the login form` share two words. What stands in any text says little, so each word
counts by how few of the texts that are compared have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

MOST_TEXT, LONGEST = 8000, 40

IDLE = vocabulary(
    """
    a about after all an and any are as at be because been but by can could did do does for from get had has have he how
    i if in into is it its let like make me more must my new no not now of on one only or our out over please same she
    should so some such that the their them then there these they this those to too up us use used using very via want
    was we were what when where which while who why will with would you your add adds added adding change changes fix
    fixes fixed fixing fail fails failed failing broken wrong bug issue problem task
    """
)
_ENDS = ("ations", "ation", "ings", "ing", "ies", "ers", "ied", "ed", "es", "er", "s", "y")


def words(text: str) -> list[str]:
    """The words that a text is about, each once, in one form."""
    apart = compiled(r"(?<=[a-z0-9])(?=[A-Z])").sub(" ", text[:MOST_TEXT])
    found = compiled(r"[^\W_]+").findall(apart.lower())
    return list(dict.fromkeys(_stem(word[:LONGEST]) for word in found if len(word) > 1 and word not in IDLE))


def _stem(word: str) -> str:
    if not word.isalpha():
        return word
    end = next((end for end in _ENDS if word.endswith(end) and len(word) - len(end) >= 3), "")
    return word.removesuffix(end)


def shared(asked: str, texts: Sequence[str]) -> list[float]:
    """For each text which part of what is asked it has, from 0 to 1; rare words count for more."""
    wanted = words(asked)
    sets = [set(words(text)) for text in texts]
    seen = Counter(word for each in sets for word in each)
    weights = {word: log(1 + len(texts) / (1 + seen[word])) for word in wanted}
    whole = sum(weights.values())
    return [sum(weights[word] for word in wanted if word in each) / whole if whole else 0.0 for each in sets]


def overlap(one: Iterable[str], other: Iterable[str]) -> float:
    """Of all that either has, the part that both have; 0 where both have nothing."""
    left, right = set(one), set(other)
    both = len(left & right)
    return both / (len(left) + len(right) - both) if left or right else 0.0
