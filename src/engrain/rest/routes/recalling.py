"""What is remembered: found by its words, listed by session and project."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from engrain.event import MAX_TIME
from engrain.memory.history import Listed, Wanted
from engrain.project import Project
from engrain.rest import metrics
from engrain.rest.desk import Cursor, Here, Many, OfProject
from engrain.rest.pages import key_of, page, slice_of
from engrain.rest.pool import ANYWHERE
from engrain.rest.shapes import Fields, NewNote, event_out, hit_out, session_out

Micros = Annotated[int, Query(ge=0, le=MAX_TIME)]

router = APIRouter(tags=["recall"])


@router.get("/v1/search")
def search(
    here: Here, q: Annotated[str, Query(min_length=1, max_length=10_000, examples=["staging database"])],
    project: OfProject = "", limit: Many = 10, kind: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006
    agent: Annotated[str, Query(max_length=512)] = "", tag: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006
    outcome: Literal["", "worked", "failed"] = "", file: Annotated[str, Query(max_length=1000)] = "", since: Micros = 0,
    before: Micros = MAX_TIME,
) -> Fields:  # fmt: skip
    """What happened and was noted, by words, names and meaning, the most useful first. Times are microseconds."""
    place = Project(project, "", "", "", "", "", "as asked") if project else ANYWHERE
    with here.memory(place) as memory:
        found = memory.search(
            q, everywhere=not project, limit=limit, kinds=kind, agent=agent, tags=tag, outcome=outcome, file=file,
            since=since, before=before, alone=True,
        )  # fmt: skip
    metrics.recalled("/v1/search", found=bool(found))
    return {"items": [hit_out(hit) for hit in found]}


@router.post("/v1/notes", status_code=201)
def note(said: NewNote, here: Here) -> Fields:
    """Save a note about a project."""
    with here.memory(said.project) as memory:
        return event_out(memory.note(said.text, tags=said.tags, **here.who(said)))


@router.get("/v1/sessions")
def sessions(
    here: Here, project: OfProject = "", agent: Annotated[str, Query(max_length=512)] = "", failed: bool = False,
    cursor: Cursor = "", limit: Many = 50,
) -> Fields:  # fmt: skip
    """Sessions of agents, the latest first, with how much happened in each."""
    (before,) = key_of(cursor, int) or (MAX_TIME,)
    with here.memory() as memory:
        wanted = Wanted(project=project, agent=agent, failed=failed, before=before)
        found = memory.sessions(wanted, limit=limit + 1)
    return page(found, limit, _place, session_out)


def _place(listed: Listed) -> tuple[int]:
    return (listed.started,)


@router.get("/v1/sessions/{session}")
def session(session: str, here: Here) -> Fields:
    """One session, told: what was asked, and what was done for it, in order."""
    with here.memory() as memory:
        told = memory.session(session)
    turns = [
        {"prompt": turn.prompt and event_out(turn.prompt), "followed": [event_out(each) for each in turn.followed]}
        for turn in told.turns
    ]
    return {"session": told.session, "agent": told.agent, "projects": list(told.projects), "turns": turns}


@router.get("/v1/projects")
def projects(here: Here, cursor: Cursor = "", limit: Many = 50) -> Fields:
    """Projects with events, the busiest first."""
    with here.memory() as memory:
        mine = {row[1] for row in memory.store.projects() if row[0] == here.asker.tenant}
        found = [seen for seen in memory.projects() if seen.id in mine]
    return slice_of(found, cursor, limit, lambda seen: seen._asdict())
