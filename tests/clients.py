"""Clients of the MCP server: the SDK's own, in this process or over real pipes, and the schema of a tool as values."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any, NamedTuple

import httpx2
import hypothesis.strategies as st
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolResult,
    ElicitRequestParams,
    ElicitResult,
    Implementation,
    TextContent,
    TextResourceContents,
)

from engrain.mcp.server import server
from engrain.memory import Memory

ERAS = ("legacy", "2026-07-28")
"""How a client speaks: with the handshake of 2025, or with the envelope of 2026."""


class Said(NamedTuple):
    """What a tool answered."""

    text: str
    fields: dict[str, Any]
    wrong: bool


class Agent:
    """A client that is asked from ordinary code."""

    def __init__(self, client: Client, portal: BlockingPortal) -> None:
        self._client = client
        self._portal = portal

    def call(self, name: str, **arguments: Any) -> Said:
        """Calls a tool."""
        found = self._portal.call(lambda: self._client.call_tool(name, arguments))
        assert isinstance(found, CallToolResult)
        text = "\n".join(each.text for each in found.content if isinstance(each, TextContent))
        return Said(text, found.structured_content or {}, bool(found.is_error))

    def read(self, uri: str) -> str:
        """Reads a resource; what is wrong with it where it can't be read."""
        try:
            found = self._portal.call(lambda: self._client.read_resource(uri)).contents[0]
        except MCPError as exc:
            return f"error {exc.error.code}: {exc.error.message}"
        assert isinstance(found, TextResourceContents)
        return found.text

    def prompt(self, name: str, **arguments: str) -> str:
        """The text of a prompt; what is wrong with it where there is none."""
        try:
            found = self._portal.call(lambda: self._client.get_prompt(name, arguments)).messages[0].content
        except MCPError as exc:
            return f"error {exc.error.code}: {exc.error.message}"
        assert isinstance(found, TextContent)
        return found.text

    def tools(self) -> list[dict[str, Any]]:
        """Every tool as clients see it."""
        found = self._portal.call(self._client.list_tools).tools
        return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in found]

    def named(self) -> tuple[list[str], list[str], list[str]]:
        """Every resource, template and prompt by its name."""
        resources = self._portal.call(self._client.list_resources).resources
        templates = self._portal.call(self._client.list_resource_templates).resource_templates
        prompts = self._portal.call(self._client.list_prompts).prompts
        return (
            [str(each.uri) for each in resources],
            [each.uri_template for each in templates],
            [p.name for p in prompts],
        )

    @property
    def instructions(self) -> str:
        return self._client.instructions or ""


Asked = Callable[[str], ElicitResult]


class Address(NamedTuple):
    """A server that is reached over HTTP, and the token for it."""

    url: str
    token: str


@contextmanager
def agent(
    of: Memory | StdioServerParameters | Address, era: str = "auto", *, name: str = "test", asked: Asked | None = None
) -> Iterator[Agent]:
    """A client of a server in this process, of one that is started by its command, or of one at an address."""

    async def elicit(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert asked is not None
        return asked(params.message)

    @asynccontextmanager
    async def client() -> AsyncIterator[Client]:
        info = Implementation(name=name, version="1")
        async with AsyncExitStack() as held:
            reached: Any = server(of) if isinstance(of, Memory) else of
            if isinstance(of, Address):
                headers = {"Authorization": f"Bearer {of.token}"}
                http = await held.enter_async_context(httpx2.AsyncClient(headers=headers))
                reached = streamable_http_client(of.url, http_client=http)
            made = Client(reached, mode=era, client_info=info, elicitation_callback=elicit if asked else None)
            yield await held.enter_async_context(made)

    with start_blocking_portal() as portal:
        opening: AbstractAsyncContextManager[Client] = client()
        with portal.wrap_async_context_manager(opening) as opened:
            yield Agent(opened, portal)


ERROR = "ModuleNotFoundError: No module named 'orjson'"


def walked(here: Agent) -> dict[str, Said]:
    """What every tool answers when it is called as it should be, by its name."""
    fix = here.call("teach_fix", error=ERROR, steps=["pip install orjson"]).fields["fix"]
    found = here.call("find_fix", error=ERROR).fields
    note = here.call("save_note", text="the staging database is read-only").fields["id"]
    return {
        "find_fix": here.call("find_fix", error=ERROR, command="python app.py", exit_code=1),
        "report_outcome": here.call("report_outcome", fix=fix, worked=True, served=found["served"]),
        "teach_fix": here.call("teach_fix", error=ERROR, steps=["pip install orjson"]),
        "search_memory": here.call("search_memory", query="staging"),
        "get_memories": here.call("get_memories", ids=[note, fix]),
        "save_note": here.call("save_note", text="another"),
        "add_lesson": here.call("add_lesson", text="ask before", command="rm -rf"),
        "check_lessons": here.call("check_lessons", command="rm -rf build"),
        "begin_task": here.call("begin_task", task="stream the export of the staging database", files=["a.py"]),
        "finish_task": here.call("finish_task", task="stream the import of staging", outcome="success"),
        "memory_stats": here.call("memory_stats"),
        "forget": here.call("forget", ids=[note]),
    }


def command(folder: str, *words: str) -> StdioServerParameters:
    """The server as agents start it, in a folder."""
    environ = {name: value for name, value in os.environ.items() if name.startswith(("ENGRAIN", "PYTHON", "HOME"))}
    return StdioServerParameters(command=sys.executable, args=["-m", "engrain", "mcp", *words], env=environ, cwd=folder)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema allows."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([values(each) for each in schema["anyOf"]])
    return _OF_TYPE[schema["type"]](schema)


def _strings(schema: dict[str, Any]) -> st.SearchStrategy[str]:
    return st.text(min_size=schema.get("minLength", 0), max_size=min(schema.get("maxLength", 60), 60))


def _lists(schema: dict[str, Any]) -> st.SearchStrategy[list[Any]]:
    most = min(schema.get("maxItems", 4), 4)
    return st.lists(values(schema["items"]), min_size=schema.get("minItems", 0), max_size=most)


def _objects(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    fields = {name: values(each) for name, each in schema.get("properties", {}).items()}
    needed = {name: each for name, each in fields.items() if name in schema.get("required", ())}
    return st.fixed_dictionaries(needed, optional={k: v for k, v in fields.items() if k not in needed})


_OF_TYPE: dict[str, Callable[[dict[str, Any]], st.SearchStrategy[Any]]] = {
    "string": _strings,
    "integer": lambda schema: st.integers(schema.get("minimum"), schema.get("maximum")),
    "number": lambda schema: st.floats(schema.get("minimum"), schema.get("maximum"), allow_nan=False),
    "boolean": lambda _: st.booleans(),
    "array": _lists,
    "object": _objects,
}
