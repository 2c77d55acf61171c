"""Embedding: what was told gets its vector, in jobs that can be killed and go on.

    plan       what arrived since the last time is in line, in pieces, for the model of the settings
    Embedding  works one piece: reads its texts, embeds those that no event had before, keeps them as it goes

What is embedded is committed a few texts at a time, and only those that a process was at when it was killed are
embedded again: nothing can keep what a model has not answered yet. Each model has a table and a line of its own: who
changes the model starts anew beside the old one, which goes on answering whoever still uses it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from engrain.event import Event
from engrain.learn.meant import EMBEDDED, LONGEST, meant, passages
from engrain.store import Store
from engrain.store.jobs import Job, Jobs
from engrain.store.vectors import Table, Vector, Vectors, job_kind

if TYPE_CHECKING:
    from engrain.embed import Embedder

PIECE = 256
"""Events in one job."""
AT_ONCE, AT_ONCE_CHARACTERS = 8, 4000
"""Texts that are embedded and kept together: a moment's work. Four times as many are a seventh quicker, and that much
more is lost when the process is killed."""

KINDS = tuple(sorted(EMBEDDED))

Progress = Callable[[int], None]


class Standing(NamedTuple):
    """How far embedding is, for one model."""

    model: str
    dimension: int
    embedded: int
    waiting: int
    seconds_left: float | None
    """None while nobody has embedded anything yet."""


def plan(store: Store, model: str) -> int:
    """What arrived since the last time is in line for a model; how many jobs that made."""
    return Vectors(store.database).put_in_line(model, KINDS, PIECE)


def standing(store: Store, model: str) -> Standing:
    """How far embedding is."""
    vectors = Vectors(store.database)
    table = vectors.table(model)
    done = vectors.count(table) if table else 0
    waiting = max(0, vectors.told(KINDS) - done)
    each = vectors.plan(model).seconds_each
    left = each * waiting if each or not waiting else None
    return Standing(model, table.dimension if table else 0, done, waiting, left)


class Embedding:
    """Works the jobs of one model."""

    def __init__(
        self, store: Store, model: str, embedder: Callable[[], Embedder], *, deadline: float = float("inf"),
        progress: Progress | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._vectors = Vectors(store.database)
        self._jobs = Jobs(store.database)
        self._model = model
        self._embedder = embedder
        self._deadline = deadline
        self._progress = progress or (lambda _: None)
        self.done = 0
        """How many events have a vector now that had none."""
        self.made = 0
        """How many texts were embedded for that."""

    @property
    def kind(self) -> str:
        """The kind of its jobs."""
        return job_kind(self._model)

    def __call__(self, job: Job) -> None:
        """Every event of a piece has its vector, or the job is left for later."""
        table = self._table()
        events = self._vectors.without(table, KINDS, job.body["first"], job.body["last"])
        for few in _few((event, meant(event)) for event in events):
            if time.monotonic() >= self._deadline:
                self._jobs.put_back(job)
                return
            self._embed(job, table, few)

    def _table(self) -> Table:
        """The table that vectors of this model go to now; one of another length is a new beginning."""
        dimension = self._embedder().dimension
        before = self._vectors.table(self._model)
        table = self._vectors.make(self._model, dimension)
        if before is not None and before.number != table.number:
            self._vectors.replan(self._model)
        return table

    def _embed(self, job: Job, table: Table, few: list[tuple[Event, str]]) -> None:
        started = time.monotonic()
        hashes = [_hash(text) for _, text in few]
        known = self._vectors.known(table, hashes)
        fresh = {hash_: text for hash_, (_, text) in zip(hashes, few, strict=True) if text and hash_ not in known}
        made = self._made(fresh)
        named = [Vector(event, hash_, made.get(hash_, (b"",))) for hash_, (event, _) in zip(hashes, few, strict=True)]
        with self._store.database.transaction():
            done = self._vectors.put(table, [each for each in named if each.hash not in known])
            done += self._vectors.share(table, [each for each in named if each.hash in known])
            self._vectors.took(self._model, len(few), time.monotonic() - started)
            self._jobs.renew(job)
        self.made += len(made)
        self.done += done
        self._progress(done)

    def _made(self, fresh: dict[str, str]) -> dict[str, tuple[bytes, ...]]:
        from engrain.embed.vector import halved

        parts = {hash_: passages(text) for hash_, text in fresh.items()}
        texts = [text for each in parts.values() for text in each]
        vectors = map(halved, self._embedder().embed(texts) if texts else [])
        return {hash_: tuple(islice(vectors, len(each))) for hash_, each in parts.items()}


def _few(told: Iterable[tuple[Event, str]]) -> Iterator[list[tuple[Event, str]]]:
    few: list[tuple[Event, str]] = []
    size = 0
    for event, text in told:
        few.append((event, text))
        size += len(text)
        if len(few) == AT_ONCE or size > AT_ONCE_CHARACTERS:
            yield few
            few, size = [], 0
    if few:
        yield few


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


__all__ = ["EMBEDDED", "LONGEST", "Embedding", "Standing", "plan", "standing"]
