"""Tools about failures: what is known to help, what helped, whether it did."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engrain.errors import BadInput, NotFound
from engrain.mcp.answers import Answer, fix_fields, fix_lines, recalled
from engrain.mcp.desk import FRESH_SECONDS, Desk
from engrain.memory.fixes import Match
from engrain.model import Fingerprint
from engrain.recall.quote import quoted
from engrain.recall.told import one_line, record

Error = Annotated[str, Field(description="what the failed command printed, whole", min_length=1)]
Command = Annotated[str, Field(description="what was run")]
Exit = Annotated[int | None, Field(description="its exit code")]

_SEVERAL = 5


def find_fix(
    desk: Desk, error: Error, command: Command = "", exit_code: Exit = None,
    limit: Annotated[int, Field(ge=1, le=_SEVERAL)] = 3,
) -> Answer:  # fmt: skip
    """Known fixes for a failed command, test or build, ranked by how often they really worked. Call it first, before
    you debug. Tell report_outcome how a fix went."""
    desk.catch_up(within=FRESH_SECONDS)
    memory = desk.memory
    found = memory.match(error, command, exit_code, limit=limit)
    served = ""
    if found.fixes and desk.visit.writes:
        event = memory.serving(found, channel="mcp", command=command, cwd=memory.project.root, **desk.caller._asdict())
        memory.capture(event)
        memory.wake()
        served = event.id
    return _answer(found, served)


def _answer(found: Match, served: str) -> Answer:
    failure, fixes = _failure(found.fingerprint), found.fixes
    says = f"{failure['error_type']} ({failure['toolchain']})\n{quoted(str(failure['message']))}"
    fields = {"failure": failure, "fixes": [fix_fields(fix) for fix in fixes], "served": served}
    if not fixes:
        unsure = "" if failure["known"] else " No parser knows this output: give the whole of it."
        return recalled(fields, [f"no fix is known for {says}", f"Solved it? teach_fix(error, steps).{unsure}"])
    lines = [f"known failure: {says}"]
    for number, fix in enumerate(fixes, start=1):
        lines.extend(fix_lines(number, fix))
    shown = f', served="{served}"' if served else ""
    return recalled(fields, [*lines, f'Tried one? report_outcome(fix="{fixes[0].id}", worked=…{shown})'])


def _failure(found: Fingerprint) -> dict[str, str | bool]:
    return {
        "fingerprint": found.fingerprint,
        "family": found.family,
        "toolchain": found.toolchain,
        "error_type": found.error_type,
        "message": one_line(found.message, 400),
        "known": found.known,
    }


def teach_fix(
    desk: Desk, error: Error,
    steps: Annotated[list[str], Field(description="commands or edits, in order", min_length=1, max_length=20)],
    cause: Annotated[str, Field(description="why it failed")] = "", command: Command = "", exit_code: Exit = None,
) -> Answer:  # fmt: skip
    """Save what fixed a failure, for every later session. Call it once the command passes. No secrets in steps."""
    memory, caller = desk.memory, desk.caller
    taught = memory.remember_error_fix(
        error, steps, cause=cause, command=command, exit_code=exit_code, session=caller.session, agent=caller.agent
    )
    again = "taught again, so it is held for surer" if taught.again else "taught"
    fields = {
        "fix": taught.fix, "event": taught.event, "again": taught.again, "failure": _failure(taught.failure),
        "steps": list(taught.steps), "redacted": dict(taught.redacted),
    }  # fmt: skip
    said = [f"fix {taught.fix}: {again}, against", quoted(one_line(taught.failure.message, 200)), desk.waits()]
    return Answer(fields, "\n".join(filter(None, said)))


def report_outcome(
    desk: Desk, fix: Annotated[str, Field(description="its id", min_length=4, max_length=64)], worked: bool,
    served: Annotated[str, Field(description="as find_fix gave it", max_length=64)] = "",
) -> Answer:  # fmt: skip
    """Say whether a fix from find_fix worked, after you tried it and ran the command again. It decides what is shown
    next time; never report what you did not see."""
    memory = desk.memory
    desk.catch_up(within=FRESH_SECONDS)
    try:
        event = memory.rate(fix, worked=worked, of=served, **desk.caller._asdict())
    except NotFound as exc:
        raise BadInput(f"there is no fix {fix!r}: give the id that find_fix or teach_fix answered with") from exc
    now = None if memory.waits else memory.fix(event.body["fix"])
    fields = {"fix": event.body["fix"], "event": event.id, "worked": worked, "belief": now and round(now.belief, 3)}
    said = [f"fix {event.body['fix']}: {record(now) if now else 'noted'}", desk.waits()]
    return Answer(fields, "; ".join(filter(None, said)))
