"""`engrain working`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, columns, plural, say_json, when


@click.command("working")
@click.argument("session", required=False, default="")
@as_json
def command(session: str, as_json: bool) -> int:
    """What a session has in hand: its task, the files that it used last, its test results, what is not committed.

    SESSION is its name or the beginning of it; this project's latest, unless it is named. It follows from what the
    session did, and is gone when the session ends.

    \b
    Examples:
      engrain working
      engrain working 5f1c2d3e --json
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        name, hand = memory.working(session)
    if as_json:
        files, tests = ([each._asdict() for each in some] for some in (hand.files, hand.tests))
        say_json({"session": name, **hand._asdict(), "files": files, "tests": tests})
        return 0 if any(hand) else 1
    if not any(hand):
        click.echo(f"the session {name} has nothing in hand", err=True)
        return 1
    click.secho(f"session {name}", bold=True)
    if hand.task:
        click.echo(f"asked {when(hand.asked)}: {_short(hand.task)}")
    if hand.changes:
        click.echo(f"changed and not committed: {', '.join(hand.changes[-10:])}{_more(len(hand.changes) - 10)}")
    if hand.tests:
        well = sum(each.number for each in hand.tests if each.outcome == "passed")
        click.echo(f"tests: {well} passed, {plural(len(hand.failing), 'test')} failed when last run")
        columns([(each.outcome, each.file, each.name) for each in hand.failing])
    if hand.files:
        click.echo(f"files, the latest first ({len(hand.files)} of at most 50):")
        columns([(f"  {each.path}", f"read {each.read}", f"changed {each.changed}") for each in hand.files[:20]])
    return 0


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 100 else flat[:99] + "…"


def _more(number: int) -> str:
    return f" and {number} more" if number > 0 else ""
