"""`engrain restore`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, plural, progress, say_json


@click.command("restore")
@click.argument("path", type=click.Path(dir_okay=False))
@as_json
def command(path: str, as_json: bool) -> None:
    """Bring back what a copy holds. The copy is checked first and never changed.

    What came after the copy stays, what is there already stays once, what was forgotten stays forgotten: restoring
    can't lose anything, and doing it twice is doing it once.

    \b
    Examples:
      engrain restore ~/.local/share/engrain/backups/engrain-20261118T093000Z.db
    """
    from engrain.memory import Memory
    from engrain.upkeep import backup

    with Memory.open() as memory:
        copy = backup.check(path)
        with progress("restoring", copy.events) as bar:
            done = memory.restore(path, bar)
    if as_json:
        say_json(done._asdict())
        return
    click.echo(f"{plural(done.new, 'event')} restored, {done.known:,} were there, {done.forgotten:,} stay forgotten")
