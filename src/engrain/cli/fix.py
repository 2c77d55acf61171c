"""`engrain fix`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from engrain.cli.output import as_json, plural, say_json
from engrain.errors import BadInput
from engrain.recall.told import harmless

if TYPE_CHECKING:
    from engrain.memory.fixes import Taught


@click.command("fix")
@click.argument("error", required=False)
@click.option("--file", "-f", "path", type=click.Path(exists=True, dir_okay=False), help="Read the error from FILE.")
@click.option("--steps", "-s", "steps", multiple=True, help="What to do; repeat it for more steps, or one a line.")
@click.option("--cause", default="", help="Why it fails.")
@click.option("--example", default="", help="What it looks like when it is done.")
@click.option("--command", "ran", default="", help="What was run; it decides only where the output says nothing.")
@click.option("--exit-code", type=int, help="What it exited with.")
@as_json
def command(
    error: str | None,
    path: str | None,
    steps: tuple[str, ...],
    cause: str,
    example: str,
    ran: str,
    exit_code: int | None,
    as_json: bool,
) -> None:
    """Teach what to do against a failure. ERROR is its output; `-` reads it from standard input.

    Whoever meets the same failure is told. Where a step names what is missing, it is known for others too: taught for
    one module, `pip install orjson` answers for another. `{module}` in a step says so by hand. The same fix taught
    again is held for surer. A step that holds a secret is refused.

    \b
    Examples:
      engrain fix "ModuleNotFoundError: No module named 'orjson'" --steps "pip install orjson"
      pytest 2>&1 | engrain fix - --cause "the service is down" --steps "docker compose up -d db"
      engrain fix --file build.log -s "rm -rf node_modules" -s "npm ci"
    """
    from engrain.memory import Memory

    lines = [line for step in steps for line in step.splitlines()]
    with Memory.open() as memory:
        text = _error(error, path)
        taught = memory.remember_error_fix(text, lines, cause=cause, example=example, command=ran, exit_code=exit_code)
    if as_json:
        say_json(_answer(taught))
    else:
        _show(taught)
    if memory.waits:
        click.echo(f"it waits in the spool and is not lost: {memory.waits}", err=True)


def _error(error: str | None, path: str | None) -> str:
    from engrain.fingerprint.read import bounded_stream

    if (error is None) == (path is None):
        raise click.UsageError("say which error: as text, `-` for standard input, or --file")
    if path is not None:
        with open(path, "rb") as file:
            text = bounded_stream(file.read).decode("utf-8", "replace")
    else:
        text = bounded_stream(sys.stdin.buffer.read).decode("utf-8", "replace") if error == "-" else error or ""
    if not text.strip():
        raise BadInput("the error is empty")
    return text


def _answer(taught: Taught) -> dict[str, object]:
    return {
        "fix": taught.fix,
        "event": taught.event,
        "again": taught.again,
        "fingerprint": taught.failure.fingerprint,
        "family": taught.failure.family,
        "message": taught.failure.message,
        "steps": list(taught.steps),
        "redacted": dict(taught.redacted),
    }


def _show(taught: Taught) -> None:
    click.echo(f"{'taught again' if taught.again else 'taught'} {taught.fix}: {harmless(taught.failure.message[:100])}")
    for step in taught.steps:
        click.echo(f"  {harmless(step)}")
    if taught.redacted:
        number = sum(taught.redacted.values())
        click.echo(f"{plural(number, 'secret')} taken out: {', '.join(sorted(taught.redacted))}", err=True)
    if not taught.failure.known:
        click.echo("no parser knows this output: it is known again by its last line alone", err=True)
