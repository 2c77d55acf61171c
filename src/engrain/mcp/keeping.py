"""Tools that keep: a note for later, and what there is."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engrain.errors import BadInput
from engrain.mcp.answers import Answer, fix_fields, recalled
from engrain.mcp.desk import Desk
from engrain.recall.told import one_line, record


def save_note(
    desk: Desk,
    text: Annotated[str, Field(description="one fact, with its reason", min_length=1, max_length=20_000)],
    tags: Annotated[tuple[str, ...], Field(max_length=20)] = (),
) -> Answer:
    """Remember a fact about this project that the code does not say: a decision, a constraint, where something is. For
    what fixed a failure use teach_fix."""
    if not text.strip():
        raise BadInput("a note needs some text")
    noted = desk.memory.note(text.strip(), tags=tags, **desk.caller._asdict())
    redacted = dict(noted.body.get("redacted", {}))
    taken = f"taken out before it was written: {', '.join(sorted(redacted))}" if redacted else ""
    times = 1 if desk.memory.waits else desk.memory.times_noted(noted.id)
    stands = f"noted before as {noted.id}, {times} times now" if times > 1 else f"noted {noted.id}"
    said = filter(None, (stands, taken, desk.waits()))
    return Answer({"id": noted.id, "redacted": redacted}, "; ".join(said))


def memory_stats(desk: Desk) -> Answer:
    """How much is remembered and what it did: failures answered, fixes tried and how they went."""
    desk.catch_up()
    seen, proof = desk.memory.stats(), desk.memory.proof()
    fields = {
        "project": desk.memory.project.id,
        "events": seen.events, "kinds": seen.kinds, "sessions": seen.sessions, "projects": seen.projects,
        "failures": proof.failures, "answered": proof.answered,
        "common": [{"times": each.times, "message": one_line(each.message, 160)} for each in proof.common],
        "tried": [fix_fields(fix) for fix in proof.tried],
    }  # fmt: skip
    lines = [f"events {seen.events}, sessions {seen.sessions}, projects {seen.projects}"]
    lines += [f"failures {proof.failures}, answered {proof.answered}"]
    lines += [f"{each.times} × {one_line(each.message, 100)}" for each in proof.common[:5]]
    lines += [f"fix {fix.id}: {record(fix)}" for fix in proof.tried[:5]]
    return recalled(fields, lines)
