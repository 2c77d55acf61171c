"""Bodies: what reads, writes and edits carried. Kept beside the journal, and only for a while.

They are no part of the truth: no dump, no export and no backup has them. What was learned from them is an event of its
own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from engrain.store.database import Database


class Kept(NamedTuple):
    """How many bodies there are, since when (µs), and how many characters that is."""

    number: int
    since: int
    characters: int


class Bodies:
    """The bodies of one store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        """What the events with these ids carried, by id; an id without a body is left out."""
        rows = self._database.all("bodies_by_ids", {"ids": sorted(set(ids))})
        return {str(id_): json.loads(text) for _, _, id_, text in rows}

    def expire(self, before: int) -> None:
        """Takes away what events before this time carried."""
        self._database.run("expire_bodies", [{"before": before}])

    def kept(self) -> Kept:
        """How much there is."""
        number, since, characters = self._database.all("count_bodies")[0]
        return Kept(int(number), int(since or 0), int(characters or 0))
