"""`engrain train lora` and `evaluate`: an adapter, and what the gates say of it."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, columns, say_json
from engrain.cli.training.options import BASE, DEVICE, RECIPE, recipe_of, say, word
from engrain.errors import BadInput

LAST, NONE = "last", "none"


@click.command("lora")
@click.argument("folder")
@click.argument("out")
@BASE
@RECIPE
@DEVICE
@click.option("--unaudited", is_flag=True, help="Train rows that `audit` has not passed.")
@as_json
def lora(
    folder: str, out: str, base_: str, recipe_: str, device_: str, unaudited: bool, as_json: bool
) -> int:  # fmt: skip
    """Train an adapter of the rows in FOLDER, in the folder OUT; killed, it goes on from its last checkpoint."""
    from engrain.memory import Memory, training
    from engrain.train import base, recipe

    base.needed()
    if not unaudited:
        _audited(folder)
    chosen = recipe_of(recipe_, False) if recipe_ else recipe.load(folder)
    from engrain.train import device
    from engrain.train import lora as loop

    done = loop.train(folder, base_, out, chosen, device.chosen(device_, index=_rank()), say)
    if _rank() == 0:
        with Memory.open() as memory:
            told = training.of_adapter(out, done._asdict(), chosen._asdict(), loop.metrics(out))
            training.record(memory, "lora", **told)
        if as_json:
            say_json(done._asdict())
    return 0


@click.command("evaluate")
@click.argument("folder")
@click.argument("out")
@BASE
@RECIPE
@DEVICE
@click.option(
    "--incumbent", default=LAST, show_default=True, metavar="RUN",
    help="The run in use, which must not be better: its folder, last (the one installed last), or none.",
)  # fmt: skip
@as_json
def evaluate(
    folder: str, out: str, base_: str, recipe_: str, device_: str, incumbent: str, as_json: bool
) -> int:  # fmt: skip
    """Ask the adapter of the run OUT at held-out places of FOLDER; exits 1 where a gate says no."""
    from engrain.memory import Memory, training
    from engrain.train import base, examples, recipe

    base.needed()
    chosen = recipe_of(recipe_, False) if recipe_ else recipe.load(folder)
    from engrain.train import device, lora
    from engrain.train import evaluate as judge

    digest = examples.manifest(folder)["digest"]
    before = _incumbent(incumbent, out, base_)
    adapter = os.path.join(out, lora.ADAPTER)
    there = os.path.join(before, lora.ADAPTER) if before else ""
    report = judge.evaluate(folder, base_, adapter, there, chosen, device.chosen(device_), say)
    judge.write(out, report, {"data": digest, "incumbent": before})
    told = {**judge.plain(report), "data": digest}
    with Memory.open() as memory:
        training.record(memory, "evaluate", **training.of_report(out, told, chosen._asdict()))
    if as_json:
        say_json(told)
    else:
        columns([(word(g.passed, True), g.name, g.value, g.bound, g.because) for g in report.gates])
        click.echo("every gate is open" if report.passed else "not to be used: a gate says no")
    return 0 if report.passed else 1


def _incumbent(named: str, out: str, base: str) -> str:
    """The folder of the run in use; empty where none is."""
    from engrain.memory import Memory, training
    from engrain.train.export import standing

    if named in ("", NONE):
        return ""
    if named == LAST:
        with Memory.open() as memory:
            found = [run for run in training.in_use(memory) if run != os.path.abspath(out)]
        run = next((run for run in found if standing.of_base(run, base)), "")
        say(f"the run in use is {run}" if run else "no run on this base is in use")
        return run
    # Said before anybody was asked anything.
    standing.digest(os.path.join(named, standing.ADAPTER))
    return named


def _audited(folder: str) -> None:
    """BadInput, unless the rows in a folder were looked at and found fit."""
    import json

    from engrain.train import examples
    from engrain.train.audit import AUDIT

    path = os.path.join(folder, AUDIT)
    manifest = os.path.join(folder, examples.MANIFEST)
    examples.manifest(folder)
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(manifest):
        raise BadInput(f"the rows in {folder} were not audited; `engrain train audit` looks at them")
    with open(path, encoding="utf-8") as file:
        if not json.load(file)["passed"]:
            raise BadInput(f"the audit of {folder} says no; {AUDIT} there tells why")


def _rank() -> int:
    """Which of several processes this is, as torchrun and accelerate say it."""
    text = os.environ.get("LOCAL_RANK", "0")
    return int(text) if text.isdigit() else 0
