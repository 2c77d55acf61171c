"""What follows directly from one event, as rows of derived tables.

A derived row carries the tenant, project and id of its event: that is its key, so the order of arrival can't matter,
and erasing an event erases its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from engrain.event import Event


class Row(NamedTuple):
    """One row of a derived table, beside the key that it takes from its event."""

    table: str
    values: dict[str, Any]


Derive = Callable[[Event], Iterable[Row]]

DERIVED = (
    "documents", "notes", "places", "merges", "tombstones", "redactions", "recipes", "outcomes", "servings", "failures",
    "calls", "prompts",
    "lessons", "lesson_keys", "lesson_marks", "firings",
    "episodes",
    "patterns", "pattern_words",
    "tasks", "task_words", "task_uses",
)  # fmt: skip
"""Tables with rows of single events, in the order of a dump. Each has the queries insert_, erase_, clear_ and dump_."""

COUNTED = {"recipes": "fixes", "outcomes": "evidence"}
"""Derived tables whose rows are counted by what they are about, and where."""

FOLDED = ("sessions", "projects", "days", *COUNTED.values())
"""Tables that count. Each has the queries add_, fold_, clear_, unfold_ and dump_."""
