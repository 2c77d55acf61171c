"""Scale: PostgreSQL under several workers, restarted while they write.

    python -m bench scale [--full]

Server, clients and PostgreSQL share the machine; beside the rate stands what all of them took of a processor.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from bench.cores import CORES, of_children, spent
from bench.figure import Figure
from bench.scratch import Postgres, postgres
from bench.serving import FREE, _event
from engrain.learn.direct import derive
from engrain.store import open_store
from tests.served import Served, served

WORKERS = 4
CLIENTS = 8
BATCH = 100
AGAIN = 0.1


class Told(NamedTuple):
    """What one client was answered for, and how often it was told to come again."""

    answered: list[str]
    later: int


def measure(full: bool) -> Iterator[Figure]:
    """Ingest through a restart."""
    with postgres() as running:
        yield from _ingest(running, 60.0 if full else 20.0)


def _ingest(running: Postgres, seconds: float) -> Iterator[Figure]:
    """Clients with batches of 2 kB events, four workers, and a restart in the middle."""
    url = running.database()
    with tempfile.TemporaryDirectory() as home, served(home, url, WORKERS, **FREE) as one:
        # Each worker has been asked something.
        for _ in range(WORKERS * WORKERS):
            assert one.ask("GET", "/v1/stats").status == 200
        began, before = time.monotonic(), _taken(one, running)
        with multiprocessing.get_context("fork").Pool(CLIENTS) as pool:
            telling = pool.starmap_async(_tell, [(one.port, one.token, began + seconds, n) for n in range(CLIENTS)])
            time.sleep(seconds / 2)
            away = time.monotonic()
            ended = spent(running.pid)
            running.restart()
            away = time.monotonic() - away
            told = telling.get()
        took, cores = time.monotonic() - began, _taken(one, running) + ended - before
    store = open_store(url, derive)
    there = {event.id for event in store.events()}
    store.close()
    answered = [id_ for each in told for id_ in each.answered]
    note = (
        f"{len(answered):,} in {took:.0f} s, {away:.1f} s of them without PostgreSQL; server, PostgreSQL and clients "
        f"take {1e6 * cores / len(answered):,.0f} µs of a core each, {CORES * len(answered) / cores:,.0f}/s of two"
    )
    yield Figure(
        f"ingest, {WORKERS} workers, batches of {BATCH}", len(answered) / took, "events/s", least=2000, note=note
    )
    refused = f"{sum(each.later for each in told):,} times told to come again"
    yield Figure("answered and not stored, through a restart", len(set(answered) - there), "", most=0, note=refused)
    running.drop(url)


def _taken(one: Served, running: Postgres) -> float:
    return spent(one.process.pid) + spent(running.pid) + of_children()


def _tell(port: int, token: str, ends: float, name: int) -> Told:
    answered: list[str] = []
    number = later = 0
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    while time.monotonic() < ends:
        body = json.dumps({"events": [_event(f"c{name}", number + n) for n in range(BATCH)]})
        while time.monotonic() < ends:
            try:
                connection.request("POST", "/v1/events", body, headers)
                reply = connection.getresponse()
                fields = json.loads(reply.read())
            except (OSError, http.client.HTTPException):
                connection.close()
                time.sleep(AGAIN)
                continue
            if reply.status == 200:
                answered += fields["ids"]
                break
            later += 1
            time.sleep(AGAIN)
        number += BATCH
    connection.close()
    return Told(answered, later)
