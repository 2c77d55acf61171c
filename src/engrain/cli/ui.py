"""`engrain ui`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from engrain.cli.serve import Listen, Up, run


@click.command("ui")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; any that is free unless set.")
@click.option("--no-open", "quiet", is_flag=True, help="Print the link, and open no browser.")
def command(port: int, quiet: bool) -> None:
    """Show the memory as pages: start a server for you alone and open a browser at it.

    The link logs one browser in, within a minute, and needs no token. The server listens on this machine alone, at a
    port of its own, and ends with Ctrl-C; `engrain serve` shows the same pages to whoever has a token.

    \b
    Examples:
      engrain ui
      engrain ui --no-open --port 3380
    """

    def ready(up: Up) -> None:
        click.echo(up.link)
        click.echo("Ctrl-C ends it.", err=True)
        if not quiet and _has_screen():
            click.launch(up.link)

    with suppress(KeyboardInterrupt):
        run(Listen("127.0.0.1", port, own=False), ready)


def _has_screen() -> bool:
    """Whether a browser can be seen here; one of the terminal would take it from us."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
