"""fixcache: one SQLite file of recipes against errors (`~/.lore-memory/default.db`).

    darwin_patterns   a recipe: its steps, and what is believed of it as Beta(α, β) from Beta(1, 1)
    darwin_journal    the whole text of the error that it was taught for, and some of its outcomes with their time
    memories          what it was told to remember; the same again for each recipe
    reflections       what it made of those
    identity          who its user is

It knows no projects: what it has holds everywhere. A half outcome (`partial`) counts for nothing. How often an error
was seen is not brought: only its hash is kept there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from engrain.errors import BadInput
from engrain.event import EVERYWHERE, Event
from engrain.store.foreign import Foreign, Row, json_of
from engrain.upkeep.moving.making import Making, Recipe, seconds, texts, word

TOOL = "fixcache"
PLACE = os.path.join(".lore-memory", "default.db")
TABLES = ("darwin_patterns", "memories", "reflections", "identity")

_PREFIX = "Fix for: "
_WILD = re.compile(r"\.[*+]\??|\\[swdSWD][*+]?")
_ESCAPED = re.compile(r"\\([.()\[\]{}|?+*^$/-])")


def checked(database: Foreign) -> None:
    """BadInput where this is no store of fixcache."""
    if not {"id", "description", "rule"} <= database.columns("darwin_patterns"):
        raise BadInput(f"{database.where} is no store of fixcache: it has no table darwin_patterns")


def size(database: Foreign) -> int:
    """How many rows there are to read."""
    return sum(database.size(table) for table in TABLES if database.columns(table))


def read(database: Foreign, making: Making) -> Iterator[Event | None]:
    """Every row of a store; None after each."""
    journal = _Journal(database)
    for row in database.rows("darwin_patterns", _PATTERN):
        yield from _pattern(row, journal, making)
        yield None
    for row in database.rows("memories", ("id", "content", "memory_type", "created_at", "decay_score", "metadata")):
        yield from _memory(row, making)
        yield None
    for row in database.rows("reflections", ("id", "reflection_type", "content", "created_at")):
        tags = ["reflection", word(row["reflection_type"])]
        yield from _note(making, word(row["content"]), "reflection", row, row["created_at"], tags)
        yield None
    for row in database.rows("identity", ("key", "value", "updated_at"), order="key"):
        text = f"Who I work for:\n{word(row['value'])}" if word(row["value"]) else ""
        yield from _note(making, text, "identity", {"id": row["key"]}, row["updated_at"], ["identity"])
        yield None


_PATTERN = ("id", "pattern_type", "description", "rule", "created_at", "last_triggered", "metadata")


class _Journal:
    """What the journal has of recipes: their errors, how they were meant, and their outcomes."""

    def __init__(self, database: Foreign) -> None:
        self.errors: dict[str, str] = {}
        self.taught: dict[str, str] = {}
        self.rated: dict[tuple[str, str], list[int]] = {}
        names = ("id", "query", "result_ids", "outcome", "timestamp")
        for row in database.rows("darwin_journal", names, order="timestamp"):
            query, outcome = word(row["query"]), word(row["outcome"])
            if query.startswith(("rate_fix:", "outcome:")):
                pattern = query.partition(":")[2]
                self.rated.setdefault((pattern, outcome), []).append(seconds(row["timestamp"]))
            elif query:
                self.errors[str(row["id"])], self.taught[str(row["id"])] = query, outcome


def _pattern(row: Row, journal: _Journal, making: Making) -> Iterator[Event]:
    about = _fields(row["metadata"])
    steps = json_of(row["rule"])
    steps = texts(steps) if isinstance(steps, list) else texts([row["rule"]])
    name = word(about.get("recipe_id"))
    error = journal.errors.get(name) or word(row["description"]).removeprefix(_PREFIX)
    if not steps or not error:
        making.leave(f"recipe {row['id']}", "it has no error, or no steps")
        return
    taught, last = seconds(row["created_at"]), seconds(row["last_triggered"])
    worked, failed = (
        _times(journal.rated.get((str(row["id"]), outcome), []), about.get(beta), last or taught)
        for outcome, beta in (("success", "beta_alpha"), ("failure", "beta_beta"))
    )
    if journal.taught.get(name) == "failure":
        # Taught as something that does not help.
        failed = [taught, *failed]
    given = Recipe(_plain(error), steps, tags=texts(about.get("tags")), worked=worked, failed=failed)
    yield from making.fix(given, row["id"], project=EVERYWHERE, time=taught)


def _times(known: list[int], believed: Any, last: int) -> list[int]:
    """When each outcome was: those that the journal has, and the others at the last time that the recipe was used."""
    number = int(min(believed, 1e6) - 1) if isinstance(believed, (int, float)) and believed > 1 else 0
    return [*known, *[last] * max(0, number - len(known))]


def _plain(error: str) -> str:
    """An error that was given as an expression, as a text that it would match."""
    return _ESCAPED.sub(r"\1", _WILD.sub(" ", error)) if _WILD.search(error) else error


def _memory(row: Row, making: Making) -> Iterator[Event]:
    about = _fields(row["metadata"])
    if about.get("pattern_id") or about.get("recipe_id"):
        return
    if row["decay_score"] == 0:
        making.leave(f"memory {row['id']}", "fixcache had given it up")
        return
    kind = "convention" if about.get("convention") is True else word(row["memory_type"])
    yield from _note(making, word(row["content"]), "memory", row, row["created_at"], [kind, *texts(about.get("tags"))])


def _note(making: Making, text: str, table: str, row: Row, when: Any, tags: list[str]) -> Iterator[Event]:
    yield from making.note(text, table, row["id"], tags=tags, project=EVERYWHERE, time=seconds(when))


def _fields(value: Any) -> dict[str, Any]:
    found = json_of(value)
    return found if isinstance(found, dict) else {}
