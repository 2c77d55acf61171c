"""Several teams in one PostgreSQL: every table is ruled by rule, and a token of one sees nothing of another."""

from __future__ import annotations

import http.client
import json
import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest

from bench.scratch import Postgres
from engrain.errors import EngrainError, StoreError
from engrain.learn.direct import derive
from engrain.store import open_store, queries, tenants
from engrain.store.postgres import PostgresDatabase
from engrain.store.vectors import Vector, Vectors
from tests.making import event
from tests.served import Served, served

OF_THE_STORE = {"mem_migrations", "mem_vector_tables", "mem_vector_plans"}
"""Tables that are about the store and not about anybody: a new one is a decision."""

MARK = "quagga"
"""A word that stands in everything that team B has, and in nothing of team A."""

SAID = "okapi"
"""A word that team B wrote and nobody asks for."""

CALLS = 500


@pytest.fixture(scope="module")
def shared(server: Postgres) -> Iterator[str]:
    """A store with two teams in it, alike but for their names, and a table of vectors."""
    url = server.database()
    store = open_store(url, derive)
    store.append(each for tenant in ("a", "b") for each in told(tenant))
    vectors = Vectors(store.database)
    table = vectors.make("test", 4)
    vectors.put(table, [Vector(each, each.id, (bytes(8),)) for each in store.events() if each.kind == "note"])
    store.close()
    yield url
    server.drop(url)


def told(tenant: str) -> Iterator[Any]:
    """What a team did: notes, a call that failed, what was taught, a lesson."""
    word, said = (MARK, SAID) if tenant == "b" else ("zebra", "gnu")
    more: dict[str, Any] = {"tenant": tenant, "project": f"{word}-shop"}
    for number in range(40):
        yield event(
            number, f"{word} note {number} about staging and {said}", id=f"{word}-{number}", session=word, **more
        )
    bash = {"tool": "Bash", "input": {"command": f"{word} run"}, "output": f"{word}: not found: {said}", "exit": 127}
    for number in range(40, 60):
        yield event(number, kind="tool.call", body=bash, id=f"{word}-{number}", session=word, **more)


@pytest.fixture(scope="module")
def api(shared: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    free = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}
    with served(str(tmp_path_factory.mktemp("shared")), shared, **free) as one:
        for tenant in ("a", "b"):
            teach(one, one.new_token("read", "write", tenant=tenant), MARK if tenant == "b" else "zebra")
        yield one


def teach(one: Served, token: str, word: str) -> None:
    place = {"id": f"{word}-shop", "name": word, "root": f"/srv/{word}", "remote": "", "branch": "", "worktree": ""}
    error = f"Traceback (most recent call last):\n  File 'a.py', line 1\nModuleNotFoundError: No module named '{word}'"
    when = {"command": f"{word} push"}
    for path, body in (
        ("/v1/fixes", {"project": place, "error": error, "steps": [f"pip install {word}"]}),
        ("/v1/lessons", {"project": place, "text": f"{word}: ask first", "when": when}),
        ("/v1/notes", {"project": place, "text": f"{word} is read-only"}),
    ):
        assert one.ask("POST", path, body, token=token).status == 201


def rows(url: str, question: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(question.encode()).fetchall()


# Rules that hold for every table, whoever adds the next one


def test_every_key_of_every_table_begins_with_tenant_and_project(shared: str) -> None:
    found = rows(
        shared,
        """SELECT c.relname, array(SELECT a.attname::text FROM unnest(i.indkey::int[]) WITH ORDINALITY AS k (number, at)
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number ORDER BY k.at),
           EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'project')
           FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
           WHERE c.relname LIKE 'mem\\_%' AND i.indisunique""",
    )
    keyed = [(table, key) for table, key, placed in found if placed]
    assert len(keyed) > 30
    assert [each for each in keyed if each[1][:2] != ["tenant", "project"]] == []


def test_nothing_refers_across_tables_so_that_they_can_be_distributed(shared: str) -> None:
    assert rows(shared, "SELECT conrelid::regclass FROM pg_constraint WHERE contype = 'f'") == []


def test_every_table_with_rows_of_somebody_is_ruled_and_no_other_is_there(shared: str) -> None:
    found = rows(
        shared,
        """SELECT c.relname, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant'),
             c.relrowsecurity, (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid),
             has_table_privilege('engrain_tenant', c.oid, 'SELECT'),
             has_table_privilege('engrain_tenant', c.oid, 'UPDATE')
           FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relname LIKE 'mem\\_%'""",
    )
    assert {table for table, owned, *_ in found if not owned} == OF_THE_STORE
    assert {row[2:] for row in found if row[1]} == {(True, 1, True, True)}
    assert {row[2:] for row in found if not row[1]} == {(False, 0, True, False)}
    assert "mem_vectors_1" in {row[0] for row in found}, "also one that is made while it runs"
    assert {row[0] for row in found} >= {f"mem_events_{n}" for n in range(8)}, "also what is only a part"


def test_the_journal_is_in_parts_by_project_and_a_question_about_one_reads_one(shared: str) -> None:
    ((strategy, parts),) = rows(
        shared,
        """SELECT pg_get_partkeydef('mem_events'::regclass),
             (SELECT count(*) FROM pg_inherits WHERE inhparent = 'mem_events'::regclass)""",
    )
    assert (strategy, parts) == ("HASH (project)", 8)
    plan = "\n".join(row[0] for row in rows(shared, "EXPLAIN SELECT * FROM mem_events WHERE project = 'p'"))
    assert plan.count("Scan") == 1


def test_the_index_of_words_can_be_used_under_the_rule_too(shared: str) -> None:
    with psycopg.connect(shared) as team:
        # So few rows are found by their tenant as well.
        team.execute("ALTER TABLE mem_documents DROP CONSTRAINT mem_documents_pkey")
        team.execute("SET LOCAL enable_seqscan = off")
        team.execute(tenants.ACT, {"tenant": "a", "path": "public"})
        found = team.execute("EXPLAIN SELECT 1 FROM mem_documents WHERE words @@ to_tsquery('mem_words', 'staging')")
        assert "mem_documents_by_word" in str(found.fetchall())
        team.rollback()


# One team asks


@contextmanager
def acting(url: str, tenant: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection that acts for a team as the store's own does; what it changes is taken back."""
    with psycopg.connect(url) as connection:
        connection.execute(tenants.ACT, {"tenant": tenant, "path": "public"})
        yield connection
        connection.rollback()


def test_a_question_that_forgets_to_say_whose_sees_one_team_alone(shared: str) -> None:
    names = [name for (name,) in rows(shared, "SELECT tablename FROM pg_tables WHERE tablename LIKE 'mem\\_%'")]
    with acting(shared, "a") as team:
        seen = {name: team.execute(f"SELECT * FROM {name}".encode()).fetchall() for name in names}
    assert [name for name, found in seen.items() if MARK in json.dumps(found, default=str)] == []
    assert len(seen["mem_events"]) >= 60
    assert len(seen["mem_vectors_1"]) == 40
    with acting(shared, "") as nobody:
        assert nobody.execute("SELECT count(*) FROM mem_events").fetchone() == (0,)


def test_a_change_that_forgets_to_say_whose_changes_one_team_alone(shared: str) -> None:
    everything = rows(shared, "SELECT count(*) FROM mem_events WHERE tenant <> 'a'")
    with acting(shared, "a") as team:
        team.execute("DELETE FROM mem_events")
        team.execute("UPDATE mem_calls SET tool = 'mine'")
        team.execute("RESET ROLE")
        assert team.execute("SELECT count(*) FROM mem_events").fetchall() == everything
        assert team.execute("SELECT DISTINCT tenant FROM mem_calls WHERE tool = 'mine'").fetchall() == [("a",)]
    with acting(shared, "a") as team, pytest.raises(psycopg.errors.InsufficientPrivilege):
        team.execute("INSERT INTO mem_places VALUES ('b', 'p', 'x', 1, '', '', '')")
    with acting(shared, "a") as team, pytest.raises(psycopg.errors.InsufficientPrivilege):
        team.execute("UPDATE mem_places SET tenant = 'b'; UPDATE mem_notes SET tenant = 'b'")


def test_a_store_seen_by_one_team_answers_and_takes_for_it_alone(shared: str) -> None:
    whole = open_store(shared, derive)
    team = whole.of("a")
    assert MARK not in json.dumps(list(team.dump()))
    assert {each.tenant for each in team.events()} == {"a"}
    assert team.get([f"{MARK}-1"]) == []
    assert team.append([event(900, id="mine", tenant="a")]).new == 1
    with pytest.raises(StoreError):
        team.append([event(901, id="theirs", tenant="b")])
    with whole.snapshot(), pytest.raises(StoreError, match="can't be joined"):
        team.count()
    assert whole.get(["theirs"]) == []
    assert team.count() < whole.count(), "and between two questions the connection is everybody's again"
    whole.close()


def test_five_hundred_calls_with_the_token_of_a_team_show_nothing_of_another(api: Served) -> None:
    token, chance = api.new_token("read", "write", "admin", tenant="a"), random.Random(13)
    sent, told = http.client.HTTPConnection("127.0.0.1", api.port, timeout=30), Counter[int]()
    for number in range(CALLS):
        method, path, body = call(chance, number)
        data = None if body is None else json.dumps(body).encode()
        sent.request(method, path, data, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        answer = sent.getresponse()
        said = answer.read().decode()
        told[answer.status] += 1
        # A refusal may repeat the question.
        assert (MARK if answer.status == 200 else SAID) not in said, (method, path, said)
    sent.close()
    assert told[200] > CALLS / 2
    assert {status for status in told if status >= 500} == set()


def call(chance: random.Random, number: int) -> tuple[str, str, dict[str, Any] | None]:
    """Something that a team asks, often for what another has."""
    word = chance.choice(["zebra", MARK])
    place = {"id": f"{word}-shop", "name": "shop", "root": "/srv/shop", "remote": "", "branch": "", "worktree": ""}
    asked = {"project": chance.choice(["", f"{word}-shop"]), "limit": chance.randint(1, 200)}
    return chance.choice(
        [
            ("GET", f"/v1/events?{urlencode(asked)}", None),
            ("GET", f"/v1/events/{word}-{chance.randint(0, 60)}", None),
            ("GET", f"/v1/search?{urlencode({'q': chance.choice(['note', word]), 'project': asked['project']})}", None),
            ("GET", "/v1/sessions", None),
            ("GET", f"/v1/sessions/{word}", None),
            ("GET", "/v1/projects", None),
            ("GET", "/v1/stats", None),
            ("GET", "/v1/fixes", None),
            ("GET", "/v1/lessons", None),
            ("GET", "/v1/export", None),
            ("GET", "/v1/admin/audit", None),
            ("GET", "/v1/admin/jobs", None),
            ("POST", "/v1/match", {"project": place, "text": "ModuleNotFoundError: No module named 'x'"}),
            ("POST", "/v1/lessons/match", {"project": place, "tool": "Bash", "input": {"command": "x push"}}),
            ("POST", "/v1/context", {"project": place, "task": "staging note"}),
            ("POST", "/v1/forget", {"ids": [f"{MARK}-{chance.randint(0, 60)}"]}),
            ("POST", "/v1/events", {"kind": "note", "project": f"zebra-{number}", "body": {"text": "mine"}}),
        ]
    )  # fmt: skip


# Where roles can't be made, and where two migrate at once


def test_where_the_role_can_t_be_acted_in_tenants_are_refused_and_not_mixed(server: Postgres, shared: str) -> None:
    with psycopg.connect(shared, autocommit=True) as other:
        other.execute("DROP ROLE IF EXISTS engrain_plain")
        other.execute("CREATE ROLE engrain_plain LOGIN")
        other.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO engrain_plain")
    database = PostgresDatabase(shared.replace("//postgres:", "//engrain_plain:"))
    with pytest.raises(StoreError, match="can't be kept apart"):
        database.of("a")
    assert database.all("count_events")[0][0] == 0, "nor does whoever is no owner see a row"
    database.close()
    with psycopg.connect(shared, autocommit=True) as other:
        other.execute("DROP OWNED BY engrain_plain")
        other.execute("DROP ROLE engrain_plain")


def test_any_number_of_processes_may_open_a_store_that_is_new(server: Postgres) -> None:
    url, failed = server.database(), list[BaseException]()

    def opened() -> None:
        try:
            open_store(url, derive).close()
        except EngrainError as exc:
            failed.append(exc)

    threads = [threading.Thread(target=opened) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    server.drop(url)


def test_a_journal_of_before_moves_into_parts_whole_and_in_its_order(server: Postgres) -> None:
    url = server.database()
    with psycopg.connect(url, autocommit=True) as old:
        for name in queries.migrations("postgres"):
            if name < "0050":
                for statement in queries.statements(queries.text("postgres", "migrations", name)):
                    old.execute(statement.encode())
                old.execute("INSERT INTO mem_migrations VALUES (%s, 1)", (name,))
        for number in (3, 1, 2):
            old.execute(
                "INSERT INTO mem_events (tenant, project, id, time, session, agent, kind, v, body)"
                " VALUES ('local', %s, %s, %s, 's', 'test', 'note', 1, '{\"text\":\"x\"}')",
                (f"p{number}", f"e{number}", number),
            )
    store = open_store(url, derive)
    assert [each.id for _, each in store.arrived(0, since=0)] == ["e3", "e1", "e2"]
    store.append([event(4)])
    assert store.last_arrived() == 4
    store.close()
    server.drop(url)
