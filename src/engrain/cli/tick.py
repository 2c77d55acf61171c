"""`engrain tick`."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, plural, say_json


@click.command("tick")
@click.option("--seconds", type=click.FloatRange(min=0), default=None, help="Work for at most this long.")
@click.option("--detach", is_flag=True, help="Start it in the background and return at once.")
@click.option("--revive", is_flag=True, help="Give the jobs that were given up their tries back.")
@click.option("--rollout", metavar="PATH", help="Set right by this rollout of Codex how its commands ended, first.")
@click.option("--follow", is_flag=True, help="Stay, and work whatever comes: for machines that serve a team.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing when all went well.")
@as_json
def command(
    seconds: float | None, detach: bool, revive: bool, rollout: str | None, follow: bool, quiet: bool, as_json: bool
) -> None:
    """Ingest the spool into the journal, work the jobs, exit. Hooks start it by themselves.

    One tick runs at a time: a second one sees that and leaves. Killing it at any moment loses nothing.

    \b
    Examples:
      engrain tick
      engrain tick --seconds 5 --json
      engrain tick --revive
      engrain tick --follow
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        if detach:
            from engrain.upkeep import tick

            tick.start(memory.home, os.environ)
            return
        if revive:
            memory.jobs.revive()
        if rollout is not None:
            memory.confirm(rollout)
        if follow:
            memory.follow(seconds=seconds)
            return
        done = memory.tick(seconds=seconds)
    if quiet:
        return
    if as_json:
        say_json({**done._asdict(), "appended": done.appended._asdict()})
    elif not done.ran:
        click.echo("another tick is at it")
    else:
        aside = f", {plural(done.aside, 'record')} kept aside" if done.aside else ""
        failed = f", {done.jobs_failed:,} failed" if done.jobs_failed else ""
        gone = f", {plural(done.expired, 'event')} expired" if done.expired else ""
        click.echo(
            f"{plural(done.appended.new, 'new event')}{aside}; {plural(done.jobs_done, 'job')} done{failed}{gone}"
        )
