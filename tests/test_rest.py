"""The server: who gets in, what is stored, what is answered; asked over real connections."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.scratch import Postgres
from engrain.cli.serve import _warn
from engrain.event import make as made
from engrain.memory import Memory
from engrain.paths import Home
from engrain.rest import serving
from engrain.rest.app import Service, application
from engrain.rest.guard import Rules
from engrain.rest.intake import Intake
from engrain.rest.limits import MOST_BUCKETS, Limit
from engrain.rest.pages import cursor_of, key_of
from engrain.rest.problems import Problem
from engrain.rest.who import scope_of
from engrain.store.tokens import Tokens
from tests.making import run
from tests.payloads import payload, problems
from tests.served import Reply, Served, inside, served, start

PLACE = {"id": "shop", "name": "shop", "root": "/srv/shop", "remote": "", "branch": "main", "worktree": ""}
ERROR = "Traceback (most recent call last):\n  File 'a.py', line 1\nModuleNotFoundError: No module named 'orjson'"
FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on each store; tests keep to projects of their own."""
    home, store = str(tmp_path_factory.mktemp("served")), ""
    if request.param == "postgres":
        running: Postgres = request.getfixturevalue("server")
        store = running.database()
    with served(home, store, ENGRAIN_SERVER_MAX_MB="1", ENGRAIN_SERVER_GUESSES="0", **FREE) as one:
        yield one


def event(project: str, number: int, **more: Any) -> dict[str, Any]:
    return {"kind": "note", "project": project, "id": f"{project}-{number}", "body": {"text": f"note {number}"}, **more}


def problem(reply: Reply, status: int) -> str:
    assert reply.status == status, reply
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.fields["status"] == status
    detail: str = reply.fields["detail"]
    assert "\n" not in detail
    return detail


# What is stored


def test_an_event_that_was_answered_is_stored_once(api: Served) -> None:
    for _ in range(2):
        assert api.ask("POST", "/v1/events", event("once", 1)).fields == {
            "stored": 1, "ids": ["once-1"], "refused": [],
        }  # fmt: skip
    found = api.ask("GET", "/v1/events", project="once").fields["items"]
    assert [each["id"] for each in found] == ["once-1"]
    assert api.ask("GET", "/v1/events/once-1").fields["body"] == {"text": "note 1"}


def test_of_a_batch_what_is_no_event_is_named_and_the_rest_is_stored(api: Served) -> None:
    batch = [
        event("some", 1),
        {"kind": "note"},
        event("some", 2, time="yesterday"),
        event("some", 3, v=0),
        event("some", 4),
    ]
    reply = api.ask("POST", "/v1/events", {"events": batch})
    assert reply.status == 200
    assert reply.fields["ids"] == ["some-1", "some-4"]
    assert [each["number"] for each in reply.fields["refused"]] == [1, 2, 3]


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"{", 400), (b"[]", 422), (b"null", 422), (b'{"events": []}', 422), (b'{"events": 1}', 422), (b'"x"', 422),
     (b'{"events": [1], "x": 2}', 422), (b"\xff\xfe", 400), (b"[" * 10_000, 400)],
)  # fmt: skip
def test_what_is_no_event_is_refused(api: Served, body: bytes, status: int) -> None:
    problem(api.ask("POST", "/v1/events", body), status)


def test_a_secret_never_reaches_the_store(api: Served) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    api.ask("POST", "/v1/events", event("secret", 1, body={"text": f"use {secret}"}))
    assert secret not in json.dumps(api.ask("GET", "/v1/events", project="secret").fields)


def test_the_same_idempotency_key_is_the_same_note(api: Served) -> None:
    said = {"project": {**PLACE, "id": "idem"}, "text": "staging is read-only"}
    first, again = (api.ask("POST", "/v1/notes", said, headers={"Idempotency-Key": "k1"}) for _ in range(2))
    other = api.ask("POST", "/v1/notes", {**said, "text": "staging is slow"}, headers={"Idempotency-Key": "k2"})
    assert first.status == again.status == 201
    assert first.fields["id"] == again.fields["id"] != other.fields["id"]
    assert len(api.ask("GET", "/v1/events", project="idem", kind="note").fields["items"]) == 2
    said_again = [api.ask("POST", "/v1/notes", said, headers={"Idempotency-Key": "k3"}) for _ in range(2)]
    assert {each.fields["id"] for each in said_again} == {first.fields["id"]}
    assert len(api.ask("GET", "/v1/events", project="idem", kind="note").fields["items"]) == 2
    assert len(api.ask("GET", "/v1/events", project="idem", kind="note.again").fields["items"]) == 1


@pytest.mark.parametrize(
    ("path", "said", "other"),
    [
        ("/v1/notes", {"text": "staging is read-only"}, {"text": "the port of the proxy is 8443"}),
        ("/v1/prompts", {"text": "make the export stream"}, {"text": "make the import stream"}),
        ("/v1/tool-calls", {"tool": "Bash", "input": {"command": "ls"}}, {"tool": "Bash", "input": {"command": "id"}}),
        ("/v1/fixes", {"error": ERROR, "steps": ["pip install orjson"]}, {"error": ERROR, "steps": ["uv add orjson"]}),
        ("/v1/tasks", {"text": "stop guessing at login"}, {"text": "move the cart to redis"}),
        ("/v1/lessons", {"text": "ask first", "when": {"tool": "Bash"}}, {"text": "never", "when": {"tool": "Bash"}}),
        ("/v1/patterns", {"name": "repo", "description": "one class"}, {"name": "fakes", "description": "a factory"}),
    ],
)
def test_under_one_idempotency_key_nothing_else_is_answered_for(
    api: Served, path: str, said: dict[str, Any], other: dict[str, Any]
) -> None:
    project, key = {**PLACE, "id": f"key{path[3:]}"}, {"Idempotency-Key": f"once{path}"}
    for _ in range(2):
        assert api.ask("POST", path, {**said, "project": project}, headers=key).status == 201
    assert "was not stored" in problem(api.ask("POST", path, {**other, "project": project}, headers=key), 422)
    assert api.ask("POST", path, {**said, "project": project}, headers=key).status == 201
    other_key = {"Idempotency-Key": f"other{path}"}
    assert api.ask("POST", path, {**other, "project": project}, headers=other_key).status == 201


def test_pages_tell_everything_once_while_more_arrives(api: Served) -> None:
    api.ask("POST", "/v1/events", {"events": [event("pages", n, time=1_000_000 + n) for n in range(25)]})
    told, cursor = [], ""
    for number in range(40):
        page = api.ask("GET", "/v1/events", project="pages", limit=4, cursor=cursor).fields
        told += [each["id"] for each in page["items"]]
        api.ask("POST", "/v1/events", event("pages", 100 + number, time=2_000_000 + number))
        cursor = page["next"] or ""
        if not cursor:
            break
    assert told == [f"pages-{n}" for n in range(24, -1, -1)]
    problem(api.ask("GET", "/v1/events", cursor="nonsense"), 422)
    problem(api.ask("GET", "/v1/sessions", cursor=cursor_of("x", 1)), 422)


# The same verbs as everywhere


def test_a_fix_is_taught_asked_for_and_rated(api: Served) -> None:
    place = {**PLACE, "id": "fixing"}
    taught = api.ask("POST", "/v1/fixes", {"project": place, "error": ERROR, "steps": ["pip install orjson"]})
    assert taught.status == 201
    asked = {"project": place, "text": ERROR.replace("orjson", "ujson"), "command": "python a.py"}
    found = api.ask("POST", "/v1/match", asked).fields
    assert found["fixes"][0]["steps"] == ["pip install ujson"]
    assert found["fixes"][0]["match"] == "generalised"
    fix = taught.fields["fix"]
    rated = api.ask("POST", f"/v1/fixes/{fix}/outcomes", {"project": place, "worked": True})
    assert rated.status == 201
    assert api.ask("GET", f"/v1/fixes/{fix}").fields["worked"] == 1
    problem(api.ask("GET", "/v1/fixes/ffffffffffff"), 404)
    problem(api.ask("POST", "/v1/fixes", {"project": place, "error": ERROR, "steps": [" "]}), 422)


def test_lessons_fire(api: Served) -> None:
    place = {**PLACE, "id": "ruling"}
    when = {"command": r"git push .*--force"}
    made = api.ask("POST", "/v1/lessons", {"project": place, "text": "never force-push: releases", "when": when})
    assert made.status == 201
    call = {"project": place, "tool": "Bash", "input": {"command": "git push --force origin main"}}
    assert [each["id"] for each in api.ask("POST", "/v1/lessons/match", call).fields["items"]] == [made.fields["id"]]
    api.ask("POST", f"/v1/lessons/{made.fields['id']}/state", {"project": place, "state": "retired"})
    assert api.ask("POST", "/v1/lessons/match", call).fields["items"] == []


def test_work_is_told_begun_asked_about_and_ended(api: Served) -> None:
    place = {"id": "working"}
    said = {"project": place, "session": "w", "text": "make the export stream its rows"}
    prompt = api.ask("POST", "/v1/prompts", said, headers={"Idempotency-Key": "p"})
    again = api.ask("POST", "/v1/prompts", said, headers={"Idempotency-Key": "p"})
    assert (prompt.status, prompt.fields) == (201, again.fields)
    call = {"project": place, "session": "w", "tool": "Bash", "input": {"command": "pytest"}, "output": "ok", "exit": 0}
    assert api.ask("POST", "/v1/tool-calls", call).status == 201
    told = api.ask("GET", "/v1/timeline", project="working").fields["items"]
    assert [each["kind"] for each in told] == ["tool.call", "prompt"]
    opened = api.ask("POST", "/v1/tasks", said).fields
    ended = {"project": place, "outcome": "success", "summary": "by pages", "modified": ["a.py"]}
    assert api.ask("POST", f"/v1/tasks/{opened['task']}/end", ended).fields["task"]["outcome"] == "success"
    assert api.ask("GET", f"/v1/tasks/{opened['task']}").fields["summary"] == "by pages"
    asked = {"project": place, "text": "stream the rows of the export"}
    assert api.ask("POST", "/v1/tasks/similar", asked).fields["items"][0]["task"]["id"] == opened["task"]
    assert [each["id"] for each in api.ask("GET", "/v1/tasks", project="working").fields["items"]] == [opened["task"]]
    assert "by pages" in api.ask("POST", "/v1/context", asked).fields["text"]
    pattern = {"project": place, "name": "pages", "description": "an export streams its rows by pages"}
    made = api.ask("POST", "/v1/patterns", pattern).fields["id"]
    assert [each["id"] for each in api.ask("GET", "/v1/patterns", project="working").fields["items"]] == [made]
    assert [each["id"] for each in api.ask("POST", "/v1/patterns/match", asked).fields["items"]] == [made]


def test_a_root_that_somebody_names_is_no_folder_of_this_machine(api: Served, tmp_path: object) -> None:
    """Whoever may write could else have files written wherever this server may."""
    root = os.path.join(str(tmp_path), "victim")
    for folder in (".git", ".engrain/shared", ".engrain/tasks"):
        os.makedirs(os.path.join(root, folder))
    place = {"id": "victim", "root": root}
    opened = api.ask("POST", "/v1/tasks", {"project": place, "text": "write somewhere else"}).fields
    said = {"project": place, "outcome": "success"}
    assert api.ask("POST", f"/v1/tasks/{opened['task']}/end", said).status == 201
    told = {"project": place, "arguments": {"text": "write somewhere else once more", "outcome": "success"}}
    assert api.ask("POST", "/v1/memory/remember_task", told).status == 200
    assert [names for _, _, names in os.walk(root) if names] == []


def test_hooks_of_claude_code_are_answered_over_http(api: Served) -> None:
    place = {"id": "hooked"}
    error = payload("PostToolUseFailure")["error"]
    fix = api.ask("POST", "/v1/fixes", {"project": place, "error": error, "steps": ["pip install orjson"]}).fields[
        "fix"
    ]
    when = {"tool": "Bash", "phase": "before"}
    api.ask("POST", "/v1/lessons", {"project": place, "text": "look before you leap", "when": when})
    for name, says in (("PostToolUseFailure", fix), ("PreToolUse", "look before you leap"), ("Stop", "")):
        reply = api.ask("POST", "/v1/hooks/claude-code", payload(name), project="hooked")
        assert reply.status == 200
        assert says in str(reply.fields)
        assert problems(name, json.dumps(reply.fields) if reply.fields else "") == []
    assert {"tool.call", "reply"} <= {e["kind"] for e in api.ask("GET", "/v1/events", project="hooked").fields["items"]}
    assert api.ask("POST", "/v1/hooks/claude-code", {"hook_event_name": "Nonsense"}, project="hooked").fields == {}
    problem(api.ask("POST", "/v1/hooks/claude-code", payload("Stop")), 422)


@pytest.mark.parametrize("way", ["tool-calls", "hooks/claude-code?project=failed"])
def test_a_call_that_failed_is_a_failure_whichever_way_it_was_told(api: Served, way: str) -> None:
    error, place = ERROR.replace("orjson", f"told_as_{way[:5]}"), {**PLACE, "id": "failed"}
    calls: dict[str, dict[str, Any]] = {
        "t": {"project": place, "tool": "Bash", "input": {"command": "python a.py"}, "output": error, "exit": 1},
        "h": payload("PostToolUseFailure", error=f"Exit code 1\n{error}", tool_input={"command": "python a.py"}),
    }
    found = api.ask("POST", "/v1/match", {"project": place, "text": error, "command": "python a.py"}).fields["failure"]
    at = f"/v1/failures/{found['fingerprint']}"
    problem(api.ask("GET", at), 404)
    assert api.ask("POST", f"/v1/{way}", calls[way[0]]).status in (200, 201)
    assert api.ask("GET", at).fields["listed"]["times"] == 1


def test_what_was_noted_is_found_and_forgotten(api: Served) -> None:
    noted = api.ask("POST", "/v1/notes", {"project": {**PLACE, "id": "finding"}, "text": "the quokka deploys at noon"})
    found = api.ask("GET", "/v1/search", q="quokka", project="finding").fields["items"]
    assert [each["id"] for each in found] == [noted.fields["id"]]
    assert api.ask("POST", "/v1/forget", {"ids": [noted.fields["id"], "no-such"]}).fields["forgotten"] == [
        noted.fields["id"]
    ]
    left = api.ask("GET", "/v1/search", q="quokka").fields["items"]
    assert noted.fields["id"] not in [each["id"] for each in left]


def test_an_export_is_the_journal(api: Served) -> None:
    api.ask("POST", "/v1/events", {"events": [event("export", n) for n in range(3)]})
    lines = [json.loads(line) for line in api.ask("GET", "/v1/export").body.splitlines()]
    assert {each["id"] for each in lines if each["project"] == "export"} == {f"export-{n}" for n in range(3)}


def test_large_answers_are_packed_for_who_asks(api: Served) -> None:
    api.ask("POST", "/v1/events", {"events": [event("packed", n) for n in range(50)]})
    reply = api.ask("GET", "/v1/events", project="packed", limit=50, headers={"Accept-Encoding": "gzip"})
    assert reply.headers["content-encoding"] == "gzip"
    assert len(json.loads(gzip.decompress(reply.body))["items"]) == 50


# Who gets in

ROUTES = [
    ("POST", "/v1/events"), ("GET", "/v1/events"), ("GET", "/v1/events/x"), ("POST", "/v1/forget"),
    ("GET", "/v1/export"), ("GET", "/v1/export/tool-calls"), ("GET", "/v1/export/datasets"),
    ("GET", "/v1/search"), ("POST", "/v1/notes"), ("GET", "/v1/sessions"), ("GET", "/v1/sessions/x"),
    ("GET", "/v1/projects"), ("POST", "/v1/match"), ("GET", "/v1/failures"), ("POST", "/v1/fixes"),
    ("GET", "/v1/fixes"),
    ("GET", "/v1/fixes/x"), ("POST", "/v1/fixes/x/outcomes"), ("POST", "/v1/served"), ("GET", "/v1/lessons"),
    ("POST", "/v1/lessons"), ("POST", "/v1/lessons/match"), ("POST", "/v1/lessons/x/state"), ("GET", "/v1/stats"),
    ("GET", "/v1/admin/tokens"), ("POST", "/v1/admin/tokens"), ("DELETE", "/v1/admin/tokens/x"),
    ("GET", "/v1/admin/audit"), ("GET", "/v1/admin/jobs"), ("POST", "/v1/admin/jobs/work"), ("GET", "/openapi.json"),
    ("POST", "/v1/tickets"), ("POST", "/logout"), ("GET", "/v1/changes"), ("POST", "/v1/prompts"),
    ("POST", "/v1/tool-calls"), ("GET", "/v1/timeline"), ("POST", "/v1/tasks"), ("GET", "/v1/tasks"),
    ("GET", "/v1/tasks/x"), ("POST", "/v1/tasks/x/end"), ("POST", "/v1/tasks/similar"), ("POST", "/v1/context"),
    ("POST", "/v1/patterns"), ("GET", "/v1/patterns"), ("POST", "/v1/patterns/match"),
    ("GET", "/v1/failures/x"), ("POST", "/v1/hooks/claude-code"), ("POST", "/v1/admin/embed"),
    ("POST", "/v1/memory/note"), ("POST", "/v1/memory/search"), ("POST", "/mcp"),
]  # fmt: skip


UNDESCRIBED = {
    ("GET", "/openapi.json"), ("POST", "/mcp"), ("POST", "/v1/memory/note"), ("POST", "/v1/memory/search"),
    ("POST", "/logout"),
}  # fmt: skip
"""What is no part of the description: the description, another protocol, and what Python's own client speaks."""


def test_every_route_is_in_the_list_above(api: Served) -> None:
    paths = api.ask("GET", "/openapi.json").fields["paths"]
    known = {(method.upper(), path) for path, each in paths.items() for method in each}
    keys = {"sessions": "/{session}", "failures": "/{fingerprint}"}
    named = {(m, p.replace("/x", keys.get(p.split("/")[-2], "/{id}"))) for m, p in ROUTES}
    anybody = {("GET", "/health"), ("GET", "/ready"), ("GET", "/metrics")}
    assert known - anybody == named - UNDESCRIBED


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_no_route_without_a_token_that_holds(api: Served, method: str, path: str) -> None:
    body: dict[str, str] | None = {} if method == "POST" else None
    assert "token is needed" in problem(api.ask(method, path, body, token=""), 401)
    problem(api.ask(method, path, body, token="engr_000000000000_" + "a" * 43), 401)
    assert api.ask(method, path, body, token="").headers["www-authenticate"].startswith("Bearer")


@pytest.fixture(scope="module")
def refused(api: Served) -> dict[str, str]:
    """Tokens that hold no more, or for something else: of each its text, by what is said of it."""
    gone = api.new_token("read", "write", "admin")
    with Memory.open(api.home, store=api.store) as memory:
        Tokens(memory.store.database).revoke(gone.split("_")[1])
    made = {"expired": api.new_token("read", "write", "admin", days=1e-9), "revoked": gone}
    return {**made, **{scope: api.new_token(scope) for scope in ("read", "write", "admin")}}


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_no_route_with_a_token_that_ended_or_is_too_narrow_or_for_a_foreign_page(
    api: Served, refused: dict[str, str], method: str, path: str
) -> None:
    body: dict[str, str] | None = {} if method == "POST" else None
    for state in ("expired", "revoked"):
        assert state in problem(api.ask(method, path, body, token=refused[state]), 401)
    needed = scope_of(method, path)
    for scope in {"read", "write", "admin"} - {needed}:
        assert repr(needed) in problem(api.ask(method, path, body, token=refused[scope]), 403)
    problem(api.ask(method, path, body, headers={"Host": "evil.example"}), 421)
    problem(api.ask(method, path, body, headers={"Origin": "https://evil.example"}), 403)
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {api.token}\r\n"
    assert b" 413 " in api.raw(f"{head}Content-Length: 104857600\r\n\r\n".encode()).split(b"\r\n")[0]
    split = f"{head}X-A: b\r\n\tfolded\r\nConnection: close\r\n\r\n".encode()
    assert int(api.raw(split.replace(b"Bearer ", b"Bearer \x00")).split()[1]) == 400
    assert api.ask("GET", "/health").status == 200


def test_nothing_of_what_was_refused_is_stored(api: Served, refused: dict[str, str]) -> None:
    for token in (refused["expired"], refused["revoked"], refused["read"], refused["admin"], "nonsense"):
        assert api.ask("POST", "/v1/events", event("refused", 1), token=token).status in (401, 403)
    for more in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        assert api.ask("POST", "/v1/events", event("refused", 2), headers=more).status in (403, 421)
    assert api.ask("GET", "/v1/events", project="refused").fields["items"] == []


def test_a_token_ends(api: Served) -> None:
    brief = api.new_token("read", days=1e-9)
    assert "expired" in problem(api.ask("GET", "/v1/stats", token=brief), 401)
    gone = api.new_token("read")
    assert api.ask("GET", "/v1/stats", token=gone).status == 200
    with Memory.open(api.home, store=api.store) as memory:
        Tokens(memory.store.database).revoke(gone.split("_")[1])
    assert "revoked" in problem(api.ask("GET", "/v1/stats", token=gone), 401)


def test_a_token_does_what_its_scopes_say(api: Served) -> None:
    reads, writes, rules = api.new_token("read"), api.new_token("write"), api.new_token("admin")
    assert "'write'" in problem(api.ask("POST", "/v1/events", event("scope", 1), token=reads), 403)
    assert "'read'" in problem(api.ask("GET", "/v1/events", token=writes), 403)
    assert "'admin'" in problem(api.ask("GET", "/v1/admin/tokens", token=reads), 403)
    assert api.ask("GET", "/v1/admin/tokens", token=rules).status == 200
    assert api.ask("GET", "/v1/events", project="scope").fields["items"] == []


def test_a_token_of_one_agent_records_for_no_other(api: Served) -> None:
    own = api.new_token("write", agent="codex")
    assert api.ask("POST", "/v1/events", event("agents", 1), token=own).status == 200
    problem(api.ask("POST", "/v1/events", event("agents", 2, agent="cursor"), token=own), 422)
    assert [each["agent"] for each in api.ask("GET", "/v1/events", project="agents").fields["items"]] == ["codex"]


def test_tenants_see_their_own(api: Served) -> None:
    theirs = api.new_token("read", "write", tenant="others")
    api.ask("POST", "/v1/events", event("shared", 1, body={"text": "ours wombat"}))
    api.ask("POST", "/v1/events", event("shared", 2, body={"text": "theirs wombat"}), token=theirs)
    problem(api.ask("POST", "/v1/events", event("shared", 3, tenant="local"), token=theirs), 422)
    assert [each["id"] for each in api.ask("GET", "/v1/search", token=theirs, q="wombat").fields["items"]] == [
        "shared-2"
    ]
    assert [each["id"] for each in api.ask("GET", "/v1/events", token=theirs).fields["items"]] == ["shared-2"]
    problem(api.ask("GET", "/v1/events/shared-1", token=theirs), 404)
    assert api.ask("POST", "/v1/forget", {"ids": ["shared-1"]}, token=theirs).fields["forgotten"] == []
    assert b"ours" not in api.ask("GET", "/v1/export", token=theirs).body


def test_tokens_are_made_listed_and_revoked_by_admins(api: Served) -> None:
    boss = api.new_token("admin")
    made = api.ask("POST", "/v1/admin/tokens", {"name": "ci", "scopes": ["read"], "days": 1}, token=boss).fields
    assert api.ask("GET", "/v1/stats", token=made["token"]).status == 200
    listed = api.ask("GET", "/v1/admin/tokens", token=boss, limit=200).fields["items"]
    assert made["token"] not in json.dumps(listed)
    assert next(each for each in listed if each["id"] == made["id"])["state"] == "active"
    assert api.ask("DELETE", f"/v1/admin/tokens/{made['id']}", token=boss).fields["state"] == "revoked"
    problem(api.ask("GET", "/v1/stats", token=made["token"]), 401)


def test_what_was_changed_is_in_the_audit_log(api: Served) -> None:
    boss = api.new_token("read", "write", "admin")
    api.ask("POST", "/v1/notes", {"project": {**PLACE, "id": "audit"}, "text": "kept"}, token=boss)
    api.ask("POST", "/v1/notes", {"project": PLACE}, token=boss)
    api.ask("GET", "/v1/stats", token=boss)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    api.ask("POST", f"/v1/fixes/{secret}/outcomes", {}, token=boss)
    mine: list[dict[str, Any]] = []
    for _ in range(100):
        items = api.ask("GET", "/v1/admin/audit", token=boss).fields["items"]
        mine = [each for each in items if each["token"] == boss.split("_")[1]]
        if len(mine) == 3:
            break
    path = "/v1/fixes/«redacted:github-token»/outcomes"
    said = [(each["path"], each["status"]) for each in mine]
    assert said == [(path, 422), ("/v1/notes", 422), ("/v1/notes", 201)]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", "10.0.0.1:3377"])
def test_a_foreign_name_is_sent_away(api: Served, host: str) -> None:
    problem(api.ask("GET", "/health", headers={"Host": host}), 421)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "file://", "http://[::1"]
)
def test_a_foreign_page_is_sent_away(api: Served, origin: str) -> None:
    reply = api.ask("GET", "/v1/stats", headers={"Origin": origin})
    problem(reply, 403)
    assert "access-control-allow-origin" not in reply.headers


def test_a_page_of_this_machine_may_ask(api: Served) -> None:
    origin = "http://localhost:5173"
    before = api.ask("OPTIONS", "/v1/stats", token="", headers={"Origin": origin})
    assert (before.status, before.headers["access-control-allow-origin"]) == (204, origin)
    assert api.ask("GET", "/v1/stats", headers={"Origin": origin}).headers["access-control-allow-origin"] == origin


def test_answers_keep_a_browser_in_bounds(api: Served) -> None:
    for reply in (api.ask("GET", "/health"), api.ask("GET", "/v1/stats", token="")):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
        assert reply.headers["cache-control"] == "no-store"
        assert "server" not in reply.headers


def test_what_is_too_large_is_refused_before_it_is_read(api: Served) -> None:
    head = f"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {api.token}\r\n".encode()
    assert b" 413 " in api.raw(head + b"Content-Length: 104857600\r\n\r\n").split(b"\r\n")[0]
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    assert b" 413 " in api.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 20).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "data",
    [b"GARBAGE\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
     b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_request_is_refused(api: Served, data: bytes) -> None:
    head, _, body = api.raw(data.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")).partition(b"\r\n\r\n")
    status, *lines = head.decode().lower().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    problem(Reply(int(status.split()[1]), headers, body), 400)
    assert headers["x-content-type-options"] == "nosniff"
    assert int(headers["content-length"]) == len(body)
    assert api.ask("GET", "/health").status == 200


def test_one_connection_too_many_is_for_later() -> None:
    reply = inside(serving._full, "POST", "/v1/events")
    assert "nothing of this was stored" in problem(reply, 503)
    assert int(reply.headers["retry-after"]) > 0


def test_a_body_may_be_packed_and_keeps_to_the_rules_all_the_same(api: Served) -> None:
    def told(body: bytes, packed: str = "gzip") -> Reply:
        return api.ask("POST", "/v1/events", body, headers={"Content-Encoding": packed})

    body = json.dumps({"events": [event("zipped", n) for n in range(3)]}).encode()
    assert told(gzip.compress(body)).fields["stored"] == 3
    assert told(body, "identity").status == 200
    assert len(api.ask("GET", "/v1/events", project="zipped").fields["items"]) == 3
    problem(told(gzip.compress(b"0" * 50_000_000)), 413)
    for wrong in (body, gzip.compress(body)[:-9], gzip.compress(body) * 2, b""):
        problem(told(wrong), 400)
    problem(told(body, "br"), 415)


def test_headers_without_end_are_refused(api: Served) -> None:
    for number in (1, 40):
        headers = {f"X-{n}": "a" * (60_000 // number) for n in range(number)}
        problem(api.ask("GET", "/health", headers=headers), 431)


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/v1/events/..%2f..%2fetc",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/v1/events/%0d%0aX-Evil:1",
    ],
)
def test_a_path_leads_nowhere_else(api: Served, path: str) -> None:
    reply = api.ask("GET", path)
    assert reply.status == 404
    assert "x-evil" not in reply.headers


def test_the_own_user_needs_no_token_at_the_socket(api: Served) -> None:
    assert os.stat(api.socket).st_mode & 0o777 == 0o600

    class Local(http.client.HTTPConnection):
        def connect(self) -> None:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.connect(api.socket)

    connection = Local("localhost")
    connection.request("GET", "/v1/admin/jobs")
    assert connection.getresponse().status == 200
    connection.close()


# Too often, too slow, gone


def test_more_than_allowed_is_for_later(tmp_path: object) -> None:
    with served(str(tmp_path), ENGRAIN_SERVER_WRITES="3", ENGRAIN_SERVER_READS="5") as one:
        replies = [one.ask("POST", "/v1/events", event("rate", n)) for n in range(5)]
        assert [reply.status for reply in replies] == [200, 200, 200, 429, 429]
        assert 1 <= int(replies[-1].headers["retry-after"]) <= 20
        assert [one.ask("GET", "/v1/stats").status for _ in range(6)] == [200] * 5 + [429]
        assert one.ask("GET", "/health").status == 200


def test_who_says_nothing_is_sent_away_and_the_others_are_served(tmp_path: object) -> None:
    with served(str(tmp_path)) as one:
        slow = [socket.create_connection(("127.0.0.1", one.port)) for _ in range(50)]
        for each in slow[::2]:
            each.sendall(b"GET /health HTTP/1.1\r\nHost: local")
        assert one.ask("GET", "/v1/stats").status == 200
        began = time.monotonic()
        for each in slow:
            each.settimeout(30)
            assert each.recv(1000) == b""
            each.close()
        assert time.monotonic() - began < 20


def test_what_was_answered_survives_a_kill(tmp_path: object) -> None:
    answered: set[str] = set()
    for turn in range(3):
        one = start(str(tmp_path), **FREE)
        for number in range(20):
            answered |= set(one.ask("POST", "/v1/events", event("kill", turn * 100 + number)).fields["ids"])
        one.kill()
        assert one.process.stderr is not None
        one.process.stderr.close()
    with Memory.open(str(tmp_path)) as memory:
        assert {each.id for each in memory.store.events()} == answered
        assert len(answered) == 60


# Parts


@given(st.lists(st.floats(0, 120), max_size=200), st.integers(1, 50))
def test_nobody_gets_more_than_the_limit(pauses: list[float], most: int) -> None:
    now = 0.0
    limit = Limit(most, lambda: now)
    let_in = []
    for pause in pauses:
        now += pause
        if not limit.wait("x"):
            let_in.append(now)
    for begin in let_in:
        assert len([each for each in let_in if begin <= each < begin + 60]) <= 2 * most


def test_buckets_are_forgotten() -> None:
    now = 0.0
    limit = Limit(5, lambda: now)
    for number in range(MOST_BUCKETS + 50):
        limit.wait(str(number))
    assert len(limit) <= MOST_BUCKETS
    now = 61.0
    limit.wait("last")
    assert len(limit) == 1


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_any_cursor_is_a_place_or_refused(text: str) -> None:
    from engrain.errors import BadInput

    try:
        found = key_of(text, int, str)
    except BadInput:
        return
    assert found is None or (type(found[0]), type(found[1])) == (int, str)


@pytest.mark.parametrize(
    ("words", "says"),
    [(["--host", "0.0.0.0"], "beyond this machine"),
     (["--host", "192.0.2.1", "--tls-cert", "a.pem"], "belong together"),
     (["--tls-cert", "no-such.pem", "--tls-key", "no-such.key"], "no file no-such.pem")],
)  # fmt: skip
def test_beyond_this_machine_only_with_tls_or_in_so_many_words(words: list[str], says: str, tmp_path: object) -> None:
    done = run(["serve", *words], folder=str(tmp_path), environ=os.environ)
    assert (done.code, says in done.err) == (2, True)


@pytest.mark.parametrize(
    ("concerns", "where", "secure", "warned"),
    [(["no password"], "127.0.0.1", False, ["no password"]), ([], "0.0.0.0", False, ["unencrypted"]),
     ([], "0.0.0.0", True, []), ([], "127.0.0.1", False, [])],
)  # fmt: skip
def test_what_nobody_should_find_out_later_is_said_loudly(
    concerns: list[str], where: str, secure: bool, warned: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _warn(concerns, where, secure=secure)
    lines = capsys.readouterr().err.splitlines()
    assert [line.startswith("WARNING: ") for line in lines] == [True] * len(warned)
    assert all(each in line for each, line in zip(warned, lines, strict=True))


def test_over_tls_answers_say_so(tmp_path: object) -> None:
    """A certificate of its own, made for the test; the client trusts that one alone."""
    cert, key = (os.path.join(str(tmp_path), name) for name in ("server.pem", "server.key"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "1",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True,
    )  # fmt: skip
    command = [
        sys.executable,
        "-m",
        "engrain",
        "serve",
        "--port",
        "0",
        "--no-work",
        "--tls-cert",
        cert,
        "--tls-key",
        key,
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    port = int(process.stderr.readline().split("https://127.0.0.1:")[1].split()[0])
    connection = http.client.HTTPSConnection("localhost", port, context=ssl.create_default_context(cafile=cert))
    connection.request("GET", "/health")
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("strict-transport-security")) == (200, "max-age=31536000")
    answer.read()
    connection.close()
    process.terminate()
    process.wait(20)
    process.stderr.close()


# A flaw of ours


def test_a_flaw_that_one_event_meets_costs_that_one_alone(memory: Memory, capfd: pytest.CaptureFixture[str]) -> None:
    told = [made("note", {"text": f"note {n}"}, project="flaw", id=f"flaw-{n}") for n in range(3)]
    told[1] = told[1]._replace(body={"text": "SeCrEt", "x": object()})

    async def put(intake: Intake) -> list[Any]:
        return await asyncio.gather(*(intake.put([each]) for each in told), return_exceptions=True)

    intake = Intake(Memory.open(memory.home.root, store=memory.where))
    try:
        first, broken, last = asyncio.run(put(intake))
        assert (first, last) == (None, None)
        assert isinstance(broken, Problem)
        assert broken.status == 500
        asyncio.run(intake.put([made("note", {"text": "on it goes"}, project="flaw")]))
    finally:
        intake.close()
    said = capfd.readouterr().err
    assert "TypeError" in said
    assert "SeCrEt" not in said


def test_a_flaw_is_a_problem_like_any_other(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def flawed(*_: object) -> Any:
        raise RuntimeError("a flaw that quotes a SeCrEt")

    service = Service(lambda: Memory.open(home.root), Rules("local"))
    try:
        monkeypatch.setattr(service.pool, "memory", flawed)
        answer = inside(application(service), "GET", "/v1/stats", client="socket", calm=True)
    finally:
        service.close()
    assert "SeCrEt" not in problem(answer, 500)
    assert answer.headers["x-content-type-options"] == "nosniff"
