"""`engrain train runs`: what the journal tells of training."""

from __future__ import annotations

from typing import Any

import click

from engrain.cli.output import as_json, columns, say_json, when
from engrain.recall.told import harmless


@click.command("runs")
@click.option("--everywhere", "-a", is_flag=True, help="Of every project, not of this one alone.")
@click.option("--limit", "-n", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many at most.")
@as_json
def runs(everywhere: bool, limit: int, as_json: bool) -> int:
    """What was made, audited, trained and judged here, the latest first."""
    from engrain.memory import Memory, training

    with Memory.open() as memory:
        found = training.runs(memory, everywhere=everywhere, limit=limit)
    if as_json:
        say_json([each._asdict() for each in found])
    else:
        columns([_row(each) for each in found])
        if not found:
            click.echo("nothing was trained here", err=True)
    return 0 if found else 1


def _row(ran: Any) -> tuple[object, ...]:
    closed = [str(gate.get("name")) for gate in ran.gates if not gate.get("passed") and gate.get("hard", True)]
    said = f"no: {', '.join(closed)}" if closed else "passed" if ran.passed else "no"
    where = ran.artefacts[0] if ran.artefacts else ""
    return when(ran.time), ran.stage, said, ran.data, harmless(where)
