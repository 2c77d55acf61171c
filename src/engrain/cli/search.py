"""`engrain search`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, brief, columns, event_json, say_json, when


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@click.option("--everywhere", "-a", is_flag=True, help="In every project, not in this one alone.")
@click.option("--limit", "-n", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many at most.")
@as_json
def command(query: tuple[str, ...], everywhere: bool, limit: int, as_json: bool) -> int:
    """Find what happened by its words, best first. Any text is a valid query.

    \b
    Examples:
      engrain search staging database
      engrain search --everywhere "ModuleNotFoundError: orjson"
      engrain search --json -n 3 migrations
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        found = []
        if not memory.untouched:
            memory.catch_up()
            found = memory.search(" ".join(query), everywhere=everywhere, limit=limit)
    if as_json:
        say_json([{**event_json(hit.event), "score": hit.score} for hit in found])
    else:
        columns([(hit.event.id, when(hit.event.time), hit.event.kind, brief(hit.event)) for hit in found])
    if not found and not as_json:
        place = "" if everywhere else " in this project; --everywhere looks in all"
        click.echo(f"nothing found{place}", err=True)
    return 0 if found else 1
