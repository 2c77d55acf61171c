"""What a real server does to a connection, and what it keeps of a text."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from bench.scratch import Postgres
from engrain import event as events
from engrain.learn.direct import derive
from engrain.store import open_store
from tests.making import event


@pytest.fixture
def url(server: Postgres) -> Iterator[str]:
    made = server.database()
    yield made
    server.drop(made)


def test_a_connection_that_was_killed_between_two_writes_is_opened_anew(url: str) -> None:
    store = open_store(url, derive)
    store.append([event(1)])
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE application_name = 'engrain' AND datname = current_database()"
        )
    assert store.append([event(2)]).new == 1
    assert store.count() == 2
    store.close()


@pytest.mark.parametrize("encoding", ["UTF8", "SQL_ASCII"])
def test_text_is_utf_8_whatever_the_database_and_the_environment_say(
    server: Postgres, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    name = f"engrain_{encoding.lower()}"
    with psycopg.connect(server.url, autocommit=True) as other:
        other.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0 LOCALE 'C'".encode())
    url = server.url.replace("/postgres?", f"/{name}?")
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    store = open_store(url, derive)
    store.append([event(1, "né ✓ 🦜")])
    assert list(store.events()) == [event(1, "né ✓ 🦜")]
    store.close()
    open_store(url, derive).close()
    server.drop(url)


def test_the_options_of_the_url_hold(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("CREATE SCHEMA team_a")
    open_store(f"{url}&options=-csearch_path%3Dteam_a", derive).close()
    with psycopg.connect(url) as other:
        found = other.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'mem_events'").fetchall()
    assert found == [("team_a",)]


def test_the_planner_s_statistics_forget_too(url: str) -> None:
    store = open_store(url, derive)
    store.append([event(n, f"quagga{n}") for n in range(300)] + [event(999, "stays")])
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("ANALYZE")
        kept = (
            "SELECT count(*) FROM pg_stats WHERE tablename LIKE 'mem%' AND "
            "concat(most_common_vals, histogram_bounds, most_common_elems) LIKE '%quagga%'"
        )
        assert other.execute(kept).fetchall() != [(0,)]
        store.append([events.forget([f"e{n:05d}" for n in range(300)])])
        store.compact()
        assert other.execute(kept).fetchall() == [(0,)]
    store.close()
