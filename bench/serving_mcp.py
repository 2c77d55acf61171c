"""Serving MCP: how soon an agent has its first answer, how quick the next are, what the tools cost it to read, and
whether many servers and hooks at one store lose anything.

    python -m bench serving_mcp [--full]

A client here is a pair of pipes: what is measured is the server, not a client's own start.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from bench.figure import Absent, Figure
from bench.fixes import lesson
from engrain.fingerprint import fingerprint
from engrain.memory import Memory

SERVER = [sys.executable, "-m", "engrain", "mcp"]
ERROR = "ModuleNotFoundError: No module named 'module_70'"
SERVERS, HOOKS = 8, 4
MANY = 100_000
INSPECTOR = "@modelcontextprotocol/inspector"
HANDSHAKE: tuple[dict[str, Any], ...] = (
    {"id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}},
    {"method": "notifications/initialized"},
)  # fmt: skip


class Client:
    """A server and the pipes to it."""

    def __init__(self, folder: str, home: str) -> None:
        environ = {**os.environ, "ENGRAIN_HOME": home}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(SERVER, cwd=folder, env=environ, stdin=pipe, stdout=pipe)
        self._number = 0
        for message in HANDSHAKE:
            self._say(message)
        self._hear(0)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request."""
        self._number += 1
        self._say({"id": self._number, "method": method, "params": params})
        return self._hear(self._number)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answered."""
        return self.ask("tools/call", name=tool, arguments=arguments)

    def close(self) -> int:
        """How the server ended once nobody spoke to it any more."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(60)

    def _say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def _hear(self, number: int) -> dict[str, Any]:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            heard = json.loads(line)
            if heard.get("id") == number:
                found: dict[str, Any] = heard.get("result") or {"isError": True, **heard.get("error", {})}
                return found
        raise RuntimeError("the server went while it was asked")


def measure(full: bool) -> Iterator[Figure]:
    """The rows that MCP is held to."""
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        home = os.path.join(folder, "home")
        _filled(home, folder)
        yield from _first(folder, home)
        yield from _warm(folder, home)
        yield _killed(folder, home)
        yield from _together(folder, 300.0 if full else 20.0)
        yield _inspected(folder, home)


def _filled(home: str, folder: str) -> None:
    with Memory.open(home, folder=folder) as memory:
        memory.store.append(
            lesson(fingerprint(f"ModuleNotFoundError: No module named 'module_{n}'"), [f"pip install {n}"], n)
            for n in range(MANY)
        )


def _first(folder: str, home: str) -> Iterator[Figure]:
    took = []
    for _ in range(7):
        started = time.perf_counter()
        client = Client(folder, home)
        found = client.call("find_fix", error=ERROR)
        took.append(time.perf_counter() - started)
        assert found["structuredContent"]["fixes"], found
        client.close()
    note = f"{median(took):.2f} s in the middle of {len(took)}"
    yield Figure(f"spawn to first result, {MANY:,} fixes", min(took), "s", most=1, note=note)


def _warm(folder: str, home: str) -> Iterator[Figure]:
    client = Client(folder, home)
    client.call("find_fix", error=ERROR)
    took = []
    for n in range(300):
        started = time.perf_counter()
        client.call("find_fix", error=f"ModuleNotFoundError: No module named 'module_{n}'")
        took.append(time.perf_counter() - started)
    took.sort()
    note = f"95 % within {1000 * took[285]:.1f} ms"
    yield Figure(f"a warm answer from {MANY:,} fixes, over the pipe", 1000 * median(took), "ms", most=10, note=note)
    listed = client.ask("tools/list")
    text = json.dumps(listed["tools"], separators=(",", ":"))
    note = f"{len(listed['tools'])} tools, {len(text):,} characters; counted so that models count fewer"
    yield Figure("all schemas together", pieces(text), "tokens", most=2500, note=note)
    client.close()


def pieces(text: str) -> int:
    """Tokens at most: words by eight letters, digits and signs by three. A real vocabulary had 7 % fewer."""
    return len(re.findall(r" ?[A-Za-z]{1,8}|\d{1,3}|[^\sA-Za-z\d]{1,3}", text))


# How it ends

_ASKING = """
import sys
from bench.serving_mcp import Client
client = Client(*sys.argv[1:])
client.call("memory_stats")
print(client.process.pid, flush=True)
client.process.stdin.write(b'{"jsonrpc":"2.0","id":9,"method":"tools/ca')
client.process.stdin.flush()
while True:
    client.process.stdout.readline()
"""


def _killed(folder: str, home: str) -> Figure:
    """Clients that are killed in the middle of a message; how many of their servers are left."""
    left = 0
    for _ in range(5):
        client = subprocess.Popen(
            [sys.executable, "-c", _ASKING, folder, home], stdout=subprocess.PIPE, env=_environ(), text=True
        )
        assert client.stdout is not None
        server = int(client.stdout.readline())
        watched = os.pidfd_open(server)
        client.send_signal(signal.SIGKILL)
        client.communicate()
        left += not _ended(watched)
    return Figure("clients killed in the middle of a message: servers left", left, "", most=0, note="5 clients")


def _ended(watched: int) -> bool:
    import select

    ended, _, _ = select.select([watched], [], [], 30)
    os.close(watched)
    return bool(ended)


def _environ(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([os.getcwd(), *sys.path]), **more}


# Many at one store

_HOOK = """
import sys, time
from engrain.memory import Memory
home, folder, name, until = sys.argv[1:]
with Memory.open(home, folder=folder) as memory:
    number = 0
    while time.time() < float(until):
        id_ = f"{name}-{number:07d}"
        memory.capture(memory.event("command", {"command": f"pytest {number}", "exit": 0}, session=name, id=id_))
        print(id_, flush=True)
        number += 1
        if number % 200 == 0:
            memory.tick(seconds=0.2)
        time.sleep(0.002)
"""


def _together(folder: str, seconds: float) -> Iterator[Figure]:
    """Servers that are asked and told, and hooks that record and tick, at one store, all at once."""
    home, until = os.path.join(folder, "together"), time.time() + seconds
    words = [sys.executable, "-c", _HOOK, home, folder]
    hooks = [
        subprocess.Popen([*words, f"hook{n}", str(until)], stdout=subprocess.PIPE, text=True, env=_environ())
        for n in range(HOOKS)
    ]
    said: list[list[str]] = [[] for _ in range(SERVERS)]
    wrong: list[str] = []
    agents = [threading.Thread(target=_agent, args=(folder, home, n, until, said[n], wrong)) for n in range(SERVERS)]
    for each in agents:
        each.start()
    recorded = [line for hook in hooks for line in hook.communicate()[0].split()]
    for each in agents:
        each.join()
    told = [id_ for one in said for id_ in one]
    with Memory.open(home, folder=folder) as memory:
        while memory.tick(seconds=60).appended.new:
            pass
        stored = [event.id for event in memory.store.events() if event.kind not in ("project.seen",)]
    lost = len({*told, *recorded} - set(stored)) + len(stored) - len(set(stored))
    note = f"{len(told):,} told to servers, {len(recorded):,} by hooks, in {seconds:.0f} s"
    broken = sum(hook.returncode != 0 for hook in hooks)
    yield Figure(
        f"{SERVERS} servers and {HOOKS} hooks at one store: lost or doubled", lost + broken, "", most=0, note=note
    )
    note = "; ".join(sorted(set(wrong))[:3])
    yield Figure("errors shown to an agent meanwhile", len(wrong), "", most=0, note=note)


def _agent(folder: str, home: str, number: int, until: float, told: list[str], wrong: list[str]) -> None:
    client = Client(folder, home)
    turn = 0
    while time.time() < until:
        error = f"ModuleNotFoundError: No module named 'thing_{turn % 50}'"
        answers = [
            client.call("teach_fix", error=error, steps=[f"pip install thing_{turn % 50}"]),
            client.call("find_fix", error=error, command="python app.py"),
            client.call("save_note", text=f"agent {number} saw {turn}"),
            client.call("search_memory", query=f"agent {number} saw"),
        ]
        found = answers[1].get("structuredContent", {})
        if found.get("fixes"):
            answers.append(
                client.call("report_outcome", fix=found["fixes"][0]["id"], worked=True, served=found["served"])
            )
            told.append(found["served"])
        for answer in answers:
            if answer.get("isError"):
                wrong.append(str(answer.get("content", answer)))
            else:
                fields = answer["structuredContent"]
                told.extend(fields[key] for key in ("event", "id") if key in fields)
        turn += 1
    if client.close():
        wrong.append("a server ended badly")


# The inspector


def _inspected(folder: str, home: str) -> Figure:
    """Another client, written by others in another language: every tool listed and called, resources and prompts."""
    npx = shutil.which("npx")
    if not npx:
        raise Absent("npx is not here: the MCP Inspector needs Node.js")
    found = [_inspect(npx, folder, home, *words) for words in INSPECTED]
    if found[0] is None:
        raise Absent(f"npx could not start {INSPECTOR}: no package registry?")
    good = sum(each is not None and check in each for each, check in zip(found, EXPECTED, strict=True))
    return Figure(f"calls of the MCP Inspector that went right, of {len(INSPECTED)}", good, "", least=len(INSPECTED))


_CALL = ("--method", "tools/call", "--tool-name")
INSPECTED = (
    ("--method", "tools/list"),
    (*_CALL, "find_fix", "--tool-arg", f"error={ERROR}"),
    (*_CALL, "save_note", "--tool-arg", "text=the inspector was here"),
    (*_CALL, "search_memory", "--tool-arg", "query=inspector"),
    (*_CALL, "find_fix", "--tool-arg", "limit=99"),
    ("--method", "resources/list"),
    ("--method", "resources/templates/list"),
    ("--method", "resources/read", "--uri", "engrain://stats"),
    ("--method", "prompts/list"),
    ("--method", "prompts/get", "--prompt-name", "recall", "--prompt-args", "about=inspector"),
)
EXPECTED = (
    '"find_fix"', "pip install", "noted ", "the inspector was here", "find_fix takes error", "engrain://stats",
    "engrain://session/{session}/timeline", "events", '"retrospective"', "the inspector was here",
)  # fmt: skip


def _inspect(npx: str, folder: str, home: str, *words: str) -> str | None:
    command = [npx, "--yes", INSPECTOR, "--cli", *SERVER, *words]
    try:
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, "ENGRAIN_HOME": home}, capture_output=True, text=True, timeout=240,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return done.stdout + done.stderr if "{" in done.stdout or "{" in done.stderr else None
