"""`engrain worker`."""

from __future__ import annotations

import click


@click.command("worker")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="How long a turn may take; tick.seconds unless set.")
@click.option("--until-idle", is_flag=True, help="End when there is nothing left to do.")
def command(seconds: float | None, until_idle: bool) -> None:
    """Work the jobs of the store until it is ended: ingest, learn, embed.

    `engrain serve` has one beside it, unless told --no-work. Several may work at one PostgreSQL store: each job is done
    by one. Where the store is behind a server (ENGRAIN_STORE=http://…) it sends what hooks record as it comes. Ctrl-C,
    SIGTERM, even SIGKILL lose nothing.

    \b
    Examples:
      engrain worker
      engrain worker --until-idle
      ENGRAIN_STORE=postgresql://… engrain worker --seconds 30
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        if not until_idle:
            memory.follow(seconds=seconds, alone=True)
            return
        while (done := memory.tick(seconds=seconds)).appended.new or done.jobs_done or not done.ran:
            if not done.ran:
                memory.heard(1.0)
