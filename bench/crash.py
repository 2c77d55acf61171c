"""What the spool and the tick promise: writers and ticks are killed at random, and nothing is lost or doubled.

Writers append events and log each id after its append returned. Ticks run in a loop. Some of either are killed with
SIGKILL at a random moment and started again. In the end the store must hold every logged id exactly once.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from typing import NamedTuple

from engrain.memory import Memory

MEAN_WAIT = 0.1
"""Seconds between two kills, so that these fall over the whole run."""

PAUSE = 0.0005
"""Seconds that a writer waits between two events, as an agent does."""


class Verdict(NamedTuple):
    """What was promised and what is there."""

    logged: int
    stored: int
    missing: int
    kills: int
    problems: tuple[str, ...]
    consistent: bool

    @property
    def good(self) -> bool:
        return not self.missing and not self.problems and self.consistent


def torment(home: str, store: str, *, writers: int, events: int, kills: int, seed: int) -> Verdict:
    """Runs the writers and ticks to their end under kills, drains what is left, and judges."""
    rng = random.Random(seed)
    os.makedirs(os.path.join(home, "logs"), mode=0o700)
    running = {name: _start(home, store, name, events) for name in [f"w{n}" for n in range(writers)] + ["tick"]}
    killed = 0
    while any(name != "tick" for name in running) or killed < kills:
        time.sleep(rng.uniform(0.0, MEAN_WAIT * 2))
        if killed < kills:
            killed += _kill(running, rng.choice(sorted(running)))
        for name, process in list(running.items()):
            if process.poll() is None:
                continue
            if name == "tick" or process.returncode != 0:
                running[name] = _start(home, store, name, events)
            else:
                del running[name]
    running["tick"].kill()
    running["tick"].wait()
    return _judge(home, store, killed)


def _kill(running: dict[str, subprocess.Popen[bytes]], name: str) -> int:
    """Kills one process, if it still runs; how many that was."""
    if running[name].poll() is not None:
        return 0
    running[name].send_signal(signal.SIGKILL)
    running[name].wait()
    return 1


def _start(home: str, store: str, name: str, events: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "bench.crash", home, store, name, str(events)]
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )


def _judge(home: str, store: str, killed: int) -> Verdict:
    logged: list[str] = []
    for name in os.listdir(os.path.join(home, "logs")):
        with open(os.path.join(home, "logs", name), encoding="ascii") as file:
            logged += [line for line in file.read().split("\n")[:-1] if line]
    with Memory.open(home, store=store, folder=home) as memory:
        while memory.tick(seconds=60).appended.new:
            pass
        stored = [event.id for event in memory.store.events()]
        before = list(memory.dump())
        memory.rebuild()
        consistent = before == list(memory.dump()) and len(stored) == len(set(stored))
        problems = tuple(memory.store.database.problems(deep=True))
    return Verdict(len(set(logged)), len(stored), len(set(logged) - set(stored)), killed, problems, consistent)


def _write(memory: Memory, home: str, name: str, events: int) -> None:
    """Appends what this writer has not logged yet; the log survives the writer, so a new one goes on."""
    path = os.path.join(home, "logs", name)
    with open(path, "a+", encoding="ascii") as log:
        log.seek(0)
        done = sum(1 for line in log.read().split("\n")[:-1] if line)
        for number in range(done, events):
            # Killed between the append and the log, the same event is written again: its id must make it one.
            id_ = f"{name}-{number:06d}"
            body = {"command": f"pytest tests/test_{number}.py", "output": f"{name} says {number} " * 12}
            memory.capture(
                memory.event("command", body, project="crash", session=name, agent="crash", time=number, id=id_)
            )
            log.write(f"{id_}\n")
            log.flush()
            time.sleep(PAUSE)


def _tick(memory: Memory) -> None:
    while True:
        memory.tick(seconds=0.2)


def main() -> None:
    """A writer or a tick, as a process of its own."""
    home, store, name, events = sys.argv[1:]
    with Memory.open(home, store=store, folder=home) as memory:
        if name == "tick":
            _tick(memory)
        else:
            _write(memory, home, name, int(events))


if __name__ == "__main__":
    main()
