"""Meaning: what is near a text in meaning, and having what was told embedded. Functions over a Memory.

A search never waits for an embedding: it asks what has its vector by now, and where meaning can't be had at all, words
alone must do; `missing` says why.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from engrain.embed import embedder as embedders
from engrain.errors import EmbedderUnavailable, EngrainError
from engrain.learn.meant import EMBEDDED
from engrain.recall.similar import Near
from engrain.redact import redact
from engrain.store.vectors import NOT_POSSIBLE, Vectors, Wanted, job_kind
from engrain.upkeep import embedding, tick
from engrain.upkeep.embedding import Embedding, Standing

if TYPE_CHECKING:
    from engrain.embed import Embedder
    from engrain.memory import Memory

ASKING_SECONDS, WORKING_SECONDS = 3.0, 30.0
"""How long a served model may take to answer when somebody waits for a search, and when nobody does."""
QUIET_SECONDS = 30.0
"""After a model did not answer, searches go by words alone for so long."""
REMEMBERED = 256
"""Questions whose vectors are kept."""


class Embedded(NamedTuple):
    """What embedding came to."""

    done: int
    made: int
    failed: int
    why: str
    standing: Standing


class Asked:
    """What one process knows of its questions: their vectors, and that the model did not answer."""

    def __init__(self) -> None:
        self.vectors: dict[str, bytes] = {}
        self.silent_until = 0.0
        self.why = ""

    def vector(self, embedder: Embedder, text: str) -> bytes:
        """The vector of a question."""
        if text not in self.vectors:
            if len(self.vectors) >= REMEMBERED:
                del self.vectors[next(iter(self.vectors))]
            self.vectors[text] = embedder.embed([text])[0]
        return self.vectors[text]


def embedder(memory: Memory, seconds: float = ASKING_SECONDS) -> Embedder:
    """The embedder of the settings; EmbedderUnavailable says why there is none."""
    # One text at a time gains nothing from threads, and where processors are busy they wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    config = memory.config
    key = os.environ.get(config.text("embed.key"), "") if config.text("embed.key") else ""
    model, url = config.text("embed.model"), config.text("embed.url")
    return embedders.open_embedder(model, home=memory.home.root, url=url, key=key, seconds=seconds)


def model_of(memory: Memory) -> str:
    """What vectors of the settings' model are known by."""
    return embedders.name_of(memory.config.text("embed.model"))


def missing(memory: Memory) -> str:
    """Why search goes by words alone, in one line with what to do; empty when meaning works."""
    config = memory.config
    lack = embedders.lacking(config.text("embed.model"), home=memory.home.root, url=config.text("embed.url"))
    if lack:
        return lack
    if monotonic() < memory.asked.silent_until:
        return memory.asked.why
    try:
        possible = not memory.exists or Vectors(memory.store.database).possible()
    except EngrainError as exc:
        return str(exc)
    return "" if possible else NOT_POSSIBLE


def silent(memory: Memory) -> str:
    """Why search goes by words alone, as far as asking the model tells: one that is served may not answer."""
    if lack := missing(memory):
        return lack
    try:
        memory.embedder.dimension  # noqa: B018 - a model that is served is asked for it
    except EmbedderUnavailable as exc:
        return str(exc)
    return ""


def nearest(
    memory: Memory, text: str, *, kinds: Sequence[str] = (), projects: Sequence[str] = (), limit: int = 100
) -> list[Near]:
    """What is nearest to a text in meaning, best first; of these kinds and projects, or of all. [] where meaning can't
    be had: `missing` says why."""
    asked = memory.asked
    if limit < 1 or not text.strip() or monotonic() < asked.silent_until or not memory.exists:
        return []
    try:
        table = Vectors(memory.store.database).table(model_of(memory))
        if table is None:
            return []
        vector = asked.vector(memory.embedder, redact(text[: embedding.LONGEST]))
        if len(vector) != 4 * table.dimension:
            return []
        wanted = Wanted(memory.tenant, tuple(projects), tuple(kinds))
        return memory.similar.nearest(table, vector, wanted, limit)
    except EmbedderUnavailable as exc:
        asked.silent_until, asked.why = monotonic() + QUIET_SECONDS, str(exc)
    except EngrainError:
        pass
    return []


def plan(memory: Memory) -> int:
    """Has what was told since the last time put in line to be embedded, where that can be done."""
    return 0 if missing(memory) else embedding.plan(memory.store, model_of(memory))


def working(memory: Memory, *, deadline: float, progress: embedding.Progress | None = None) -> Embedding:
    """What works the jobs of the settings' model; the model is loaded with the first."""
    opened: list[Embedder] = []

    def model() -> Embedder:
        if not opened:
            opened.append(embedder(memory, WORKING_SECONDS))
        return opened[0]

    return Embedding(memory.store, model_of(memory), model, deadline=deadline, progress=progress)


def embed(memory: Memory, progress: embedding.Progress | None = None, *, seconds: float = float("inf")) -> Embedded:
    """Embeds what has no vector yet, newest first; killed at any moment, the next time goes on."""
    if lack := missing(memory):
        raise EmbedderUnavailable(lack)
    model = model_of(memory)
    jobs = memory.jobs
    tick.free_abandoned(jobs, job_kind(model))
    jobs.revive_of(job_kind(model))
    embedding.plan(memory.store, model)
    deadline = monotonic() + seconds
    work = working(memory, deadline=deadline, progress=progress)
    _, failed = tick.work(jobs, {work.kind: work}, deadline=deadline)
    settle(memory)
    why = jobs.last_error(work.kind) if failed else ""
    return Embedded(work.done, work.made, failed, why, standing(memory))


def settle(memory: Memory) -> None:
    """What a search maps into memory has about all that was embedded."""
    if table := Vectors(memory.store.database).table(model_of(memory)):
        memory.similar.settle(table)


def standing(memory: Memory) -> Standing:
    """How far embedding is for the settings' model."""
    return embedding.standing(memory.store, model_of(memory))


def again(memory: Memory) -> None:
    """Every vector of the settings' model is gone, to be made anew."""
    remove(memory, model_of(memory))


def remove(memory: Memory, model: str) -> int:
    """Takes away the vectors of a model and what is in line for it; how many tables that were."""
    vectors = Vectors(memory.store.database)
    tables = [table for table in vectors.tables() if table.model == model]
    for table in tables:
        vectors.drop(table)
        memory.similar.forget(table)
    return len(tables)


__all__ = ["EMBEDDED", "Embedded", "Near", "Standing", "missing", "nearest"]
