"""`engrain watch`: its help and its usage. What it does is in `watching`, which needs no click."""

from __future__ import annotations

import click

from engrain.cli import watching


@click.command("watch", context_settings={"allow_interspersed_args": False})
@click.option("--cmd", "line", metavar="LINE", help="A line for the shell (`sh -c`), in place of CMD.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[--] CMD…")
def command(line: str | None, words: tuple[str, ...]) -> int:
    """Run a command as if it ran alone, remember how it went, and say what is known to help when it failed.

    It has its terminal, colours, prompts, signals and exit code (128 + n when a signal ended it). What is known stands
    on stderr behind its own words. ENGRAIN_WATCH=0 runs it without watching.

    \b
    Examples:
      engrain watch pytest -q
      engrain watch -- make -j4 test
      engrain watch --cmd "npm run build 2>&1 | tail -20"
    """
    if bool(words) == (line is not None):
        raise click.UsageError("say what to run: a command, or --cmd with a line for the shell")
    return watching.watch(list(words) if line is None else line)
