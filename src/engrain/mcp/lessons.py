"""Tools about lessons: which rules hold for a call, before it is made; and a new one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from engrain.errors import BadInput
from engrain.learn.trigger import Trigger
from engrain.mcp.answers import Answer, recalled
from engrain.mcp.desk import Desk
from engrain.memory.lessons import Kept
from engrain.recall.lessons import Lesson, call_of
from engrain.recall.quote import quoted
from engrain.recall.told import one_line

Text = Annotated[str, Field(max_length=4000)]

_MOST, _LINE = 30, 400


def check_lessons(
    desk: Desk, command: Text = "",
    path: Annotated[str, Field(description="file to be edited", max_length=1000)] = "",
    tool: Annotated[str, Field(description="if not a shell or an editor", max_length=200)] = "",
    words: Annotated[str, Field(description="search all lessons by words instead", max_length=200)] = "",
) -> Answer:  # fmt: skip
    """Rules that were learned for a command or an edit. Call it before a risky one: deleting, deploying, migrating,
    force-pushing, generated files. With no arguments: every lesson of this project."""
    desk.catch_up()
    if command or path or tool:
        if words:
            raise BadInput("give a call (command, path, tool) or words, not both")
        given = {**({"command": command} if command else {}), **({"file_path": path} if path else {})}
        call = call_of(tool or ("Bash" if command else "Edit"), given)
        fired = desk.memory.lessons_for(call)
        unsure = [f"lesson {each.id} could not be checked: {each.why}" for each in fired.stopped]
        return _answer([_fired(each) for each in fired.lessons], "no lesson for this call", unsure)
    wanted = words.casefold().split()
    found = [kept(each) for each in desk.memory.lessons()]
    hits = [each for each in found if all(word in f"{each['quote']} {each['when']}".casefold() for word in wanted)]
    return _answer(hits, "no lesson" + (" with these words" if words else " in this project yet"))


def _answer(found: list[dict[str, Any]], nothing: str, unsure: Sequence[str] = ()) -> Answer:
    fields = {"lessons": found[:_MOST], "more": len(found) > _MOST}
    rest = [f"{len(found) - _MOST} more: search them with words"] if fields["more"] else []
    return recalled(fields, [*(lines(found[:_MOST]) or [nothing]), *unsure, *rest])


def lines(found: list[dict[str, Any]]) -> list[str]:
    """Lessons for a model."""
    return [
        f"- {each['severity']}, lesson {each['id']} ({each['source']}, {each['trust']}): {each['when']}\n"
        + quoted(each["quote"], "  ")
        for each in found
    ]


def _fired(lesson: Lesson) -> dict[str, Any]:
    where = "in every project" if lesson.everywhere else "in this project"
    return {
        "id": lesson.id, "severity": lesson.severity, "source": lesson.source, "trust": f"holds {where}",
        "when": one_line(f"fires at {lesson.because}", _LINE), "quote": one_line(lesson.text, _LINE),
    }  # fmt: skip


def kept(lesson: Kept) -> dict[str, Any]:
    """A lesson with what was decided of it and how it went."""
    return {
        "id": lesson.id, "severity": lesson.severity, "source": lesson.source,
        "trust": f"{lesson.state}, fired {lesson.fired}, heeded {lesson.heeded}, ignored {lesson.ignored}",
        "when": one_line(_when(lesson.trigger), _LINE), "quote": one_line(lesson.text, _LINE),
    }  # fmt: skip


def _when(trigger: Trigger) -> str:
    said = [f"{name} {value}" for name, value in trigger._asdict().items() if value and name != "phase"]
    return f"{trigger.phase} " + (", ".join(said) or "any")


def add_lesson(
    desk: Desk, text: Annotated[str, Field(description="what to do or not to do, and why", max_length=1000)],
    command: Annotated[str, Field(description="regex on commands", max_length=1000)] = "",
    path: Annotated[str, Field(description="gitignore globs on files, apart by commas", max_length=1000)] = "",
    tool: Annotated[str, Field(max_length=200)] = "",
    output: Annotated[str, Field(description="regex on what a command prints", max_length=1000)] = "",
    severity: Literal["info", "warning", "danger"] = "warning",
    everywhere: bool = False,
) -> Answer:  # fmt: skip
    """Teach a rule that whoever makes such a call later is shown: after a mistake, or when a person corrects you. Say
    when it fires: by command, path, tool or output; all that is given must match."""
    if not (command or path or tool or output):
        raise BadInput("say when it fires: command, path, tool or output")
    learned = desk.memory.learn_lesson(
        text, tool=tool, command=command, path=path, output=output, severity=severity, everywhere=everywhere,
        **desk.caller._asdict(),
    )  # fmt: skip
    slow = "its expression repeats what repeats: it is stopped where that takes too long" if learned.risky else ""
    said = filter(None, (f"lesson {learned.id}: {'taught again' if learned.again else 'taught'}", slow, desk.waits()))
    return Answer({"lesson": learned.id, "event": learned.event, "again": learned.again}, "; ".join(said))
