"""Reader: answers named questions from a SQLite store that others write, without the weight of its wrapper.

The hook asks one or two questions in its life; `sqlite3` would cost it more than they do. Nothing is ever written, and
who holds the store at the moment is waited for no longer than a blink. On the hook's path.
"""

from __future__ import annotations

import _sqlite3
import os

from engrain.errors import StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WAIT_SECONDS = 0.2

_SQL = os.path.join(os.path.dirname(__file__), "sql", "sqlite")
_QUERIES = os.path.join(_SQL, "queries.sql")


class Reader:
    """A store, opened to be read: `reader(question, args)` gives the rows of the answer."""

    __slots__ = ("_connection", "_queries", "where")

    def __init__(self, path: str) -> None:
        self.where = path
        try:
            with open(_QUERIES, encoding="utf-8") as file:
                self._queries = file.read()
            self._connection = _sqlite3.connect(_address(path), timeout=WAIT_SECONDS, uri=True)
        except (OSError, _sqlite3.Error) as exc:
            raise StoreError(f"{path}: {exc}") from exc

    def __call__(self, question: str, args: dict[str, Any]) -> list[tuple[Any, ...]]:
        if any(isinstance(value, (list, tuple)) for value in args.values()):
            from engrain import light

            args = {k: light.dumps(v) if isinstance(v, (list, tuple)) else v for k, v in args.items()}
        try:
            rows: list[tuple[Any, ...]] = self._connection.execute(self._statement(question), args).fetchall()
        except _sqlite3.Error as exc:
            raise StoreError(f"{self.where}: {exc}") from exc
        return rows

    def _statement(self, question: str) -> str:
        name, _, number = question.partition("@")
        _, found, rest = (self._about_vectors() if number else self._queries).partition(f"-- {name} --\n")
        if not found:
            raise KeyError(question)
        return rest.partition("\n\n-- ")[0].replace("_@", f"_{number}") if number else rest.partition("\n\n-- ")[0]

    def _about_vectors(self) -> str:
        """The statements about one table of vectors, which no hook needs."""
        with open(os.path.join(_SQL, "vectors.sql"), encoding="utf-8") as file:
            return f"{file.read()}\n{self._queries}"

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.close()


def _address(path: str) -> str:
    """Read-only. A store at rest, in a folder where no memory can be shared, is read as it lies."""
    plain = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    shared = os.path.exists(f"{path}-shm") or os.access(os.path.dirname(path) or ".", os.W_OK)
    return f"file:{plain}?mode=ro" + ("" if shared else "&immutable=1")
