"""`engrain sessions`."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from engrain import event as events
from engrain.cli import telling
from engrain.cli.output import as_json, columns, event_json, say_json, when
from engrain.learn.moment import moment

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.memory.history import Listed, Wanted

POLL = 0.5


@click.command("sessions")
@click.argument("session", default="", required=False, metavar="[SESSION]")
@click.option("--everywhere", "-a", is_flag=True, help="Of every project, not of this one alone.")
@click.option("--agent", default="", help="Of this agent: claude-code, codex …")
@click.option("--since", default="", metavar="TIME", help="That went on after this time (2026-11-18, ISO 8601, or 2d).")
@click.option("--before", default="", metavar="TIME", help="That began before this time.")
@click.option("--failed", is_flag=True, help="In which a tool call failed.")
@click.option("--limit", "-n", type=click.IntRange(1, 100_000), default=20, show_default=True, help="How many at most.")
@click.option("--follow", "-f", is_flag=True, help="Show what happens in them from now on, until Ctrl-C.")
@as_json
def command(
    session: str, everywhere: bool, agent: str, since: str, before: str, failed: bool, limit: int, follow: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """List the sessions of agents, the latest first; or follow them as they happen.

    With --follow each prompt, call and reply is a line as soon as it was recorded; with --json too, one event a line.
    A SESSION (its name, or the beginning of it) is the only one that is listed or followed.

    \b
    Examples:
      engrain sessions
      engrain sessions --everywhere --failed --since 2d
      engrain sessions --follow
      engrain sessions --json --agent codex -n 100
    """
    from engrain.memory import Memory
    from engrain.memory.history import Wanted, named

    with Memory.open() as memory:
        memory.catch_up()
        project = "" if everywhere or session else memory.project.id
        now = events.now()
        wanted = Wanted(project, agent, moment(since, 0, now), moment(before, events.MAX_TIME, now), failed)
        one = named(memory, session)[0] if session else ""
        if follow:
            return _follow(memory, wanted, one, as_json)
        found = [each for each in memory.sessions(wanted, limit=100_000 if one else limit) if one in ("", each.session)]
    if as_json:
        say_json([_fields(each) for each in found])
        return 0 if found else 1
    columns([_row(each) for each in found])
    if not found:
        place = "" if everywhere else " in this project; --everywhere looks in all"
        click.echo(f"no session{place}", err=True)
    return 0 if found else 1


def _fields(each: Listed) -> dict[str, object]:
    return {**each._asdict(), "started": events.timestamp(each.started), "ended": events.timestamp(each.ended)}


def _row(each: Listed) -> tuple[object, ...]:
    failed = f", {each.failures:,} failed" if each.failures else ""
    did = f"{each.prompts:,} asked, {each.calls:,} calls{failed}"
    took = telling.lasted(each.ended - each.started)
    return each.session, each.agent, when(each.started), took, did, telling.folded(each.asked, 60)


def _follow(memory: Memory, wanted: Wanted, one: str, as_json: bool) -> int:
    from engrain.memory.history import Arrivals

    arrivals = Arrivals(memory)
    projects = memory.store.same_project(wanted.project) if wanted.project else []
    try:
        while True:
            for event in arrivals.new():
                meant = not projects or event.project in projects
                if not meant or not event.session or one not in ("", event.session):
                    continue
                if wanted.agent in ("", event.agent) and (not wanted.failed or event.body.get("failed") is True):
                    _say(telling.event_line(event, named=not one) if not as_json else json.dumps(event_json(event)))
            time.sleep(POLL)
    except KeyboardInterrupt:
        return 0


def _say(line: str) -> None:
    if line:
        click.echo(line)
