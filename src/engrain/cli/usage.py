"""`engrain usage`."""

from __future__ import annotations

import click

from engrain.cli.output import say_json
from engrain.cli.tasking import json_always


@click.command("usage")
@click.option("--all", "-a", "everywhere", is_flag=True, help="Of every project, not this one alone.")
@json_always
def command(everywhere: bool) -> None:
    """What tasks and strategies were used for, as it was counted; nothing is estimated. JSON.

    `shown` and `silent` count questions that had an answer and those that had none, `followed` the tasks that followed
    a strategy which they were shown.

    \b
    Examples:
      engrain usage
      engrain usage --all | jq '{shown, silent, followed}'
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.usage(everywhere=everywhere)
    say_json({**found._asdict(), "strategies": [each._asdict() for each in found.strategies]})
