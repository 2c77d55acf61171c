"""What the commands of training share: options, the recipe that was meant, how they speak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engrain.recall.told import harmless

if TYPE_CHECKING:
    from engrain.train.recipe import Recipe

BASE = click.option("--base", "base_", required=True, metavar="MODEL", help="A model's folder, or one GGUF file.")
RECIPE = click.option("--recipe", "recipe_", default="", metavar="FILE", help="Decisions that differ from the usual.")
DEVICE = click.option("--device", "device_", default="", metavar="cpu|cuda|mps", help="Where, not the best here.")


def recipe_of(path: str, tiny: bool) -> Recipe:
    """The recipe in a file, else the usual one."""
    from engrain.train import recipe

    if path and tiny:
        raise click.UsageError("a recipe says itself which tier it is of: give --recipe or --tiny")
    return recipe.load(path) if path else recipe.recipe_of({"tier": recipe.TINY if tiny else recipe.FULL})


def say(text: str) -> None:
    """A line of progress."""
    click.echo(harmless(text), err=True)


def word(passed: bool, hard: bool) -> str:
    """A check's word."""
    return "ok" if passed else "NO" if hard else "look"
