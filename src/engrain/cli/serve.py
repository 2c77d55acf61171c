"""`engrain serve`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import click

from engrain.errors import BadInput, MissingExtra

_COUNTS = "PROMETHEUS_MULTIPROC_DIR"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command("serve")
@click.option("--host", metavar="ADDRESS", help="Where to listen; 127.0.0.1 unless set.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 3377 unless set, 0 for any that is free.")
@click.option("--open", "opened", is_flag=True, help="Allow listening beyond this machine without TLS.")
@click.option("--tls-cert", metavar="FILE", default="", help="Serve over TLS with this certificate …")
@click.option("--tls-key", metavar="FILE", default="", help="… and this key.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, help="How many processes answer; 1 unless set.")
@click.option("--work/--no-work", default=True, help="Also work the jobs as they come, in one more process.")
@click.option("--log", type=click.Choice(["none", "json"]), default="none", help="json: a line for each request.")
@click.option("--socket/--no-socket", "own", default=True, help="Also listen at a socket of your own, without tokens.")
def command(
    host: str | None, port: int | None, opened: bool, tls_cert: str, tls_key: str, workers: int, work: bool, log: str,
    own: bool,
) -> None:  # fmt: skip
    """Serve the memory over HTTP, for agents and people who share it.

    Every request needs a token (`engrain token create`), but those of your own user through the socket in the home.
    It listens on this machine alone, unless --host says otherwise and --tls-cert or --open allows it. Agents ask over
    MCP at /mcp?project=ID. Several workers share the port, each with a share of the limits' clients; any number of
    machines may serve one PostgreSQL store. People look at its pages; `engrain ui` opens them.

    \b
    Examples:
      engrain token create laptop
      engrain serve
      engrain serve --host 0.0.0.0 --tls-cert server.pem --tls-key server.key
      engrain serve --workers 4
      curl -H "Authorization: Bearer $ENGRAIN_TOKEN" http://127.0.0.1:3377/v1/stats
    """
    run(Listen(host or "", port, own, opened, tls_cert, tls_key, workers, work, log == "json"), _told)


class Listen(NamedTuple):
    """Where a server listens (an address and a port, else what the settings say; a socket of one's own), and how many
    answer."""

    host: str = ""
    port: int | None = None
    own: bool = True
    opened: bool = False
    certificate: str = ""
    key: str = ""
    workers: int = 1
    work: bool = True
    log: bool = False


class Up(NamedTuple):
    """A server that is about to answer: where, and the link that logs this user in at a browser."""

    url: str
    socket: str
    link: str


def run(listen: Listen, ready: Callable[[Up], None]) -> None:
    """Serves until it is told to end; `ready` is told of it when its port is bound."""
    with _counted_together(listen.workers > 1):
        _run(listen, ready)


@contextmanager
def _counted_together(several: bool) -> Iterator[None]:
    """Where there are several workers, a folder in which their counts lie, so that any of them can tell the sum."""
    if not several:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="engrain-counts-") as folder:
        os.environ[_COUNTS] = folder
        try:
            yield
        finally:
            del os.environ[_COUNTS]


def _run(listen: Listen, ready: Callable[[Up], None]) -> None:
    try:
        from engrain.mcp import http as mcp
        from engrain.rest import serving
        from engrain.rest import workers as crew
        from engrain.rest.app import Service
        from engrain.rest.guard import Rules, hosts_of
        from engrain.rest.login import Logins
        from engrain.rest.who import same_user
        from engrain.web import surface as web
    except ModuleNotFoundError as exc:
        raise MissingExtra("serving needs the extra: pip install 'engrain[server]'") from exc
    from engrain.memory import Memory
    from engrain.memory.remote.memory import Remote

    memory = Memory.open()
    if isinstance(memory, Remote):
        raise BadInput(f"a server needs a store of its own, and {memory.where} is a server: unset ENGRAIN_STORE")
    config, (_, _, own, opened, certificate, key, *_) = memory.config, listen
    where = listen.host or config.text("server.host")
    at = int(config.number("server.port")) if listen.port is None else listen.port
    if where not in _LOOPBACK and not (certificate or opened):
        raise BadInput(f"{where} is beyond this machine: give --tls-cert and --tls-key, or --open to go without")
    if bool(certificate) != bool(key):
        raise BadInput("--tls-cert and --tls-key belong together")
    for file in filter(None, (certificate, key)):
        if not os.path.isfile(file):
            raise BadInput(f"no file {file}")
    rules = Rules(
        tenant=config.text("tenant"),
        hosts=hosts_of(where, config.text("server.hosts").split(",")),
        origins=frozenset(each.strip() for each in config.text("server.origins").split(",") if each.strip()),
        most_bytes=int(config.number("server.max_mb") * 1024 * 1024),
        writes=config.number("server.writes"),
        reads=config.number("server.reads"),
        guesses=config.number("server.guesses"),
        trust_local=bool(config.get("server.trust_local").value),
        secure=bool(certificate),
    )
    # Told now rather than to everybody who asks: whether this store can hold its tenants apart.
    memory.store.of(rules.tenant)
    several = listen.workers > 1
    ports = [serving.listening(where, at, shared=several)]
    bound = ports[0].getsockname()[1]
    # One for each worker, and all of them here: who comes while a worker is replaced waits for the next one.
    ports += [serving.listening(where, bound, shared=True) for _ in range(listen.workers - 1)]
    mine = [serving.own_socket(memory.home.ensure().socket)] if own else []
    url = f"{'https' if certificate else 'http'}://{where}:{bound}"
    ticket = Logins(memory.store.database).ticket(same_user(rules.tenant))
    ready(Up(url, memory.home.socket if own else "", f"{url}/enter?ticket={ticket}"))
    _warn(memory.store.database.concerns(), where, secure=bool(certificate))
    memory.close()

    def answer(number: int) -> None:
        service = Service(Memory.open, rules)
        memories = service.pool.memory
        serving.serve(
            service, [ports[number], *mine], [mcp.surface(memories)], web.pages(memories), certificate=certificate,
            key=key, log=listen.log,
        )  # fmt: skip

    with crew.following(listen.work):
        if several:
            crew.Crew(answer).run(listen.workers)
        else:
            answer(0)
    if own and os.path.exists(memory.home.socket):
        os.unlink(memory.home.socket)


def _told(up: Up) -> None:
    click.echo(f"engrain serves at {up.url}" + (f" and at {up.socket}" if up.socket else ""), err=True)


def _warn(concerns: list[str], where: str, *, secure: bool) -> None:
    """Says loudly what nobody should find out later."""
    for concern in concerns:
        click.echo(f"WARNING: {concern}", err=True)
    if where not in _LOOPBACK and not secure:
        click.echo("WARNING: tokens and memories travel unencrypted: anybody on the way can read them", err=True)
