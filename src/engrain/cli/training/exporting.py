"""`engrain train export`, `verify` and `install`: a model that others can run."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, columns, say_json
from engrain.cli.training.options import BASE, say, word
from engrain.recall.told import harmless


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


@click.command("verify")
@click.argument("folder")
@click.option("--base", "base_", default="", metavar="MODEL", help="It must be an export of this base.")
@click.option("--data", default="", metavar="FOLDER", help="Ask at rows held out there, not at general texts.")
@click.option("--places", type=click.IntRange(1), default=300, show_default=True, help="At how many places.")
@as_json
def verify(folder: str, base_: str, data: str, places: int, as_json: bool) -> int:
    """Ask the files in FOLDER and the merged model the same; exits 1 where a file says too often something else."""
    from engrain.memory import Memory, training
    from engrain.train import base

    base.needed()
    from engrain.train import export as exports

    found = exports.verify(folder, base_, data=data, places=places, progress=say)
    with Memory.open() as memory:
        gates = [{"name": each.quant, "passed": each.passed, "value": round(each.share, 4), "bound": f"≥ {each.least}",
                  "because": f"the same token at {each.share:.2%} of {each.places} places"}
                 for each in found.agreements]  # fmt: skip
        training.record(
            memory, "verify", passed=found.passed, data=exports.exported(folder).data, gates=gates,
            seconds=found.seconds, artefacts=[found.folder],
        )  # fmt: skip
    if as_json:
        say_json({**found._asdict(), "agreements": [each._asdict() for each in found.agreements]})
    else:
        columns([
            (word(each.passed, True), each.file, f"{each.share:.2%}", each.places, f"everywhere {each.everywhere:.2%}")
            for each in found.agreements
        ])  # fmt: skip
    return 0 if found.passed else 1


@click.command("install")
@click.argument("folder")
@click.option("--to", "where", required=True, metavar="PLACE", help="lm-studio, ollama, or a folder.")
@click.option("--quant", "-q", default="", metavar="NAME", help="Which of its files; the smallest by default.")
@click.option("--lm-studio", "home", default="", metavar="FOLDER", help="LM Studio's own folder, if it is another.")
@click.option("--replace", is_flag=True, help="In place of an earlier model of that name.")
@click.option("--ungated", is_flag=True, help="Though it was exported without its gates.")
@as_json
def install(
    folder: str, where: str, quant: str, home: str, replace: bool, ungated: bool, as_json: bool
) -> int:  # fmt: skip
    """Put the model in FOLDER where LM Studio, Ollama or others look for it."""
    from engrain.memory import Memory, training
    from engrain.train import base

    base.needed()
    from engrain.train import export as exports

    done = exports.install(
        folder, where, quant=quant, home=home, replace=replace, ungated=ungated, progress=say
    )  # fmt: skip
    told = exports.exported(folder)
    with Memory.open() as memory:
        training.record(memory, "install", passed=told.gated, data=told.data, artefacts=[done.folder],
                        metrics={"run": told.run})  # fmt: skip
    if as_json:
        say_json(done._asdict())
    else:
        click.echo(f"now: {harmless(done.next)}")
    return 0
