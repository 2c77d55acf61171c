"""`engrain sync`."""

from __future__ import annotations

import os

import click

from engrain.cli.output import as_json, plural, say_json
from engrain.errors import BadInput


@click.command("sync")
@click.argument("url", required=False, default="")
@as_json
def command(url: str, as_json: bool) -> None:
    """Bring the store of this machine and a server to the same: each gets what it has not.

    For machines that are offline at times, or whose memory should stay at hand. URL is where `engrain serve` runs; it
    is `sync.url` unless named. An event is known by its id, so nothing is doubled and nothing can conflict; what was
    forgotten on one side is forgotten on the other. The token is ENGRAIN_TOKEN, or what `engrain token keep` kept.

    \b
    Examples:
      engrain sync https://memory.example.org
      engrain config sync.url https://memory.example.org && engrain sync
      engrain sync --json
    """
    from engrain.memory import Memory
    from engrain.memory.remote.line import is_url
    from engrain.memory.remote.memory import Remote

    with Memory.open() as memory:
        url = url or memory.config.text("sync.url")
        if not url:
            raise BadInput(
                "say where the server is: engrain sync https://HOST, or engrain config sync.url https://HOST"
            )
        if not is_url(url) or isinstance(memory, Remote):
            raise BadInput("a sync is between a store of this machine and a server: http://HOST:PORT, https://…")
        with Memory.open(memory.home.root if "ENGRAIN_HOME" in os.environ else None, store=url) as far:
            assert isinstance(far, Remote)
            done = memory.sync(far)
    if as_json:
        say_json(done._asdict())
        return
    aside = f"; {plural(done.refused, 'event')} refused and kept aside, see `engrain doctor`" if done.refused else ""
    click.echo(f"sent {plural(done.sent, 'event')}, got {done.got:,} new{aside}")
