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
