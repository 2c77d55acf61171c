"""Exporting: the journal, calls of tools, and rows for whoever trains something, as lines of JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from engrain import event as events
from engrain.event import TOOL_CALL, Event
from engrain.project import Project
from engrain.rest.desk import Asked, Here, OfProject
from engrain.rest.pool import ANYWHERE
from engrain.rest.shapes import Fields

router = APIRouter(prefix="/v1/export", tags=["export"])

LINES = "application/x-ndjson"
PIECE = 1 << 16
PAGE = 500


@router.get("", response_class=StreamingResponse)
def journal(here: Here) -> StreamingResponse:
    """The journal of the tenant as JSONL, in its order."""
    return _sent(_journal(here))


@router.get("/tool-calls", response_class=StreamingResponse)
def tool_calls(
    here: Here, project: OfProject = "",
    after: Annotated[int, Query(ge=0, le=2**53, description="`place` of the last line that you have; 0 for all")] = 0,
) -> StreamingResponse:  # fmt: skip
    """Calls of tools as JSONL, in the order in which they arrived: what was given, what came of it, how it ended. What
    comes later follows with `after`."""
    return _sent(_calls(here, project, after))


@router.get("/datasets", response_class=StreamingResponse)
def datasets(
    here: Here, project: OfProject = "",
    form: Literal["chat", "llama", "openai", "sft", "trajectory", "preference"] = "chat",
    part: Literal["train", "held"] = "train",
    sessions: Annotated[int, Query(ge=1, le=2000, description="how many of the latest")] = 200,
) -> StreamingResponse:  # fmt: skip
    """Rows of recorded sessions as JSONL, for a trainer: `chat` messages with tools, the same for Llama and OpenAI,
    prompts with completions, whole trajectories, or pairs of a call that failed and the one that went right. Of each
    project the latest fifth is `held` out."""
    return _sent(_rows(here, project, form, part, sessions))


def _sent(lines: Iterator[bytes]) -> StreamingResponse:
    """The lines in larger pieces. The first one is made before the answer begins, so that what can't be is refused."""
    pieces = _pieces(lines)
    return StreamingResponse(chain([next(pieces, b"")], pieces), media_type=LINES)


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    out = io.BytesIO()
    for line in lines:
        out.write(line + b"\n")
        if out.tell() > PIECE:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


# A page at a time, and no memory is held between two: each may be made on another thread, and who reads slowly, or no
# more, keeps nobody waiting.


def _journal(here: Asked) -> Iterator[bytes]:
    last: Event | None = None
    while True:
        with here.memory() as memory:
            found = memory.store.events_after(here.asker.tenant, last, limit=PAGE)
            page = [events.line(memory.admitted(event)).encode() for event in found]
        yield from page
        if len(found) < PAGE:
            return
        last = found[-1]


def _calls(here: Asked, project: str, after: int) -> Iterator[bytes]:
    while True:
        with here.memory() as memory:
            wanted = set(memory.store.same_project(project)) if project else None
            found = memory.store.changed(here.asker.tenant, after, kinds=[TOOL_CALL], limit=PAGE)
            page = [
                _call(place, json.loads(events.line(memory.admitted(event))))
                for place, event in found if wanted is None or event.project in wanted
            ]  # fmt: skip
        yield from page
        if len(found) < PAGE:
            return
        after = found[-1][0]


def _call(place: int, fields: Fields) -> bytes:
    told = {"place": place, **{name: fields[name] for name in ("id", "time", "project", "session", "agent")}}
    return json.dumps({**told, **fields["body"], **told}, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def _rows(here: Asked, project: str, form: str, part: str, sessions: int) -> Iterator[bytes]:
    from engrain.memory import datasets

    place = Project(project, "", "", "", "", "", "as asked") if project else ANYWHERE
    with here.memory(place) as memory:
        made = list(datasets.lines(memory, form=form, part=part, everywhere=not project, sessions=sessions))
    for line in made:
        yield line.encode("utf-8", "surrogatepass")
