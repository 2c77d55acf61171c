"""The house: nothing is lost, everything can be made anew, and it is quick."""

from __future__ import annotations

import io
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench.crash import torment
from bench.figure import Figure
from bench.scratch import postgres
from engrain import event as events
from engrain.capture.admit import Gate, admitted
from engrain.event import Event
from engrain.learn.direct import derive
from engrain.paths import Home
from engrain.store import Store, open_store
from engrain.upkeep import backup, forget, transfer

START = 1_790_000_000_000_000
GATE = partial(admitted, gate=Gate())
SECRET = "zebra-9f2c-unique-words"


def measure(full: bool) -> Iterator[Figure]:
    """The rows of the first issue."""
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        yield from _crash(folder, full)
        yield _ingest(folder)
        yield from _same_dump(folder)
        yield _two_stores(folder)
        yield _forgotten(folder)
    yield _help()


def sample(number: int, size: int, *, seed: int = 7) -> Iterator[Event]:
    """Events that look like work: sessions of commands with their output, in a vocabulary of code."""
    rng = random.Random(seed)
    words = [
        "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(3, 10))) for _ in range(20_000)
    ]
    for n in range(number):
        output: list[str] = []
        length = 0
        while length < size - 200:
            line = (
                f"{rng.choice(words)}/{rng.choice(words)}.py:{rng.randint(1, 900)}: {' '.join(rng.choices(words, k=8))}"
            )
            output.append(line)
            length += len(line) + 2
        body = {"command": f"pytest {rng.choice(words)}", "exit": rng.randint(0, 1), "output": "\n".join(output)}
        session, project = f"s{n // 200}", f"p{n // 5000}"
        id_ = events.id_of("bench", str(seed), str(n))
        yield events.make("command", body, project=project, session=session, agent="bench", time=START + n, id=id_)


def _crash(folder: str, full: bool) -> Iterator[Figure]:
    with postgres() as server:
        rounds = 5 if full else 1
        for n in range(rounds):
            for name in ("sqlite", "postgres"):
                home = os.path.join(folder, f"crash-{name}-{n}")
                store = os.path.join(home, "engrain.db") if name == "sqlite" else server.database()
                verdict = torment(home, store, writers=8, events=5000, kills=30, seed=n)
                note = f"{verdict.logged:,} logged, {verdict.stored:,} stored, {verdict.kills} killed"
                wrong = verdict.missing + len(verdict.problems) + (not verdict.consistent)
                yield Figure(f"{name}: events lost, doubled or damaged under SIGKILL", wrong, "", most=0, note=note)


def _sqlite(folder: str, name: str) -> Store:
    return open_store(os.path.join(folder, f"{name}.db"), derive)


def _timed(what: Callable[[], object]) -> float:
    started = time.monotonic()
    what()
    return time.monotonic() - started


def _ingest(folder: str) -> Figure:
    ready = list(sample(12_000, 2048))
    store = _sqlite(folder, "ingest")
    took = _timed(lambda: store.append(ready))
    size = sum(len(events.line(event)) for event in ready) / len(ready)
    store.close()
    return Figure("ingest, SQLite", len(ready) / took, "events/s", least=3000, note=f"{size:,.0f} bytes each")


def _dump(store: Store) -> list[str]:
    return list(store.dump())


def _same_dump(folder: str) -> Iterator[Figure]:
    journal = list(sample(100_000, 500))
    first = _sqlite(folder, "first")
    first.append(journal)
    forgotten = events.forget([event.id for event in journal[::1000]])
    first.append([forgotten])
    before = _dump(first)
    took = _timed(first.rebuild)
    yield Figure("rebuild of 100,000 events: rows that differ", _different(before, _dump(first)), "", most=0)
    yield Figure("rebuild", len(journal) / took, "events/s")

    shuffled = [*journal, forgotten]
    random.Random(3).shuffle(shuffled)
    second = _sqlite(folder, "second")
    for part in range(3):
        second.append(itertools.islice(shuffled, part * len(shuffled) // 3, (part + 1) * len(shuffled) // 3))
    different = _different(before, _dump(second))
    yield Figure("the same events shuffled, in three ingests: rows that differ", different, "", most=0)
    first.close()
    second.close()


def _different(one: list[str], other: list[str]) -> int:
    return sum(a != b for a, b in itertools.zip_longest(one, other))


def _two_stores(folder: str) -> Figure:
    here, there = io.BytesIO(), io.BytesIO()
    sqlite = _sqlite(folder, "here")
    sqlite.append(sample(5000, 1000, seed=11))
    sqlite.append([events.forget([event.id for event in itertools.islice(sqlite.events(), 50)])])
    transfer.export(sqlite, here, GATE)
    with postgres() as server:
        store = open_store(server.database(), derive)
        transfer.import_lines(store, io.BytesIO(here.getvalue()), GATE)
        transfer.export(store, there, GATE)
        different = sum(a != b for a, b in itertools.zip_longest(here.getvalue(), there.getvalue()))
        different += _different(_dump(sqlite), _dump(store))
        store.close()
    sqlite.close()
    note = f"{len(here.getvalue()):,} bytes"
    return Figure(
        "SQLite → export → PostgreSQL → export: bytes and derived rows that differ", different, "", most=0, note=note
    )


def _forgotten(folder: str) -> Figure:
    home = Home(os.path.join(folder, "forget")).ensure()
    store = open_store(home.database, derive)
    noted = events.make("note", {"text": f"the word is {SECRET}"}, project="p", id="to-forget")
    store.append([*sample(2000, 500, seed=5), noted])
    copy = backup.backup(home, store)
    exported = io.BytesIO()
    transfer.export(store, exported, GATE)
    forget.forget(home, store, ["to-forget"], tenant="local")
    transfer.import_lines(store, io.BytesIO(exported.getvalue()), GATE)
    elsewhere = os.path.join(folder, "copy.db")
    os.rename(copy.path, elsewhere)
    backup.restore(store, elsewhere, forget.ledger(home), GATE)
    held = _grep(home.root, SECRET.encode())
    store.close()
    return Figure("a forgotten string, re-imported and restored: files of the home that hold it", held, "", most=0)


def _grep(folder: str, needle: bytes) -> int:
    found = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                found += needle in file.read()
    return found


def _help() -> Figure:
    """In turns, so that both meet the same noise; the quickest of each counts."""
    bare, helped = [], []
    for _ in range(15):
        bare.append(_timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)))
        helped.append(
            _timed(
                lambda: subprocess.run(
                    [sys.executable, "-m", "engrain", "--help"], check=True, stdout=subprocess.DEVNULL
                )
            )
        )
    return Figure(
        "engrain --help ÷ python -c pass", min(helped) / min(bare), "×", most=5, note=f"{min(helped) * 1000:.0f} ms"
    )
