"""`engrain search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engrain import event as events
from engrain.cli.output import as_json, brief, columns, event_json, say_json, when
from engrain.errors import BadInput
from engrain.learn.moment import moment

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.memory.search import Hit

WIDTH, WHY = 72, 48
KINDS = ("note", "prompt", "tool.call", "fix", "lesson", "pattern", "task")


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@click.option("--everywhere", "-a", is_flag=True, help="In every project, not in this one alone.")
@click.option("--project", default="", metavar="NAME", help="In this project alone, by its name or id.")
@click.option(
    "--kind", "kinds", multiple=True, help="Of this kind: note, prompt, tool.call, fix, lesson, pattern, task …"
)
@click.option("--agent", default="", help="Of this agent: claude-code, codex …")
@click.option("--tag", "tags", multiple=True, help="With this tag, or a note of this type.")
@click.option("--outcome", type=click.Choice(["worked", "failed"]), default=None, help="That ended so.")
@click.option("--file", default="", metavar="PATH", help="That names this file.")
@click.option("--since", default="", metavar="TIME", help="From this time on (2026-11-18, ISO 8601, or 2d).")
@click.option("--before", default="", metavar="TIME", help="Before this time.")
@click.option("--limit", "-n", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many at most.")
@click.option("--tokens", type=click.IntRange(50, 100_000), default=None, help="Say it as a brief of so many tokens.")
@as_json
def command(
    query: tuple[str, ...], everywhere: bool, limit: int, as_json: bool, since: str, before: str, outcome: str | None,
    tokens: int | None, project: str, **filters: Any,
) -> int:  # fmt: skip
    """Find what happened and was noted: by words, names, and what means the same; the most useful first.

    Any text is a valid query. Names are found however they are written; "quoted words" must stand so; the output of a
    failed command, or its fingerprint, finds that failure and what helped. What another project knows is told when it
    is clearly better than anything here. Each line ends with why it was found; `engrain show ID` gives the whole.

    \b
    Examples:
      engrain search staging database
      engrain search getUserById --kind note --kind fix
      engrain search --everywhere "ModuleNotFoundError: orjson" --outcome failed --since 30d
      engrain search --file src/auth.py --agent codex tokens
      engrain search --json -n 3 migrations
    """
    from engrain.memory import Memory

    now = events.now()
    start, end = moment(since, 0, now), moment(before, events.MAX_TIME, now)
    with Memory.open() as memory:
        found = []
        if not memory.untouched:
            memory.catch_up()
            asked = " ".join(query)
            found = memory.search(
                asked, everywhere=everywhere, limit=limit, outcome=outcome or "", since=start, before=end,
                project=project, **filters
            )  # fmt: skip
        if not found and (kinds := filters["kinds"]):
            _known(kinds, memory)
    if tokens and found:
        from engrain.recall.brief import brief as told

        click.echo(told([hit.event for hit in found], tokens))
    elif as_json:
        more = ("score", "because", "alike", "times")
        say_json([{**event_json(h.event), **{name: getattr(h, name) for name in more}} for h in found])
    else:
        columns([(h.event.id, when(h.event.time), h.event.kind, brief(h.event, WIDTH), why(h)) for h in found])
    if not found and not as_json:
        place = "" if everywhere else f" in {project or 'this project'}; --everywhere looks in all"
        click.echo(f"nothing found{place}", err=True)
    return 0 if found else 1


def _known(kinds: tuple[str, ...], memory: Memory) -> None:
    """BadInput, if nothing of a kind was ever recorded, nor would be under that name."""
    there = memory.stats().kinds if not memory.untouched else {}
    for kind in kinds:
        if kind not in there and kind not in KINDS:
            raise BadInput(f"nothing is of the kind {kind!r}; there are {', '.join(sorted({*KINDS, *there}))}")


def why(hit: Hit) -> str:
    """Why a hit was found, and how many more say the same."""
    more = f"; {hit.alike} more like it" if hit.alike else ""
    return hit.because[:WHY] + more
