"""`engrain task`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engrain.cli.output import as_json, columns, confirmed, plural, say_json, when, yes
from engrain.cli.tasking import task_json
from engrain.recall.told import harmless, one_line

if TYPE_CHECKING:
    from engrain.memory.tasks import Task


@click.group("task")
def command() -> None:
    """What was worked on: asked at a prompt or prepared, over when the agent stopped or finalized.

    \b
    Examples:
      engrain task list
      engrain task list --all --limit 100 --json
      engrain task show 3f2a9c41
      engrain task read ~/old-laptop/shop
      engrain task forget 3f2a9c41
    """


@command.command("list")
@click.option("--all", "-a", "everywhere", is_flag=True, help="Of every project.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100_000), help="How many.")
@as_json
def list_tasks(everywhere: bool, limit: int, as_json: bool) -> int:
    """Tasks, those that were told of last first."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.tasks(everywhere=everywhere, limit=limit)
    if as_json:
        say_json([task_json(each) for each in found])
    else:
        columns([
            (each.id, when(each.time), each.outcome, each.type, plural(len(each.modified), "file"),
             one_line(each.text, 60)) for each in found
        ])  # fmt: skip
    return 0 if found else 1


@command.command("show")
@click.argument("task")
@as_json
def show(task: str, as_json: bool) -> None:
    """All that is known of TASK, and how each is known."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.task(task)
    if as_json:
        say_json(task_json(found))
    else:
        _tell(found)


def _tell(found: Task) -> None:
    click.secho(one_line(found.text, 200), bold=True)
    click.echo(f"task {found.id}, {when(found.started)} to {when(found.time)}, {', '.join(found.sources)}")
    for name, how in found.provenance.items():
        value = getattr(found, name)
        if name != "text" and value not in ("", None, ()):
            click.echo(f"  {name} ({how.replace('_', ' ')}): {_said(value)}")
    for each in found.followed:
        click.echo(f"  followed the strategy of task {each}")


def _said(value: object) -> str:
    if not isinstance(value, tuple):
        return harmless(one_line(str(value), 400))
    lines = (" ".join(f"{k} {v}" for k, v in each.items()) if isinstance(each, dict) else str(each) for each in value)
    return ", ".join(harmless(one_line(line, 200)) for line in lines)


@command.command("write")
@as_json
def write(as_json: bool) -> None:
    """Write every task of this project into the records of its repository (.engrain/*.jsonl), if it has none there."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        number = memory.write_tasks()
    if as_json:
        say_json({"written": number})
    else:
        click.echo(f"{plural(number, 'task')} written")


@command.command("read")
@click.argument("folder", required=False, default="")
@as_json
def read(folder: str, as_json: bool) -> int:
    """Read the records of a repository, this one or FOLDER: tasks that are new here, and what was set right by hand."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.read_tasks(folder)
    if as_json:
        say_json({**found._asdict(), "damaged": [each._asdict() for each in found.damaged]})
    else:
        click.echo(f"{plural(found.new, 'task')} new, {found.corrected:,} set right by hand")
        for each in found.damaged[:10]:
            click.echo(f"{each.file}:{each.number}: {each.why}; it was passed over", err=True)
    return 1 if found.damaged else 0


@command.command("forget")
@click.argument("task")
@yes
def forget(task: str, yes: bool) -> None:
    """Erase TASK everywhere, for good, with everything that tells of it as a task."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.task(task)
        confirmed(f"Erase the task {found.id}, {one_line(found.text, 60)!r}, for good?", yes)
        done = memory.forget(found.events)
    click.echo(f"forgot {found.id}: {plural(len(done.ids), 'event')}")
    if not done.compacted:
        click.echo("another process holds the store; the next tick leaves nothing of it in the files", err=True)
