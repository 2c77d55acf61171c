"""`engrain config`."""

from __future__ import annotations

import os
import re

import click

from engrain import config as settings
from engrain.cli.output import as_json, columns, say_json
from engrain.config import Setted
from engrain.paths import locate


@click.group("config", invoke_without_command=True)
@as_json
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Show every setting, its value and where that comes from; change one.

    \b
    Examples:
      engrain config
      engrain config set tick.seconds 5
      engrain config set store postgresql://db.example/engrain
      engrain config unset store
    """
    if ctx.invoked_subcommand:
        return
    home = locate(os.environ)
    config = settings.load(home, os.environ)
    shown = [_without_password(setted) for setted in config]
    if as_json:
        say_json({"file": home.config, "settings": [setted._asdict() for setted in shown]})
        return
    click.echo(f"{home.config}\n")
    columns([(s.name, s.value if s.value != "" else "–", s.source) for s in shown], ("setting", "value", "from"))


@command.command("set")
@click.argument("name")
@click.argument("value")
def set_value(name: str, value: str) -> None:
    """Write one setting into config.toml; comments and other settings stay as they are."""
    settings.store(locate(os.environ), name, value)


@command.command("unset")
@click.argument("name")
def unset(name: str) -> None:
    """Take one setting out of config.toml."""
    settings.store(locate(os.environ), name, None)


def _hidden(match: re.Match[str]) -> str:
    return f"{match[1]}…@" if match[1] else f"{match[2]}…"


def _without_password(setted: Setted) -> Setted:
    return (
        setted._replace(value=re.sub(r"(//[^/:@]*:)[^/]*@|([?&](?:ssl)?password=)[^&]*", _hidden, setted.value))
        if isinstance(setted.value, str)
        else setted
    )
