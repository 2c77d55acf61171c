"""`engrain export`."""

from __future__ import annotations

import os
import sys

import click

from engrain.cli.output import plural, progress
from engrain.errors import BadInput


@click.command("export")
@click.option("--output", "-o", default="-", metavar="FILE", help="A new file, owner-only; standard output by default.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def command(output: str, force: bool) -> None:
    """Write the whole journal as JSONL, an event a line, ordered by time.

    The same events give the same bytes on any store. `engrain import` reads it back.

    \b
    Examples:
      engrain export -o journal.jsonl
      engrain export | gzip > journal.jsonl.gz
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        if output == "-":
            memory.export(sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        if os.path.exists(output) and not force:
            raise BadInput(f"{output} exists; --force replaces it")
        partial = f"{output}.{os.getpid()}.partial"
        try:
            with (
                open(partial, "wb", opener=lambda p, f: os.open(p, f | os.O_EXCL, 0o600)) as file,
                progress("exporting", memory.store.count()) as bar,
            ):
                number = memory.export(file, bar)
            os.replace(partial, output)
        finally:
            if os.path.exists(partial):
                os.unlink(partial)
    click.echo(f"exported {plural(number, 'event')} to {output}", err=True)
