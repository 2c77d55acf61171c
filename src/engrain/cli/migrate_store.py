"""`engrain migrate-store`."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, plural, progress, say_json


@click.command("migrate-store")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@as_json
def command(source: str, target: str, as_json: bool) -> None:
    """Carry a whole store into another one: a path or a postgresql:// URL, in either direction.

    What TO holds already stays and FROM is not changed. Interrupted anywhere, the next call goes on; asked again later,
    what came meanwhile follows. Each piece is read back: the two must count and sum to the same.

    \b
    Examples:
      engrain migrate-store ~/.local/share/engrain/engrain.db postgresql://db.example/engrain
      engrain config set store postgresql://db.example/engrain
      engrain migrate-store postgresql://db.example/engrain mine.db
    """
    from engrain.memory import Memory

    with Memory.open() as memory, progress("carrying", memory.to_carry(_path(source), _path(target))) as bar:
        done = memory.carry(_path(source), _path(target), bar)
    if as_json:
        say_json(done._asdict())
        return
    more = "".join(
        f", {plural(number, what)}" for number, what in ((done.bodies, "body"), (done.tokens, "token")) if number
    )
    click.echo(f"{plural(done.events, 'event')}{more} carried, {done.now:,} now; both sum to {done.digest[:12]}")
    if done.forgotten:
        click.echo(f"{plural(done.forgotten, 'event')} were forgotten there and stay so")


def _path(where: str) -> str:
    return where if "://" in where else os.path.abspath(os.path.expanduser(where))
