"""`engrain finalize`."""

from __future__ import annotations

from typing import Any

import click

from engrain.cli.output import say_json
from engrain.cli.tasking import json_always, task_json

_FIELDS = (
    # (option, field, how often, help)
    ("--type", "type", False, "What kind of task, such as feature, bugfix, refactor, test, docs."),
    ("--summary", "summary", False, "How it was done, in a sentence or two."),
    ("--entry", "entry", False, "Where the work began: a file, or file:name."),
    ("--area", "area", False, "The folder that it was about."),
    ("--pr", "pr", False, "The address of its pull request."),
    ("--file", "modified", True, "A file that was changed; may be repeated."),
    ("--read", "read", True, "A file that was read; may be repeated."),
    ("--command", "commands", True, "A command that was run; may be repeated."),
    ("--test", "tests", True, "A command that ran tests; may be repeated."),
    ("--test-added", "tests_added", True, "A test that was added; may be repeated."),
    ("--error", "errors", True, "What an error said; may be repeated."),
)


def _fields(command: Any) -> Any:
    for option, name, several, about in reversed(_FIELDS):
        command = click.option(option, name, multiple=several, default=None if several else "", help=about)(command)
    return command


@click.command("finalize")
@click.argument("task", required=False, default="")
@click.option("--outcome", type=click.Choice(["success", "failed", "cancelled", "unknown"]), help="How it went.")
@click.option("--text", default="", help="What the task was, where it was not prepared.")
@_fields
@click.option("--added", type=click.IntRange(0), help="Lines that were added.")
@click.option("--removed", type=click.IntRange(0), help="Lines that were taken away.")
@click.option("--seconds", type=click.FloatRange(0), help="How long it took.")
@click.option("--session", default="", help="The session that worked on it.")
@json_always
def command(task: str, session: str, **given: Any) -> None:
    """Say how TASK went, by the id that `engrain prepare` gave, or with --text how one went that was not prepared.

    Every field says how it is known: what you say is explicit, what hooks saw stays what it was seen to be. Told again,
    it is corrected. What is recorded is also kept in `.engrain/` of the repository, a line each. Prints JSON.

    \b
    Examples:
      engrain finalize 3f2a9c41d07b --outcome success --summary "half to even, in one place" --file src/price.py
      engrain finalize --text "upgrade the linter" --outcome failed --error "rule E501 is gone"
      engrain finalize 3f2a9c41d07b --outcome cancelled | jq -r .agent_summary_text
    """
    from engrain.errors import BadInput
    from engrain.memory import Memory

    if not task and not given["text"]:
        raise BadInput("say which task: the id that `engrain prepare` gave, or --text with what it was")
    fields = {name: value for name, value in given.items() if value not in (None, "", ())}
    with Memory.open() as memory:
        memory.catch_up()
        done = memory.finalize(task, session=session, **fields)
    say_json({
        "task": done.task.id, "event": done.event, "agent_summary": task_json(done.task),
        "agent_summary_text": done.text, "redacted": dict(sorted(done.redacted.items())),
    })  # fmt: skip
    if done.unkept:
        click.echo(f"it is remembered, but has no record in the repository: {done.unkept}", err=True)
    if memory.waits:
        click.echo(f"it waits in the spool and is not lost: {memory.waits}", err=True)
