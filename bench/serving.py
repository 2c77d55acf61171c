"""Serving: what a server takes from many clients at once, and that all it answered for is there.

    python -m bench serving

Clients are processes of their own, with connections that they keep; each sends events of about 2 kB, one by one or in
batches of 100. The server has a worker for each of two cores, which it shares with the clients, and with whatever else
the machine does: beside each rate stands what server and clients took of a processor, and how many events two cores
would do in a second that were theirs alone.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.cores import CORES, of_children, spent
from bench.figure import Figure
from engrain.memory import Memory
from tests.served import Served, served, start

FEW, MANY = 8, 32
SECONDS, WARMING = 2.0, 1.0
ROUNDS = 3
FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}
PROCESSES = 4
OUTPUT = "\n".join(
    f"src/shop/basket.py:{n}: the total of {n} items is {n * 17}, tests/test_{n}.py passed" for n in range(28)
)


class Told(NamedTuple):
    """What one client was answered for, and how long each answer took."""

    stored: int
    seconds: list[float]
    refused: int


class Round(NamedTuple):
    """What all clients were told in some seconds, and what server and clients took of processors for it."""

    told: list[Told]
    took: float
    cores: float


def measure(full: bool) -> Iterator[Figure]:
    """Throughput by the number of clients, single and in batches; what a kill loses."""
    for batch, least in ((1, 500), (100, 3000)):
        yield from _rates(batch, least, ROUNDS * (3 if full else 1))
    yield from _killed(20 if full else 5)
    yield from _killed_beside(20 if full else 5)


def _rates(batch: int, least: float, rounds: int) -> Iterator[Figure]:
    """Few clients and many in turn, so that whatever else the machine does meets both alike."""
    seen: dict[int, list[Round]] = {FEW: [], MANY: []}
    with tempfile.TemporaryDirectory() as home, served(home, "", CORES, **FREE) as one:
        told = _load(one, FEW, batch, WARMING, "w").told
        for turn in range(rounds):
            for clients, found in seen.items():
                found.append(_load(one, clients, batch, SECONDS, f"{turn}"))
        told += [each for found in seen.values() for one_round in found for each in one_round.told]
        lost = sum(each.stored for each in told) - _stored(home)
    what = "one by one" if batch == 1 else f"in batches of {batch}"
    rates = {}
    for clients, found in seen.items():
        number = sum(each.stored for one_round in found for each in one_round.told)
        rates[clients] = number / sum(one_round.took for one_round in found)
        yield Figure(
            f"{clients} clients, {what}", rates[clients], "events/s", least=least if clients == MANY else None,
            note=_notes(found, number),
        )  # fmt: skip
    yield Figure(f"{what}: {MANY} clients ÷ {FEW}", rates[MANY] / rates[FEW], "×", least=0.9)
    yield Figure(f"{what}: answered and not stored", lost, "", most=0)


def _notes(found: list[Round], number: int) -> str:
    slow = sorted(seconds for one_round in found for each in one_round.told for seconds in each.seconds)
    cores = sum(one_round.cores for one_round in found)
    return (
        f"p50 {1000 * slow[len(slow) // 2]:.0f} ms, p99 {1000 * slow[int(len(slow) * 0.99)]:.0f} ms; "
        f"{1e6 * cores / number:,.0f} µs of a core each, {CORES * number / cores:,.0f}/s of two"
    )


def _load(one: Served, clients: int, batch: int, seconds: float, name: str) -> Round:
    began, before = time.monotonic(), spent(one.process.pid) + of_children()
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        share = clients // PROCESSES
        each = [(one.port, one.token, share, batch, seconds, f"{name}-{clients}-{n}") for n in range(PROCESSES)]
        found = [told for many in pool.starmap(_several, each) for told in many]
    took = time.monotonic() - began
    return Round(found, took, spent(one.process.pid) + of_children() - before)


def _several(port: int, token: str, clients: int, batch: int, seconds: float, name: str) -> list[Told]:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(clients) as threads:
        jobs = [threads.submit(_client, port, token, batch, seconds, f"{name}-{n}") for n in range(clients)]
        return [job.result() for job in jobs]


def _client(port: int, token: str, batch: int, seconds: float, name: str) -> Told:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    stored = refused = number = 0
    took: list[float] = []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        body = json.dumps(
            {"events": [_event(name, number + n) for n in range(batch)]} if batch > 1 else _event(name, number)
        )
        number += batch
        began = time.monotonic()
        connection.request("POST", "/v1/events", body, headers)
        answer = connection.getresponse()
        fields = json.loads(answer.read())
        took.append(time.monotonic() - began)
        if answer.status == 200:
            stored += fields["stored"]
        else:
            refused += batch
    connection.close()
    return Told(stored, took, refused)


def _event(name: str, number: int) -> dict[str, Any]:
    body = {"tool": "Bash", "input": {"command": f"pytest -x tests/test_{number}.py"}, "output": OUTPUT, "exit": 0}
    who = {"project": "bench", "session": name, "agent": "bench"}
    return {"id": f"{name}-{number}", "kind": "tool.call", **who, "body": body}


def _stored(home: str) -> int:
    with Memory.open(home) as memory:
        memory.catch_up()
        return memory.store.count()


def _killed(times: int) -> Iterator[Figure]:
    """A server that is killed under load again and again: what it answered for is there, once."""
    with tempfile.TemporaryDirectory() as home:
        answered: list[str] = []
        for turn in range(times):
            one = start(home, **FREE)
            answered += _until_killed(one, turn)
            assert one.process.stderr is not None
            one.process.stderr.close()
        with Memory.open(home) as memory:
            memory.catch_up()
            there = {event.id for event in memory.store.events()}
        lost = len(set(answered) - there)
    yield Figure(
        f"killed {times} times under load: answered and lost", lost, "", most=0, note=f"{len(answered):,} answered"
    )


def _killed_beside(times: int) -> Iterator[Figure]:
    """A worker that is killed while it learns and embeds, again and again: what was answered is there once, it is
    replaced, and what it was at is done in the end."""
    with tempfile.TemporaryDirectory() as home, served(home, "", 1, **FREE) as one:
        command = [sys.executable, "-m", "engrain", "worker", "--seconds", "5"]
        environ = {**os.environ, "ENGRAIN_HOME": home}
        answered: list[str] = []
        for turn in range(times):
            worker = subprocess.Popen(command, env=environ)
            for number in range(10):
                batch = {"events": [_event(f"w{turn}-{number}", n) for n in range(20)]}
                answered += one.ask("POST", "/v1/events", batch).fields["ids"]
            worker.kill()
            worker.wait()
        subprocess.run([*command[:-2], "--until-idle"], env=environ, check=True)
        with Memory.open(home) as memory:
            there = [event.id for event in memory.store.events() if event.kind == "tool.call"]
            left = memory.to_learn()
    lost = len(set(answered) - set(there)) + len(there) - len(set(there))
    note = f"{len(answered):,} answered"
    yield Figure(f"worker killed {times} times under load: answered and lost, or doubled", lost, "", most=0, note=note)
    yield Figure("sessions that nobody learned from in the end", left, "", most=0)


def _until_killed(one: Served, turn: int) -> list[str]:
    from concurrent.futures import ThreadPoolExecutor

    def told(number: int) -> list[str]:
        found: list[str] = []
        connection = http.client.HTTPConnection("127.0.0.1", one.port, timeout=10)
        try:
            for n in range(10_000):
                headers = {"Authorization": f"Bearer {one.token}"}
                connection.request("POST", "/v1/events", json.dumps(_event(f"k{turn}-{number}", n)), headers)
                found += json.loads(connection.getresponse().read())["ids"]
        except (OSError, http.client.HTTPException, ValueError):
            return found
        return found

    with ThreadPoolExecutor(8) as threads:
        jobs = [threads.submit(told, number) for number in range(8)]
        time.sleep(0.6)
        one.kill()
        return [id_ for job in jobs for id_ in job.result()]
