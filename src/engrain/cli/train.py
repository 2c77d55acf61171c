"""`engrain train`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from engrain.cli.output import as_json, columns, plural, progress, say_json, when
from engrain.errors import BadInput
from engrain.recall.told import harmless

if TYPE_CHECKING:
    from engrain.train.recipe import Recipe

_BASE = click.option("--base", "base_", required=True, metavar="MODEL", help="A model's folder, or one GGUF file.")
_RECIPE = click.option("--recipe", "recipe_", default="", metavar="FILE", help="Decisions that differ from the usual.")
_DEVICE = click.option("--device", "device_", default="", metavar="cpu|cuda|mps", help="Where, not the best here.")


@click.group("train")
def command() -> None:
    """From what agents did here to an adapter of a local model, behind gates.

    `data` makes rows of recorded sessions, `audit` looks at every one of them, `lora` trains an adapter, `evaluate`
    asks it beside its base (and the adapter in use) at places that it never saw. A stage that fails says no and exits
    1. Needs the extra `train`; nothing is downloaded, nothing leaves this machine.

    \b
    Examples:
      engrain train data --base ~/models/Qwen3-4B rows
      engrain train audit --base ~/models/Qwen3-4B rows
      engrain train lora --base ~/models/Qwen3-4B rows run
      engrain train evaluate --base ~/models/Qwen3-4B rows run --incumbent last
      engrain train runs
    """


@command.command("data")
@click.argument("folder")
@_BASE
@_RECIPE
@click.option("--tiny", is_flag=True, help="200 rows to train and 30 held out, to see that all goes well.")
@click.option("--everywhere", "-a", is_flag=True, help="Of every project, not of this one alone.")
@as_json
def data(folder: str, base_: str, recipe_: str, tiny: bool, everywhere: bool, as_json: bool) -> int:
    """Make rows of recorded sessions in FOLDER; MANIFEST.json there tells what became of everything."""
    from engrain.memory import Memory, training
    from engrain.train import base, examples
    from engrain.train.render import Renderer

    base.needed()
    chosen = _recipe(recipe_, tiny)
    renderer = Renderer(base.tokenizer(base_))
    with Memory.open() as memory:
        with progress("reading sessions", len(memory.store.sessions())) as step:
            told = list(training.trajectories(memory, everywhere=everywhere, progress=step))
        reader = examples.Reader(renderer.count, renderer.clean, os.path.basename(os.path.normpath(base_)))
        made = examples.make(told, chosen, reader)
        digest = examples.write(folder, made, chosen)
        rows = made.manifest["rows"]
        passed = rows[examples.TRAIN] > 0
        training.record(
            memory, "data", passed=passed, data=digest, recipe=chosen._asdict(), artefacts=[os.path.abspath(folder)],
            metrics={name: made.manifest[name] for name in ("sessions", "rows", "learned", "dropped")},
        )  # fmt: skip
    if as_json:
        say_json({**made.manifest, "digest": digest})
        return 0 if passed else 1
    click.echo(f"{plural(rows['train'], 'row')} to train, {rows['held']:,} held out, of {plural(len(told), 'session')}")
    columns([(number, why) for why, number in made.manifest["dropped"].items() if number])
    return 0 if passed else 1


@command.command("audit")
@click.argument("folder")
@_BASE
@as_json
def audit(folder: str, base_: str, as_json: bool) -> int:
    """Look at every row in FOLDER; exits 1 where nothing should be trained of them."""
    from engrain.memory import Memory, training
    from engrain.train import audit as audits
    from engrain.train import base, examples, recipe
    from engrain.train.render import Renderer

    base.needed()
    found = audits.audit(folder, recipe.load(folder), Renderer(base.tokenizer(base_)))
    audits.write(folder, found)
    with Memory.open() as memory:
        training.record(
            memory, "audit", passed=found.passed, data=examples.manifest(folder)["digest"],
            gates=[check._asdict() for check in found.checks], artefacts=[os.path.abspath(folder)],
        )  # fmt: skip
    if as_json:
        say_json(audits.plain(found))
    else:
        columns([(_word(c.passed, c.hard), c.name, c.value, c.bound) for c in found.checks])
    return 0 if found.passed else 1


@command.command("lora")
@click.argument("folder")
@click.argument("out")
@_BASE
@_RECIPE
@_DEVICE
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
    chosen = _recipe(recipe_, False) if recipe_ else recipe.load(folder)
    from engrain.train import device
    from engrain.train import lora as loop

    done = loop.train(folder, base_, out, chosen, device.chosen(device_, index=_rank()), _say)
    if _rank() == 0:
        with Memory.open() as memory:
            metrics = {name: getattr(done, name) for name in ("steps", "loss", "held", "base_held", "speed")}
            training.record(
                memory, "lora", passed=True, data=done.digest, recipe=chosen._asdict(), metrics=metrics,
                seconds=done.seconds, artefacts=[os.path.abspath(out)],
            )  # fmt: skip
        if as_json:
            say_json(done._asdict())
    return 0


@command.command("evaluate")
@click.argument("folder")
@click.argument("out")
@_BASE
@_RECIPE
@_DEVICE
@click.option("--incumbent", default="", metavar="RUN", help="The run that is in use: it must not be better.")
@as_json
def evaluate(
    folder: str, out: str, base_: str, recipe_: str, device_: str, incumbent: str, as_json: bool
) -> int:  # fmt: skip
    """Ask the adapter of the run OUT at held-out places of FOLDER; exits 1 where a gate says no."""
    from engrain.memory import Memory, training
    from engrain.train import base, examples, recipe

    base.needed()
    chosen = _recipe(recipe_, False) if recipe_ else recipe.load(folder)
    from engrain.train import device, lora
    from engrain.train import evaluate as judge

    digest = examples.manifest(folder)["digest"]
    before = os.path.join(incumbent, lora.ADAPTER) if incumbent else ""
    adapter = os.path.join(out, lora.ADAPTER)
    report = judge.evaluate(folder, base_, adapter, before, chosen, device.chosen(device_), _say)
    judge.write(out, report, {"data": digest, "incumbent": incumbent})
    told = judge.plain(report)
    with Memory.open() as memory:
        training.record(
            memory, "evaluate", passed=report.passed, data=digest, recipe=chosen._asdict(), gates=told["gates"],
            metrics=told["measured"], seconds=report.seconds, artefacts=[os.path.abspath(out)],
        )  # fmt: skip
    if as_json:
        say_json(told)
    else:
        columns([(_word(g.passed, True), g.name, g.value, g.bound, g.because) for g in report.gates])
        click.echo("every gate is open" if report.passed else "not to be used: a gate says no")
    return 0 if report.passed else 1


@command.command("rows")
@click.argument("folder")
@click.option(
    "--as", "form", default="chat", show_default=True, help="chat, llama, openai, sft, trajectory, preference."
)
@click.option("--part", default="train", show_default=True, type=click.Choice(["train", "held"]), help="Which rows.")
def rows(folder: str, form: str, part: str) -> None:
    """Print the rows in FOLDER as other trainers take them, a line of JSON each."""
    from engrain.train import examples, formats

    for line in formats.lines(examples.read(folder, part), form):
        click.echo(line)


@command.command("recipe")
@click.option("--tiny", is_flag=True, help="That of the tiny tier.")
def recipe_command(tiny: bool) -> None:
    """Print the usual recipe, each line with what it means: a file to begin from."""
    from engrain.train import recipe

    click.echo(recipe.text(recipe.recipe_of({"tier": recipe.TINY if tiny else recipe.FULL})), nl=False)


@command.command("runs")
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


def _recipe(path: str, tiny: bool) -> Recipe:
    from engrain.train import recipe

    if path and tiny:
        raise click.UsageError("a recipe says itself which tier it is of: give --recipe or --tiny")
    return recipe.load(path) if path else recipe.recipe_of({"tier": recipe.TINY if tiny else recipe.FULL})


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


def _say(text: str) -> None:
    click.echo(harmless(text), err=True)


def _word(passed: bool, hard: bool) -> str:
    return "ok" if passed else "NO" if hard else "look"
