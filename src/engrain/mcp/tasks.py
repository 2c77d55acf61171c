"""Tools about tasks: what is known when work begins, and how it went."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from engrain.errors import BadInput, NotFound
from engrain.mcp.answers import LINE, Answer, recalled
from engrain.mcp.desk import Desk
from engrain.memory.tasks import Asked, FoundTask
from engrain.recall.context import rendered
from engrain.recall.quote import quoted
from engrain.recall.told import one_line

_TOKENS = 700
"""Of what is known beside the strategies."""

Lines = tuple[str, ...]


def prepare(
    desk: Desk, request: str, files: Lines = (), kind: str = "",
) -> Answer:  # fmt: skip
    """Begin a task: how such work was done before, and its lessons, patterns, files. Call it before you start."""
    memory = desk.memory
    desk.catch_up()
    begun = memory.prepare(Asked(request, kind.strip(), tuple(files)), **desk.caller._asdict())
    found = begun.suggestion
    # Tasks are told as strategies already.
    known = memory.get_coding_context(request, files=files, limit=3)._replace(tasks=())
    context = rendered(known, _TOKENS) if any(part for part in known[2:]) else ""
    fields = {
        "task": begun.task, "type": begun.type, "context": context,
        "strategies": [_fields(each) for each in found.strategies],
        "warnings": [_fields(each) for each in found.warnings],
    }  # fmt: skip
    lines = [f'task {begun.task}: tell finalize(task="{begun.task}", outcome=…) how it went']
    lines += [line for each in found.strategies for line in _lines("worked", each)]
    lines += [line for each in found.warnings for line in _lines("failed", each)]
    lines += [] if found.strategies or found.warnings else ["no task like it is known"]
    return recalled(fields, [*lines, *([context] if context else [])])


def finalize(
    desk: Desk, task: Annotated[str, Field(description="from prepare")],
    outcome: Literal["success", "failed", "cancelled", "unknown"], summary: str = "", files: Lines = (),
    tests: Annotated[Lines, Field(description="commands")] = (),
) -> Answer:  # fmt: skip
    """Say how a prepared task went, how it was done, what changed. Only what worked is suggested to others."""
    memory, caller = desk.memory, desk.caller
    desk.catch_up()
    given = {"outcome": outcome, "summary": summary, "modified": files, "tests": tests}
    said = {name: value for name, value in given.items() if value}
    try:
        done = memory.finalize(task, session=caller.session, agent=caller.agent, **said)
    except NotFound as exc:
        raise BadInput(f"there is no task {one_line(task, 40)!r}: give the id that prepare answered with") from exc
    fields = {
        "task": done.task.id, "event": done.event, "outcome": done.task.outcome, "summary": done.text,
        "followed": list(done.task.followed), "provenance": dict(done.task.provenance),
    }  # fmt: skip
    return Answer(fields, "; ".join(filter(None, (done.text, desk.waits()))))


def _fields(found: FoundTask) -> dict[str, Any]:
    task = found.task
    return {
        "task": task.id, "score": round(found.score, 2), "because": list(found.because), "type": task.type,
        "quote": one_line(task.text, LINE), "summary": one_line(task.summary, LINE), "entry": task.entry,
        "files": list(task.modified[:10]), "commands": list(task.commands[:5]),
        "tests": [str(each.get("command", "")) for each in task.tests[:5]],
        "errors": [one_line(str(each.get("message", "")), LINE) for each in task.errors[:3]],
    }  # fmt: skip


def _lines(what: str, found: FoundTask) -> Iterator[str]:
    told = _fields(found)
    yield f"- {what}: task {told['task']}, like it in {', '.join(told['because'])}"
    parts = [told["quote"], told["summary"], *(f"{name}: {', '.join(told[name])}" for name in _PARTS if told[name])]
    yield from (quoted(one_line(part, LINE), "  ") for part in parts if part)


_PARTS = ("files", "commands", "tests", "errors")
