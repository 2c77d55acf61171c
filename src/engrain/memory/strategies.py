"""Tasks that went well, as a team shares them in the repository: what of ours is shared, what becomes of others'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engrain.errors import BadInput
from engrain.learn.provenance import UNKNOWN
from engrain.learn.steps import harmless
from engrain.learn.tasks import SUCCESS, id_of, said_in
from engrain.memory import tasks
from engrain.recall.told import one_line
from engrain.redact.sensitive import sensitive

if TYPE_CHECKING:
    from engrain.memory import Memory

SOURCE = "shared"
SAID = ("text", "type", "summary", "entry", "area", "modified", "commands")
SAME = (*SAID, "tests")
MOST, LONGEST = 2000, 2000

Fields = Mapping[str, Any]


def ours(memory: Memory) -> Iterator[Fields]:
    """Those of this project that went well, without commands that could harm."""
    for each in tasks.listed(memory, limit=MOST):
        if each.outcome == SUCCESS and SOURCE not in each.sources and (each.modified or each.summary):
            said = {name: getattr(each, name) for name in SAID}
            lines = [line for line in each.commands if harmless(line)]
            tests = [str(test.get("command", "")) for test in each.tests]
            yield {
                **{name: list(value) if isinstance(value, tuple) else value for name, value in said.items() if value},
                "text": each.text[:LONGEST], "commands": lines, "tests": [line for line in tests if harmless(line)],
            }  # fmt: skip


def body(fields: Fields) -> dict[str, Any]:
    """What becomes of a record: a task that went well, as they say; nothing of it is held for sure."""
    tests = fields.get("tests")
    lines = [line for line in tests if isinstance(line, str)] if isinstance(tests, (list, tuple)) else []
    said = said_in({**{name: fields.get(name) for name in SAID}, "tests": [{"command": line} for line in lines]})
    if not said.get("text") or len(said["text"]) > LONGEST:
        raise BadInput("no task: it does not say what was done")
    if not all(harmless(line) for line in (*said.get("commands", ()), *lines)):
        raise BadInput("a command takes something away, fetches or runs who knows what")
    if any(sensitive(path) for path in said.get("modified", ())):
        raise BadInput("it names a file that nobody may know of")
    said["outcome"] = SUCCESS
    task = id_of("\0".join((SOURCE, said["text"], said.get("summary", ""), *said.get("modified", ()))))
    return {**said, "task": task, "source": SOURCE, "provenance": dict.fromkeys(said, UNKNOWN)}


def says(fields: Fields) -> str:
    """It in a line."""
    files = ", ".join(fields.get("modified", ())[:3])
    return f"{one_line(str(fields['text']), 80)}{f' (changed {one_line(files, 80)})' if files else ''}, unconfirmed"
