"""Lessons: rules that fire at a call."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from engrain.memory.lessons import decide
from engrain.project import Project
from engrain.recall.lessons import call_of
from engrain.rest.desk import Cursor, Here, Many, OfProject
from engrain.rest.pages import slice_of
from engrain.rest.pool import ANYWHERE
from engrain.rest.shapes import Called, Fields, NewLesson, NewState, fired_out, lesson_out

router = APIRouter(prefix="/v1/lessons", tags=["lessons"])


@router.get("")
def lessons(
    here: Here, project: OfProject = "", retired: Annotated[bool, Query()] = False, cursor: Cursor = "",
    limit: Many = 50,
) -> Fields:  # fmt: skip
    """Rules, the newest first, with what was decided of each and how it went."""
    place = Project(project, "", "", "", "", "", "as asked") if project else ANYWHERE
    with here.memory(place) as memory:
        found = memory.lessons(everywhere=not project, retired=retired)
    return slice_of(found, cursor, limit, lesson_out)


@router.post("", status_code=201)
def learn(said: NewLesson, here: Here) -> Fields:
    """Teach a rule that fires at a call."""
    with here.memory(said.project) as memory:
        learned = memory.learn_lesson(
            said.text, **said.when.model_dump(), severity=said.severity, everywhere=said.everywhere, **here.who(said)
        )
    return learned._asdict()


@router.post("/match")
async def fires(called: Called, here: Here) -> Fields:
    """The rules that fire at a call. Nothing is recorded. On the thread of the loop: only there can an expression that
    never ends be stopped."""
    call = call_of(called.tool, called.input, phase=called.phase, output=called.output)
    with here.memory(called.project) as memory:
        fired = memory.lessons_for(call)
    stopped = [each._asdict() for each in fired.stopped]
    return {"items": [fired_out(each) for each in fired.lessons], "stopped": stopped}


@router.post("/{id}/state", status_code=201)
def state(id: str, said: NewState, here: Here) -> Fields:  # noqa: A002 - the name that the address has
    """Accept a rule that was proposed, or retire one. Forgetting the event takes it back."""
    with here.memory(said.project) as memory:
        event = decide(memory, id, said.state, said.why)
    return {"event": event.id, "lesson": event.body["lesson"], "state": said.state}
