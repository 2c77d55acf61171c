"""Notes by the hundred thousand, made up in PostgreSQL itself, and questions of a team about one project of a thousand.

    python -m bench notes [--full]

20,000 of them, a million with `--full`.

Texts and vectors are synthetic: words drawn by a rule, vectors at random, of the length of the real model, which embeds
what is asked. The index of vectors is left out, because it takes long to build and a question about so few is answered
by looking at each of them (`vectors_nearest_of_few`), with or without it.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING

import psycopg

from bench.cores import spent
from bench.figure import Absent, Figure
from bench.scratch import Postgres, postgres
from engrain import event as events
from engrain.embed import weights
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.memory.meaning import model_of
from engrain.project import Project
from engrain.store.vectors import Vectors

if TYPE_CHECKING:
    import numpy as np

OF_A_PROJECT = 1_000
LENGTH = 384
QUESTIONS = 60
WARM = 150
"""Questions before these: a server remembers how common the words are that it was asked."""
TEN = 10
WORDS = " || ' ' || ".join(
    f"'w' || translate((((n * {step} + {step}) %% 2003) ^ 3 / (2003 ^ 2))::int::text, '0123456789', 'abcdefghij')"
    for step in (7919, 104729, 1299709, 15485863, 179424673, 32452843, 49979687, 67867967)
)

_EVENTS = f"""INSERT INTO mem_events (tenant, project, id, time, session, agent, kind, v, body)
SELECT 'local', %(project)s, 'n' || lpad(n::text, 7, '0'), 1790000000000000 + n, '', 'bench', 'note', 1,
  '{{"text":"' || {WORDS} || '"}}' FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n"""
_DOCUMENTS = f"""INSERT INTO mem_documents (tenant, project, id, text, names, place, words)
SELECT 'local', %(project)s, 'n' || lpad(n::text, 7, '0'), {WORDS}, '', %(place)s,
  to_tsvector('mem_words', {WORDS}) || to_tsvector('mem_words', %(place)s)
FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n"""
_VECTORS = "COPY mem_vectors_1 (tenant, project, id, kind, hash, part, vector) FROM STDIN (FORMAT binary)"


def measure(full: bool) -> Iterator[Figure]:
    """How long a question takes, and what it misses."""
    with postgres() as running:
        yield from _asked(running, 1_000_000 if full else 20_000)


def _asked(running: Postgres, number: int) -> Iterator[Figure]:
    """How long a team's question takes in a store of so many notes, and what it misses."""
    if not weights.found(""):
        raise Absent("the weights of the model are not here: `make setup` fetches them")
    with psycopg.connect(running.url, autocommit=True) as other:
        # As deploy/compose.yaml has it; what it has by itself is for a machine of long ago.
        other.execute("ALTER SYSTEM SET shared_buffers = '1GB'")
    running.restart()
    url = running.database()
    with tempfile.TemporaryDirectory() as home, Memory.open(home, store=url) as memory:
        _numpy()
        began = time.monotonic()
        _fill(memory, url, number)
        made = time.monotonic() - began
        for turn in range(WARM):
            _ask(memory, number, QUESTIONS + turn)
        took: list[float] = []
        right, cores = 0, 0.0
        for turn in range(QUESTIONS):
            before = time.process_time() + spent(running.pid)
            team, text, seconds = _ask(memory, number, turn)
            took.append(seconds)
            cores += time.process_time() + spent(running.pid) - before
            right += _right(team, url, team.project.id, text)
    note = (
        f"filled in {made:.0f} s; words, names and meaning, as a team; slowest {1000 * max(took):.0f} ms; "
        f"{1000 * cores / QUESTIONS:.0f} ms of a core each"
    )
    yield Figure(
        f"search in {number:,} notes, of a project with {OF_A_PROJECT:,}: p50", 1000 * statistics.median(took), "ms",
        most=50, note=note,
    )  # fmt: skip
    yield Figure("nearest ten of these: recall against exact", right / (TEN * QUESTIONS), "", least=0.95)
    running.drop(url)


def _ask(memory: Memory, number: int, turn: int) -> tuple[Memory, str, float]:
    """A team asks about one of the projects."""
    project = f"p{(turn * 7919) % (number // OF_A_PROJECT):05d}"
    team = memory.confined_to("local", Project(project, "", "", "", "", "", "as asked"))
    text = _question(team, turn)
    began = time.monotonic()
    hits = team.search(text)
    took = time.monotonic() - began
    assert hits, text
    return team, text, took


def _numpy() -> ModuleType:
    """NumPy as the server has it: with one thread, because several would wait for each other where cores are busy."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import numpy as np

    return np


def _fill(memory: Memory, url: str, number: int) -> None:
    Vectors(memory.store.database).make(model_of(memory), LENGTH)
    np = _numpy()
    chance = np.random.default_rng(13)
    with psycopg.connect(url) as connection:
        connection.execute("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'")
        connection.execute("DROP INDEX mem_vectors_1_near; DROP INDEX mem_documents_by_word")
        for first in range(0, number, OF_A_PROJECT):
            project = f"p{first // OF_A_PROJECT:05d}"
            row = {"project": project, "first": first, "last": first + OF_A_PROJECT - 1, "place": _place(project)}
            connection.execute(_EVENTS.encode(), row)
            connection.execute(_DOCUMENTS.encode(), row)
            with connection.cursor().copy(_VECTORS) as copy:
                copy.write(_rows(project, first, chance))
        connection.execute("CREATE INDEX mem_documents_by_word ON mem_documents USING gin (words)")
        connection.commit()
        connection.autocommit = True
        connection.execute("ANALYZE")


def _place(project: str) -> str:
    """What the index of words has of a project, as the store itself makes it."""
    note = events.make("note", {"text": "wab wcd"}, project=project, agent="bench", time=1_790_000_000_000_000)
    (row,) = (each for each in derive(note) if each.table == "documents")
    assert (row.values["text"], row.values["names"]) == ("wab wcd", ""), row
    return str(row.values["place"])


def _rows(project: str, first: int, chance: np.random.Generator) -> bytes:
    """Vectors of a project, as PostgreSQL reads rows in its binary form: the length of each value before it."""
    np = _numpy()
    texts = [
        ("tenant", b"local"),
        ("project", project.encode()),
        ("id", b"n0000000"),
        ("kind", b"note"),
        ("hash", b"h0000000"),
    ]
    form: list[tuple[str, str]] = [("fields", ">i2")]
    for name, example in texts:
        form += [(f"{name}_length", ">i4"), (name, f"S{len(example)}")]
    form += [("part_length", ">i4"), ("part", ">i4"), ("vector_length", ">i4"), ("dimension", ">i2"), ("unused", ">i2")]
    rows = np.zeros(OF_A_PROJECT, dtype=np.dtype([*form, ("vector", ">f2", (LENGTH,))]))
    rows["fields"] = len(texts) + 2
    rows["part_length"] = 4
    for name, example in texts:
        rows[f"{name}_length"], rows[name] = len(example), example
    numbers = [f"{n:07d}" for n in range(first, first + OF_A_PROJECT)]
    rows["id"] = [f"n{each}".encode() for each in numbers]
    rows["hash"] = [f"h{each}".encode() for each in numbers]
    made = chance.standard_normal((OF_A_PROJECT, LENGTH))
    rows["vector_length"], rows["dimension"] = 4 + 2 * LENGTH, LENGTH
    rows["vector"] = made / np.linalg.norm(made, axis=1, keepdims=True)
    data: bytes = rows.tobytes()
    return b"PGCOPY\n\xff\r\n\x00" + bytes(8) + data + b"\xff\xff"


def _question(team: Memory, turn: int) -> str:
    """Some words of one of the notes, in another order."""
    note = team.store.latest({
        "tenant": "local", "project": team.project.id, "projects": [team.project.id], "kind": "note", "session": "",
        "time": events.MAX_TIME, "id": "~", "limit": 1 + turn % 100,
    })[-1]  # fmt: skip
    words = str(note.body["text"]).split()
    return " ".join(reversed(words[1:6]))


def _right(team: Memory, url: str, project: str, text: str) -> int:
    """How many of the nearest ten are among the ten that comparing with each one exactly finds."""
    np = _numpy()
    from engrain.embed.vector import halved

    asked = np.frombuffer(halved(team.asked.vector(team.embedder, text)), "<f2").astype(np.float64)
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT id, vector::vector::real[] FROM mem_vectors_1 WHERE project = %s", (project,)
        ).fetchall()
    vectors = np.array([row[1] for row in found], dtype=np.float64)
    near = vectors @ asked / np.linalg.norm(vectors, axis=1)
    exact = {found[place][0] for place in np.argsort(-near)[:TEN]}
    return len(exact & {each.id for each in team.nearest(text, projects=[project], limit=TEN)})
