"""Tasks: a request → how such work was done before: strategies that worked, and warnings of what did not.

    found = similar(look, who, Asked("stop password guessing"), near)

`look` answers named questions; `near` says how near in meaning events are to the request, where that can be had. What a
task shares with the request, in words and in meaning, says whether it is about the same at all: below LEAST there is no
answer, whatever else fits. What they share in files, entry point, area, commands, tests, errors and kind then decides
between those that are, and of equals the later one wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import Any, NamedTuple

from engrain.learn.commands import key
from engrain.learn.likeness import words
from engrain.learn.tasks import FAILED, SUCCESS, Task, merged, row_of, tested_by

Look = Callable[[str, dict[str, Any]], list[tuple[Any, ...]]]

MOST_WORDS, MOST_WITH = 40, 500
"""Words of a request that are looked up, and how many of the latest tasks with one of them are looked at."""

MOST = 60
"""Tasks that are looked at whole, of those found by words and of those found by meaning."""


class Who(NamedTuple):
    """Who asks, and where: `projects` are all ids of the project; none is everywhere."""

    tenant: str
    projects: Sequence[str] = ()


class Asked(NamedTuple):
    """A request, and what is known of it already."""

    text: str
    type: str = ""
    files: tuple[str, ...] = ()
    entry: str = ""
    area: str = ""
    commands: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


class Found(NamedTuple):
    """A task that fits: how well, and why, in words."""

    task: Task
    score: float
    because: tuple[str, ...]


class Suggestion(NamedTuple):
    """What is known of such work: strategies that worked, the best first, and what did not work. Both are empty where
    nothing fits."""

    strategies: tuple[Found, ...] = ()
    warnings: tuple[Found, ...] = ()

    @property
    def hint(self) -> Found | None:
        """The strategy to begin with."""
        return self.strategies[0] if self.strategies else None


OTHERS, MOST_OF_OTHERS = "shared", 1.2
"""What others share of a task counts no more than this: one that was done here goes first where both fit."""

NEAR, SHARED = 0.25, 0.35
"""How near in meaning, or which part of its words (the rare ones count for more), makes a task one that is about the
same. Requests of a sentence about something else end below. Long texts of one genre (bug reports) are all nearer to
each other than that: of these something is nearly always said."""

SIGNS = {"files": 0.5, "errors": 0.4, "entry": 0.4, "tests": 0.3, "commands": 0.2, "area": 0.2, "type": 0.1}
"""What else two tasks may share, and what it counts for against being about the same."""

MOST_SIGNS = 0.4
"""What signs add at most to a task that is not clearly about the same: they never make a hint of their own."""


def suggested(found: Iterable[Found], limit: int) -> Suggestion:
    """Of the tasks that fit those to reuse, and those to be warned of; of several in the same words the best."""
    seen: set[str] = set()
    kept: dict[str, list[Found]] = {SUCCESS: [], FAILED: []}
    for each in found:
        words_ = f"{each.task.outcome} {' '.join(words(each.task.text))}"
        if each.score >= 1 and each.task.outcome in kept and words_ not in seen:
            seen.add(words_)
            kept[each.task.outcome].append(each)
    return Suggestion(tuple(kept[SUCCESS][:limit]), tuple(kept[FAILED][:limit]))


def similar(look: Look, who: Who, asked: Asked, near: Mapping[str, float]) -> list[Found]:
    """Tasks like what is asked, the one that fits best first; `near` is how near each is in meaning."""
    by_words = _by_words(look, who, asked)
    best = [*_first(by_words), *_first(near)]
    rows = look("tasks_told", {"tenant": who.tenant, "tasks": sorted(set(best))}) if best else []
    found = [
        _scored(task, asked, near.get(task.id, 0.0), by_words.get(task.id, 0.0)) for task in merged(map(row_of, rows))
    ]
    return sorted(found, key=lambda each: (-round(each.score, 2), -each.task.time, each.task.id))


def _first(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda id_: (-scores[id_], id_))[:MOST]


def _by_words(look: Look, who: Who, asked: Asked) -> dict[str, float]:
    """Which part of the request's words each task has, from 0 to 1."""
    wanted = words(" ".join([asked.text, asked.entry, *asked.files]))[:MOST_WORDS]
    projects = list(who.projects)
    about = {"tenant": who.tenant, "project": "some" if projects else "", "projects": projects}
    total = int(look("tasks_number", about)[0][0]) if wanted else 0
    if not total:
        return {}
    having = {word: _having(look, who, word) for word in wanted}
    weights = {word: log(1 + total / (0.5 + len(tasks))) for word, tasks in having.items()}
    whole = sum(weights.values())
    shares: dict[str, float] = {}
    for word, tasks in having.items():
        for task in tasks:
            shares[task] = shares.get(task, 0.0) + weights[word] / whole
    return shares


def _having(look: Look, who: Who, word: str) -> set[str]:
    """The tasks that a word is about: the latest ones, where there are many."""
    args = {"tenant": who.tenant, "word": word, "limit": MOST_WITH}
    if not who.projects:
        return {row[0] for row in look("tasks_with_word_anywhere", args)}
    return {row[0] for project in who.projects for row in look("tasks_with_word", {**args, "project": project})}


# How well one fits


def _scored(task: Task, asked: Asked, near: float, shares: float) -> Found:
    like = max(near / NEAR, shares / SHARED)
    because = [name for name, part in (("meaning", near / NEAR), ("words", shares / SHARED)) if part >= 1]
    signs = {name: SIGNS[name] * part for name, part in _signs(task, asked).items() if part}
    more = sum(signs.values())
    score = round(like + (more if like >= 1 else min(more, MOST_SIGNS)), 4)
    if set(task.sources) == {OTHERS}:
        return Found(task, min(score, MOST_OF_OTHERS), (*because, *signs, "shared by others, unconfirmed"))
    return Found(task, score, (*because, *signs))


def _signs(task: Task, asked: Asked) -> dict[str, float]:
    """Which part of what is known of the request a task has, for each sign."""
    files = {*task.modified, *task.read, *filter(None, [task.entry.partition(":")[0]])}
    commands = {key(each) for each in task.commands}
    tests = {*tested_by(task), *task.tests_added}
    errors = [" ".join(map(str, each.values())) for each in task.errors]
    return {
        "files": _part(asked.files, lambda path: any(_same_file(path, each) for each in files)),
        "entry": float(bool(asked.entry) and _same_file(asked.entry, task.entry)),
        "area": float(bool(asked.area) and f"{task.area}/".startswith(f"{asked.area.strip('/')}/")),
        "commands": _part(asked.commands, lambda line: key(line) in commands),
        "tests": _part(asked.tests, lambda test: key(test) in tests or test in tests),
        "errors": _part(asked.errors, lambda said: any(said.strip() in each for each in errors)),
        "type": float(bool(asked.type) and asked.type == task.type),
    }


def _part(given: Sequence[str], has: Callable[[str], bool]) -> float:
    return sum(map(has, given)) / len(given) if given else 0.0


def _same_file(one: str, other: str) -> bool:
    one, other = one.removeprefix("./"), other.removeprefix("./")
    return bool(one and other) and (one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}"))
