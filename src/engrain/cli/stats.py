"""`engrain stats`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, columns, plural, say_json


@click.command("stats")
@as_json
def command(as_json: bool) -> None:
    """What is in the memory: events by kind, sessions, projects, what waits.

    \b
    Examples:
      engrain stats
      engrain stats --json
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        seen = memory.stats()
    if as_json:
        say_json({**seen._asdict(), "bodies": seen.bodies._asdict()})
        return
    click.echo(
        f"{plural(seen.events, 'event')}, {plural(seen.sessions, 'session')}, {plural(seen.projects, 'project')} "
        f"in {seen.store}"
    )
    most = max(seen.kinds.values(), default=1)
    columns([(kind, number, "▇" * max(1, round(24 * number / most))) for kind, number in seen.kinds.items()])
    if seen.redacted:
        taken = ", ".join(f"{number:,} {rule}" for rule, number in seen.redacted.items())
        click.echo(f"redacted before it was written: {taken}")
    if seen.spool_segments or seen.jobs_waiting:
        click.echo(f"waiting: {plural(seen.spool_segments, 'spool segment')}, {plural(seen.jobs_waiting, 'job')}")
