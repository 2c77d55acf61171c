"""Words: what is looked for → the events whose words match, those that fit best first.

A word that stands in every second text says little and costs most, so the rarest terms of a question are looked for, as
many as match a bounded number of texts; how often a term stands anywhere is counted up to a limit and remembered. Of
more matches the latest are weighed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from engrain.event import MAX_TIME
from engrain.store.database import Args, Database
from engrain.store.rows import Key

MOST_COUNTED = 3000
"""Texts that a term is counted in; one that stands in more is a common one."""
MOST_WEIGHED = 6000
"""Texts that a question weighs."""
MOST_LOOKED_FOR = 24
MOST_REMEMBERED = 20_000
STALE = 1.25
"""Counts are made anew once the journal has grown so many times over."""

Phrases = tuple[tuple[str, ...], ...]
"""Any of these, each of words that stand one after the other."""


class Where(NamedTuple):
    """What a question is about: in each group of `places` one word must stand where an event says what it is."""

    places: tuple[tuple[str, ...], ...] = ()
    since: int = 0
    before: int = MAX_TIME


class Fitting(NamedTuple):
    """An event whose words match, and how well."""

    key: Key
    score: float


class Words:
    """Asks the words of one store; remembers how common they are."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counts: dict[Phrases, int] = {}
        self._counted_at = 0
        self._size = 0

    def any_of(
        self, terms: Iterable[Phrases], where: Where = Where(), *, needed: Sequence[Phrases] = (), limit: int  # noqa: B008
    ) -> list[Fitting]:  # fmt: skip
        """The events with any of the terms, the rarest of them first, and with all that is needed."""
        counts = self._common([*dict.fromkeys((*terms, *needed))])
        chosen = _rarest({term: counts[term] for term in terms if counts[term]})
        if not chosen and not needed:
            return []
        return self._search([*needed, *_one(chosen)], [*chosen, *needed], counts, where, limit)

    def all_of(self, terms: Sequence[Phrases], where: Where = Where(), *, limit: int) -> list[Fitting]:  # noqa: B008
        """The events with all of the terms; without a term, those that are where it is asked."""
        counts = self._common(list(terms))
        asked = bool(terms or where.places) and all(counts.values())
        return self._search(terms, terms, counts, where, limit) if asked else []

    def telling(self, terms: Sequence[Phrases]) -> float:
        """How much terms tell together: about the score of a text that has them all."""
        return sum(self._weight(number) for number in self._common(terms).values())

    def _weight(self, number: int) -> float:
        return log(1 + self._size / max(number, 1))

    def _search(
        self, groups: Sequence[Phrases], weighed: Sequence[Phrases], counts: dict[Phrases, int], where: Where,
        limit: int,
    ) -> list[Fitting]:  # fmt: skip
        database = self._database
        args: Args = {
            "match": database.match(groups, where.places), "since": where.since, "before": where.before,
            "anytime": where.since <= 0 and where.before >= MAX_TIME, "most": MOST_WEIGHED, "limit": limit,
        }  # fmt: skip
        if database.dialect != "sqlite":
            args["terms"] = [database.match([term], ()) for term in weighed]
            args["weights"] = [self._weight(counts[term]) for term in weighed]
        return [Fitting((str(t), str(p), str(i)), float(score or 0)) for t, p, i, score in database.all("search", args)]

    def _common(self, terms: Sequence[Phrases]) -> dict[Phrases, int]:
        """In how many texts each term stands."""
        last = int(self._database.all("last_arrived")[0][0] or 0)
        if last > STALE * self._counted_at + 1000 or len(self._counts) > MOST_REMEMBERED:
            self._counts, self._counted_at = {}, last
        self._size = max(last, 1)
        for term in terms:
            if not self._counts.get(term):
                args: Args = {"match": self._database.match([term], ()), "most": MOST_COUNTED}
                self._counts[term] = int(self._database.all("count_matching", args)[0][0])
        return {term: self._counts[term] for term in terms}


def _rarest(counts: dict[Phrases, int]) -> list[Phrases]:
    """The rarest terms, as many as match a bounded number of texts, and one at least."""
    chosen: list[Phrases] = []
    room = MOST_WEIGHED
    for term, number in sorted(counts.items(), key=lambda each: each[1])[:MOST_LOOKED_FOR]:
        if chosen and (number > room or number >= MOST_COUNTED):
            break
        chosen.append(term)
        room -= number
    return chosen


def _one(terms: Sequence[Phrases]) -> list[Phrases]:
    """One group of what any of the terms is."""
    found = tuple(dict.fromkeys(phrase for term in terms for phrase in term))
    return [found] if found else []
