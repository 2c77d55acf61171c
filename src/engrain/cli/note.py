"""`engrain note`."""

from __future__ import annotations

import sys
from typing import Any

import click

from engrain.cli.output import as_json, event_json, say_json
from engrain.errors import BadInput


@click.command("note")
@click.argument("text", nargs=-1, required=True)
@click.option("--tag", "tags", multiple=True, help="A word to find it by; may be repeated.")
@click.option("--type", default="", help="decision, bugfix, feature, refactor, discovery, change, pattern or gotcha.")
@click.option("--title", default="", help="The note in a few words.")
@click.option("--fact", "facts", multiple=True, help="Something that holds; may be repeated.")
@click.option("--file", "files", multiple=True, help="A file that it is about; may be repeated.")
@click.option("--supersedes", default="", metavar="ID", help="The note that it sets right: that one is found no more.")
@as_json
def command(
    text: tuple[str, ...], tags: tuple[str, ...], as_json: bool, **more: Any,
) -> None:  # fmt: skip
    """Save a note about this project. `-` reads it from standard input. What a note says already, in nearly the same
    words, is counted and kept once.

    \b
    Examples:
      engrain note the staging database is read-only on Sundays
      engrain note --tag ops --tag db "run migrations before the seed"
      engrain note --type gotcha --file db/seed.sql "the seed needs the vault token"
      engrain note --supersedes 019a9c2f6d0a5e0c "the staging database is writable again"
      git log -1 --format=%B | engrain note -
    """
    from engrain.memory import Memory

    given = " ".join(text)
    if given == "-":
        given = sys.stdin.buffer.read().decode("utf-8", "replace")
    if not given.strip():
        raise BadInput("a note needs some text")
    with Memory.open() as memory:
        noted = memory.note(given.strip(), tags=tags, **more)
        times = 1 if memory.waits else memory.times_noted(noted.id)
    if as_json:
        say_json({**event_json(noted), "times": times})
    else:
        click.echo(f"noted {noted.id}" if times == 1 else f"noted before as {noted.id}, {times} times now")
    if memory.waits:
        click.echo(f"it waits in the spool and is not lost: {memory.waits}", err=True)
