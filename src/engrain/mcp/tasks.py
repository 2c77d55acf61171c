"""Tools about tasks: what is known when one begins, how it went when it ends."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from engrain.errors import BadInput, NotFound
from engrain.mcp.answers import Answer, recalled
from engrain.mcp.desk import Desk
from engrain.memory.tasks import told
from engrain.recall.context import Context, rendered
from engrain.recall.tasks import Asked, Found
from engrain.recall.told import one_line

TOKENS = 1500
Paths = tuple[str, ...]


def begin_task(
    desk: Desk, task: Annotated[str, Field(min_length=1, max_length=4000)],
    files: Paths = (),
) -> Answer:  # fmt: skip
    """What is known of a task before you begin: how such work was done, lessons, failures, patterns, files. Tell
    finish_task how it went."""
    desk.catch_up()
    memory, asked = desk.memory, Asked(task, files=files)
    if desk.visit.writes and desk.visit.named:
        opened = memory.prepare(asked, **desk.caller._asdict())
        id_, found = opened.task, opened.suggestion
    else:
        id_, found = "", memory.suggest(asked, record=False)
    known = memory.get_coding_context(task, files=files)
    fields = {"task": id_, "strategies": [_strategy(each) for each in found.strategies],
              "warnings": [_strategy(each) for each in found.warnings], **_named(known)}  # fmt: skip
    says = [f"worked for such work: {_line(each)}" for each in found.strategies]
    says += [f"did not work: {_line(each)}" for each in found.warnings]
    ends = [f'When it is over: finish_task(task="{id_}", outcome=…)'] if id_ else []
    return recalled(fields, [*says, rendered(known, TOKENS), *ends])


def finish_task(
    desk: Desk, task: Annotated[str, Field(description="the id of begin_task, or what it was", min_length=1)],
    outcome: Literal["success", "failed", "cancelled"],
    summary: Annotated[str, Field(max_length=1000)] = "", modified: Paths = (),
) -> Answer:  # fmt: skip
    """Say how a task went, once it is over: it decides what is shown for such work next time."""
    given: dict[str, Any] = {"outcome": outcome, "summary": summary, "modified": list(modified)}
    given = {name: value for name, value in given.items() if value}
    try:
        known = desk.memory.task(task).id
    except NotFound as exc:
        if " " not in task.strip():
            raise BadInput(f"there is no task {task[:60]!r}: give the id of begin_task, or say what it was") from exc
        known, given["text"] = "", task
    done = desk.memory.finalize(known, **desk.caller._asdict(), **given)
    fields = {"task": done.task.id, "event": done.event, "outcome": done.task.outcome}
    return Answer(fields, "; ".join(filter(None, (told(done.task), desk.waits()))))


def _strategy(found: Found) -> dict[str, Any]:
    task = found.task
    return {
        "task": task.id, "text": one_line(task.text, 200), "outcome": task.outcome, "summary": task.summary,
        "files": list(task.modified[:10]), "commands": list(task.commands[:5]), "because": list(found.because),
    }  # fmt: skip


def _line(found: Found) -> str:
    task = found.task
    return f"task {task.id} ({one_line(task.text, 100)}): {one_line(task.summary, 160) or task.outcome}"


def _named(known: Context) -> dict[str, Any]:
    """The context for programs: what the text says, by its parts."""
    return {
        "lessons": [{"id": each.id, "text": each.text, "severity": each.severity} for each in known.lessons],
        "failures": [{"message": each.message, "fixes": [fix.id for fix in each.fixes]} for each in known.errors],
        "patterns": [{"id": each.id, "name": each.name} for each in (*known.patterns, *known.tests)],
        "files": [each.path for each in known.files],
        "tests": [each.command for each in known.runs],
    }  # fmt: skip
