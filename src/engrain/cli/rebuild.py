"""`engrain rebuild`."""

from __future__ import annotations

import hashlib

import click

from engrain.cli.output import as_json, plural, progress, say_json
from engrain.memory import Memory


@click.command("rebuild")
@click.option("--check", is_flag=True, help="Say whether the tables were what the journal says; exit 1 if not.")
@as_json
def command(check: bool, as_json: bool) -> int:
    """Make every derived table anew from the journal, in one transaction.

    Use it after a doubt: the journal is the truth, and everything else follows from it.

    \b
    Examples:
      engrain rebuild
      engrain rebuild --check
    """
    with Memory.open() as memory:
        memory.catch_up()
        before = _digest(memory) if check else ""
        with progress("rebuilding", memory.store.count()) as bar:
            number = memory.rebuild(bar)
        after = _digest(memory) if check else ""
    same = before == after
    if as_json:
        say_json({"events": number, **({"same": same, "digest": after} if check else {})})
    else:
        verdict = (
            "" if not check else "; the tables were right" if same else "; the tables were NOT what the journal says"
        )
        click.echo(f"rebuilt from {plural(number, 'event')}{verdict}")
    return 0 if same else 1


def _digest(memory: Memory) -> str:
    digest = hashlib.sha256()
    for line in memory.dump():
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()
