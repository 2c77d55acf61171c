"""MCP over HTTP: the tools at a path of the server, in both eras, behind the guard that everything else is behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mcp_types import ElicitResult

from bench.scratch import Postgres
from engrain.event import SERVED
from engrain.mcp.catalog import TOOLS
from engrain.mcp.desk import NO_PROJECT
from engrain.memory import Memory
from engrain.store.tokens import Tokens
from tests.clients import ERAS, ERROR, Address, Agent, agent, walked
from tests.served import Served, served

FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "memory_stats", "arguments": {}}}
TAKES = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on each store; tests keep to projects of their own."""
    home, store = str(tmp_path_factory.mktemp("served")), ""
    if request.param == "postgres":
        running: Postgres = request.getfixturevalue("server")
        store = running.database()
    with served(home, store, **FREE) as one:
        yield one


def at(api: Served, project: str = "", token: str = "") -> Address:
    return Address(f"{api.url}/mcp" + (f"?project={project}" if project else ""), token or api.token)


def yes(_: str) -> ElicitResult:
    return ElicitResult(action="accept", content={"erase": True})


def ids_of(here: Agent, query: str, **more: Any) -> list[str]:
    """What a search finds: its words first, and what is near them in meaning."""
    return [hit["id"] for hit in here.call("search_memory", query=query, **more).fields["hits"]]


@pytest.mark.parametrize("era", ERAS)
def test_a_client_goes_through_every_tool_resource_and_prompt(api: Served, era: str) -> None:
    with agent(at(api, f"walk-{era}"), era, name="codex", asked=yes) as here:
        assert [tool["name"] for tool in here.tools()] == [entry.name for entry in TOOLS]
        answers = walked(here)
        forgot = answers.pop("forget")
        assert [name for name, said in answers.items() if said.wrong or not said.fields or not said.text] == []
        # Who speaks as in 2025 would need a session to be asked.
        assert forgot.wrong is (era == "legacy")
        assert here.call("find_fix").text.startswith("find_fix: error: field required")
        assert "ask before" in here.read("engrain://project/current/lessons")
        assert json.loads(here.read("engrain://stats"))["events"] > 3
        assert "staging" in here.prompt("recall", about="staging")
        assert here.prompt("nope").startswith("error -32602")


def test_what_is_told_stays_in_the_project_that_the_address_names(api: Served) -> None:
    with agent(at(api, "one")) as one, agent(at(api, "two")) as two:
        note = one.call("save_note", text="gulls by the harbour").fields["id"]
        assert note in ids_of(one, "gulls")
        assert ids_of(two, "gulls") == []
        assert note in ids_of(two, "gulls", everywhere=True)


def test_without_a_project_one_asks_everywhere_and_tells_nothing(api: Served) -> None:
    with agent(at(api, "somewhere")) as here:
        note = here.call("save_note", text="terns by the lighthouse").fields["id"]
    with agent(at(api)) as here:
        assert note in ids_of(here, "terns")
        refused = here.call("save_note", text="who knows where")
        assert (refused.wrong, refused.text) == (True, NO_PROJECT)


def test_who_may_only_read_changes_nothing(api: Served) -> None:
    with agent(at(api, "read")) as here:
        here.call("teach_fix", error=ERROR, steps=["pip install orjson"])
    with agent(at(api, "read", api.new_token("read"))) as here:
        found = here.call("find_fix", error=ERROR)
        assert found.fields["fixes"]
        assert found.fields["served"] == ""
        for name, arguments in (("save_note", {"text": "x"}), ("report_outcome", {"fix": "abcd", "worked": True})):
            refused = here.call(name, **arguments)
            assert (refused.wrong, refused.text) == (True, f"{name} needs the scope 'write'; the token has read")
    with Memory.open(api.home, store=api.store) as memory:
        memory.catch_up()
        assert not [each for each in memory.store.events() if each.kind == SERVED and each.project == "read"]


def test_a_token_of_one_agent_records_in_its_name_and_a_change_is_in_the_audit_log(api: Served) -> None:
    with agent(at(api, "bound", api.new_token("read", "write", agent="nightly")), name="codex") as here:
        id_ = here.call("save_note", text="the build is green").fields["id"]
    with Memory.open(api.home, store=api.store) as memory:
        assert memory.get(id_)[0].agent == "nightly"
        assert "/mcp save_note" in {change.path for change in Tokens(memory.store.database).changes("local")}


def test_two_tenants_at_once_see_each_their_own(api: Served) -> None:
    def asked(tenant: str) -> set[str]:
        with agent(at(api, "same", api.new_token("read", "write", tenant=tenant)), "2026-07-28") as here:
            for number in range(10):
                here.call("save_note", text=f"owls {tenant} {number}")
            found = here.call("search_memory", query="owls", everywhere=True, limit=50).fields["hits"]
            return {" ".join(hit["quote"].split()[:2]) for hit in found}

    with ThreadPoolExecutor(2) as both:
        seen = list(both.map(asked, ["north", "south"]))
    assert seen == [{"owls north"}, {"owls south"}]


def test_nobody_gets_in_without_a_token_that_holds(api: Served) -> None:
    say: dict[str, Any] = {"body": CALL, "headers": TAKES}
    assert api.ask("POST", "/mcp", **say).status == 200
    assert api.ask("POST", "/mcp", token="", **say).status == 401
    assert api.ask("POST", "/mcp", body=CALL, headers={**TAKES, "Host": "evil.example"}).status == 421
    assert api.ask("POST", "/mcp", body=CALL, headers={**TAKES, "Origin": "https://evil.example"}).status == 403
    with Memory.open(api.home, store=api.store) as memory:
        tokens = Tokens(memory.store.database)
        made, text = tokens.create("ended", ["read"], tenant="local", agent="", days=0)
        assert api.ask("POST", "/mcp", token=text, **say).status == 200
        tokens.revoke(made.id, "local")
        assert api.ask("POST", "/mcp", token=text, **say).status == 401


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"jsonrpc":"2.0"}', b"\xff\xfe", b"[[[[[[[[", b"0" * 70_000])
def test_what_is_no_message_is_refused_and_the_server_answers_on(api: Served, body: bytes) -> None:
    for more in ({}, {"MCP-Protocol-Version": "2026-07-28"}, {"MCP-Protocol-Version": "nonsense"}):
        reply = api.ask("POST", "/mcp", body, headers={**TAKES, **more, "Content-Type": "application/json"})
        assert 400 <= reply.status < 500
        assert b"Traceback" not in reply.body
    assert api.ask("GET", "/mcp").status == 405
    with agent(at(api, "after")) as here:
        assert not here.call("memory_stats").wrong


def test_a_project_that_is_no_name_is_none(api: Served) -> None:
    for named in ("%00", "x" * 600, "a&b=" + "&c" * 50):
        with agent(Address(f"{api.url}/mcp?project={named}", api.token)) as here:
            assert not here.call("memory_stats").wrong


def test_it_is_one_agent_among_many(api: Served) -> None:
    """Eight clients at once lose nothing."""

    def told(number: int) -> list[str]:
        with agent(at(api, "many"), ERAS[number % 2]) as here:
            return [_told(here, number, turn) for turn in range(5)]

    with ThreadPoolExecutor(8) as many:
        ids = [id_ for one in many.map(told, range(8)) for id_ in one]
    with Memory.open(api.home, store=api.store) as memory:
        memory.catch_up()
        assert len(set(ids)) == len(memory.get(*ids)) == 40


def _told(here: Agent, number: int, turn: int) -> str:
    return str(here.call("save_note", text=f"client {number} said {turn}").fields["id"])
