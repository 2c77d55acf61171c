"""Server: the catalog of tools as a server of the official SDK, whatever transport it is run on.

A tool that fails says in one line what is wrong and what is right; nothing of a traceback ever reaches a client. Calls
run on threads, one at a time; the loop stays free to answer pings and to hear that a call was cancelled.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    TextContent,
    ToolAnnotations,
)
from pydantic import ValidationError

from engrain import __version__
from engrain.mcp import wrong
from engrain.mcp.answers import Answer
from engrain.mcp.catalog import ERASES, READS, TOOLS, Entry, shape
from engrain.mcp.desk import Caller, Desk, Turn, alone, caller_named
from engrain.mcp.instructions import INSTRUCTIONS
from engrain.mcp.resources import add_prompts, add_resources

if TYPE_CHECKING:
    from engrain.memory import Memory

Result = CallToolResult | InputRequiredResult

UNNAMED = "mcp"
"""The agent of a client that does not say what it is: over HTTP, those of 2025 say it once, and nothing is kept."""


class Server(MCPServer[Any]):
    """An MCP server with a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        tools = [_tool(entry, desk) for entry in TOOLS]
        self._schemas = {tool.name: tool.parameters for tool in tools}
        self._changing = {entry.name for entry in TOOLS if entry.does != READS}
        super().__init__(
            "engrain",
            title="Engrain",
            description="A memory that learns, for coding agents",
            instructions=INSTRUCTIONS,
            version=__version__,
            tools=tools,
            log_level="ERROR",
            subscriptions=False,
        )

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Result:
        """As the SDK does it, with errors that help."""
        if name not in self._schemas:
            raise ToolError(wrong.no_such_tool(name, self._schemas))
        if unknown := wrong.unknown_arguments(name, arguments, self._schemas[name]):
            raise ToolError(unknown)
        if name in self._changing and (why := self.desk.refuses(name)):
            raise ToolError(why)
        try:
            with self.desk.calling(_caller(context)):
                return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as exc:
            raise UnexpectedToolError(f"{name} broke; nothing is lost. Go on without it") from exc
        except ToolError as exc:
            cause = exc.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(wrong.bad_arguments(name, cause, self._schemas[name])) from cause
            # Without the head that the SDK puts before every error: the client knows which tool it called.
            raise ToolError(str(cause or exc)) from cause

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """As the SDK does it, with errors that help."""
        known = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in known:
            raise MCPError(INVALID_PARAMS, f"there is no prompt {name[:60]!r}; there are {', '.join(known)}")
        takes = {each.name: each.required for each in known[name].arguments or ()}
        given = arguments or {}
        wrong_ones = [key for key in given if key not in takes] + [
            key for key in takes if takes[key] and key not in given
        ]
        if wrong_ones:
            raise MCPError(
                INVALID_PARAMS,
                f"{name} takes {', '.join(takes) or 'nothing'}, not {', '.join(given)[:200] or 'nothing'}",
            )
        with self.desk.calling(_caller(context)):
            return await super().get_prompt(name, arguments, context)


def server(memory: Memory) -> Server:
    """A server that answers from this memory."""
    return server_of(alone(memory))


def server_of(turn: Turn) -> Server:
    """A server that answers from a memory that each call takes for its turn."""
    desk = Desk(turn)
    made = Server(desk)
    add_resources(made, desk)
    add_prompts(made, desk)
    return made


def _tool(entry: Entry, desk: Desk) -> Tool:
    """A function of the catalog as a tool of the SDK."""
    tool = Tool.from_function(
        _with_desk(entry, desk),
        name=entry.name,
        description=" ".join((entry.function.__doc__ or "").split()),
        annotations=ToolAnnotations(
            title=entry.title,
            read_only_hint=entry.does == READS,
            destructive_hint=entry.does == ERASES,
            # Of what only reads it says nothing, and what adds is not.
            idempotent_hint=True if entry.does == ERASES else None,
            open_world_hint=False,
        ),
        structured_output=False,
    )
    tool.parameters = _brief(tool.parameters)
    tool.fn_metadata.output_schema = shape(entry)
    return tool


def _brief(schema: Any) -> Any:
    """A schema without what says nothing (titles, empty defaults): every model reads each token of it at each start."""
    if isinstance(schema, list):
        return [_brief(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("default", 0) is None:
        # What may be left out need not be null, too.
        schema = {**next(each for each in schema["anyOf"] if each != {"type": "null"}), **schema}
        del schema["anyOf"]
    kept = {key: _brief(value) for key, value in schema.items() if not (key == "title" and isinstance(value, str))}
    return {key: value for key, value in kept.items() if key != "default" or value}


def _with_desk(entry: Entry, desk: Desk) -> Callable[..., Any]:
    """The function with its desk filled in; one that asks a person finds the desk by itself."""
    function = entry.function
    signature = inspect.signature(function, eval_str=True)
    given = [each for name, each in signature.parameters.items() if name != "desk"]
    asks = len(given) == len(signature.parameters)

    def called(**arguments: Any) -> CallToolResult:
        return _result(function(**arguments) if asks else desk.served(lambda: function(desk, **arguments)))

    async def called_here(**arguments: Any) -> CallToolResult:
        return _result(await desk.served_here(lambda: function(desk, **arguments)))

    call = functools.wraps(function)(called_here if entry.quick else called)
    call.__signature__ = signature.replace(parameters=given)  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in given}
    return call


def _result(answer: Answer) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=answer.text)], structured_content=answer.fields)


def _caller(context: Context[Any, Any] | None) -> Caller:
    params = context.session.client_params if context else None
    return caller_named(params.client_info.name) if params else Caller(UNNAMED)
