"""`engrain token`."""

from __future__ import annotations

import click

from engrain.cli.output import as_json, columns, say_json, when


@click.group("token")
def command() -> None:
    """Who may ask a server of this store: make tokens, list and revoke them.

    \b
    Examples:
      engrain token create laptop
      engrain token create ci --scope read --days 30
      engrain token create cursor --agent cursor --json
      engrain token list
      engrain token revoke laptop
      engrain token keep < token.txt
    """


@command.command("create")
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(["read", "write", "admin"]),
    help="What it may do; read and write by default.",
)
@click.option("--agent", default="", help="Record in the name of this agent alone.")
@click.option("--days", type=float, default=0.0, help="How long it holds; without end by default.")
@as_json
def create(name: str, scopes: tuple[str, ...], agent: str, days: float, as_json: bool) -> None:
    """Make a token for NAME, and print it: it is told once.

    \b
    Examples:
      engrain token create laptop
      export ENGRAIN_TOKEN=$(engrain token create ci --scope read --days 30)
    """
    from engrain.memory import Memory
    from engrain.store.tokens import Tokens

    with Memory.open() as memory:
        made, text = Tokens(memory.store.database).create(
            name, scopes or ("read", "write"), tenant=memory.tenant, agent=agent, days=days
        )
    if as_json:
        say_json({"id": made.id, "name": made.name, "scopes": list(made.scopes), "agent": made.agent, "token": text})
        return
    click.echo(text)
    click.echo(
        f"for {made.name}: {', '.join(made.scopes)}; it is not shown again. `engrain token revoke {made.id}`", err=True
    )


@command.command("keep")
def keep() -> None:
    """Keep the token that comes on standard input, for the server that ENGRAIN_STORE or `sync.url` names.

    It is in a file of the home that only you can read; ENGRAIN_TOKEN wins over it. An empty line takes it away.

    \b
    Examples:
      engrain token keep < token.txt
      ssh server engrain token create laptop | engrain token keep
    """
    import os
    import sys

    from engrain.errors import BadInput
    from engrain.paths import locate, replace_file, unlink_if_there
    from engrain.store.tokens import is_token

    text = sys.stdin.readline(1000).strip()
    home = locate(os.environ)
    if not text:
        unlink_if_there(home.token)
        click.echo("no token is kept")
        return
    if not is_token(text):
        raise BadInput("that is no token: `engrain token create NAME`, where the server's store is, prints one")
    replace_file(home.token, f"{text}\n".encode())
    click.echo(f"kept in {home.token}")


@command.command("list")
@as_json
def list_(as_json: bool) -> int:
    """List the tokens, the newest first.

    \b
    Examples:
      engrain token list
      engrain token list --json
    """
    from engrain.memory import Memory
    from engrain.store.tokens import Tokens

    with Memory.open() as memory:
        now = memory.store.database.now()
        found = Tokens(memory.store.database).all(memory.tenant)
    if as_json:
        say_json([{**token._asdict(), "scopes": list(token.scopes), "state": token.state(now)} for token in found])
        return 0
    if not found:
        click.echo("no token yet; `engrain token create NAME` makes one")
        return 0
    columns(
        [
            (token.id, token.name, " ".join(token.scopes), token.agent or "any", when(token.created),
             when(token.used) if token.used else "never", token.state(now))
            for token in found
        ],
        ("ID", "NAME", "SCOPES", "AGENT", "CREATED", "USED", "STATE"),
    )  # fmt: skip
    return 0


@command.command("revoke")
@click.argument("token")
def revoke(token: str) -> None:
    """Revoke a token, by its id, the beginning of it, or its name: from now on it opens nothing.

    \b
    Examples:
      engrain token revoke 3f2a9c0b11aa
      engrain token revoke laptop
    """
    from engrain.memory import Memory
    from engrain.store.tokens import Tokens

    with Memory.open() as memory:
        gone = Tokens(memory.store.database).revoke(token, memory.tenant)
    click.echo(f"revoked {gone.id} ({gone.name})")
