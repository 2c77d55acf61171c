"""Events: told one by one or many at once, read back, forgotten."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import ValidationError

from engrain import event as events
from engrain.errors import BadEvent, BadInput, NotFound
from engrain.event import FORGET, MAX_TIME, Event
from engrain.rest.desk import Asked, Cursor, Here, Many, OfProject
from engrain.rest.pages import key_of, page
from engrain.rest.problems import Problem
from engrain.rest.shapes import Erase, Fields, NewEvent, event_out

router = APIRouter(tags=["journal"])

MOST = 5_000
"""Events of one request."""

_SCHEMA = NewEvent.model_json_schema(ref_template="#/components/schemas/{model}")
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "oneOf": [
                        _SCHEMA,
                        {"type": "object", "required": ["events"], "additionalProperties": False, "properties": {
                            "events": {"type": "array", "minItems": 1, "maxItems": MOST, "items": _SCHEMA}}},
                    ]
                },
            }
        },
    }
}  # fmt: skip


@router.post("/v1/events", openapi_extra=_BODY)
async def tell(request: Request, here: Here) -> Fields:
    """Tell what happened: one event, or `{"events": […]}`. It is stored when this answers with 200; what is sent twice
    under one id is there once. Of a batch, what can't be an event is named in `refused`, and the rest is stored."""
    told = _read(await request.body())
    batch = isinstance(told, dict) and "events" in told
    given = told["events"] if batch else [told]
    if not isinstance(given, list) or not 0 < len(given) <= MOST or (batch and len(told) != 1):
        raise Problem(422, f"a batch is an object whose one key `events` is a list of 1 to {MOST:,} events")
    good: list[Event] = []
    refused: list[Fields] = []
    for number, fields in enumerate(given):
        try:
            good.append(_event(fields, here))
        except (BadInput, Problem) as exc:
            refused.append({"number": number, "detail": str(exc), "status": getattr(exc, "status", 422)})
    if not good:
        raise Problem(422, refused[0]["detail"], refused=refused)
    await here.desk.intake.put([event for event in good if event.kind != FORGET])
    if forgets := [target for event in good for target in events.targets(event)]:
        await run_in_threadpool(_forgotten, here, forgets)
    return {"stored": len(good), "ids": [event.id for event in good], "refused": refused}


def _read(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise Problem(400, f"not JSON: {str(exc)[:100]}") from exc


def _event(fields: Any, here: Asked) -> Event:
    if not isinstance(fields, dict):
        raise BadEvent("an event is a JSON object")
    try:
        said = NewEvent.model_validate(fields)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_context=False, include_input=False)[0]
        raise BadEvent(f"{'.'.join(map(str, first['loc']))[:60]}: {first['msg'].lower()}") from exc
    if said.tenant not in (None, here.asker.tenant):
        raise Problem(403, "this token is of another tenant")
    time = events.now() if said.time is None else events.microseconds(said.time)
    return events.checked(Event(
        events.new_id(min(max(time, 0), MAX_TIME)) if said.id is None else said.id, time, here.asker.tenant,
        said.project, said.session, here.agent(said.agent), said.kind, said.v, said.body,
    ))  # fmt: skip


@router.get("/v1/events")
def events_of(
    here: Here, project: OfProject = "", kind: Annotated[str, Query(max_length=512)] = "",
    session: Annotated[str, Query(max_length=512)] = "", cursor: Cursor = "", limit: Many = 50,
) -> Fields:  # fmt: skip
    """What happened, the latest first."""
    time, id_ = key_of(cursor, int, str) or (MAX_TIME, "~")
    with here.memory() as memory:
        args = {
            "tenant": here.asker.tenant, "project": project, "projects": memory.store.same_project(project),
            "kind": kind, "session": session, "time": time, "id": id_, "limit": limit + 1,
        }  # fmt: skip
        found = memory.store.latest(args)
    return page(found, limit, lambda event: (event.time, event.id), event_out)


@router.get("/v1/changes")
def changes(
    here: Here, after: Annotated[int, Query(ge=0, le=2**53, description="`next` of the page before; 0 for all")] = 0,
    kind: Annotated[list[Annotated[str, Query(max_length=512)]], Query(max_length=50)] = [],  # noqa: B006 - never changed
    limit: Annotated[int, Query(ge=1, le=1000)] = 500,
) -> Fields:  # fmt: skip
    """What came into the journal, in its order of arrival: for whoever keeps a copy. Nothing comes later behind a place
    that was told."""
    with here.memory() as memory:
        found = memory.store.changed(here.asker.tenant, after, kinds=kind, limit=limit)
        items = [{"place": place, "event": event_out(memory.admitted(event))} for place, event in found]
    return {"items": items, "next": found[-1][0] if found else after}


@router.get("/v1/events/{id}")
def one(id: str, here: Here) -> Fields:  # noqa: A002 - the name that the address has
    """One event, whole."""
    with here.memory() as memory:
        found = here.mine(memory.get(id))
    if not found:
        raise NotFound("there is no event with this id")
    return event_out(found[0])


@router.post("/v1/forget")
def forget(erase: Erase, here: Here) -> Fields:
    """Erase events everywhere, for good. Nothing brings them back."""
    with here.memory() as memory:
        known = {event.id for event in here.mine(memory.get(*erase.ids))}
        done = memory.forget(sorted(known)) if known else None
    return {"forgotten": sorted(known), "still_holding": list(done.still_holding) if done else []}


def _forgotten(here: Asked, ids: list[str]) -> None:
    """What a copy of this journal has forgotten is erased here as thoroughly as if it had been asked for here, and
    what has not come yet never will."""
    with here.memory() as memory:
        memory.forget(ids)
