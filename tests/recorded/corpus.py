"""Corpus: the recorded failures as values, and how well a key tells them apart.

`cases()` loads what `cases.jsonl` lists. `pairwise` judges a function from texts to keys by the pairs that it puts
together, because both merging everything and splitting everything must score badly; `purity` asks only that a key never
covers two labels. Nothing here knows how a key is made.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "cases.jsonl")


class Case(NamedTuple):
    """One recording. Two with the same `cause` are fixed the same way; a `family` leaves that fix's parameters open."""

    file: str
    toolchain: str
    cause: str
    family: str
    command: str
    exit_code: int
    version: str
    text: str

    @property
    def variant(self) -> str:
        return self.file.removesuffix(".txt").rpartition("--")[2]


class Score(NamedTuple):
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def cases(*variants: str) -> list[Case]:
    """Every recording in the order of its file's name, or those of some variants alone."""
    with open(LIST, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = [Case(**row, text=_text(row["file"])) for row in rows]
    return [case for case in found if not variants or case.variant in variants]


def pairwise(keys: Iterable[Hashable], labels: Iterable[Hashable]) -> Score:
    """Of the pairs with equal keys, the share with equal labels; and the other way round. No pairs at all score 1."""
    both = list(zip(keys, labels, strict=True))
    together = _pairs(both)
    by_key, by_label = _pairs(key for key, _ in both), _pairs(label for _, label in both)
    return Score(together / by_key if by_key else 1.0, together / by_label if by_label else 1.0)


def purity(keys: Iterable[Hashable], labels: Iterable[Hashable]) -> float:
    """The share of rows whose label is the most frequent one of their key."""
    both = Counter(zip(keys, labels, strict=True))
    best: dict[Hashable, int] = {}
    for (key, _), count in both.items():
        best[key] = max(best.get(key, 0), count)
    total = both.total()
    return sum(best.values()) / total if total else 1.0


def whole(keys: Iterable[Hashable], labels: Iterable[Hashable]) -> float:
    """The share of labels whose rows all have one key that no other label's row has."""
    by_label: dict[Hashable, set[Hashable]] = {}
    by_key: dict[Hashable, set[Hashable]] = {}
    for key, label in zip(keys, labels, strict=True):
        by_label.setdefault(label, set()).add(key)
        by_key.setdefault(key, set()).add(label)
    kept = [
        label for label, found in by_label.items() if len(found) == 1 and all(len(by_key[key]) == 1 for key in found)
    ]
    return len(kept) / len(by_label) if by_label else 1.0


def score(key: Callable[[Case], Hashable], label: Callable[[Case], Hashable], among: list[Case]) -> Score:
    """How well a keying function agrees with a label, such as `lambda case: case.cause`."""
    return pairwise([key(case) for case in among], [label(case) for case in among])


def _pairs(values: Iterable[Hashable]) -> int:
    return sum(count * (count - 1) // 2 for count in Counter(values).values())


def _text(name: str) -> str:
    with open(os.path.join(HERE, *name.split("/")), encoding="utf-8", newline="") as file:
        return file.read()
