"""`engrain share`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, say_json
from engrain.cli.wiring import changed, diff, dry_run, shown


@click.command("share")
@click.argument("kinds", nargs=-1, metavar="[KIND]…")
@dry_run
@as_json
def command(kinds: tuple[str, ...], dry_run: bool, as_json: bool) -> int:
    """Write what is known of this project into its repository, for whoever works in it.

    Into .engrain/shared go fixes that were taught here or seen to work, lessons that were accepted, patterns, tasks
    that were finalized as a success: a line each, without secrets, and with nothing in it of who learned it when. Notes
    are shared when they are named. Lines of others stay; git joins two branches line by line. Nobody's agent reads any
    of it before they say `engrain trust`.

    \b
    KIND is fixes, lessons, patterns, strategies or notes; by default all but notes, and what was shared before.

    \b
    Examples:
      engrain share --dry-run
      engrain share
      engrain share notes
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        done = memory.share(kinds, dry_run=dry_run)
    changes = [change for change in done.changes if change.changes]
    if as_json:
        counts = {name: {"ours": ours, "others": others} for name, (ours, others) in done.counts.items()}
        files = [changed(change, dry_run) for change in done.changes]
        say_json({"files": files, "records": counts, "left_out": list(done.left)})
        return 0
    for change in changes:
        if dry_run:
            click.echo(diff(change), nl=False)
        else:
            click.echo(f"wrote      {shown(change.path)}")
    for each in done.left:
        click.echo(f"not shared: {each}", err=True)
    for name, (ours, others) in done.counts.items():
        more = f", {others:,} of others" if others else ""
        click.echo(f"{name}: {ours:,} of yours{more}")
    if not changes:
        click.echo("nothing has changed since it was shared last")
    elif not dry_run:
        click.echo("commit .engrain to share it; whoever pulls it says `engrain trust`")
    return 0
