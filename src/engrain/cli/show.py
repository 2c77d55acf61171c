"""`engrain show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engrain.cli import telling
from engrain.cli.output import as_json, event_json, fix_json, say_json, span, when
from engrain.cli.text import as_text
from engrain.errors import NotFound
from engrain.event import timestamp

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.memory.history import Session
    from engrain.model import Fix


@click.command("show")
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@as_json
def command(ids: tuple[str, ...], as_json: bool) -> int:
    """The whole of one or more sessions, events or fixes; of sessions and fixes the beginning of the id is enough.

    A session is told in order: what was asked, below it the tools that were used for it and how that went.

    \b
    Examples:
      engrain show 5f1c2d3e
      engrain show 019a9c2f6d0a5e0c3b7f4e1d2c3b4a59
      engrain show b5eac664f097
      engrain show --json ID1 ID2
    """
    from engrain.memory import Memory
    from engrain.memory.history import Session
    from engrain.model import Fix

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.get(*ids)
        known = {event.id for event in found}
        others = [_other(memory, id_) for id_ in ids if id_ not in known]
        names = {seen.id: seen.name for seen in memory.projects()} if others else {}
    fixes = [each for each in others if isinstance(each, Fix)]
    sessions = [each for each in others if isinstance(each, Session)]
    if as_json:
        say_json([
            *(event_json(event) for event in found), *(fix_json(fix) for fix in fixes),
            *(telling.session_json(each) for each in sessions),
        ])  # fmt: skip
        return 0
    for each in sessions:
        telling.session(each, names)
    for fix in fixes:
        _show_fix(fix)
    for event in found:
        click.secho(f"{event.kind}  {event.id}", bold=True)
        click.echo(f"{timestamp(event.time)}  project {event.project}", nl=False)
        click.echo(f"  session {event.session} ({event.agent})" if event.session else "")
        click.echo(as_text(event.body, indent=2) + "\n")
    return 0


def _other(memory: Memory, id_: str) -> Fix | Session:
    """What is no event: a session, or a fix."""
    try:
        return memory.session(id_)
    except NotFound:
        pass
    try:
        return memory.fix(id_)
    except NotFound as exc:
        raise NotFound(f"no event {id_}, nor a session or a fix of that name") from exc


def _show_fix(fix: Fix) -> None:
    from engrain.recall.told import one_line, record

    click.secho(f"fix  {fix.id}", bold=True)
    click.echo(f"for      {one_line(fix.failure, 400)}")
    for number, step in enumerate(fix.steps, start=1):
        click.echo(f"step {number}   {one_line(step, 2000)}")
    for name, text in (("cause", fix.cause), ("example", fix.example)):
        if text:
            click.echo(f"{name:<8} {one_line(text, 2000)}")
    click.echo(f"record   {record(fix)}; first {when(fix.first)}, last {when(fix.last)}")
    click.echo(
        f"belief   {span(fix.low, fix.belief, fix.high)} {100 * fix.belief:.0f} % "
        f"({100 * fix.low:.0f}–{100 * fix.high:.0f} with 90 % certainty)\n"
    )
