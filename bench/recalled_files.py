"""Files that a prompt of a real session will touch, recalled from earlier sessions, against three simpler ways.

A session changes a file with an editor's tool, or by a command that edits in place (`sed -i`, a patch); what a shell
writes whole is mostly its own scratch and is left out. The past of a question is every session of the same repository
that was before it; a question counts when one of its files was changed before.
"""

from __future__ import annotations

import glob
import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import Any, NamedTuple

from bench.figure import Absent, Figure, shared
from engrain import event as events
from engrain.embed import weights
from engrain.embed.minilm import MiniLM
from engrain.embed.vector import similarities
from engrain.learn.deeds import edited, said, written_by
from engrain.learn.likeness import words
from engrain.recall.files import Past, likely, said_of

FIRST, HOUR = 10, 3_600_000_000
LONGEST = 1200


class Session(NamedTuple):
    """A session: when, what was asked first, which files it changed."""

    start: int
    end: int
    asked: str
    files: frozenset[str]


class Question(NamedTuple):
    """What is asked, the sessions before it, and the files that are right."""

    asked: str
    past: Sequence[Session]
    right: frozenset[str]


def measure(_full: bool) -> Iterator[Figure]:
    """Mean recall of the touched files within the first ten."""
    if not (folder := weights.found("")):
        raise Absent("the weights of the model are not in this environment; `make setup` fetches them")
    questions = [*_real(), *_tasks()]
    near = _nearness(MiniLM(folder), questions)
    ways = {
        "ours": [likely(q.asked, _past(q, near), FIRST) for q in questions],
        "BM25 of what was asked": [_by_words(q) for q in questions],
        "most recent": [_recent(q.past) for q in questions],
        "most frequent": [_frequent(q) for q in questions],
    }
    found = {
        name: sum(len(q.right & set(files)) / len(q.right) for q, files in zip(questions, lists, strict=True))
        for name, lists in ways.items()
    }
    share = {name: 100 * total / len(questions) for name, total in found.items()}
    best = max(value for name, value in share.items() if name != "ours")
    files = 100 * sum(len(q.right & set(_by_words_of_files(q))) / len(q.right) for q in questions) / len(questions)
    note = f"{len(questions)} questions; " + ", ".join(f"{name} {value:.1f} %" for name, value in share.items())
    yield Figure(
        "touched files within the first ten, against the best simple way",
        share["ours"] / best,
        "×",
        least=1.25,
        note=note,
    )
    # This one is no simple way any more: it knows what a file was changed for, and is a part of ours.
    note = f"{files:.1f} %: each file is a text of its name and of all that it was changed for"
    yield Figure("the same, against BM25 over files", share["ours"] / files, "×", note=note)


# What happened


def _real() -> Iterator[Question]:
    """Prompts of real sessions with the files that they touched."""
    past = list(_sessions(shared("transcripts", "claude-code", "context-evaluator")))
    with gzip.open(shared("retrieval", "prompt_to_files.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in rows:
        time = events.microseconds(row["created_at"])
        # What is active around that time is the asked session itself.
        before = [s for s in past if s.start < time and not _around(time, s)]
        yield from _question(row["prompts"][0], before, frozenset(row["files"]))


def _around(time: int, session: Session) -> bool:
    return any(time - 2 * HOUR < at < time + HOUR for at in (session.start, session.end))


def _tasks() -> Iterator[Question]:
    """Tasks of an agent on open repositories, each asked with those before it as the past."""
    for folder in sorted(glob.glob(os.path.join(shared("transcripts", "swe"), "*"))):
        done = list(_sessions(folder))
        for number, session in enumerate(done):
            yield from _question(session.asked, done[:number], session.files)


def _question(asked: str, past: Sequence[Session], files: frozenset[str]) -> Iterator[Question]:
    if right := files & {path for each in past for path in each.files}:
        yield Question(asked, past, right)


def _sessions(folder: str) -> Iterator[Session]:
    """The sessions of a folder, in their order of time."""
    found = [_session(path) for path in sorted(glob.glob(os.path.join(folder, "*.jsonl.gz")))]
    yield from sorted((each for each in found if each is not None), key=lambda each: each.start)


def _session(path: str) -> Session | None:
    times: list[int] = []
    asked, files = "", set[str]()
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for record in records(file):
            content = (record.get("message") or {}).get("content")
            if "timestamp" in record:
                times.append(events.microseconds(record["timestamp"]))
            if record.get("type") == "user" and not asked and not record.get("isMeta"):
                asked = said_in(content)
            for block in content if record.get("type") == "assistant" and isinstance(content, list) else ():
                if block.get("type") == "tool_use":
                    files.update(_changed(block.get("input") or {}, f"{record.get('cwd', '')}/"))
    return Session(times[0], times[-1], asked, frozenset(files)) if asked and times else None


def records(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """What can be read; some lines were broken when names were replaced."""
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            continue


def said_in(content: Any) -> str:
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
    said_ = " ".join(block.get("text", "") for block in blocks if block.get("type") == "text").strip()
    said_ = said_.split("<instructions>")[0].split("## Recommended Workflow")[0]
    return "" if said_.startswith("<") else said_


def _changed(given: dict[str, Any], root: str) -> Iterator[str]:
    edits = [*edited(given), *(each for each in written_by(said(given)) if not each.whole)]
    yield from (os.path.normpath(each.file.removeprefix(root)) for each in edits if not each.file.startswith("/tmp"))


# Ways to answer


def _nearness(model: MiniLM, questions: Sequence[Question]) -> dict[str, bytes]:
    texts = sorted({each[:LONGEST] for q in questions for each in (q.asked, *(s.asked for s in q.past))})
    return dict(zip(texts, model.embed(texts), strict=True))


def _past(question: Question, near: dict[str, bytes]) -> list[Past]:
    alike = similarities(near[question.asked[:LONGEST]], [near[s.asked[:LONGEST]] for s in question.past])
    return [Past(s.asked, tuple(sorted(s.files)), like) for s, like in zip(question.past, alike, strict=True)]


def _by_words(question: Question) -> list[str]:
    """The files of the sessions whose first prompt fits best by BM25."""
    texts = [Counter(words(each.asked)) for each in question.past]
    seen = Counter(word for each in texts for word in each)
    usual = sum(each.total() for each in texts) / len(texts)

    def fits(text: Counter[str]) -> float:
        room = 1.2 * (0.25 + 0.75 * text.total() / usual)
        return sum(
            log(1 + (len(texts) - seen[w] + 0.5) / (seen[w] + 0.5)) * 2.2 * text[w] / (text[w] + room)
            for w in words(question.asked) if w in text
        )  # fmt: skip

    scores = [fits(text) for text in texts]
    order = sorted(range(len(texts)), key=lambda n: (-scores[n], -n))
    return _first(question.past[n] for n in order)


def _by_words_of_files(question: Question) -> list[str]:
    """The files whose names, and what they were changed for, fit best by BM25."""
    past = [Past(each.asked, tuple(sorted(each.files))) for each in question.past]
    files = list(dict.fromkeys(path for each in past for path in each.files))
    fits = said_of(question.asked, files, past)
    return sorted(files, key=lambda path: -fits.get(path, 0.0))[:FIRST]


def _recent(past: Sequence[Session]) -> list[str]:
    return _first(reversed(past))


def _first(sessions: Any) -> list[str]:
    return list(dict.fromkeys(path for each in sessions for path in sorted(each.files)))[:FIRST]


def _frequent(question: Question) -> list[str]:
    times = Counter(path for each in question.past for path in each.files)
    latest = {path: n for n, each in enumerate(question.past) for path in each.files}
    return sorted(times, key=lambda path: (-times[path], -latest[path]))[:FIRST]
