"""What a memory of very many would need: reckoned from what one event costs here, which is measured.

    python -m bench.simulate_scale [--developers N] [--events N] [--days N] [--json FILE] [--measured FILE]

Measured (or read from the file of an earlier run): processor time of the server and of PostgreSQL for an event, bytes
of every table with its indexes, bytes of the log, the time that a rewrite of the tables takes. Assumed, and said beside
the result: how many hours a day people work, how much busier the busiest is, what a core and a terabyte cost.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from typing import NamedTuple

import psycopg

from bench.cores import spent
from bench.scratch import postgres
from bench.serving import _event
from engrain import event as events
from engrain.event import Event
from engrain.memory import Memory
from engrain.rest.pool import ANYWHERE

EVENTS = 6_000
BATCH = 400
PROJECTS = 40
VECTOR_BYTES = 384 * 2 * 2.6
"""A vector with its row and its place in the index: twice its own bytes and some."""
TOLD = 0.02
"""Share of events that get a vector: what is told, not what calls print."""


class Measured(NamedTuple):
    """What one event costs, in seconds of a core and in bytes."""

    server: float
    backend: float
    log: float
    tables: dict[str, float]
    rewrite: float
    """Bytes that a rewrite of the tables gets through in a second."""


class Assumed(NamedTuple):
    """What can't be measured here."""

    developers: int = 100_000
    events: int = 1_000
    days: int = 180
    hours: float = 10.0
    peak: float = 3.0
    busy: float = 0.6
    core: float = 25.0
    terabyte: float = 80.0
    per_project: int = 10
    server_cores: int = 64
    server_terabytes: float = 30.0


def measured() -> Measured:
    """Tells a store of its own some thousand events of about 2 kB, as a server does, and forgets some."""
    with postgres() as running, tempfile.TemporaryDirectory() as home:
        url = running.database()
        with Memory.open(home, store=url) as whole, psycopg.connect(url, autocommit=True) as other:
            team = whole.confined_to("local", ANYWHERE)
            team.record(*map(_one, range(BATCH)))
            (backend,) = _row(other, "SELECT pid FROM pg_stat_activity WHERE application_name = 'engrain'")
            before, log, began = _sizes(other), _row(other, "SELECT pg_current_wal_lsn()")[0], time.process_time()
            used = spent(int(backend))
            for first in range(BATCH, BATCH + EVENTS, BATCH):
                team.record(*map(_one, range(first, first + BATCH)))
            server, taken = (time.process_time() - began) / EVENTS, (spent(int(backend)) - used) / EVENTS
            (logged,) = _row(other, "SELECT pg_current_wal_lsn() - %s::pg_lsn", log)
            after = _sizes(other)
            began = time.monotonic()
            whole.store.compact()
            rewritten = sum(after.values()) / (time.monotonic() - began)
            tables = {name: (size - before.get(name, 0)) / EVENTS for name, size in after.items()}
        running.drop(url)
    return Measured(server, taken, float(logged) / EVENTS, {k: v for k, v in tables.items() if v > 1}, rewritten)


def _one(number: int) -> Event:
    fields = _event(f"s{number // 200}", number)
    when = 1_790_000_000_000_000 + number * 1_000_000
    return events.make(
        fields["kind"], fields["body"], project=f"p{number % PROJECTS}", session=fields["session"], agent="bench",
        id=fields["id"], time=when,
    )  # fmt: skip


def _row(connection: psycopg.Connection[tuple[str, ...]], question: str, *args: str) -> tuple[str, ...]:
    found = connection.execute(question.encode(), args).fetchone()
    assert found is not None
    return found


def _sizes(connection: psycopg.Connection[tuple[str, ...]]) -> dict[str, float]:
    """Bytes of each table with its parts and indexes."""
    found = connection.execute(
        "SELECT regexp_replace(relname, '_[0-9]$', ''), sum(pg_total_relation_size(oid)) FROM pg_class"
        " WHERE relkind = 'r' AND relname LIKE 'mem\\_%' GROUP BY 1"
    ).fetchall()
    return {name: float(size) for name, size in found}


class Need(NamedTuple):
    """How much of something is needed, and how much of it one large server has."""

    what: str
    amount: float
    unit: str
    has: float


def needs(cost: Measured, said: Assumed) -> list[Need]:
    """What is needed at the busiest, the scarcest first."""
    daily = said.developers * said.events
    rate = daily / (said.hours * 3600) * said.peak
    stored = sum(cost.tables.values()) + TOLD * VECTOR_BYTES
    kept = daily * said.days * stored
    rows = [
        Need("terabytes kept", kept / 1e12, "TB", said.server_terabytes),
        Need("cores of PostgreSQL for what is told", rate * cost.backend / said.busy, "cores", said.server_cores),
        Need("log written, at the busiest", rate * cost.log / 1e6, "MB/s", 1_000),
        Need("hours to rewrite all tables once, which a forget does", kept / cost.rewrite / 3600, "h", 24),
        Need("rows of the journal in each of 8 parts", daily * said.days / 8 / 1e9, "billion", 1),
    ]
    return sorted(rows, key=lambda need: -need.amount / need.has)


def told(cost: Measured, said: Assumed) -> str:
    """All of it, as a page has it."""
    daily = said.developers * said.events
    rate = daily / (said.hours * 3600) * said.peak
    stored = sum(cost.tables.values()) + TOLD * VECTOR_BYTES
    kept = daily * said.days * stored
    times = [need.amount / need.has for need in needs(cost, said) if "rewrite" not in need.what]
    shards = math.ceil(max(1.0, *times))
    api = rate * cost.server / said.busy
    backend = rate * cost.backend / said.busy
    month = (api + 2 * backend) * said.core + 2 * kept / 1e12 * said.terabyte
    largest = sorted(cost.tables, key=lambda name: -cost.tables[name])
    lines = [
        f"{said.developers:,} developers × {said.events:,} events a day, kept {said.days} days:", "",
        "| measured for an event of 2 kB | |", "|---|---|",
        f"| processor of the server: redaction and writing, without HTTP | {1e6 * cost.server:,.0f} µs |",
        f"| processor of PostgreSQL | {1e6 * cost.backend:,.0f} µs |",
        f"| log | {cost.log:,.0f} bytes |",
        *(f"| {name} with indexes | {cost.tables[name]:,.0f} bytes |" for name in largest),
        f"| rewrite of tables (`VACUUM FULL`) | {cost.rewrite / 1e6:,.0f} MB/s |", "",
        "| reckoned | |", "|---|---|",
        f"| events a day | {daily:,} |",
        f"| events a second, at the busiest ({said.hours:g} working hours, {said.peak:g} × their mean) | {rate:,.0f} |",
        f"| cores of `engrain serve`, {said.busy:.0%} busy | {api:,.1f} |",
        f"| cores of PostgreSQL for it, likewise | {backend:,.1f} |",
        f"| a day adds | {daily * stored / 1e9:,.0f} GB |",
        f"| kept | {kept / 1e12:,.1f} TB in {daily * said.days:,} events |",
        f"| servers of {said.server_cores} cores and {said.server_terabytes:g} TB, by project | {shards} |",
        f"| rows of each part of the journal on each | {daily * said.days / 8 / shards / 1e6:,.0f} million |",
        f"| projects ({said.per_project} developers each) | {said.developers // said.per_project:,} |",
        f"| a month, at {said.core:g} a core and {said.terabyte:g} a terabyte, with a replica | {month:,.0f} |", "",
        "| what breaks first, on one server | needed | it has | times over |", "|---|---|---|---|",
        *(f"| {n.what} | {n.amount:,.1f} {n.unit} | {n.has:,g} | {n.amount / n.has:,.1f} |" for n in needs(cost, said)),
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    """Measures, or reads what was measured, and tells."""
    parser = argparse.ArgumentParser(prog="python -m bench.simulate_scale", description=__doc__.split("\n")[0])
    plain = Assumed()
    parser.add_argument("--developers", type=int, default=plain.developers)
    parser.add_argument("--events", type=int, default=plain.events, help="of each a day")
    parser.add_argument("--days", type=int, default=plain.days, help="that they are kept")
    parser.add_argument("--measured", metavar="FILE", help="what an earlier run measured")
    parser.add_argument("--json", metavar="FILE", help="write what was measured there")
    asked = parser.parse_args()
    if asked.measured:
        with open(asked.measured, encoding="utf-8") as file:
            cost = Measured(**json.load(file))
    else:
        cost = measured()
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(cost._asdict(), file, indent=2)
    print(told(cost, plain._replace(developers=asked.developers, events=asked.events, days=asked.days)))


if __name__ == "__main__":
    main()
