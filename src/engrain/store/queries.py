"""Named SQL: `-- name --`, a sentence, the statement."""

from __future__ import annotations

import functools
import re
from importlib import resources

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
    return resources.files("engrain.store").joinpath("sql", dialect, *path).read_text(encoding="utf-8")


def migrations(dialect: str) -> list[str]:
    """The names of the migrations, in their order."""
    folder = resources.files("engrain.store").joinpath("sql", dialect, "migrations")
    return sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))


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
