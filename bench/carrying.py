"""Carrying: a journal moved from SQLite to PostgreSQL and back by the command, killed twice each way.

    python -m bench carrying [--full]

4,000 events, 200,000 with `--full`; in the end both exports must have the same bytes.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from bench.figure import Figure
from bench.scratch import Postgres, postgres
from engrain import event as events
from engrain.capture.admit import Gate, admitted
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.store import open_store


def measure(full: bool) -> Iterator[Figure]:
    """How long it takes, and whether anything differs."""
    with postgres() as running:
        yield from _carried(running, 200_000 if full else 4_000)


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
