"""Looking after it: what there is, whether all is well, who may ask, what was changed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from engrain import __version__
from engrain.memory import meaning
from engrain.rest.desk import Cursor, Desk, Here, Many
from engrain.rest.pages import key_of, page, slice_of
from engrain.rest.pool import ANYWHERE
from engrain.rest.shapes import Fields, NewToken, change_out, fix_out, token_out
from engrain.store.tokens import Tokens

router = APIRouter(tags=["upkeep"])
admin = APIRouter(prefix="/v1/admin", tags=["admin"])


@router.get("/v1/stats")
def stats(here: Here) -> Fields:
    """What is in the memory, and what it did."""
    with here.memory() as memory:
        seen, proof = memory.stats(), memory.proof()
    held = proof.compared
    return {
        "events": seen.events, "kinds": seen.kinds, "sessions": seen.sessions, "projects": seen.projects,
        "jobs_waiting": seen.jobs_waiting, "redacted": seen.redacted, "waiting": here.desk.intake.waiting,
        "failures": proof.failures, "answered": proof.answered, "tried": [fix_out(fix) for fix in proof.tried],
        "compared": held._asdict(),
    }  # fmt: skip


@admin.get("/tokens")
def tokens(here: Here, cursor: Cursor = "", limit: Many = 50) -> Fields:
    """Tokens of this tenant, the newest first, without what opens anything."""
    with here.memory() as memory:
        now = memory.store.database.now()
        found = Tokens(memory.store.database).all(here.asker.tenant)
    return slice_of(found, cursor, limit, lambda token: token_out(token, now))


@admin.post("/tokens", status_code=201)
def new_token(wanted: NewToken, here: Here) -> Fields:
    """Make a token. Its text is told here and never again."""
    with here.memory() as memory:
        database = memory.store.database
        made, text = Tokens(database).create(
            wanted.name, wanted.scopes, tenant=here.asker.tenant, agent=wanted.agent, days=wanted.days
        )
        return {**token_out(made, database.now()), "token": text}


@admin.delete("/tokens/{id}")
def revoke(id: str, here: Here) -> Fields:  # noqa: A002 - the name that the address has
    """Revoke a token: from now on it opens nothing."""
    with here.memory() as memory:
        database = memory.store.database
        token = Tokens(database).revoke(id, here.asker.tenant)
        return token_out(token._replace(revoked=database.now()), database.now())


@admin.get("/audit")
def audit(here: Here, cursor: Cursor = "", limit: Many = 100) -> Fields:
    """What was changed through servers of this store, the latest first."""
    (before,) = key_of(cursor, int) or (2**62,)
    with here.memory() as memory:
        found = Tokens(memory.store.database).changes(here.asker.tenant, before=before, limit=limit + 1)
    return page(found, limit, lambda change: (change.place,), change_out)


@admin.get("/jobs")
def jobs(here: Here) -> Fields:
    """Slow work: how much waits, and what was given up."""
    with here.memory() as memory:
        return {"waiting": memory.jobs.waiting(), "dead": [each._asdict() for each in memory.jobs.dead()]}


@admin.post("/jobs/work", status_code=200)
def work(here: Here, seconds: Annotated[float, Query(ge=0, le=60)] = 5.0) -> Fields:
    """Work the jobs that wait, for some seconds."""
    with here.memory() as memory:
        done = memory.tick(seconds=seconds)
        return {"ran": done.ran, "waiting": memory.jobs.waiting()}


@admin.post("/embed", status_code=200)
def embed(here: Here, seconds: Annotated[float, Query(ge=0, le=60)] = 5.0, again: bool = False) -> Fields:
    """Embed what has no vector yet, for some seconds; `again`: every vector is made anew."""
    with here.memory() as memory:
        if again:
            meaning.again(memory.whole)
        done = memory.whole.embed(seconds=seconds)
    return {"done": done.done, "failed": done.failed, "why": done.why}


@router.get("/health", tags=["health"])
def health() -> Fields:
    """Whether somebody is there."""
    return {"status": "ok", "version": __version__}


@router.get("/ready", tags=["health"])
def ready(request: Request) -> Fields:
    """Whether the store answers; 503 when it does not."""
    desk: Desk = request.app.state.desk
    with desk.pool.memory("", ANYWHERE) as memory:
        memory.store.last_arrived()
    return {"status": "ok", "waiting": desk.intake.waiting}
