"""`engrain pattern`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from engrain.cli.output import as_json, columns, confirmed, plural, say_json, when, yes
from engrain.errors import BadInput

if TYPE_CHECKING:
    from engrain.memory.patterns import Pattern

_FORM = click.option("--test", "test", is_flag=True, help="A pattern of tests, not of code.")


@click.group("pattern")
def command() -> None:
    """How code and tests are written here: teach it, find what fits.

    A pattern has a name, a description or a short example, what it is for, and what not to do in its place. Taught
    again in nearly the same words it is reinforced: how often it was seen, and when last, is counted.

    \b
    Examples:
      engrain pattern add "repository function" --description "one function a query, rows to frozen values" \\
        --example - --use "reading the store" --avoid "an ORM session in a handler" < example.py
      engrain pattern add "client fixture" --test --area tests/api --description "ask through `client`, never requests"
      engrain pattern list "read users from the database"
      engrain pattern list --test --path tests/api/test_users.py
      engrain pattern use 3f2a9c41
    """


@command.command("add")
@click.argument("name")
@click.option("--description", "-d", default="", help="What it is, in a sentence or two.")
@click.option("--example", "-e", default="", help="A short example; `-` reads it from standard input, `@FILE` a file.")
@click.option("--use", "uses", multiple=True, help="What it is for; may be repeated.")
@click.option("--avoid", multiple=True, help="What not to do in its place; may be repeated.")
@click.option("--area", default="", help="The folder that it holds for, such as `tests/api`; all, unless said.")
@_FORM
@click.option("--global", "everywhere", is_flag=True, help="For every project, not this one alone.")
@as_json
def add(
    name: str, description: str, example: str, uses: tuple[str, ...], avoid: tuple[str, ...], area: str, test: bool,
    everywhere: bool, as_json: bool,
) -> None:  # fmt: skip
    """Teach a pattern called NAME; one that is nearly the same is reinforced."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        learned = memory.learn_code_pattern(
            name, description=description, example=_read(example), uses=uses, avoid=avoid, area=area,
            form="test" if test else "code", everywhere=everywhere,
        )  # fmt: skip
    if as_json:
        say_json(learned._asdict())
    else:
        known = f"reinforced {learned.id}, seen {learned.times} times" if learned.again else f"taught {learned.id}"
        click.echo(f"{known}; to take it back: engrain forget {learned.event}")
    if learned.redacted:
        click.echo(f"taken out before it was saved: {', '.join(sorted(learned.redacted))}", err=True)
    if memory.waits:
        click.echo(f"it waits in the spool and is not lost: {memory.waits}", err=True)


def _read(given: str) -> str:
    if given == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    if not given.startswith("@"):
        return given
    try:
        with open(os.path.expanduser(given[1:]), encoding="utf-8", errors="replace") as file:
            return file.read(1_000_000)
    except OSError as exc:
        raise BadInput(f"can't read {given[1:]}: {(exc.strerror or str(exc)).lower()}") from exc


@command.command("list")
@click.argument("query", nargs=-1)
@_FORM
@click.option("--path", default="", help="Only those that hold for this file.")
@click.option("--all", "-a", "everywhere", is_flag=True, help="Of every project.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100), help="How many, at most 100.")
@as_json
def list_patterns(
    query: tuple[str, ...], test: bool, path: str, everywhere: bool, limit: int, as_json: bool
) -> int:  # fmt: skip
    """The patterns that fit QUERY, the most relevant first; without one all, the most often seen first."""
    from engrain.learn.patterns import reaches
    from engrain.memory import Memory

    form, asked = "test" if test else "", " ".join(query)
    with Memory.open() as memory:
        memory.catch_up()
        if asked.strip():
            found = memory.recall_similar_code(asked, form=form, path=path, everywhere=everywhere, limit=limit)
        else:
            known = memory.patterns(form=form, everywhere=everywhere)
            found = [each for each in known if not path or reaches(each.area, path)][:limit]
    if as_json:
        say_json([each._asdict() for each in found])
    else:
        columns([(each.id, each.form, _short(each.name, 40), each.area, _seen(each)) for each in found])
    return 0 if found else 1


@command.command("show")
@click.argument("pattern")
@as_json
def show(pattern: str, as_json: bool) -> None:
    """All that is known of PATTERN."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.pattern(pattern)
    if as_json:
        say_json(found._asdict())
        return
    click.secho(found.name, bold=True)
    area = f" in {found.area}" if found.area else ""
    click.echo(f"{found.form} pattern {found.id}{area}, {_seen(found)}, {found.source}")
    if found.description:
        click.echo(f"\n{found.description}")
    for title, lines in (("for", found.uses), ("not", found.avoid)):
        for line in lines:
            click.echo(f"  {title}: {line}")
    if found.example:
        click.echo("\n" + "\n".join(f"    {line}" for line in found.example.split("\n")))


@command.command("use")
@click.argument("pattern")
def use(pattern: str) -> None:
    """Say that PATTERN was followed: it counts as seen once more."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        event = memory.follow_pattern(pattern)
    click.echo(f"{event.body['pattern']} was followed; to take it back: engrain forget {event.id}")


@command.command("forget")
@click.argument("pattern")
@yes
def forget(pattern: str, yes: bool) -> None:
    """Erase PATTERN everywhere, for good, with every time that it was taught or followed."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.pattern(pattern)
        confirmed(f"Erase the pattern {found.id}, {found.name!r}, for good?", yes)
        done = memory.forget(memory.pattern_events(found.id))
    click.echo(f"forgot {found.id}: {plural(len(done.ids), 'event')}")
    if not done.compacted:
        click.echo("another process holds the store; the next tick leaves nothing of it in the files", err=True)


def _seen(each: Pattern) -> str:
    return f"seen {plural(each.times, 'time')}, last {when(each.last)[:10]}"


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
