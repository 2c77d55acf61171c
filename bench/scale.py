"""Scale: PostgreSQL under several workers, restarted while they write; a million notes; a journal moved there and back.

    python -m bench scale [--full]

Server, clients and PostgreSQL share the machine. What is synthetic says so.
"""

from __future__ import annotations

import http.client
import io
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench import notes
from bench.cores import CORES, of_children, spent
from bench.figure import Figure
from bench.scratch import Postgres, postgres
from bench.serving import FREE, _event
from engrain import event as events
from engrain.capture.admit import Gate, admitted
from engrain.learn.direct import derive
from engrain.memory import Memory
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
    """Ingest through a restart; a journal carried there and back, killed on the way; a million notes asked."""
    with postgres() as running:
        yield from _ingest(running, 60.0 if full else 20.0)
        yield from _carried(running, 200_000 if full else 4_000)
        if full:
            yield from notes.asked(running, 1_000_000)


def _ingest(running: Postgres, seconds: float) -> Iterator[Figure]:
    """Clients with batches of 2 kB events, four workers, and a restart in the middle."""
    url = running.database()
    with tempfile.TemporaryDirectory() as home, served(home, url, WORKERS, **FREE) as one:
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


def _carried(running: Postgres, number: int) -> Iterator[Figure]:
    """SQLite → PostgreSQL → SQLite by the command, killed twice each way."""
    url = running.database()
    with tempfile.TemporaryDirectory() as home:
        mine, back = os.path.join(home, "mine.db"), os.path.join(home, "back.db")
        store = open_store(mine, derive)
        gate = Gate(still=True)
        store.append(admitted(_short(each), gate) for each in range(number))
        store.close()
        began = time.monotonic()
        kills = sum(_carry(home, source, target, number) for source, target in ((mine, url), (url, back)))
        took = time.monotonic() - began
        exports = [_exported(home, each) for each in (mine, back)]
    note = f"killed {kills} times; {2 * number / took:,.0f} events/s through gate, store and reading back"
    yield Figure(f"SQLite → PostgreSQL → SQLite, {number:,} events", took, "s", note=note)
    differ = sum(one != two for one, two in zip(*exports, strict=True)) if len({*map(len, exports)}) == 1 else number
    yield Figure("bytes of the export that differ", differ, "", most=0)
    running.drop(url)


def _short(number: int) -> events.Event:
    """A call, or now and then a note."""
    place: dict[str, Any] = {
        "project": f"p{number % 50}",
        "session": f"s{number // 400}",
        "agent": "bench",
        "id": f"e{number:07d}",
    }
    when = 1_790_000_000_000_000 + number * 1_000_000
    if number % 10 == 0:
        said = {"text": f"note {number}: the queue of worker {number % 97} is slow"}
        return events.make("note", said, time=when, **place)
    ran = {"tool": "Bash", "input": {"command": f"make check-{number % 300}"}, "output": f"ok {number}", "exit": 0}
    return events.make("tool.call", ran, time=when, **place)


def _carry(home: str, source: str, target: str, number: int) -> int:
    """Carries, killed at a third and at two thirds of the way; how often."""
    kills = 0
    command = [sys.executable, "-m", "engrain", "migrate-store", source, target, "--json"]
    environ = {**os.environ, "ENGRAIN_HOME": home}
    for share in (1 / 3, 2 / 3):
        process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
        while process.poll() is None and _carried_far(home) < share * number:
            time.sleep(0.02)
        kills += process.poll() is None
        process.kill()
        process.wait()
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["events"] == number
    shutil.rmtree(os.path.join(home, "carried"))
    return kills


def _carried_far(home: str) -> int:
    folder = os.path.join(home, "carried")
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        if name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return int(json.load(file)[1][0])
    return 0


def _exported(home: str, store: str) -> bytes:
    out = io.BytesIO()
    with Memory.open(home, store=store) as memory:
        memory.export(out)
    return out.getvalue()


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
