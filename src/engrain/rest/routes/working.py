"""Working: tasks, patterns and context; prompts and tool calls, told one by one; a project's timeline."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.concurrency import run_in_threadpool

from engrain import event as events
from engrain.event import MAX_TIME, PROMPT, TOOL_CALL, Event
from engrain.memory import repeated
from engrain.memory.remote.wire import plain
from engrain.project import Project
from engrain.recall.context import rendered
from engrain.recall.tasks import Asked as Request
from engrain.rest.desk import Asked, Cursor, Here, Many, OfProject
from engrain.rest.pages import key_of, page, slice_of
from engrain.rest.pool import ANYWHERE
from engrain.rest.shapes import (
    Ended,
    Fields,
    NewCall,
    NewPattern,
    NewPrompt,
    NewTask,
    Place,
    Similar,
    Task,
    line_out,
)
from engrain.upkeep.backfill import with_failure

router = APIRouter(tags=["work"])


def _place(project: str) -> Project:
    return Project(project, "", "", "", "", "", "as asked") if project else ANYWHERE


# What happened


@router.post("/v1/prompts", status_code=201)
async def prompt(said: NewPrompt, here: Here) -> Fields:
    """Tell what a person asked an agent."""
    return await _told(here, said.project, PROMPT, {"text": said.text, "cwd": said.cwd}, here.who(said))


@router.post("/v1/tool-calls", status_code=201)
async def tool_call(said: NewCall, here: Here) -> Fields:
    """Tell of a call of a tool: what it was given, what came of it, how it ended."""
    failed = said.failed if said.failed is not None else said.exit not in (None, 0)
    body = {"tool": said.tool, "input": said.input, "output": said.output, "cwd": said.cwd, "failed": failed}
    return await _told(here, said.project, TOOL_CALL, {**body, "exit": said.exit}, here.who(said))


async def _told(here: Asked, place: Place, kind: str, body: Fields, who: dict[str, str]) -> Fields:
    id_ = here.id_of(kind)
    given = {name: value for name, value in body.items() if value not in (None, "")}
    event = events.make(
        kind, given, project=place.id, tenant=here.asker.tenant, id=id_, session=who["session"], agent=who["agent"],
    )  # fmt: skip
    event = await run_in_threadpool(with_failure, event) if given.get("failed") else event
    await here.desk.intake.put([event])
    if id_:
        await run_in_threadpool(_not_otherwise, here, event)
    return {"id": event.id}


def _not_otherwise(here: Asked, event: Event) -> None:
    with here.memory() as memory:
        repeated.check(memory, [memory.admitted(event)])


@router.get("/v1/timeline")
def timeline(here: Here, project: OfProject = "", cursor: Cursor = "", limit: Many = 50) -> Fields:
    """What happened, the latest first, each in a line."""
    time, id_ = key_of(cursor, int, str) or (MAX_TIME, "~")
    with here.memory(_place(project)) as memory:
        args: dict[str, Any] = {
            "tenant": here.asker.tenant, "project": project, "projects": memory.store.same_project(project),
            "kind": "", "session": "", "time": time, "id": id_, "limit": limit + 1,
        }  # fmt: skip
        found = memory.store.latest(args)
    return page(found, limit, lambda event: (event.time, event.id), line_out)


# Tasks, context, patterns


@router.post("/v1/tasks", status_code=201)
def begin(said: NewTask, here: Here) -> Fields:
    """Begin a task: it is opened, and what is known of such work comes back."""
    with here.memory(said.project) as memory:
        who = here.who(said)
        opened = memory.prepare(
            Request(said.text, files=tuple(said.files)), session=who["session"], agent=who["agent"]
        )  # fmt: skip
    return dict(plain(opened))


@router.get("/v1/tasks")
def tasks(here: Here, project: OfProject = "", cursor: Cursor = "", limit: Many = 50) -> Fields:
    """Tasks, those that were told of last first."""
    with here.memory(_place(project)) as memory:
        found = memory.tasks(everywhere=not project, limit=1000)
    return slice_of(found, cursor, limit, plain)


@router.get("/v1/tasks/{id}")
def task(id: str, here: Here) -> Fields:  # noqa: A002 - the name that the address has
    """One task."""
    with here.memory() as memory:
        return dict(plain(memory.task(id)))


@router.post("/v1/tasks/{id}/end", status_code=201)
def end(id: str, said: Ended, here: Here) -> Fields:  # noqa: A002 - the name that the address has
    """Say how a task went."""
    fields = {name: value for name, value in said.fields().items() if value}
    with here.memory(said.project) as memory:
        done = memory.finalize(id, **here.who(said), **fields)
    return {"event": done.event, "task": plain(done.task), "text": done.text}


@router.post("/v1/tasks/similar")
def similar(said: Similar, here: Here) -> Fields:
    """Tasks that are about the same, whatever came of them. Nothing is recorded."""
    with here.memory(said.project) as memory:
        asked = Request(said.text, files=tuple(said.files))
        found = memory.recall_similar_tasks(asked, everywhere=said.everywhere, limit=said.limit)
    return {"items": [plain(each) for each in found]}


@router.post("/v1/context")
def context(said: Task, here: Here) -> Fields:
    """What is known of a task, by its parts and as a text that fits into so many tokens."""
    with here.memory(said.project) as memory:
        found = memory.get_coding_context(said.text, files=said.files, limit=said.limit)
    return {**plain(found), "text": rendered(found, said.tokens)}


@router.post("/v1/patterns", status_code=201)
def learn(said: NewPattern, here: Here) -> Fields:
    """Teach how code or a test is written here; one that says nearly the same is reinforced."""
    with here.memory(said.project) as memory:
        return dict(plain(memory.learn_code_pattern(
            said.name, description=said.description, example=said.example, uses=said.uses, avoid=said.avoid,
            area=said.area, form=said.form, everywhere=said.everywhere, **here.who(said),
        )))  # fmt: skip


@router.get("/v1/patterns")
def patterns(
    here: Here, project: OfProject = "", form: Annotated[str, Query(pattern="^(code|test)?$")] = "",
    cursor: Cursor = "", limit: Many = 50,
) -> Fields:  # fmt: skip
    """Patterns, the most often seen first."""
    with here.memory(_place(project)) as memory:
        found = memory.patterns(form=form, everywhere=not project)
    return slice_of(found, cursor, limit, plain)


@router.post("/v1/patterns/match")
def fitting(said: Similar, here: Here) -> Fields:
    """The patterns that fit a request or a piece of code. Nothing is recorded."""
    with here.memory(said.project) as memory:
        found = memory.recall_similar_code(
            said.text, path=next(iter(said.files), ""), everywhere=said.everywhere, limit=said.limit
        )
    return {"items": [plain(each) for each in found]}


@router.get("/v1/failures/{fingerprint}")
def failure(fingerprint: str, here: Here) -> Fields:
    """One kind of failure: when it came, what is known to help, how that went."""
    with here.memory() as memory:
        return dict(plain(memory.failure(fingerprint)))
