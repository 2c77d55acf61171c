"""Resources and prompts: what a client may attach without a tool, and what a person starts by name.

engrain://project/{project}/lessons    the rules that hold there; `current` is the project that is worked in
engrain://session/{session}/timeline   what happened in a session, in order
engrain://stats                        what is remembered, and what it did

recall          what earlier sessions know of something, quoted
retrospective   look back at this session and keep what is worth it
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR

from engrain.errors import BadInput, NotFound
from engrain.mcp import answers, keeping, recalling
from engrain.mcp.answers import Answer, recalled
from engrain.mcp.desk import Desk
from engrain.mcp.lessons import kept, lines
from engrain.mcp.recalling import timeline_lines
from engrain.recall.quote import quoted

if TYPE_CHECKING:
    from engrain.mcp.server import Server

HERE = "current"
"""How a client that does not know the project's id names it."""

MOST_EVENTS = 200

Out = TypeVar("Out")


def add_resources(server: Server, desk: Desk) -> None:
    """The resources of a server."""

    @server.resource("engrain://project/current/lessons", name="lessons", title="Lessons of this project")
    def lessons_here() -> str:
        """The rules that were learned in the project that is worked in."""
        return _read(desk, lambda: _lessons(desk, HERE))

    @server.resource(
        "engrain://stats", name="stats", title="What the memory holds and did", mime_type="application/json"
    )
    def stats() -> str:
        """How much is remembered, and what it did."""
        return _read(desk, lambda: json.dumps(keeping.memory_stats(desk).fields, ensure_ascii=False, indent=1))

    @server.resource("engrain://project/{project}/lessons", name="project_lessons", title="Lessons of a project")
    def lessons(project: str) -> str:
        """The rules that were learned in a project, by its id."""
        return _read(desk, lambda: _lessons(desk, project))

    @server.resource("engrain://session/{session}/timeline", name="session_timeline", title="Timeline of a session")
    def timeline(session: str) -> str:
        """What happened in a session, in order, by its id."""
        return _read(desk, lambda: _timeline(desk, session))


def add_prompts(server: Server, desk: Desk) -> None:
    """The prompts of a server."""

    @server.prompt(title="Recall")
    def recall(about: str) -> str:
        """What earlier sessions know of something."""
        found = _asked(desk, lambda: recalling.search_memory(desk, about[:2000]))
        return (
            f"What do earlier sessions know of this?\n\n{quoted(about[:2000])}\n\n{found.text}\n\n"
            "Say in a few sentences what of this bears on it, with the ids, and what is missing. get_memories gives "
            "the whole of one. Check against the code what may have changed."
        )

    @server.prompt(title="Retrospective")
    def retrospective() -> str:
        """Look back at this session and keep what is worth it."""
        return RETROSPECTIVE


RETROSPECTIVE = """\
Look back at this session and keep what a later one should know.

1. Each failure that was solved: find_fix with its output. Not known? teach_fix with the steps that really worked. \
Known and tried? report_outcome.
2. Each correction by the person, each mistake made twice: add_lesson, with when it should fire.
3. Each decision or constraint that the code does not say: save_note, one fact each, with its reason.

Keep nothing that the code or its history says anyway, nothing that you did not see, no secrets. Then list in a few \
lines what you kept, with the ids."""


def _lessons(desk: Desk, project: str) -> str:
    memory = desk.memory
    here = project in (HERE, memory.project.id)
    if not here and project not in {seen.id for seen in memory.projects()}:
        raise ResourceNotFoundError(f"there is no project {project[:60]!r}; {HERE!r} is the one that is worked in")
    found = memory.lessons() if here else [each for each in memory.lessons(everywhere=True) if each.project == project]
    return _cut(recalled({}, lines([kept(each) for each in found]) or ["no lesson yet"]))


def _timeline(desk: Desk, session: str) -> str:
    desk.catch_up()
    try:
        told = desk.memory.session(session)
    except (NotFound, BadInput) as exc:
        raise ResourceNotFoundError(f"there is no session {session[:60]!r}") from exc
    return _cut(recalled({}, timeline_lines(told, MOST_EVENTS)))


def _cut(answer: Answer) -> str:
    text, rest = answers.cut(answer.text, most=5 * answers.MOST_TEXT)
    return f"{text}\n… {rest} more characters: search_memory finds them" if rest else text


def _read(desk: Desk, ask: Callable[[], Out]) -> Out:
    try:
        return desk.served(ask)
    except ToolError as exc:
        raise ResourceError(str(exc)) from exc


def _asked(desk: Desk, ask: Callable[[], Out]) -> Out:
    try:
        return desk.served(ask)
    except ToolError as exc:
        raise MCPError(INTERNAL_ERROR, str(exc)) from exc
