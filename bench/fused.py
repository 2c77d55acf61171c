"""Fused: whether words, names and meaning together find more than either alone, on real sessions and on paraphrases.

    python -m bench fused --full

What a session was asked first is a memory; it is asked for with what the agent said later: its last words, words of the
middle, and the longest of its texts with all names taken out. Weights were chosen on a half of the sessions, by the
hash of their name; the other half is held out. Vectors are kept outside of the repository, because they take minutes.
"""

from __future__ import annotations

import glob
import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from bench.figure import Absent, Figure, shared
from bench.real_texts import cache
from bench.recalled_files import records, said_in
from engrain.embed import weights
from engrain.event import PROMPT
from engrain.memory import Memory, meaning
from engrain.paths import Home
from engrain.recall import rank
from engrain.recall.rank import EXACT, MEANING, WORDS

HERE = os.path.dirname(__file__)
LONGEST, MIDDLE, LEAST = 300, 12, 5
"""Characters of a question, words of one from the middle, and words that one must have."""
FIRST = 10

_NAMES = re.compile(r"`[^`]*`|\S*[\w)][._/:(=\\][\w(]\S*|\S*_\S*|\b\w*[a-z][A-Z]\w*|\b[A-Z]\w*|\S*\d\S*")

KEPT = {EXACT: rank.WEIGHTS[EXACT], WORDS: rank.WEIGHTS[WORDS], MEANING: rank.WEIGHTS[MEANING]}
ALWAYS = 0.0, 1e-9
WAYS: Mapping[str, tuple[dict[str, float], tuple[float, float]]] = {
    "words alone": ({**KEPT, MEANING: 0.0}, ALWAYS),
    "meaning alone": ({EXACT: 0.0, WORDS: 0.0, MEANING: 1.0}, ALWAYS),
    "plain reciprocal rank": ({EXACT: 0.0, WORDS: 1.0, MEANING: 1.0}, ALWAYS),
    "kept": (KEPT, (rank.LEAST_SURE, rank.SURE)),
}
"""Weights, and of which share of a question words begin to count and count fully."""


class Question(NamedTuple):
    """What is asked, for which memory, and whether that was used to choose by."""

    text: str
    right: str
    held: bool


def measure(full: bool) -> Iterator[Figure]:
    """What each way finds: paraphrases, then (with `full`) what was asked in real sessions."""
    if not weights.found(""):
        raise Absent("the weights of the model are not in this environment; `make setup` fetches them")
    if not full:
        return
    yield _paraphrases()
    yield _sessions()


def _sessions() -> Figure:
    """Mean reciprocal rank on the half that nothing was chosen by, against the better of words and meaning alone."""
    told = dict(_told())
    questions = [question for asked, said in told.items() for question in _questions(asked, said)]
    found: dict[str, tuple[float, float]] = {}
    with _remembering("prompts", sorted(told)) as memory:
        for name in WAYS:
            ranks = [(each.held, _rank(memory, each, name)) for each in questions]
            found[name] = (_mean([r for held, r in ranks if not held]), _mean([r for held, r in ranks if held]))
    best = max(held for name, (_, held) in found.items() if name.endswith("alone"))
    each = "; ".join(f"{name} {held:.3f} ({chosen:.3f} where chosen)" for name, (chosen, held) in found.items())
    note = f"{sum(q.held for q in questions)} of {len(questions)} questions held out, mean reciprocal rank: {each}"
    what = "real prompts, held out: fused against the better of words and meaning alone"
    return Figure(what, found["kept"][1] / best, "×", least=1.0, note=note)


def _paraphrases() -> Figure:
    """The paraphrases that were written after the ranker, among them all: hit@3 of each way."""
    pairs = {name: _pairs(name) for name in ("paraphrases", "paraphrases_later")}
    shares: dict[str, list[str]] = {name: [] for name in pairs}
    later = 0.0
    with _remembering("paraphrases", sorted(pair["note"] for part in pairs.values() for pair in part)) as memory:
        for name in WAYS:
            for part, asked in pairs.items():
                right = [_rank(memory, Question(pair["query"], pair["note"], True), name) >= 1 / 3 for pair in asked]
                later = 100 * sum(right) / len(right)
                shares[part].append(f"{name} {later:.0f} %")
    before, after = (", ".join(shares[part]) for part in pairs)
    note = f"those from before there was a ranker: {before}; the later ones: {after}"
    return Figure("60 paraphrases together, hit@3 of the later 30", later, "%", least=90, note=note)


def _pairs(name: str) -> list[dict[str, str]]:
    with open(os.path.join(HERE, f"{name}.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


# What is asked


def _told() -> Iterator[tuple[str, list[str]]]:
    """What each session was asked first, and what the agent said in it."""
    for path in sorted(glob.glob(os.path.join(shared("transcripts"), "*", "*", "*.jsonl.gz"))):
        asked, said = "", list[str]()
        with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
            for record in records(file):
                content = (record.get("message") or {}).get("content")
                if record.get("type") == "user" and not asked and not record.get("isMeta"):
                    asked = said_in(content)
                elif record.get("type") == "assistant" and asked and (text := said_in(content)):
                    said.append(text)
        if asked and said:
            yield asked, said


def _questions(asked: str, said: Sequence[str]) -> Iterator[Question]:
    held = hashlib.sha256(asked.encode("utf-8", "replace")).digest()[0] % 2 == 0
    words = " ".join(said).split()
    middle = words[len(words) // 2 :][:MIDDLE]
    for text in (said[-1], " ".join(middle), _NAMES.sub(" ", max(said, key=len))):
        shown = " ".join(text.split())[:LONGEST]
        if shown.count(" ") >= LEAST:
            yield Question(shown, asked, held)


# What is found


@contextmanager
def _remembering(name: str, texts: Sequence[str]) -> Iterator[Memory]:
    """A memory of these texts with their vectors, kept from one run to the next."""
    digest = hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()[:12]
    with Memory.open(Home(os.path.join(cache(), f"fused-{name}-{digest}")).ensure().root) as memory:
        if not memory.exists or not memory.search(texts[0], limit=1):
            memory.record(*(memory.event(PROMPT, {"text": text}, id=f"p{n:05d}") for n, text in enumerate(texts)))
        memory.embed()
        remembered, meaning.REMEMBERED = meaning.REMEMBERED, 1_000_000
        try:
            yield memory
        finally:
            meaning.REMEMBERED = remembered


def _rank(memory: Memory, question: Question, way: str) -> float:
    """1 / the place of what is right; 0 where it is not among the first."""
    with _ranked(*WAYS[way]):
        hits = [hit for hit in memory.search(question.text, limit=FIRST) if hit.score]
    places = (n for n, hit in enumerate(hits, 1) if hit.event.body["text"].strip() == question.right.strip())
    return 1 / next(places, 10**9)


@contextmanager
def _ranked(chosen: dict[str, float], sure: tuple[float, float]) -> Iterator[None]:
    """Search ranks so for as long as the block lasts."""
    before, were = dict(rank.WEIGHTS), (rank.LEAST_SURE, rank.SURE)
    rank.WEIGHTS.update(chosen)
    rank.LEAST_SURE, rank.SURE = sure
    try:
        yield
    finally:
        rank.WEIGHTS.update(before)
        rank.LEAST_SURE, rank.SURE = were


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
