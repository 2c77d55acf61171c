"""The click group: a command's module is imported when that command is called, and errors become one line."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from engrain.cli.catalog import BY_NAME, COMMANDS, overview
from engrain.errors import EngrainError


class LazyGroup(click.Group):
    """Knows its commands from the catalog."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = BY_NAME.get(cmd_name)
        if entry is None:
            return None
        command = importlib.import_module(f"engrain.cli.{entry.module}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in BY_NAME and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], BY_NAME, n=1)
            hint = f" Did you mean `engrain {near[0]}`?" if near else " `engrain --help` lists them."
            raise click.UsageError(f"there is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:  # noqa: ARG002
        return overview().rstrip("\n")


@click.group(cls=LazyGroup)
@click.version_option(package_name="engrain", prog_name="engrain", message="%(prog)s %(version)s")
def engrain() -> None:
    """A memory that learns, for coding agents."""


def run(words: list[str]) -> int:
    """Runs a command line; every expected failure is one line on stderr and an exit code."""
    code = _guarded(lambda: engrain.main(words, prog_name="engrain", standalone_mode=False))
    _refresh()
    return code


def _refresh() -> None:
    """What hooks run is of this Engrain, should it have been of another; a home that can't be written keeps the old."""
    from engrain.install import launcher
    from engrain.paths import locate

    try:
        launcher.refresh(locate(os.environ))
    except EngrainError:
        return


def _guarded(call: Callable[[], Any]) -> int:
    try:
        code = call()
        sys.stdout.flush()
    except EngrainError as exc:
        return _say(str(exc), exc.exit_code)
    except click.exceptions.NoArgsIsHelpError as exc:
        # A group that was called without a command is a question, and its answer has lines.
        click.echo(exc.format_message(), err=True)
        return exc.exit_code
    except click.ClickException as exc:
        return _say(exc.format_message(), exc.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", 130)
    except BrokenPipeError:
        # Whoever read our output has left; what Python would still flush has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except UnicodeEncodeError as exc:
        return _say(f"not text: {exc.object[exc.start : exc.end]!a}", 2)
    except OSError as exc:
        where = f"{exc.filename}: " if exc.filename else ""
        return _say(f"{where}{(exc.strerror or str(exc)).lower()}", 1)
    return code if isinstance(code, int) else 0


def _say(message: str, code: int) -> int:
    from engrain.recall.told import harmless

    click.echo(f"engrain: {' '.join(harmless(message).split())}", err=True)
    return code
