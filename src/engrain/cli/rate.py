"""`engrain rate`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, say_json


@click.command("rate")
@click.argument("fix")
@click.option("--worked/--failed", "worked", default=None, help="Whether it helped.")
@as_json
def command(fix: str, worked: bool | None, as_json: bool) -> None:
    """Say how a fix went. FIX is its id, or the beginning of it.

    Fixes that work are shown first, fixes that fail no more. Forgetting the event that this prints takes it back.

    \b
    Examples:
      engrain rate 3f2a9c0b11aa --worked
      engrain rate 3f2a --failed
    """
    from engrain.memory import Memory
    from engrain.recall.told import record

    if worked is None:
        raise click.UsageError("say --worked or --failed")
    with Memory.open() as memory:
        memory.catch_up()
        event = memory.rate(fix, worked=worked)
        now = None if memory.waits else memory.fix(event.body["fix"])
    if as_json:
        say_json(
            {"event": event.id, "fix": event.body["fix"], "worked": worked, "belief": now and round(now.belief, 4)}
        )
        return
    click.echo(f"rated {event.body['fix']}: {record(now) if now else 'noted'}")
    click.echo(f"  to take it back: engrain forget {event.id}")
    if memory.waits:
        click.echo(f"it waits in the spool and is not lost: {memory.waits}", err=True)
