"""`engrain serve`."""

from __future__ import annotations

import os

import click

from engrain.errors import BadInput, MissingExtra

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command("serve")
@click.option("--host", metavar="ADDRESS", help="Where to listen; 127.0.0.1 unless set.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 3377 unless set, 0 for any that is free.")
@click.option("--open", "opened", is_flag=True, help="Allow listening beyond this machine without TLS.")
@click.option("--tls-cert", metavar="FILE", default="", help="Serve over TLS with this certificate …")
@click.option("--tls-key", metavar="FILE", default="", help="… and this key.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, help="How many processes answer; 1 unless set.")
@click.option("--work/--no-work", default=True, help="Also work the jobs as they come, in one more process.")
@click.option("--socket/--no-socket", "own", default=True, help="Also listen at a socket of your own, without tokens.")
def command(
    host: str | None, port: int | None, opened: bool, tls_cert: str, tls_key: str, workers: int, work: bool, own: bool
) -> None:  # fmt: skip
    """Serve the memory over HTTP, for agents and people who share it.

    Every request needs a token (`engrain token create`), but those of your own user through the socket in the home.
    It listens on this machine alone, unless --host says otherwise and --tls-cert or --open allows it. Agents ask over
    MCP at /mcp?project=ID. Several workers share the port, each with a share of the limits' clients; any number of
    machines may serve one PostgreSQL store.

    \b
    Examples:
      engrain token create laptop
      engrain serve
      engrain serve --host 0.0.0.0 --tls-cert server.pem --tls-key server.key
      engrain serve --workers 4
      curl -H "Authorization: Bearer $ENGRAIN_TOKEN" http://127.0.0.1:3377/v1/stats
    """
    try:
        from engrain.mcp import http as mcp
        from engrain.rest import serving
        from engrain.rest import workers as crew
        from engrain.rest.app import Service
        from engrain.rest.guard import Rules, hosts_of
    except ModuleNotFoundError as exc:
        raise MissingExtra("serving needs the extra: pip install 'engrain[server]'") from exc
    from engrain.memory import Memory
    from engrain.memory.remote.memory import Remote

    memory = Memory.open()
    if isinstance(memory, Remote):
        raise BadInput(f"a server needs a store of its own, and {memory.where} is a server: unset ENGRAIN_STORE")
    config = memory.config
    where, at = host or config.text("server.host"), int(config.number("server.port")) if port is None else port
    if where not in _LOOPBACK and not (tls_cert or opened):
        raise BadInput(f"{where} is beyond this machine: give --tls-cert and --tls-key, or --open to go without")
    if bool(tls_cert) != bool(tls_key):
        raise BadInput("--tls-cert and --tls-key belong together")
    for file in filter(None, (tls_cert, tls_key)):
        if not os.path.isfile(file):
            raise BadInput(f"no file {file}")
    rules = Rules(
        tenant=config.text("tenant"),
        hosts=hosts_of(where, config.text("server.hosts").split(",")),
        origins=frozenset(each.strip() for each in config.text("server.origins").split(",") if each.strip()),
        most_bytes=int(config.number("server.max_mb") * 1024 * 1024),
        writes=config.number("server.writes"),
        reads=config.number("server.reads"),
        trust_local=bool(config.get("server.trust_local").value),
        secure=bool(tls_cert),
    )
    # Told now rather than to everybody who asks: whether this store can hold its tenants apart.
    memory.store.of(rules.tenant)
    several = workers > 1
    sockets = [serving.listening(where, at, shared=several, reserved=several)]
    if own:
        sockets.append(serving.own_socket(memory.home.ensure().socket))
    scheme, (_, bound, *_) = "https" if tls_cert else "http", sockets[0].getsockname()
    click.echo(
        f"engrain serves at {scheme}://{where}:{bound}" + (f" and at {memory.home.socket}" if own else ""), err=True
    )
    _warn(memory.where, where, secure=bool(tls_cert))
    memory.close()

    def answer() -> None:
        here = [serving.listening(where, bound, shared=True), *sockets[1:]] if several else sockets
        service = Service(Memory.open, rules)
        serving.serve(service, here, [mcp.surface(service.pool.memory)], certificate=tls_cert, key=tls_key)

    with crew.following(work):
        if several:
            crew.Crew(answer).run(workers)
        else:
            answer()
    if own and os.path.exists(memory.home.socket):
        os.unlink(memory.home.socket)


def _warn(store: str, where: str, *, secure: bool) -> None:
    """Says loudly what nobody should find out later."""
    from urllib.parse import urlsplit

    if "://" in store:
        parts = urlsplit(store)
        if not parts.password and parts.hostname not in (None, "", *_LOOPBACK):
            click.echo("WARNING: the PostgreSQL store is reached without a password over the network", err=True)
    if where not in _LOOPBACK and not secure:
        click.echo("WARNING: tokens and memories travel unencrypted: anybody on the way can read them", err=True)
