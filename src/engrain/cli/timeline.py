"""`engrain timeline`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, brief, columns, event_json, say_json, when


@click.command("timeline")
@click.argument("anchor", nargs=-1, required=True, metavar="ID|QUERY")
@click.option("--number", "-n", type=click.IntRange(1, 500), default=5, show_default=True, help="Before it, and after.")
@as_json
def command(anchor: tuple[str, ...], number: int, as_json: bool) -> None:
    """What happened around something: an event by its id, or the best that a search for the words finds.

    \b
    Examples:
      engrain timeline 019a9c2f6d0a5e0c3b7f4e1d2c3b4a59
      engrain timeline vault token
      engrain timeline --json -n 20 "ModuleNotFoundError: orjson"
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        at, told = memory.timeline(" ".join(anchor), number=number)
    if as_json:
        say_json([event_json(event) for event in told])
        return
    columns([("→" if each == at else " ", each.id, when(each.time), each.kind, brief(each)) for each in told])
