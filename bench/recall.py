"""Recall: whether the right memory comes first, and how long that takes.

    python -m bench recall

Notes are saved as anybody saves them; questions go through `Memory.search`, as every surface asks.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from bench import real_texts
from bench.figure import Absent, Figure
from engrain.embed import matrix, weights
from engrain.embed.minilm import DIMENSION
from engrain.embed.vector import floats, halved, packed, unit
from engrain.event import NOTE
from engrain.memory import Memory, meaning
from engrain.paths import Home
from engrain.store.vectors import Vector, Vectors, job_kind
from engrain.upkeep import embedding

ENGRAIN = (sys.executable, "-m", "engrain")
NAMED, NEAR_DUPLICATES = "getUserByIdOrThrow", 5000
MOST_LINES, CENTRES = 100_000, 1000
HERE = os.path.dirname(__file__)


def measure(full: bool) -> Iterator[Figure]:
    """The rows of recall."""
    if not weights.found(""):
        raise Absent("the weights of the model are not in this environment; `make setup` fetches them")
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        yield from _identifiers(os.path.join(folder, "names"))
        yield from _paraphrases(os.path.join(folder, "meaning"))
        yield from _resumed(os.path.join(folder, "resumed"))
        yield from _many(os.path.join(folder, "many"), MANY)
        if full:
            yield from _grown(folder)
            yield _quantised()


def opened(folder: str) -> Memory:
    """A memory of its own."""
    return Memory.open(Home(folder).ensure().root)


# Names among what is nearly the same

VERBS = ("get", "find", "load", "fetch", "read")
WHAT = ("User", "Order", "Invoice", "Session", "Basket", "Tenant", "Ledger", "Device", "Ticket", "Plan")
BY = ("Id", "Name", "Email", "Token", "Slug", "Key", "Ref", "Hash", "Code", "Path")
ELSE = ("OrNull", "OrThrow", "OrDefault", "OrCreate", "OrFail", "Lazily", "Cached", "Strictly", "Safely", "Now")
QUESTIONS = (
    "{camel}", "get_user_by_id_or_throw", "where is {camel} called", "{camel}()", "what does repo.{camel} do",
    '"{camel}"', "UserRepo.getUserByIdOrThrow(id) fails", "error in {camel}: not found",
)  # fmt: skip


def _identifiers(folder: str) -> Iterator[Figure]:
    rng = random.Random(1)
    names = [f"{verb}{what}By{by}{end}" for verb in VERBS for what in WHAT for by in BY for end in ELSE]
    others = [name for name in names if name != NAMED]
    rng.shuffle(others)
    with opened(folder) as memory:
        said = "The helper {} of the repo layer must not be called inside a transaction."
        chosen = [*others[: NEAR_DUPLICATES - 1], NAMED]
        rng.shuffle(chosen)
        memory.record(*(memory.event(NOTE, {"text": said.format(name), "tags": []}) for name in chosen))
        right = sum(_first(memory, question.format(camel=NAMED), NAMED) for question in QUESTIONS)
    note = f"{len(QUESTIONS)} questions with the name of one of {NEAR_DUPLICATES:,} notes that differ in a name"
    yield Figure("a name, hit@1", 100 * right / len(QUESTIONS), "%", least=100, note=note)


def _first(memory: Memory, question: str, name: str) -> bool:
    hits = memory.search(question, limit=1)
    return bool(hits) and name in hits[0].event.body["text"]


# The same in other words


def _paraphrases(folder: str) -> Iterator[Figure]:
    with open(os.path.join(HERE, "paraphrases.jsonl"), encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    with opened(folder) as memory:
        for pair in pairs:
            memory.note(pair["note"])
        alone = _among(memory, pairs)
        memory.embed()
        together = _among(memory, pairs)
    note = f"words alone {100 * alone / len(pairs):.0f} %; {len(pairs)} pairs, written before there was a ranker"
    yield Figure("paraphrases, hit@3", 100 * together / len(pairs), "%", least=90, note=note)


def _among(memory: Memory, pairs: list[dict[str, str]], first: int = 3) -> int:
    return sum(
        pair["note"] in [hit.event.body["text"] for hit in memory.search(pair["query"], limit=first)] for pair in pairs
    )


# How long it takes

MANY, ASKED = 100_000, 120
SEED = 11


def _many(folder: str, number: int) -> Iterator[Figure]:
    """Searches among so many memories: real lines of sessions, each with a vector."""
    with opened(folder) as memory:
        said = filled(memory, number)
        rng = random.Random(SEED)
        questions = [_question(rng, said) for _ in range(ASKED)]
        memory.search("warm", limit=10)
        took = sorted(_seconds(memory, question) for question in questions)
        wordy = sorted(_seconds(memory, question, kinds=("note",)) for question in questions[:40])
        place, home = memory.folder, memory.home.root
    note = (
        f"worst {1000 * took[-1]:.0f} ms; of one kind p50 {1000 * statistics.median(wordy):.0f} ms; {ASKED} questions"
    )
    yield Figure(f"search, {number:,} memories, warm, p50", 1000 * statistics.median(took), "ms", most=20, note=note)
    yield Figure(f"search, {number:,} memories, warm, p95", 1000 * took[int(0.95 * len(took))], "ms", most=50)
    for name, more, most in (("with meaning", {}, 1.0), ("words only", {"ENGRAIN_EMBED_MODEL": "none"}, 0.3)):
        cold = statistics.median(_cold(place, home, questions[n], more) for n in range(7))
        yield Figure(f"cold `engrain search`, {number:,} memories, {name}", cold, "s", most=most)


def filled(memory: Memory, number: int) -> list[str]:
    """So many notes with vectors, as embedding leaves them: real lines, and directions drawn at random around those of
    a thousand of them, since embedding as many takes minutes."""
    said = _lines(number)
    project, model = memory.project.id, meaning.model_of(memory)
    memory.record(memory.sighting())
    store = memory.store
    store.append(
        memory.event(NOTE, {"text": text, "tags": []}, project=project, id=f"m{n:07d}") for n, text in enumerate(said)
    )
    vectors = Vectors(store.database)
    table = vectors.make(model, DIMENSION)
    made = _directions(memory, said)
    events_ = iter(each for each in store.events() if each.kind == NOTE)
    while batch := list(itertools.islice(events_, 5000)):
        vectors.put(table, [Vector(each, each.id, (next(made),)) for each in batch])
    vectors.put_in_line(model, embedding.KINDS, embedding.PIECE)
    store.database.run("drop_jobs_of", [{"kind": job_kind(model)}])
    meaning.settle(memory)
    return said


def _lines(number: int) -> list[str]:
    """Real lines; beyond what there is, each again with a number."""
    found = real_texts.texts(min(number, MOST_LINES))
    return [
        text if n < len(found) else f"{text} {n}"
        for n, text in enumerate(itertools.islice(itertools.cycle(found), number))
    ]


def _directions(memory: Memory, said: list[str]) -> Iterator[bytes]:
    import numpy as np

    rng = np.random.default_rng(SEED)
    centres = np.stack([floats(vector) for vector in memory.embedder.embed(said[:CENTRES])])
    for start in range(0, len(said), CENTRES):
        drawn = centres + 0.05 * rng.standard_normal(centres.shape, dtype=np.float32)
        yield from (halved(vector) for vector in packed(unit(drawn))[: len(said) - start])


def _question(rng: random.Random, said: list[str]) -> str:
    """Some words of a line, in another order, as somebody might remember it."""
    words = rng.choice(said).split()
    return " ".join(rng.sample(words, min(len(words), rng.randint(2, 7))))


def _seconds(memory: Memory, question: str, **filters: Any) -> float:
    began = time.perf_counter()
    memory.search(question, limit=10, **filters)
    return time.perf_counter() - began


def _cold(folder: str, home: str, question: str, more: dict[str, str]) -> float:
    command = [*ENGRAIN, "search", "--", question]
    began = time.perf_counter()
    subprocess.run(
        command, cwd=folder, env={**os.environ, "ENGRAIN_HOME": home, **more}, capture_output=True, check=False
    )
    return time.perf_counter() - began


# Embedding that is killed


NOTES, KILLS = 10_000, 5


class _Served(BaseHTTPRequestHandler):
    """A model behind an endpoint, as quick as can be; it remembers what it was asked for."""

    asked: ClassVar[Counter[str]] = Counter()

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.asked.update(texts)
        rows = [{"index": n, "embedding": [float(len(text)), 1.0]} for n, text in enumerate(texts)]
        body = json.dumps({"data": rows}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


def _resumed(folder: str) -> Iterator[Figure]:
    """Notes whose embedding is ended again and again: what was asked of the model twice, and whether all is there."""
    for how, most in ((signal.SIGTERM, 0), (signal.SIGKILL, KILLS * embedding.AT_ONCE)):
        done, twice = _ended(os.path.join(folder, how.name), how)
        lost = NOTES - done["embedded"] + done["waiting"]
        what = f"{NOTES:,} notes, embedding ended by {how.name} {KILLS} times: "
        there = f"{done['embedded']:,} embedded, {done['waiting']:,} waiting; {lost} lost"
        yield Figure(f"{what}texts embedded twice, or lost", twice + lost, "", most=most, note=there)


def _ended(folder: str, how: signal.Signals) -> tuple[dict[str, int], int]:
    """How embedding stands after it was ended so and gone on with, and how many texts were asked for twice."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Served)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    _Served.asked = Counter()
    about = {"ENGRAIN_EMBED_MODEL": "openai:tiny", "ENGRAIN_EMBED_URL": f"http://127.0.0.1:{server.server_port}/v1"}
    with opened(folder) as memory:
        memory.record(*(memory.event(NOTE, {"text": f"note {n:05d}", "tags": []}) for n in range(NOTES)))
        where = {**os.environ, **about, "ENGRAIN_HOME": memory.home.root}
        for number in range(KILLS):
            _end(where, (number + 1) * NOTES // (KILLS + 2), how)
        done = subprocess.run([*ENGRAIN, "embed", "--json"], env=where, capture_output=True, check=True)
    server.shutdown()
    server.server_close()
    twice = sum(number - 1 for text, number in _Served.asked.items() if text.startswith("note "))
    return json.loads(done.stdout), twice


def _end(where: dict[str, str], at: int, how: signal.Signals) -> None:
    """Embeds until so many texts were asked for, and is ended then."""
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([*ENGRAIN, "embed"], env=where, **quiet) as process:
        while process.poll() is None and _Served.asked.total() < at:
            time.sleep(0.01)
        process.send_signal(how)


# How it grows


def _grown(folder: str) -> Iterator[Figure]:
    """How the cost of a search grows; a million has synthetic vectors and repeated lines."""
    for number in (1000, 10_000, 1_000_000):
        with opened(os.path.join(folder, f"grown-{number}")) as memory:
            said = filled(memory, number)
            rng = random.Random(SEED)
            questions = [_question(rng, said) for _ in range(60)]
            memory.search("warm", limit=10)
            took = statistics.median(_seconds(memory, question) for question in questions)
            place = memory.home.database
        note = f"resident {_resident():,.0f} MB, database {os.path.getsize(place) / 1e6:,.0f} MB; synthetic vectors"
        most = 100 if number == 1_000_000 else None
        yield Figure(f"search, {number:,} memories, warm, p50", 1000 * took, "ms", most=most, note=note)


def _resident() -> float:
    """Megabytes of this process that lie in memory, what is mapped from files among them."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1000 for line in file if line.startswith("VmRSS"))


QUANTISED, TRIED = 100_000, 500


def _quantised() -> Figure:
    """Of the ten nearest of real texts' vectors, how many the first pass by signs keeps."""
    import numpy as np

    made = real_texts.vectors(QUANTISED + 1000)
    body, questions = made[:QUANTISED], made[QUANTISED : QUANTISED + TRIED]
    halves = [halved(vector) for vector in packed(body)]
    whole = np.stack([np.frombuffer(half, "<f2").astype(np.float32) for half in halves])
    signs = matrix.Matrix(matrix.Copied("", 0, DIMENSION))
    before, matrix.EXACT_MOST = matrix.EXACT_MOST, 0
    try:
        signs.add(range(1, QUANTISED + 1), [("", "", "")] * QUANTISED, halves)
        signs.settle()
    finally:
        matrix.EXACT_MOST = before
    kept = 0
    for question in questions:
        best = {int(row) + 1 for row in np.argsort(-(whole @ question))[:10]}
        found = signs.nearest(
            packed(question[None])[0], lambda _: True, 10, lambda rows: {r: halves[r - 1] for r in rows}
        )
        kept += len(best & {row for row, _ in found})
    return Figure("quantised recall@10 of exact, 100,000 real texts", kept / (10 * TRIED), "", least=0.95)
