"""What a real server does to a connection, and what it keeps of a text."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
import pytest

from bench.scratch import Postgres
from engrain import event as events
from engrain.errors import StoreError
from engrain.learn.direct import derive
from engrain.store import open_store, queries, tenants
from engrain.store.vectors import Vectors
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


def test_nothing_comes_behind_a_place_that_was_told_however_late_a_writer_commits(url: str) -> None:
    early, late, reader = (open_store(url, derive) for _ in range(3))
    seen: list[str] = []
    place = 0

    def read() -> list[str]:
        nonlocal place
        found = reader.changed("local", place)
        place = found[-1][0] if found else place
        seen.extend(event.id for _, event in found)
        return [event.id for _, event in found]

    early.append([event(1)])
    assert read() == ["e00001"]
    with late.database.transaction():
        late.append([event(2, project="another")])
        early.append(event(n) for n in range(3, 400))
        assert (read(), reader.last_arrived()) == ([], place), "who writes since before may still come"
        assert late.last_arrived() == 399, "but waits for nobody else"
    early.append([event(400)])
    assert len(read()) == 399
    assert sorted(seen) == [f"e{n:05d}" for n in range(1, 401)]
    for store in (early, late, reader):
        store.close()


def test_the_latest_of_a_small_team_are_not_looked_for_among_those_of_a_large_one(url: str) -> None:
    store = open_store(url, derive)
    store.append(event(n, tenant="large", project=f"p{n % 9}") for n in range(3000))
    store.append(event(n, tenant="small") for n in range(5000, 5003))
    store.append(event(n, tenant="large", project=f"p{n % 9}") for n in range(6000, 9000))
    small = store.of("small")
    queries_ = queries.load("postgres")
    args = {
        "tenant": "small", "project": "", "projects": [], "kind": "", "session": "", "time": events.MAX_TIME, "id": "~",
        "limit": 50, "after": 0, "most": 2**62, "every": 1, "kinds": [],
    }  # fmt: skip
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("ANALYZE")
        for name in ("latest_events", "changed_after", "last_arrived"):
            with other.transaction():
                other.execute(tenants.ACT, {"tenant": "small", "path": "public"})
                plan = other.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {queries_[name]}".encode(), args).fetchall()
            looked = [
                each["Actual Rows"] + each.get("Rows Removed by Filter", 0) for each in _scans(plan[0][0][0]["Plan"])
            ]
            assert sum(looked) < 20, (name, looked)
    assert len(small.latest(args)) == 3
    store.close()


def _scans(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The steps of a plan that read a table."""
    if "Relation Name" in plan:
        yield plan
    for each in plan.get("Plans", []):
        yield from _scans(each)


def test_who_may_not_add_pgvector_searches_by_words_and_is_told_what_to_ask_for(server: Postgres) -> None:
    url = server.database()
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    with psycopg.connect(url, autocommit=True) as boss:
        boss.execute("CREATE ROLE engrain_plain LOGIN")
        boss.execute(f"ALTER DATABASE {name} OWNER TO engrain_plain".encode())
        store = open_store(url.replace("//postgres:", "//engrain_plain:"), derive)
        store.append([event(1, "the deploy is on Friday")])
        vectors = Vectors(store.database)
        assert not vectors.possible()
        with pytest.raises(StoreError, match="CREATE EXTENSION vector"):
            vectors.make("test", 4)
        boss.execute("CREATE EXTENSION vector")
        assert vectors.possible()
        assert vectors.make("test", 4).dimension == 4
        store.close()
    server.drop(url)
    with psycopg.connect(server.url, autocommit=True) as boss:
        boss.execute("DROP ROLE engrain_plain")


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


# What an administrator should know


@contextmanager
def over_tcp(path: str) -> Iterator[int]:
    """A port of this machine that leads to a server's socket."""

    class Through(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.socket(socket.AF_UNIX) as inner:
                inner.connect(path)
                back = threading.Thread(target=_passed, args=(inner, self.request))
                back.start()
                _passed(self.request, inner)
                back.join()

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Through) as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield listening.server_address[1]
        finally:
            listening.shutdown()
            thread.join()


def _passed(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)


def test_a_server_that_asks_for_no_password_is_a_concern_and_one_that_does_is_none(url: str) -> None:
    given = psycopg.conninfo.conninfo_to_dict(url)
    folder, name = str(given["host"]), str(given["dbname"])
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("CREATE ROLE dana LOGIN SUPERUSER PASSWORD 'sesame'")
        ((rules,),) = other.execute("SHOW hba_file").fetchall()
        with open(rules, encoding="utf-8") as file:
            before = file.read()
        with open(rules, "w", encoding="utf-8") as file:
            file.write(f"local all dana scram-sha-256\n{before}")
        other.execute("SELECT pg_reload_conf()")
        with over_tcp(f"{folder}/.s.PGSQL.5432") as port:
            for user, said in (("postgres", ["asks for no password"]), ("dana:sesame", [])):
                store = open_store(f"postgresql://{user}@127.0.0.1:{port}/{name}", derive)
                found = store.database.concerns()
                store.close()
                assert len(found) == len(said)
                assert all(each in concern for each, concern in zip(said, found, strict=True))
        with open(rules, "w", encoding="utf-8") as file:
            file.write(before)
        other.execute("SELECT pg_reload_conf()")
        store = open_store(url, derive)
        assert store.database.concerns() == [], "a socket of this machine knows who comes"
        store.close()
        other.execute("DROP ROLE dana")


def test_an_index_that_can_t_be_used_is_a_concern(url: str) -> None:
    store = open_store(url, derive)
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("ALTER FUNCTION ts_match_vq(tsvector, tsquery) NOT LEAKPROOF")
        assert ["LEAKPROOF" in concern for concern in store.database.concerns()] == [True]
        other.execute("ALTER FUNCTION ts_match_vq(tsvector, tsquery) LEAKPROOF")
    assert store.database.concerns() == []
    store.close()
