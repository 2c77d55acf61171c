"""`engrain fixes`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, columns, fix_json, say_json


@click.command("fixes")
@click.argument("words", nargs=-1, metavar="[WORD]…")
@click.option("--everywhere", is_flag=True, help="Of every project, not this one alone.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 100_000), help="How many.")
@as_json
def command(words: tuple[str, ...], everywhere: bool, limit: int, as_json: bool) -> int:
    """List what is known to help, the newest first, with what is believed of each; WORDs narrow it down.

    \b
    Examples:
      engrain fixes
      engrain fixes orjson
      engrain fixes --everywhere --json
    """
    from engrain.memory import Memory
    from engrain.recall.told import one_line, record

    with Memory.open() as memory:
        found = []
        if not memory.untouched:
            memory.catch_up()
            found = memory.fixes(everywhere=everywhere, limit=100_000 if words else limit)
    wanted = [word.lower() for word in words]
    found = [
        fix for fix in found if all(word in " ".join([*fix.steps, fix.failure, fix.cause]).lower() for word in wanted)
    ]
    if as_json:
        say_json([fix_json(fix) for fix in found[:limit]])
        return 0
    columns([
        (fix.id, f"{100 * fix.belief:.0f} %", one_line(fix.failure, 44), one_line(fix.steps[0], 44), record(fix))
        for fix in found[:limit]
    ])  # fmt: skip
    if not found:
        click.echo("no such fix" if words else "no fixes yet: `engrain fix` teaches one", err=True)
    return 0 if found else 1
