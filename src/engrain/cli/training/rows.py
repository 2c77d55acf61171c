"""`engrain train data`, `audit`, `rows` and `recipe`: what an adapter is trained of."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, columns, plural, progress, say_json
from engrain.cli.training.options import BASE, RECIPE, recipe_of, word


@click.command("data")
@click.argument("folder")
@BASE
@RECIPE
@click.option("--tiny", is_flag=True, help="200 rows to train and 30 held out, to see that all goes well.")
@click.option("--everywhere", "-a", is_flag=True, help="Of every project, not of this one alone.")
@as_json
def data(folder: str, base_: str, recipe_: str, tiny: bool, everywhere: bool, as_json: bool) -> int:
    """Make rows of recorded sessions in FOLDER; MANIFEST.json there tells what became of everything."""
    from engrain.memory import Memory, training
    from engrain.train import base, examples
    from engrain.train.render import Renderer

    base.needed()
    chosen = recipe_of(recipe_, tiny)
    renderer = Renderer(base.tokenizer(base_))
    with Memory.open() as memory:
        with progress("reading sessions", len(memory.store.sessions())) as step:
            told = list(training.trajectories(memory, everywhere=everywhere, progress=step))
        reader = examples.Reader(renderer.count, renderer.clean, os.path.basename(os.path.normpath(base_)))
        made = examples.make(told, chosen, reader)
        manifest = {**made.manifest, "digest": examples.write(folder, made, chosen)}
        rows, passed = manifest["rows"], manifest["rows"][examples.TRAIN] > 0
        training.record(memory, "data", **training.of_rows(folder, manifest))
    if as_json:
        say_json(manifest)
        return 0 if passed else 1
    click.echo(f"{plural(rows['train'], 'row')} to train, {rows['held']:,} held out, of {plural(len(told), 'session')}")
    columns([(number, why) for why, number in manifest["dropped"].items() if number])
    return 0 if passed else 1


@click.command("audit")
@click.argument("folder")
@BASE
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
        told = training.of_audit(folder, audits.plain(found), examples.manifest(folder)["digest"])
        training.record(memory, "audit", **told)
    if as_json:
        say_json(audits.plain(found))
    else:
        columns([(word(c.passed, c.hard), c.name, c.value, c.bound) for c in found.checks])
    return 0 if found.passed else 1


@click.command("rows")
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


@click.command("recipe")
@click.option("--tiny", is_flag=True, help="That of the tiny tier.")
def recipe_command(tiny: bool) -> None:
    """Print the usual recipe, each line with what it means: a file to begin from."""
    from engrain.train import recipe

    click.echo(recipe.text(recipe.recipe_of({"tier": recipe.TINY if tiny else recipe.FULL})), nl=False)
