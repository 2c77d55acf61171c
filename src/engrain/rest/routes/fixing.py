"""Failures, what is known to help, and how it went."""

from __future__ import annotations

from fastapi import APIRouter

from engrain.project import Project
from engrain.rest import metrics
from engrain.rest.desk import Cursor, Here, Many, OfProject
from engrain.rest.pages import slice_of
from engrain.rest.pool import ANYWHERE
from engrain.rest.shapes import Failed, Fields, NewFix, NewOutcome, failure_out, fix_out, match_out

router = APIRouter(tags=["fixes"])

MOST = 5_000


@router.post("/v1/match")
def match(failed: Failed, here: Here) -> Fields:
    """Which failure an output is, and the fixes that are known for it. Nothing is recorded."""
    with here.memory(failed.project) as memory:
        found = memory.match(failed.text, failed.command, failed.exit_code, cwd=failed.cwd, limit=failed.limit)
    metrics.recalled("/v1/match", found=bool(found.fixes))
    return match_out(found)


@router.get("/v1/failures")
def failures(here: Here) -> Fields:
    """Failures that come again and again."""
    with here.memory() as memory:
        return {"items": [each._asdict() for each in memory.proof().common]}


@router.post("/v1/fixes", status_code=201)
def teach(said: NewFix, here: Here) -> Fields:
    """Teach what to do against a failure; taught twice, it is held for surer."""
    with here.memory(said.project) as memory:
        taught = memory.remember_error_fix(
            said.error, said.steps, cause=said.cause, example=said.example, command=said.command,
            exit_code=said.exit_code, **here.who(said),
        )  # fmt: skip
    return {
        "fix": taught.fix, "event": taught.event, "again": taught.again, "failure": failure_out(taught.failure),
        "steps": list(taught.steps), "redacted": dict(taught.redacted),
    }  # fmt: skip


@router.get("/v1/fixes")
def fixes(here: Here, project: OfProject = "", cursor: Cursor = "", limit: Many = 50) -> Fields:
    """Fixes, the newest first, each with what is believed of it."""
    place = Project(project, "", "", "", "", "", "as asked") if project else ANYWHERE
    with here.memory(place) as memory:
        found = memory.fixes(everywhere=not project, limit=MOST)
    return slice_of(found, cursor, limit, fix_out)


@router.get("/v1/fixes/{id}")
def fix(id: str, here: Here) -> Fields:  # noqa: A002 - the name that the address has
    """One fix, by its id or the beginning of it."""
    with here.memory() as memory:
        return fix_out(memory.fix(id))


@router.post("/v1/fixes/{id}/outcomes", status_code=201)
def rate(id: str, said: NewOutcome, here: Here) -> Fields:  # noqa: A002 - the name that the address has
    """Say how a fix went. Forgetting the event takes it back."""
    with here.memory(said.project) as memory:
        event = memory.rate(
            id, worked=said.worked, provenance=said.provenance, of=said.of, session=said.session,
            agent=here.agent(said.agent),
        )  # fmt: skip
        fixed = event.body["fix"]
        return {"event": event.id, "fix": fix_out(memory.fix(fixed)) if not memory.waits else {"id": fixed}}


@router.post("/v1/served", status_code=201)
def served(failed: Failed, here: Here) -> Fields:
    """The same as `match`, and it is recorded that what was found was shown; `event` names that for its outcome."""
    with here.memory(failed.project) as memory:
        found = memory.match(failed.text, failed.command, failed.exit_code, cwd=failed.cwd, limit=failed.limit)
        event = None
        if found.fixes:
            event = memory.serving(found, channel="rest", command=failed.command, cwd=failed.cwd)
            memory.record(event)
    return {**match_out(found), "event": event and event.id}
