"""Soak: a server under load for minutes, and whether its memory and its handles stay where they are.

    python -m bench soak [--full]

Loopback only; a quarter of a minute, five whole ones with `--full` (`make soak`). Clients come and go, tell, ask, are
refused, break off and say nothing; each look at the server is at its resident memory and its open files.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from statistics import median

from bench.figure import Figure
from bench.serving import FREE
from tests.served import Served, served

SECONDS, FULL_SECONDS = 15.0, 300.0
CLIENTS = 4
EVENTS = 400
"""Ids that are sent again and again: a journal that does not grow tells whether the server does."""


BROKEN_OFF = (
    b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf",
    b"GET /v1/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\n\r\n",
    b"GET /v1/export/tool-calls HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\n\r\n",
)
"""What somebody begins to say, or to hear, and then is gone."""


def measure(full: bool) -> Iterator[Figure]:
    """What grew."""
    seconds = FULL_SECONDS if full else SECONDS
    with tempfile.TemporaryDirectory() as home, served(home, **FREE) as one:
        ended = threading.Event()
        asked = [0] * CLIENTS
        threads = [threading.Thread(target=_client, args=(one, ended, asked, n)) for n in range(CLIENTS)]
        for each in threads:
            each.start()
        seen = list(_looks(one.process.pid, seconds))
        ended.set()
        for each in threads:
            each.join()
        well = one.ask("GET", "/ready").status == 200
        quiet = _open_files(one.process.pid)
    # The first third is warming up: caches, threads, connections to the store.
    early, late = seen[len(seen) // 3 : len(seen) // 3 * 2], seen[len(seen) // 3 * 2 :]
    grown = median(each[0] for each in late) / median(each[0] for each in early)
    note = f"{sum(asked):,} requests in {seconds:.0f} s; {median(each[0] for each in late) / 1e6:.0f} MB at the end"
    yield Figure("resident memory, last third ÷ second third", grown, "×", most=1.05, note=note)
    more = max(each[1] for each in late) - max(each[1] for each in early)
    yield Figure("open files, most of the last third − most of the second", more, "", most=8)
    yield Figure("open files once nobody asks", quiet, "", most=80, note="" if well else "and it does not answer")


def _looks(pid: int, seconds: float) -> Iterator[tuple[int, int]]:
    """Resident bytes and open files, four times a second."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
        yield pages * os.sysconf("SC_PAGE_SIZE"), _open_files(pid)
        time.sleep(0.25)


def _open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def _client(one: Served, ended: threading.Event, asked: list[int], number: int) -> None:
    drawn = random.Random(number)
    while not ended.is_set():
        with contextlib.suppress(OSError, http.client.HTTPException):
            asked[number] += _visit(one, drawn)


def _visit(one: Served, drawn: random.Random) -> int:
    """One connection and what is done with it; how many requests that were."""
    if drawn.random() < 0.08:
        with socket.create_connection(("127.0.0.1", one.port), timeout=5) as rude:
            rude.sendall(drawn.choice(BROKEN_OFF).replace(b"TOKEN", one.token.encode()))
            rude.recv(drawn.randrange(1, 2000))
        return 1
    connection = http.client.HTTPConnection("127.0.0.1", one.port, timeout=30)
    headers = {"Authorization": f"Bearer {one.token}", "Content-Type": "application/json"}
    done = 0
    try:
        for _ in range(drawn.randrange(1, 20)):
            method, path, body = _asked(drawn)
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, headers if drawn.random() > 0.05 else {})
            connection.getresponse().read()
            done += 1
    finally:
        connection.close()
    return done


def _asked(drawn: random.Random) -> tuple[str, str, object]:
    n = drawn.randrange(EVENTS)
    place = {"id": "soak"}
    told = {"id": f"soak-{n}", "kind": "note", "project": "soak", "time": n, "body": {"text": f"note {n} of the soak"}}
    called = {
        "hook_event_name": "PostToolUse", "session_id": f"s{n % 20}", "tool_name": "Bash", "tool_use_id": f"call-{n}",
        "tool_input": {"command": f"pytest tests/test_{n}.py"}, "tool_response": {"stdout": f"{n} passed"}, "cwd": "/w",
    }  # fmt: skip
    failed = {"project": place, "text": f"ModuleNotFoundError: No module named 'module_{n}'"}
    kinds: list[tuple[str, str, object]] = [
        ("POST", "/v1/events", told), ("POST", "/v1/events", {"events": [told, {"kind": 1}]}),
        ("GET", f"/v1/search?q=note+{n}", None), ("GET", "/v1/events?limit=50", None), ("GET", "/v1/stats", None),
        ("POST", "/v1/match", failed), ("GET", "/v1/sessions", None), ("GET", "/v1/fixes", None),
        ("POST", "/v1/events", {"nonsense": n}), ("GET", f"/v1/nowhere/{n}", None), ("GET", "/v1/export", None),
        ("GET", "/v1/export/datasets", None),
        ("GET", "/metrics", None), ("POST", "/v1/hooks/claude-code?project=soak", called),
        ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}),
    ]  # fmt: skip
    return drawn.choice(kinds)
