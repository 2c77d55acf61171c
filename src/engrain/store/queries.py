"""Named SQL: `-- name --`, a sentence, the statement. `name@3` is the statement about the third table of vectors."""

from __future__ import annotations

import functools
import os
import re

# importlib.resources would cost more than opening the store.
_SQL = os.path.join(os.path.dirname(__file__), "sql")
_HEAD = re.compile(r"^-- (\w+) --\n((?:-- .*\n)+)", re.MULTILINE)


class Named(dict[str, str]):
    """Statements by their names."""

    def __missing__(self, name: str) -> str:
        named, _, number = name.rpartition("@")
        if not number.isdecimal() or named not in self:
            raise KeyError(name)
        return self[named].replace("_@", f"_{number}")


@functools.cache
def load(dialect: str) -> Named:
    """The statements of a dialect by their names, with those that only this dialect needs."""
    return Named({**_statements(dialect, "vectors.sql"), **_statements(dialect, "queries.sql")})


def _statements(dialect: str, file: str) -> dict[str, str]:
    parts = _HEAD.split(text(dialect, file))
    return {name: sql.strip().rstrip(";") for name, sql in zip(parts[1::3], parts[3::3], strict=True)}


def about(name: str, number: int) -> str:
    """The name of a statement about one table of vectors."""
    return f"{name}@{number}"


def sentences(dialect: str) -> dict[str, str]:
    """What each query of every dialect says of itself."""
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
