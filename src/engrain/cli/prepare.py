"""`engrain prepare`."""

from __future__ import annotations

from typing import Any

import click

from engrain.cli.output import say_json
from engrain.cli.tasking import asked, json_always, request, suggestion_json


@click.command("prepare")
@click.argument("text", nargs=-1, required=True, metavar="REQUEST…")
@request
@click.option("--limit", default=3, show_default=True, type=click.IntRange(1, 50), help="How many strategies.")
@click.option("--session", default="", help="The session that works on it.")
@json_always
def command(text: tuple[str, ...], limit: int, session: str, **given: Any) -> None:
    """Begin the task REQUEST: its id for `engrain finalize`, and how such work was done before. JSON.

    Where hooks are wired tasks begin and end by themselves; who begins one so gets the strategies with it, and can say
    how it went.

    \b
    Examples:
      engrain prepare "round prices half to even"
      task=$(engrain prepare --type bugfix "round prices" | jq -r .task)
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        begun = memory.prepare(asked(text, given), limit=limit, session=session)
    about = {"task": begun.task, "event": begun.event, "type": begun.type, "type_provenance": begun.provenance}
    say_json({**about, **suggestion_json(begun.suggestion)})
    if memory.waits:
        click.echo(f"it waits in the spool and is not lost: {memory.waits}", err=True)
