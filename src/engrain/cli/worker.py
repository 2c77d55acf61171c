"""`engrain worker`."""

from __future__ import annotations

import os
import signal
import threading

import click


@click.command("worker")
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="How long one turn is."
)
@click.option("--until-idle", is_flag=True, help="End when there is nothing left to do.")
@click.option("--attached", is_flag=True, help="End when standard input does, as a server's own worker.")
def command(seconds: float, until_idle: bool, attached: bool) -> None:
    """Work the jobs of the store until told to end: ingest, learn, embed.

    `engrain serve` has a worker of its own, unless told --no-worker. Several may work at one PostgreSQL store: each job
    is done by one. Beside a server (ENGRAIN_STORE=http://…) it sends what hooks record as it comes. Ctrl-C or SIGTERM
    ends it after the job that it is at; killing it loses nothing.

    \b
    Examples:
      engrain worker
      engrain worker --until-idle
      ENGRAIN_STORE=postgresql://… engrain worker --seconds 30
    """
    from engrain.memory import Memory
    from engrain.upkeep import worker
    from engrain.upkeep.tick import Ticked

    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    if attached:
        # Whoever waits for an answer of the server comes first.
        os.nice(10)
        worker.ends_with(ended)
    with Memory.open() as memory:

        def turn() -> Ticked:
            done = memory.tick(seconds=seconds)
            if until_idle and not (done.appended.new or done.jobs_done):
                ended.set()
            return done

        worker.work(turn, ended, lambda why: click.echo(f"engrain worker: {why}", err=True))
