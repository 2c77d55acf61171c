"""`engrain export`."""

from __future__ import annotations

import os
import sys

import click

from engrain.cli.output import plural, progress
from engrain.errors import BadInput


@click.command("export")
@click.option("--output", "-o", default="-", metavar="FILE", help="A new file, owner-only; standard output by default.")
@click.option("--fixes", is_flag=True, help="What is known to help alone, as a corpus to share.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def command(output: str, fixes: bool, force: bool) -> None:
    """Write the whole journal as JSONL, an event a line, ordered by time.

    The same events give the same bytes on any store. `engrain import` reads it back.

    With --fixes it is what is known to help, a fix a line, for others: steps, causes and how often they worked, and
    nothing of projects, sessions or times. Read it before you share it: what you wrote into a cause stands there.

    \b
    Examples:
      engrain export -o journal.jsonl
      engrain export --fixes -o fixes.jsonl
      engrain export | gzip > journal.jsonl.gz
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        write = memory.export_fixes if fixes else memory.export
        if output == "-":
            write(sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        if os.path.exists(output) and not force:
            raise BadInput(f"{output} exists; --force replaces it")
        partial = f"{output}.{os.getpid()}.partial"
        try:
            with (
                open(partial, "wb", opener=lambda p, f: os.open(p, f | os.O_EXCL, 0o600)) as file,
                progress("exporting", 0 if fixes else memory.store.count()) as bar,
            ):
                number = memory.export_fixes(file) if fixes else memory.export(file, bar)
            os.replace(partial, output)
        finally:
            if os.path.exists(partial):
                os.unlink(partial)
    click.echo(f"exported {_counted(number, fixes)} to {output}", err=True)


def _counted(number: int, fixes: bool) -> str:
    return (plural(number, "fixe") if number != 1 else "1 fix") if fixes else plural(number, "event")
