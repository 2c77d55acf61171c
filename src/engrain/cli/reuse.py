"""`engrain reuse`."""

from __future__ import annotations

from typing import Any

import click

from engrain.cli.output import say_json
from engrain.cli.tasking import asked, json_always, request, strategy_json, task_json
from engrain.recall.quote import EVIDENCE


@click.command("reuse")
@click.argument("text", nargs=-1, required=True, metavar="REQUEST…")
@request
@click.option("--session", default="", help="The session that asks.")
@json_always
def command(text: tuple[str, ...], session: str, **given: Any) -> int:
    """The one strategy to begin with for work like REQUEST, whole: files, commands, tests, how it went. JSON.

    Only what worked is reused. It counts as reused when it was followed: when the task that comes of it changed one of
    its files or ran one of its tests.

    \b
    Examples:
      engrain reuse "add a column to the orders table"
      engrain reuse --file migrations/0042.py "add a column" | jq -r '.strategy.commands[]'
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.suggest(asked(text, given), limit=1, session=session).hint
    if found is None:
        say_json({"evidence": EVIDENCE, "strategy": None})
        return 1
    whole = {**task_json(found.task), **strategy_json(found)}
    say_json({"evidence": EVIDENCE, "strategy": whole})
    return 0
