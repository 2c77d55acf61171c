"""Fixes: is the right one handed back, is a wrong one ever, how quickly, and is nothing lost?

    python -m bench fixes

Each cause of the real tool failures is taught from its variant `a` and asked for with its variant `b`: right, wrong or
none by the first fix shown. Then again with the right one left out of the memory: whatever is still shown is wrong.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from bench.figure import Figure, shared
from bench.scratch import postgres
from engrain import event as events
from engrain.event import FIX, Event
from engrain.fingerprint import fingerprint
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.memory.fixes import described
from engrain.model import EXACT, Fingerprint, Fix
from engrain.recall.answer import Asked, answer
from engrain.recall.near import wording_of
from engrain.store import Store, open_store
from engrain.store.reader import Reader

START = 1_790_000_000_000_000


def measure(full: bool) -> Iterator[Figure]:
    """The rows that fixes are held to."""
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        yield from _taught_and_asked(folder)
        yield from _quick(folder)
        yield from _observed(folder)
        yield from _counted(folder, full)


def lesson(found: Fingerprint, steps: list[str], number: int = 0, **more: Any) -> Event:
    """The event that teaches a fix."""
    body = {**described(found), "wording": wording_of(found), "steps": steps, "source": "taught", **more}
    return events.make(FIX, body, project="p", id=events.id_of("lesson", str(number), *steps), time=START + number)


# Right, wrong, none


def _taught_and_asked(folder: str) -> Iterator[Figure]:
    with open(shared("errors", "tool_failures.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    taught = {row["cause"]: fingerprint(row["text"]) for row in rows if row["variant"] == "a"}
    asked = {row["cause"]: fingerprint(row["text"]) for row in rows if row["variant"] == "b"}
    everything = _ask(folder, "all", taught, asked)
    right = sum(bool(found) and _cause(found[0]) == cause for cause, found in everything.items())
    wrong = sum(bool(found) and _cause(found[0]) != cause for cause, found in everything.items())
    note = f"{right} right, {wrong} wrong, {len(asked) - right - wrong} none of {len(asked)}"
    yield Figure(
        "taught from one variant, asked with the other: right", 100 * right / len(asked), "%", least=95, note=note
    )
    yield Figure("the same: wrong", 100 * wrong / len(asked), "%", most=2)
    left_out = {
        cause: _ask(folder, f"without-{number}", {c: f for c, f in taught.items() if c != cause}, {cause: found})[cause]
        for number, (cause, found) in enumerate(asked.items())
    }
    exact = sum(any(fix.match == EXACT for fix in found) for found in left_out.values())
    shown = [f"{cause}: {found[0].match} {_cause(found[0])}" for cause, found in left_out.items() if found]
    yield Figure("the right one left out: a wrong one shown as exact", 100 * exact / len(asked), "%", most=2)
    note = "; ".join(shown)
    yield Figure("the right one left out: any fix shown at all", 100 * len(shown) / len(asked), "%", note=note)


def _ask(
    folder: str, name: str, taught: dict[str, Fingerprint], asked: dict[str, Fingerprint]
) -> dict[str, tuple[Fix, ...]]:
    store = open_store(os.path.join(folder, f"{name}.db"), derive)
    store.append(
        lesson(found, [f"do what helps against {cause}"], n) for n, (cause, found) in enumerate(taught.items())
    )
    answers = {
        cause: answer(store.database.all, found, Asked(events.LOCAL, ("p",), START)) for cause, found in asked.items()
    }
    store.close()
    return answers


def _cause(fix: Fix) -> str:
    return fix.steps[0].removeprefix("do what helps against ")


# How quick


def _quick(folder: str) -> Iterator[Figure]:
    """A hundred thousand fixes: most of them of one family, which is the worst that can be."""
    path = os.path.join(folder, "many.db")
    store = open_store(path, derive)
    started = time.monotonic()
    store.append(_many(100_000))
    yield Figure("teaching 100,000 fixes", 100_000 / (time.monotonic() - started), "/s")
    reader = Reader(path)
    for name, text in QUESTIONS:
        found = fingerprint(text)
        for how, look in (("store", store.database.all), ("reader", reader)):
            took, shown = _best(partial(answer, look, found, Asked(events.LOCAL, ("p",), START)))
            note = f"{len(shown)} shown" + (f", {shown[0].match}" if shown else "")
            yield Figure(f"answer from 100,000 fixes, {name}, by {how}", 1000 * took, "ms", most=1, note=note)
    took, _ = _best(partial(fingerprint, QUESTIONS[0][1]))
    yield Figure("the fingerprint that comes before", 1000 * took, "ms")
    store.close()


QUESTIONS = (
    ("exact", "ModuleNotFoundError: No module named 'module_70'"),
    ("generalised", "ModuleNotFoundError: No module named 'never_seen'"),
    ("similar", "TypeError: unsupported operand type(s) for +: 'int' and 'str' in stage 7"),
    ("unknown", "java.lang.IllegalStateException: the pool is closed\n\tat a.B.c(B.java:1)"),
)


def _many(number: int) -> Iterator[Event]:
    for n in range(number):
        kind = n % 10
        if kind < 6:
            text, step = f"ModuleNotFoundError: No module named 'module_{n}'", f"pip install module_{n}"
        elif kind < 8:
            text, step = f"ImportError: cannot import name 'Thing{n}' from 'package'", f"pin package to {n}"
        elif kind < 9:
            text, step = f"TypeError: operand number {n} can't be used in this place", f"cast it with rule {n}"
        else:
            text, step = f"AttributeError: 'Basket' object has no attribute 'total_{n}'", f"rename total_{n}"
        yield lesson(fingerprint(text), [step], n)


def _best(call: Callable[[], Any], rounds: int = 300) -> tuple[float, Any]:
    """The middle of many: what one usually waits."""
    took = []
    for _ in range(rounds):
        started = time.perf_counter()
        found = call()
        took.append(time.perf_counter() - started)
    return sorted(took)[rounds // 2], found


# What came of them


def _observed(folder: str) -> Iterator[Figure]:
    """A day of commands among which fixes were shown again and again, none of them followed: the whole is read."""
    home = os.path.join(folder, "observed")
    error = "ModuleNotFoundError: No module named 'orjson'"
    with Memory.open(home, folder=folder_of(home)) as memory:
        memory.remember_error_fix(error, "pip install orjson")
        shown, started = memory.match(error), events.now() - 20 * 3_600_000_000
        for n in range(500):
            time = started + n * 100_000_000
            body = {"command": f"ls {n}", "cwd": home, "exit": 0, "output": "a line of output\n" * 300}
            memory.store.append([memory.event("command", body, time=time)])
            if n % 3 == 0:
                serving = memory.serving(shown, channel="watch", command=f"pytest tests/{n}", cwd=home)
                memory.store.append([memory.admitted(serving._replace(time=time + 1))])
        took, _ = _best(memory.observe, rounds=3)
    yield Figure("what came of 167 answers, among 500 commands", took, "s", most=2)


# Nothing lost

_RATER = """
import sys
from engrain.memory import Memory
home, store, fix, number = sys.argv[1:]
with Memory.open(home, store=store, folder=home) as memory:
    for n in range(int(number)):
        memory.rate(fix, worked=n % 2 == 0)
"""


def _counted(folder: str, full: bool) -> Iterator[Figure]:
    home = os.path.join(folder, "rated")
    yield _rated("SQLite", home, os.path.join(home, "engrain.db"))
    if full:
        with postgres() as server:
            yield _rated("PostgreSQL", os.path.join(folder, "rated-there"), server.database())


def _rated(name: str, home: str, where: str) -> Figure:
    with Memory.open(home, store=where, folder=folder_of(home)) as memory:
        fix = memory.remember_error_fix("ModuleNotFoundError: No module named 'orjson'", "pip install orjson").fix
    words = [sys.executable, "-c", _RATER, home, where, fix, "200"]
    raters = [subprocess.Popen(words) for _ in range(20)]
    failed = sum(rater.wait() != 0 for rater in raters)
    with Memory.open(home, store=where, folder=folder_of(home)) as memory:
        memory.tick(seconds=60)
        found = memory.fix(fix)
    note = f"{found.worked} worked, {found.failed} failed; {failed} processes broke"
    lost = abs(4000 - found.worked - found.failed) + abs(found.worked - found.failed) + failed
    return Figure(f"20 processes × 200 ratings of one fix, {name}: lost or doubled", lost, "", most=0, note=note)


def folder_of(home: str) -> str:
    """A folder for a project, there before anybody opens it."""
    os.makedirs(home, mode=0o700, exist_ok=True)
    return home


__all__ = ["Store", "lesson", "measure"]
