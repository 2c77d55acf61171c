"""`engrain train export`: a model that others can run."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, columns, say_json
from engrain.cli.training.options import BASE, say


@click.command("export")
@click.argument("run")
@click.argument("out")
@BASE
@click.option(
    "--quant", "-q", "quants", multiple=True, metavar="NAME",
    help="f16, Q8_0, Q6_K, Q5_K_M or Q4_K_M; may be said again. Q4_K_M by default.",
)  # fmt: skip
@click.option("--context", type=click.IntRange(0), default=0, metavar="TOKENS", help="A longer context, by YaRN.")
@click.option("--ungated", is_flag=True, help="Though its gates say no or were not asked; the card says so.")
@click.option("--large", is_flag=True, help="Though it is more than 6 GB at Q4_K_M.")
@as_json
def export(
    run: str, out: str, base_: str, quants: tuple[str, ...], context: int, ungated: bool, large: bool, as_json: bool
) -> int:  # fmt: skip
    """Make a model of RUN and its base in the new folder OUT: merged, as GGUF, with a card."""
    from engrain.memory import Memory, training
    from engrain.train import base

    base.needed()
    from engrain.train import export as exports

    made = exports.export(
        run, base_, out, quants=quants or ("Q4_K_M",), context=context, ungated=ungated, large=large, progress=say
    )
    with Memory.open() as memory:
        sizes = {name: os.path.getsize(os.path.join(made.folder, name)) for name in made.files}
        training.record(
            memory, "export", passed=made.gated, data=made.data, seconds=made.seconds, artefacts=[made.folder],
            metrics={"context": made.context, "bytes": sum(sizes.values())},
        )  # fmt: skip
    if as_json:
        say_json(made._asdict())
    else:
        columns([(name, sizes[name], digest[:16]) for name, digest in made.files.items() if name.endswith(".gguf")])
    return 0
