"""What the commands of tasks share: how a request is asked, and how tasks are told as JSON, the same for the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from engrain.cli.suggesting import strategy_json, suggestion_json
from engrain.event import timestamp

if TYPE_CHECKING:
    from engrain.memory.tasks import Asked, Task

Command = Callable[..., Any]

json_always = click.option("--json", is_flag=True, expose_value=False, help="Print JSON, as it does anyway.")

_REQUEST = (
    click.option("--type", "kind", default="", help="What kind of task: feature, bugfix, refactor, test, docs …"),
    click.option("--file", "files", multiple=True, help="A file that it is about; may be repeated."),
    click.option("--entry", default="", help="Where the work begins: a file, or file:name."),
    click.option("--area", default="", help="The folder that it is about."),
    click.option("--command", "commands", multiple=True, help="A command that was run for it; may be repeated."),
    click.option("--test", "tests", multiple=True, help="A test or a command that runs it; may be repeated."),
    click.option("--error", "errors", multiple=True, help="What an error says; may be repeated."),
)


def request(command: Command) -> Command:
    """The options of a request, beside its text."""
    for option in reversed(_REQUEST):
        command = option(command)
    return command


def asked(text: tuple[str, ...], given: Mapping[str, Any]) -> Asked:
    """A request as it was typed."""
    from engrain.memory.tasks import Asked

    return Asked(
        " ".join(text), given["kind"], given["files"], given["entry"], given["area"], given["commands"],
        given["tests"], given["errors"],
    )  # fmt: skip


def task_json(task: Task) -> dict[str, Any]:
    """A task for programs."""
    fields: dict[str, Any] = {name: value for name, value in task._asdict().items() if name not in ("started", "time")}
    times = {"started": timestamp(task.started), "time": timestamp(task.time)}
    return {**fields, **times, "provenance": dict(sorted(task.provenance.items()))}


__all__ = ["asked", "json_always", "request", "strategy_json", "suggestion_json", "task_json"]
