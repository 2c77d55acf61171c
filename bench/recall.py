"""Recall: whether the right memory comes first, and how long that takes.

    python -m bench recall

Notes are saved as anybody saves them; questions go through `Memory.search`, as every surface asks.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterator

from bench.figure import Absent, Figure
from engrain.embed import weights
from engrain.event import NOTE
from engrain.memory import Memory
from engrain.paths import Home

NAMED, NEAR_DUPLICATES = "getUserByIdOrThrow", 5000
HERE = os.path.dirname(__file__)


def measure(_full: bool) -> Iterator[Figure]:
    """The rows of recall."""
    if not weights.found(""):
        raise Absent("the weights of the model are not in this environment; `make setup` fetches them")
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        yield from _identifiers(os.path.join(folder, "names"))
        yield from _paraphrases(os.path.join(folder, "meaning"))


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
