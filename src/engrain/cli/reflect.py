"""`engrain reflect`."""

from __future__ import annotations

import click

from engrain.cli.output import say_json
from engrain.cli.tasking import json_always


@click.command("reflect")
@click.argument("session", required=False, default="")
@click.option("--turn", is_flag=True, help="Only since somebody asked last.")
@json_always
def command(session: str, turn: bool) -> int:
    """What went in circles in SESSION, this project's latest unless it is named, with the evidence. JSON.

    Files that were opened again and again, commands that failed in the same way again, files read without end, edits
    that no test saw. Each finding names the events that show it: `engrain show ID`.

    \b
    Examples:
      engrain reflect
      engrain reflect 5f1c2d3e --turn | jq '.findings[].about'
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.reflect(session, whole=not turn)
    findings = [{**each._asdict(), "evidence": list(each.evidence)} for each in found.findings]
    say_json({"session": found.session, "calls": found.calls, "findings": findings})
    return 0 if found.findings else 1
