"""`engrain wizard`."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import click

from engrain.errors import MissingExtra
from engrain.recall.told import harmless

if TYPE_CHECKING:
    from engrain.wizard.config import Config


@click.command("wizard")
@click.argument("folder", required=False, default="")
@click.option("--config", "file", default="", metavar="FILE", help="What is wanted, as wizard.toml in a folder has it.")
@click.option("--base", "base_", default="", metavar="MODEL", help="A model's folder, or one GGUF file.")
@click.option("--tiny", is_flag=True, help="A small run, to see that all goes well.")
@click.option("--everywhere", "-a", is_flag=True, help="Of every project, not of this one alone.")
@click.option("--no-tui", "plain", is_flag=True, help="Without a screen; a gate that nobody approved ends it.")
def command(folder: str, file: str, base_: str, tiny: bool, everywhere: bool, plain: bool) -> int:
    """From recorded sessions to a local model that is installed, stage by stage, all of it in FOLDER.

    Each stage shows its log, its figures, the time left and the reason to go on. Killed, the same command goes on where
    it was. A gate's word can't be turned; what it lets pass, a person approves before it goes on. FOLDER/wizard.toml
    says what was wanted and approved: with it, `--config` does the same again. Needs the extra `train`.

    \b
    Examples:
      engrain wizard shop-model --base ~/models/Qwen3-4B
      engrain wizard shop-model
      engrain wizard --config shop-model/wizard.toml --no-tui
    """
    from engrain.wizard import config as configs

    config = _config(folder, file)
    base = os.path.abspath(os.path.expanduser(base_)) if base_ else config.base
    config = config._replace(
        base=base, tier="tiny" if tiny else config.tier, everywhere=everywhere or config.everywhere
    )
    if plain:
        return _plain(configs.checked(config))
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise click.UsageError("there is no terminal to draw on: say --no-tui")
    try:
        from engrain.wizard.screens.app import Wizard
    except ModuleNotFoundError as exc:
        raise MissingExtra("the wizard's screen needs textual: install engrain[train], or say --no-tui") from exc
    return int(Wizard(config).run() or 0)


def _config(folder: str, file: str) -> Config:
    """What is wanted: as a file says, else as the folder does, else as usual."""
    from engrain.wizard import config as configs

    if folder:
        folder = os.path.abspath(os.path.expanduser(folder))
        file = file or os.path.join(folder, configs.FILE)
        found = configs.load(file) if os.path.exists(file) else configs.Config()
        return found._replace(folder=folder)
    return configs.load(file) if file else configs.Config()


def _plain(config: Config) -> int:
    from engrain.wizard.plain import walked
    from engrain.wizard.walk import Walk

    with Walk(config) as walk:
        before = signal.signal(signal.SIGTERM, lambda *_: walk.stop())
        try:
            return 0 if walked(walk, _say) else 1
        finally:
            signal.signal(signal.SIGTERM, before)


def _say(text: str) -> None:
    click.echo(harmless(text))
