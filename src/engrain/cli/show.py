"""`engrain show`."""

from __future__ import annotations

import json

import click

from engrain.cli.output import as_json, event_json, say_json
from engrain.errors import NotFound
from engrain.event import timestamp


@click.command("show")
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@as_json
def command(ids: tuple[str, ...], as_json: bool) -> int:
    """The whole of one or more events.

    \b
    Examples:
      engrain show 019a9c2f6d0a5e0c3b7f4e1d2c3b4a59
      engrain show --json ID1 ID2
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.get(*ids)
    if missing := [id_ for id_ in ids if id_ not in {event.id for event in found}]:
        raise NotFound(f"no event {missing[0]}")
    if as_json:
        say_json([event_json(event) for event in found])
        return 0
    for event in found:
        click.secho(f"{event.kind}  {event.id}", bold=True)
        click.echo(f"{timestamp(event.time)}  project {event.project}", nl=False)
        click.echo(f"  session {event.session} ({event.agent})" if event.session else "")
        click.echo(json.dumps(event.body, ensure_ascii=False, indent=2) + "\n")
    return 0
