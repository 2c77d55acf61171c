"""Fixtures: every home is a new folder, every store test runs on both stores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from bench.scratch import Postgres, postgres
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store import Store, open_store
from tests.browsing import AXE, NO_AXE, WHY, chromium
from tests.making import Ran, run

STORES = ("sqlite", "postgres")
SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """No setting of the person who runs the tests reaches them, and no test reaches that person's memory."""
    for name in list(os.environ):
        if name.startswith(("ENGRAIN_", "GIT_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", os.path.join(str(tmp_path), "user"))
    monkeypatch.setenv("ENGRAIN_HOME", os.path.join(str(tmp_path), "home"))
    # Processes in other folders run the code that is tested, not one that happens to be installed.
    more = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([SOURCE, *map(os.path.abspath, more)]))


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture
def home(tmp_path: object) -> Home:
    return Home(os.path.join(str(tmp_path), "home")).ensure()


@pytest.fixture(params=STORES)
def where(request: pytest.FixtureRequest, home: Home) -> Iterator[str]:
    """The path or URL of an empty store: of SQLite, then of PostgreSQL."""
    if request.param == "sqlite":
        yield home.database
        return
    running: Postgres = request.getfixturevalue("server")
    url = running.database()
    yield url
    running.drop(url)


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    opened = open_store(where, derive)
    yield opened
    opened.close()


@pytest.fixture
def sqlite(home: Home) -> Iterator[Store]:
    opened = open_store(home.database, derive)
    yield opened
    opened.close()


@pytest.fixture
def memory(home: Home, where: str, tmp_path: object) -> Iterator[Memory]:
    with Memory.open(home.root, store=where, folder=str(tmp_path)) as opened:
        yield opened


@pytest.fixture
def engrain(tmp_path: object) -> Callable[..., Ran]:
    """Runs a command line of Engrain as a process of its own, in the test's folder and home."""

    def call(*words: str, stdin: bytes = b"", folder: str = "", **environ: str) -> Ran:
        place = os.path.join(str(tmp_path), folder)
        return run(words, folder=place, stdin=stdin, environ={**os.environ, **environ})

    return call


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says in one line when pages could not be looked at."""
    if hasattr(config, "workerinput"):
        return
    if not chromium():
        terminalreporter.write_line(WHY)
    elif not os.path.isfile(AXE):
        terminalreporter.write_line(NO_AXE)
