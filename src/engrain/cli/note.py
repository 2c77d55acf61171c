"""`engrain note`."""

from __future__ import annotations

import sys

import click

from engrain.cli.output import as_json, event_json, say_json
from engrain.errors import BadInput


@click.command("note")
@click.argument("text", nargs=-1, required=True)
@click.option("--tag", "tags", multiple=True, help="A word to find it by; may be repeated.")
@as_json
def command(text: tuple[str, ...], tags: tuple[str, ...], as_json: bool) -> None:
    """Save a note about this project. `-` reads it from standard input.

    \b
    Examples:
      engrain note the staging database is read-only on Sundays
      engrain note --tag ops --tag db "run migrations before the seed"
      git log -1 --format=%B | engrain note -
    """
    from engrain.memory import Memory

    given = " ".join(text)
    if given == "-":
        given = sys.stdin.buffer.read().decode("utf-8", "replace")
    if not given.strip():
        raise BadInput("a note needs some text")
    with Memory.open() as memory:
        noted = memory.note(given.strip(), tags=tags)
    if as_json:
        say_json(event_json(noted))
    else:
        click.echo(f"noted {noted.id}")
    if memory.waits:
        click.echo(f"it waits in the spool and is not lost: {memory.waits}", err=True)
