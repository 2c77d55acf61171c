"""`engrain project`."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, columns, confirmed, plural, say_json, when, yes
from engrain.errors import NotFound


@click.group("project", invoke_without_command=True)
@click.option(
    "--folder", default=".", type=click.Path(exists=True, file_okay=False), help="Another folder than this one."
)
@as_json
@click.pass_context
def command(ctx: click.Context, folder: str, as_json: bool) -> None:
    """Which project this folder is, and why; list and merge projects.

    Clones, worktrees, ssh and https remotes of one repository are one project. What was remembered here before the
    first commit, or before there was a remote, is joined to it by itself; what else was seen in this folder is named.

    \b
    Examples:
      engrain project
      engrain project list
      engrain project merge 1f0c7d2e9a4b8c35 62f05224658cba98
    """
    if ctx.invoked_subcommand:
        return
    from engrain.memory import Memory

    with Memory.open(folder=os.path.abspath(folder)) as memory:
        memory.catch_up()
        here, joined, apart = memory.project, memory.joined(), memory.apart()
    if as_json:
        say_json({**here._asdict(), "joined": [j._asdict() for j in joined], "apart": [a._asdict() for a in apart]})
        return
    columns([(name, value) for name, value in here._asdict().items() if value])
    for each in joined:
        click.echo(f"joined with {each.project}: {each.because}; `engrain forget {each.id}` takes it back")
    for other in apart:
        click.echo(
            f"also seen here, and not joined: {other.project}, {other.remote or other.name}; "
            f"`engrain project merge {other.project} {here.id}` joins it"
        )


@command.command("list")
@as_json
def list_projects(as_json: bool) -> None:
    """Every project with events, the busiest first."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        seen = memory.projects()
    if as_json:
        say_json([project._asdict() for project in seen])
    else:
        rows = [(p.id, p.name, p.events, when(p.ended), p.remote or p.root) for p in seen]
        columns(rows, ("project", "name", "events", "last", "where") if rows else ())


@command.command("merge")
@click.argument("source")
@click.argument("into")
@yes
def merge(source: str, into: str, yes: bool) -> None:
    """Find the events of SOURCE under INTO too, for a project that moved."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        events = {project.id: project.events for project in memory.projects()}
        if missing := [name for name in (source, into) if name not in events]:
            raise NotFound(f"no project {missing[0]}; `engrain project list` names them")
        confirmed(f"Merge {plural(events[source], 'event')} of {source} into {into}?", yes)
        merged = memory.merge_projects(source, into)
    click.echo(f"merged; `engrain forget {merged.id}` takes it back")
