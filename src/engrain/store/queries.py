"""Named SQL: `-- name --`, a sentence, the statement."""

from __future__ import annotations

import functools
import os
import re

# importlib.resources would cost more than opening the store.
_SQL = os.path.join(os.path.dirname(__file__), "sql")
_HEAD = re.compile(r"^-- (\w+) --\n((?:-- .*\n)+)", re.MULTILINE)


@functools.cache
def load(dialect: str) -> dict[str, str]:
    """The statements of a dialect by their names."""
    parts = _HEAD.split(text(dialect, "queries.sql"))
    return {name: sql.strip().rstrip(";") for name, sql in zip(parts[1::3], parts[3::3], strict=True)}


def sentences(dialect: str) -> dict[str, str]:
    """What each query says of itself."""
    parts = _HEAD.split(text(dialect, "queries.sql"))
    return {name: doc.replace("-- ", "").strip() for name, doc in zip(parts[1::3], parts[2::3], strict=True)}


def text(dialect: str, *path: str) -> str:
    """A file of sql/<dialect>/."""
    with open(os.path.join(_SQL, dialect, *path), encoding="utf-8") as file:
        return file.read()


@functools.cache
def migrations(dialect: str) -> tuple[str, ...]:
    """The names of the migrations, in their order."""
    return tuple(
        sorted(name for name in os.listdir(os.path.join(_SQL, dialect, "migrations")) if name.endswith(".sql"))
    )


def statements(script: str) -> list[str]:
    """The statements of a script, one by one, so that they can share a transaction."""
    import sqlite3

    found, current = [], ""
    for piece in re.split(r"(?<=;)", script):
        current += piece
        if sqlite3.complete_statement(current):
            found.append(current.strip())
            current = ""
    return found
