"""`engrain completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Examples:
      engrain completion bash > ~/.local/share/bash-completion/completions/engrain
      engrain completion zsh > ~/.zfunc/_engrain
      engrain completion fish > ~/.config/fish/completions/engrain.fish
    """
    from engrain.cli.group import engrain

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(engrain, {}, "engrain", "_ENGRAIN_COMPLETE").source())
