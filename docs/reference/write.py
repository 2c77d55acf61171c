"""`make docs`: writes the reference pages that follow from the code. A test holds that they are up to date."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Iterator

import click

from docs.reference.inside import routes, tables, tools
from docs.reference.python import python
from engrain import errors
from engrain.cli.catalog import COMMANDS
from engrain.config import SETTINGS

HERE = os.path.dirname(os.path.abspath(__file__))


def commands() -> str:
    """Every command with its help, arguments, options and examples."""
    lines = [
        "# Commands",
        "",
        "Every listing command has `--json`. Exit codes: 0 done, 1 nothing found or a check failed, 2 bad usage or",
        "input. `ENGRAIN_HOME` moves all state; `ENGRAIN_STORE` is a path or a `postgresql://` URL.",
        "",
        "This page is written by `make docs` from the commands themselves.",
    ]
    for entry in COMMANDS:
        command = importlib.import_module(f"engrain.cli.{entry.module}").command
        assert isinstance(command, click.Command)
        lines += _command(command, f"engrain {entry.name}", "##")
    return "\n".join(lines) + "\n"


def _command(command: click.Command, name: str, level: str) -> Iterator[str]:
    told, _, examples = re.sub(r"\x08\n?", "", command.help or "").partition("Examples:")
    context = click.Context(command)
    usage = " ".join(part for part in command.collect_usage_pieces(context) if part != "[OPTIONS]")
    yield from ("", f"{level} `{f'{name} {usage}'.strip()}`", "", told.strip())
    if options := [param for param in command.params if isinstance(param, click.Option)]:
        yield from ("", "| option | does |", "|---|---|")
        yield from (f"| {_option(option)} | {option.help} |" for option in options)
    if examples.strip():
        yield from ("", "```console", *(f"$ {line.strip()}" for line in examples.strip().splitlines()), "```")
    if isinstance(command, click.Group):
        for sub, child in command.commands.items():
            yield from _command(child, f"{name} {sub}", f"{level}#")


def _option(option: click.Option) -> str:
    value = "" if option.is_flag else f" {option.make_metavar(click.Context(click.Command('x')))}"
    return ", ".join(f"`{name}{value}`".replace("|", "\\|") for name in option.opts)


def settings() -> str:
    """Every setting with its variable and default."""
    lines = [
        "# Settings",
        "",
        "A value comes from the environment, else from `config.toml`, else from this table. `engrain config` shows",
        "each value and where it comes from; `engrain config set NAME VALUE` writes the file and leaves its other",
        "lines alone.",
        "",
        "This page is written by `make docs` from the table in `config.py`.",
        "",
        "| setting | variable | default | meaning |",
        "|---|---|---|---|",
    ]
    for row in SETTINGS:
        default = f"`{row.default}`" if row.default != "" else "–"
        lines.append(f"| `{row.name}` | `{row.variable}` | {default} | {row.help} |")
    return "\n".join(lines) + "\n"


def failures() -> str:
    """Every error that Engrain raises on purpose."""
    lines = [
        "# Errors",
        "",
        "On the command line each is one line on standard error and an exit code; in Python it is an exception of",
        "`engrain.errors`. This page is written by `make docs`.",
        "",
        "| error | is a | exit code | means |",
        "|---|---|---|---|",
    ]
    for name in errors.__all__:
        kind = getattr(errors, name)
        means = (kind.__doc__ or "").split("\n")[0]
        lines.append(f"| `{name}` | `{kind.__mro__[1].__name__}` | {kind.exit_code} | {means} |")
    return "\n".join(lines) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "settings.md": settings,
    "errors.md": failures,
    "tables.md": tables,
    "tools.md": tools,
    "routes.md": routes,
    "python.md": python,
}


def main() -> None:
    """Writes every page."""
    for name, page in PAGES.items():
        with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
            file.write(page())


if __name__ == "__main__":
    main()
