"""Hooks: what an agent waits for, against the start of the runtime that it is made of.

    python -m bench hooks

A hook is run as a settings file runs it, by a shell, in turns with `node -e 0`, so that whatever else the machine does
meanwhile is the same for both. Each kind ran a few times before, as it does in a session.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.figure import Absent, Figure
from bench.fixes import _many
from engrain import event as events
from engrain.capture import spool
from engrain.install import launcher
from engrain.install.command import command
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store import open_store

ROUNDS = 200
FIXES = 100_000
AT_ONCE = 200
WITHIN = 60

OUTPUT = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.1, pluggy-1.6.0
rootdir: /home/dana/shop
configfile: pyproject.toml
plugins: hypothesis-6.148.2, xdist-3.8.0
collected 48 items

tests/test_login.py ..F.....                                             [ 16%]
tests/test_tokens.py ............                                        [ 41%]
tests/test_cart.py ............................                          [100%]

=================================== FAILURES ===================================
________________________ test_a_wrong_password_is_refused ______________________

client = <Client http://localhost:8000>, user = User(name='dana')

    def test_a_wrong_password_is_refused(client, user):
        token = client.login(user.name, password="not-the-password")
>       assert token is None, "a session token was handed out"
E       AssertionError: a session token was handed out
E       assert Token(kind='session', secret=<hidden>) is None

tests/test_login.py:31: AssertionError
------------------------------ Captured log call -------------------------------
INFO     shop.auth:auth.py:88 Authorization: Basic header seen, user=dana
WARNING  shop.auth:auth.py:91 api_key missing, falling back to cookie auth
INFO     shop.db:pool.py:12 connected to postgresql://shop@localhost:5432/shop (no password)
DEBUG    shop.session:store.py:41 new session 7f3c9b52-0e5d-4d0c-9b57-2f1f8c1f6f0e, csrf token rotated
=============================== warnings summary ===============================
tests/test_tokens.py::test_expiry
  /home/dana/shop/shop/tokens.py:52: DeprecationWarning: datetime.datetime.utcnow() is deprecated and scheduled for
  removal in a future version. Use timezone-aware objects to represent datetimes in UTC
    expires = datetime.utcnow() + timedelta(seconds=token.ttl)

-- Docs: https://docs.pytest.org/en/stable/how-to/capture-warnings.html
=========================== short test summary info ============================
FAILED tests/test_login.py::test_a_wrong_password_is_refused - AssertionError
=================== 1 failed, 47 passed, 1 warning in 2.31s ====================
"""
"""What a test run says about passwords, tokens and secrets without telling one: 2 kB, as most outputs are."""

ERROR = 'Exit code 1\nTraceback (most recent call last):\n  File "/home/dana/shop/app.py", line 3, in <module>\n'


def payload(name: str, number: int, **more: Any) -> bytes:
    """What Claude Code says."""
    said = {
        "session_id": "5f1c2d3e-0000-4000-8000-000000000001", "prompt_id": "prompt-1", "cwd": os.getcwd(),
        "transcript_path": "/home/dana/.claude/projects/x.jsonl", "permission_mode": "default",
        "hook_event_name": name, "tool_name": "Bash", "tool_use_id": f"toolu_{number}", "duration_ms": 412,
        "tool_input": {"command": "pytest -q tests | tail -60", "description": "Run the tests"},
    }  # fmt: skip
    return json.dumps({**said, **more}).encode()


def captured(number: int) -> bytes:
    """A call that passed."""
    return payload("PostToolUse", number, tool_response={"stdout": OUTPUT, "stderr": "", "interrupted": False})


def failed(number: int) -> bytes:
    """A call that failed in a way that the store knows."""
    error = f"{ERROR}    import module_{(number % 9000) * 10}\nModuleNotFoundError: No module named 'module_70'"
    return payload("PostToolUseFailure", number, error=error, is_interrupt=False)


def unknown(number: int) -> bytes:
    """A call that failed in a way that nobody has seen."""
    return payload("PostToolUseFailure", number, error=f"Exit code 2\nerror[E0599]: no method `go{number}` found")


def measure(full: bool) -> Iterator[Figure]:
    """The rows that hooks are held to."""
    node = shutil.which("node")
    if node is None:
        raise Absent("node is not installed, and hooks are measured against its start")
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        home = Home(os.path.join(folder, "home")).ensure()
        store = open_store(home.database, derive)
        store.append(_many(FIXES))
        store.close()
        launcher.write(home)
        environ = {**os.environ, "ENGRAIN_HOME": home.root}
        yield from _quick(node, home, environ, ROUNDS * (5 if full else 1))
        yield from _broken(folder, environ)
        yield _together(home, environ)
        yield _learned(folder)


# How quick


def _quick(node: str, home: Home, environ: dict[str, str], rounds: int) -> Iterator[Figure]:
    hooks = {
        "capture": ("PostToolUse", captured),
        "before a call": ("PreToolUse", captured),
        "failure, answered": ("PostToolUseFailure", failed),
        "failure, unknown": ("PostToolUseFailure", unknown),
    }
    took: dict[str, list[float]] = {"node": [], "sh": [], **{name: [] for name in hooks}}
    for number in range(-5, rounds):
        ways = {"node": ([node, "-e", "0"], b""), "sh": (["sh", "-c", "exit 0"], b"")}
        ways.update({name: (["sh", "-c", command(event)], said(number)) for name, (event, said) in hooks.items()})
        for name, (words, data) in ways.items():
            seconds = _once(words, data, environ)
            if number >= 0:
                took[name].append(seconds)
    middle, worst = (_of(took["node"], share) for share in (0.5, 0.99))
    yield Figure("node -e 0, p50", 1000 * middle, "ms", note=f"p99 {1000 * worst:.1f} ms; {rounds} turns")
    bounds = {"capture": (0.35, 0.6), "failure, answered": (0.5, None)}
    for name in ("sh", *hooks):
        half, most = bounds.get(name, (None, None))
        at = f"{1000 * _of(took[name], 0.5):.1f} ms"
        yield Figure(f"{name}, p50 against node", _of(took[name], 0.5) / middle, "×", most=half, note=at)
        at = f"{1000 * _of(took[name], 0.99):.1f} ms"
        yield Figure(f"{name}, p99 against node", _of(took[name], 0.99) / worst, "×", most=most, note=at)
    answered = _answers(home)
    yield Figure("failures answered", 100 * answered / (rounds + 5), "%", least=100)


def _once(words: Sequence[str], data: bytes, environ: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(words, input=data, env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def _of(took: list[float], share: float) -> float:
    return sorted(took)[min(int(len(took) * share), len(took) - 1)]


def _answers(home: Home) -> int:
    return sum(event.kind == "fix.served" for event in _recorded(home))


def _recorded(home: Home) -> list[events.Event]:
    found = []
    for path in spool.waiting(home.spool):
        with open(path, "rb") as file:
            found += [events.parse(line) for line in file.read().split(b"\n") if line]
    return found


# What is broken


def _broken(folder: str, environ: dict[str, str]) -> Iterator[Figure]:
    """A second is what a person notices; none of these may take it."""
    home = Home(os.path.join(folder, "broken")).ensure()
    place = launcher.write(home)
    file = os.path.join(folder, "file")
    with open(file, "w", encoding="utf-8") as opened:
        opened.write("no folder")
    long = payload("PostToolUse", 1, tool_response={"stdout": "a line of a log, quite long\n" * 750_000})
    ways: dict[str, tuple[str, bytes, dict[str, str]]] = {
        "20 MB on stdin": ("PostToolUse", long, {}),
        "garbage on stdin": ("PostToolUse", os.urandom(100_000), {}),
        "a home that is a file": ("PostToolUse", captured(1), {"ENGRAIN_HOME": file}),
        "a store that is none": ("PostToolUseFailure", failed(1), {"ENGRAIN_STORE": place}),
        "a store that is locked": ("PostToolUseFailure", failed(1), {"ENGRAIN_STORE": _locked(folder)}),
    }
    slowest, wrong = 0.0, []
    for name, (event, data, more) in ways.items():
        started = time.perf_counter()
        asked = ["sh", "-c", command(event).replace("$ENGRAIN_HOME", home.root)]
        told = {**environ, "ENGRAIN_HOME": home.root, **more}
        done = subprocess.run(asked, input=data, env=told, capture_output=True, check=False)
        took = time.perf_counter() - started
        if done.returncode or done.stdout:
            wrong.append(name)
        yield Figure(f"{name}", took, "s", most=1)
        slowest = max(slowest, took)
    yield Figure("of these, not exit 0 or something on stdout", len(wrong), "", most=0, note=", ".join(wrong))


def _locked(folder: str) -> str:
    """A store that another process holds for itself, as long as this one lives."""
    import sqlite3

    path = os.path.join(folder, "locked.db")
    store = open_store(path, derive)
    store.append(_many(10))
    store.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    _HELD.append(connection)
    return path


_HELD: list[Any] = []


# Many at once


def _together(home: Home, environ: dict[str, str]) -> Figure:
    before = {event.id for event in _recorded(home)}
    words = ["sh", "-c", command("PostToolUse")]
    with ThreadPoolExecutor(32) as pool:
        list(pool.map(lambda n: _once(words, captured(100_000 + n), environ), range(AT_ONCE)))
    found = {event.id for event in _recorded(home)} - before
    left = subprocess.run(["pgrep", "-fc", f"{home.root}/bin/hook"], capture_output=True, text=True, check=False)
    note = f"{left.stdout.strip() or '?'} processes left"
    lost = AT_ONCE - len(found) + int(left.stdout.strip() or 0)
    return Figure(f"{AT_ONCE} hooks at once: lost, or left behind", lost, "", most=0, note=note)


# From one session to the next


def _learned(folder: str) -> Figure:
    """How long after a session that fixed a failure the next one is told, with nothing run but hooks."""
    home = Home(os.path.join(folder, "learns")).ensure()
    launcher.write(home)
    environ = {**os.environ, "ENGRAIN_HOME": home.root}
    error = f"{ERROR}    import orjson\nModuleNotFoundError: No module named 'orjson'"

    def hook(event: str, session: str, number: int, line: str, **more: Any) -> bytes:
        about = {"session_id": session, "tool_input": {"command": line}, "cwd": folder, "duration_ms": 1}
        said = payload(event, number, **about, **more)
        return subprocess.run(
            ["sh", "-c", command(event)], input=said, env=environ, stdout=subprocess.PIPE, check=True
        ).stdout

    fine = {"tool_response": {"stdout": "fine", "stderr": "", "interrupted": False}}
    hook("PostToolUseFailure", "first", 1, "python app.py", error=error)
    hook("PostToolUse", "first", 2, "pip install orjson", **fine)
    hook("PostToolUse", "first", 3, "python app.py", **fine)
    began = time.perf_counter()
    hook("Stop", "first", 4, "", last_assistant_message="done")
    with Memory.open(home.root) as memory:
        while not memory.fixes(everywhere=True) and time.perf_counter() - began < WITHIN:
            time.sleep(0.1)
    said = hook("PostToolUseFailure", "second", 5, "python app.py", error=error)
    took = time.perf_counter() - began
    took = took if b"pip install orjson" in said else float("inf")
    return Figure("a failure fixed in one session: answered in the next, by hooks alone", took, "s", most=WITHIN)
