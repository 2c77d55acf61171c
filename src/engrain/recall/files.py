"""Files: a task → the files that it will likely change, by what earlier tasks changed.

A file speaks for itself by its name, by the tasks that changed it (in the same words, or with the same meaning), by how
often it was changed, and most of all by being named. Weights were chosen on a half of real sessions, and held on the
other: docs/experiments.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, log1p
from typing import NamedTuple

from engrain.learn.likeness import shared, words

NAMED, NAME, WHOLE, MEANING, WORDS, OFTEN = 0.5, 0.5, 0.5, 0.6, 0.5, 0.2
"""What counts how much: that the task names the file, that its name has words of the task, that the task has all the
words of its name, what it was changed for (by meaning, by words), how often."""

NEAR, SHARED = 0.25, 0.35
"""How near in meaning what was asked before is, or which part of the task's words it has, to be about the same."""

NEAREST, STEEP = 15, 4
"""Earlier tasks that count by their meaning, and how much more the nearer ones do."""
LONG, FULL = 0.75, 1.2


class Past(NamedTuple):
    """What was asked before, which files were changed for it, and how near that is in meaning to what is asked now."""

    asked: str
    files: tuple[str, ...]
    near: float = 0.0


def likely(task: str, past: Sequence[Past], limit: int = 10) -> list[str]:
    """The files that were changed before, those first that the task will likely change."""
    score = weighed(task, past)
    return sorted(score, key=lambda path: -score[path])[:limit]


def weighed(task: str, past: Sequence[Past]) -> dict[str, float]:
    """Each file that was changed before, with how much speaks for it."""
    times = Counter(path for each in past for path in each.files)
    files = list(times)
    if not files:
        return {}
    most = log1p(max(times.values()))
    names = [path.rpartition(".")[0] or path for path in files]
    asked = frozenset(words(task))
    meant, said = _meant(past), said_of(task, files, past)
    return {
        path: NAMED * _named(path, task) + NAME * share + WHOLE * _whole_of(name, asked)
        + MEANING * meant.get(path, 0.0) + WORDS * said.get(path, 0.0) + OFTEN * log1p(times[path]) / most
        for path, name, share in zip(files, names, shared(task, names), strict=True)
    }  # fmt: skip


def alike(task: str, past: Sequence[Past]) -> frozenset[str]:
    """The files that were changed for something that was about the same."""
    shares = shared(task, [each.asked for each in past])
    return frozenset(
        path
        for each, share in zip(past, shares, strict=True)
        if each.near >= NEAR or share >= SHARED
        for path in each.files
    )


def _named(path: str, task: str) -> bool:
    """Whether the task has the path, or the name of a file in a folder."""
    return path in task or ("/" in path and path.rpartition("/")[2] in task)


def _whole_of(name: str, asked: frozenset[str]) -> float:
    """Which part of the words of a name the task has."""
    found = words(name)
    return sum(word in asked for word in found) / len(found) if found else 0.0


def _meant(past: Sequence[Past]) -> Mapping[str, float]:
    """How much the nearest of what was asked speaks for each file, up to 1."""
    votes: dict[str, float] = {}
    for each in sorted(past, key=lambda each: -each.near)[:NEAREST]:
        for path in each.files:
            votes[path] = votes.get(path, 0.0) + max(each.near, 0.0) ** STEEP
    return _whole(votes)


def said_of(task: str, files: Sequence[str], past: Sequence[Past]) -> Mapping[str, float]:
    """How well the words of the task fit what each file was changed for, and its name, up to 1 (BM25)."""
    about = {path: Counter(words(path.replace("/", " "))) for path in files}
    for each in past:
        asked = words(each.asked)
        for path in each.files:
            about[path].update(asked)
    seen = Counter(word for text in about.values() for word in text)
    usual = sum(text.total() for text in about.values()) / len(about) or 1.0
    fits: dict[str, float] = {}
    for path, text in about.items():
        room = FULL * (1 - LONG + LONG * text.total() / usual)
        fits[path] = sum(
            log(1 + (len(about) - seen[word] + 0.5) / (seen[word] + 0.5)) * text[word] / (text[word] + room)
            for word in words(task)
            if word in text
        )
    return _whole(fits)


def _whole(scores: Mapping[str, float]) -> Mapping[str, float]:
    most = max(scores.values(), default=0.0)
    return {path: score / most for path, score in scores.items()} if most > 0 else {}
