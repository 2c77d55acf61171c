"""Pages: how long the server takes for each, with 100,000 failures among 1,000,000 events.

    python -m bench web --full

Without --full 20,000 events. The store is made up: sessions of 100 events over two years and thirty projects, 3,000
kinds of failure of which a few come most of the time, fixes that were shown and how they went. Pages are asked one by
one over HTTP, by somebody who has a token; events arrive meanwhile.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from bench.figure import Figure
from engrain import event as events
from engrain.event import FAILURE, FIX, LESSON, NOTE, OUTCOME, PATTERN, PROMPT, SERVED, TOOL_CALL, Event
from engrain.fingerprint import fingerprint
from engrain.learn import recipe
from engrain.memory import Memory
from engrain.memory.failures import Wanted
from engrain.memory.history import Wanted as WantedSessions
from engrain.recall.shown import described
from engrain.store.jobs import LEARN
from tests.served import Served, served

FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}
SESSION, PROJECTS, KINDS, FIXES = 100, 30, 3_000, 2_000
YEARS = 2 * 365 * 86_400_000_000
MOST_MS = 150.0
Kind = tuple[dict[str, Any], str]
"""A kind of failure as it is told, and what it printed."""

WORDS = (
    "cart", "total", "refund", "order", "price", "invoice", "queue", "worker", "cache", "token", "upload",
    "parser", "schema", "table", "column", "index", "header", "theme", "button", "layout", "router", "handler",
    "session", "cookie", "report", "export", "import", "client", "server", "socket", "stream", "buffer",
    "packet", "thread",
)  # fmt: skip


def measure(full: bool) -> Iterator[Figure]:
    """The time of each page, the slowest but one in twenty."""
    number, rounds = (1_000_000, 60) if full else (20_000, 12)
    with tempfile.TemporaryDirectory() as home:
        began = time.monotonic()
        with Memory.open(home, folder=home) as memory:
            memory.store.append(_lived(number))
            # Learning from all of that is another matter.
            memory.store.database.run("drop_jobs_of", [{"kind": LEARN}])
            places = _pages(memory)
            stored, failures = memory.store.count(), sum(each.times for each in memory.failures(limit=1))
        took = time.monotonic() - began
        yield Figure(
            "events stored", stored, "", note=f"in {took:.0f} s; the most frequent failure came {failures:,} times"
        )
        with served(home, **FREE) as one:
            for name, path in places.items():
                yield _asked(one, name, path, rounds)


def _asked(one: Served, name: str, path: str, rounds: int) -> Figure:
    times = []
    for turn in range(rounds + 3):
        if turn % 4 == 0:
            _more(one, turn)
        began = time.perf_counter()
        reply = one.ask("GET", path, headers={"Accept": "text/html"})
        times.append((time.perf_counter() - began) * 1000)
        assert reply.status == 200, (path, reply.status, reply.body[-300:])
    # The first ones also read the templates.
    ordered = sorted(times[3:])
    p95 = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
    note = f"p50 {ordered[len(ordered) // 2]:.0f} ms, {len(reply.body) / 1000:.0f} kB"
    return Figure(f"{name}: p95", p95, "ms", most=MOST_MS, note=note)


def _more(one: Served, number: int) -> None:
    """Something new, so that nothing can be answered from what was answered before."""
    body = {"tool": "Bash", "input": {"command": "make"}, "output": "ok", "exit": 0}
    one.ask(
        "POST",
        "/v1/events",
        {"kind": TOOL_CALL, "project": "p0", "session": f"now{number}", "agent": "bench", "body": body},
    )


def _pages(memory: Memory) -> dict[str, str]:
    failure = memory.failures(Wanted(), limit=1)[0].fingerprint
    fix = memory.failure(failure).fixes[0].id
    session = memory.sessions(WantedSessions(), limit=1)[0].session
    lesson = memory.lessons(everywhere=True)[0].id
    return {
        "overview": "/", "failures": "/failures", "failures of a project": "/failures?project=p3",
        "failures with a word": "/failures?q=refund", "the most frequent failure": f"/failures/{failure}",
        "fixes": "/fixes", "a fix": f"/fixes/{fix}", "search": "/search?q=refund+worker",
        "search of a word": "/search?q=cart", "search of a project": "/search?q=cart&project=p3&kind=note",
        "sessions": "/sessions",
        "sessions with failures": "/sessions?failed=1&project=p3", "a session": f"/sessions/{session}",
        "lessons": "/lessons", "a lesson, tried": "/lessons/new?try=1&command=make+*&text=x",
        "a lesson, tried on a project": "/lessons/new?try=1&command=make+*&text=x&project=p0",
        "a lesson": f"/lessons/{lesson}", "live": "/live",
        "patterns": "/patterns", "tasks": "/tasks", "replay": "/replay", "training": "/training",
        "projects": "/projects", "health": "/status",
    }  # fmt: skip


def _lived(number: int, seed: int = 11) -> Iterator[Event]:
    """So many events in order of time."""
    chance = random.Random(seed)
    now = events.now()
    kinds = [_kind(n) for n in range(KINDS)]
    weights = [1 / (n + 3) for n in range(KINDS)]
    for n in range(PROJECTS):
        yield events.make("project.seen", {"name": f"project-{n}", "root": f"/srv/p{n}", "remote": ""}, project=f"p{n}")
    yield from _taught(kinds, now)
    sessions = number // SESSION
    for n in range(sessions):
        start = now - YEARS + int(YEARS * (n + chance.random()) / (sessions + 1))
        yield from _session(chance, n, start, chance.choices(kinds, weights, k=10))


def _kind(number: int) -> Kind:
    word, other = WORDS[number % len(WORDS)], WORDS[number * 7 % len(WORDS)]
    said = f"ModuleNotFoundError: No module named '{word}_{other}_{number}'"
    output = f"Traceback (most recent call last):\n  File 'a.py', line 3\n{said}"
    return described(fingerprint(output, "python a.py", 1)), output


def _taught(kinds: list[Kind], now: int) -> Iterator[Event]:
    for n in range(FIXES):
        found = kinds[n][0]
        body = {
            **found,
            "steps": [f"pip install mod_{n}"],
            "wording": found["message"],
            "cause": "",
            "source": "taught",
        }
        yield events.make(FIX, body, project=f"p{n % PROJECTS}", time=now - YEARS + n, id=f"fix{n}")
    for n in range(400):
        lesson = {"text": f"look at the {_word(n)} before you run {n}", "trigger": {"command": f"deploy {n} *"}}
        body = {**lesson, "severity": "warning", "source": "taught", "why": ""}
        yield events.make(LESSON, body, project=f"p{n % PROJECTS}", time=now - n, id=f"les{n}")
    for n in range(200):
        pattern = {"form": "code", "name": f"how {_word(n)} {n} is written", "description": "so", "example": "x = 1"}
        body = {**pattern, "uses": [], "avoid": [], "area": "", "source": "taught"}
        yield events.make(PATTERN, body, project=f"p{n % PROJECTS}", id=f"pat{n}")


def _word(number: int) -> str:
    return WORDS[number % len(WORDS)]


def _session(chance: random.Random, number: int, start: int, failing: list[Kind]) -> Iterator[Event]:
    where, session = f"p{int(PROJECTS * chance.random() ** 2)}", f"s{number:06d}"

    def made(kind: str, body: dict[str, Any], time_: int, id_: str) -> Event:
        return events.make(kind, body, time=time_, id=id_, project=where, session=session, agent="claude-code")

    for n in range(SESSION):
        time_, id_ = start + n * 20_000_000, f"{number}-{n}"
        said = " ".join(chance.choices(WORDS, k=12))
        call = {"tool": "Bash", "exit": 0, "seconds": 1.5}
        if n % 20 == 0:
            yield made(PROMPT, {"text": f"please {said}", "prompt": f"{n}"}, time_, id_)
        elif n % 50 == 7:
            yield made(NOTE, {"text": f"remember {said}", "tags": []}, time_, id_)
        elif n % 10 == 3:
            found, output = failing[n // 10]
            more = {"input": {"command": "python a.py"}, "output": output, "exit": 1, "failed": True, FAILURE: found}
            yield made(TOOL_CALL, {**call, **more}, time_, id_)
            for kind, body in _answered(chance, found, id_):
                yield made(kind, body, time_ + 1, f"{id_}{kind}")
        else:
            yield made(TOOL_CALL, {**call, "input": {"command": f"make {_word(n)}"}, "output": said}, time_, id_)


def _answered(chance: random.Random, found: dict[str, Any], of: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if chance.random() > 0.3:
        return
    keys = {"fingerprint": str(found["fingerprint"]), "family": str(found["family"])}
    fix = recipe.recipes([f"pip install {found['message'][-20:]}"], **keys, through="", parameters={})[0].id
    shown = {"fixes": [{"fix": fix, "general": "", "match": "exact", "belief": 0.8, "steps": ["pip install x"]}]}
    about = {"fingerprint": found["fingerprint"], "command": "python a.py", "root": "", "channel": "hook", "of": of}
    yield SERVED, {**shown, **about}
    if chance.random() < 0.6:
        went = {"fix": fix, "general": "", "worked": chance.random() < 0.8, "provenance": "runtime_observed", "of": of}
        yield OUTCOME, went
