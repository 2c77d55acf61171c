"""`engrain mcp`."""

from __future__ import annotations

import gc
import os
import signal

import click

from engrain.errors import BadInput, MissingExtra

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""A server that answers one short question at a time must not take every core for it."""


@click.command("mcp")
@click.option("--project", metavar="DIR", help="The folder that is worked in; where it is started by default.")
@click.option("--hooks", is_flag=True, help="Make what hooks run, too: for a plugin, which brings no program.")
def command(project: str | None, hooks: bool) -> None:
    """Serve the memory to an agent over the Model Context Protocol, on standard input and output.

    Agents start it by themselves: put it into their settings as the command of a server named `engrain`. It ends when
    its input ends. Give --project where an agent starts its servers elsewhere than in the project.

    \b
    Examples:
      claude mcp add engrain -- engrain mcp
      codex mcp add engrain -- engrain mcp
      engrain mcp --project ~/src/shop
    """
    if project is not None and not os.path.isdir(project):
        raise BadInput(f"--project {project}: there is no such folder")
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")
    # Python would wait for the thread that reads standard input, which an interrupt does not end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hooks:
        _ready()
    serve(project)


def _ready() -> None:
    """What hooks run is there."""
    from engrain.install import launcher
    from engrain.paths import locate

    launcher.ready(locate(os.environ))


def serve(project: str | None) -> None:
    """Loads what a server needs, and serves."""
    # What is loaded now stays: looking through it for garbage, again and again, is a good part of the start.
    gc.disable()
    try:
        from engrain.mcp.stdio import serve
    except ImportError as exc:
        raise MissingExtra("serving MCP needs the extra: pip install 'engrain[server]'") from exc
    from engrain.memory import Memory

    memory = Memory.open(folder=project)
    gc.enable()
    gc.freeze()
    serve(memory)
