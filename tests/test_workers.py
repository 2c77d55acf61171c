"""Several processes that serve one store: whoever is answered is stored, whatever dies or is started anew meanwhile."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bench.scratch import postgres
from engrain.errors import StoreUnreachable
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store import open_store
from engrain.store.jobs import Jobs
from engrain.upkeep import following
from engrain.upkeep.tick import Ticked
from tests.making import event
from tests.served import Served, served

FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}
CLIENTS = 4
ASKED: tuple[tuple[str, str, object], ...] = (
    ("GET", "/ready", None),
    ("GET", "/v1/stats", None),
    ("POST", "/v1/events", {"kind": "note", "project": "p", "body": {"text": "x"}}),
)


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(each) for each in found.stdout.split()]


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def waited(until: Callable[[], bool], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not until():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class Telling:
    """Clients that tell events until they are told to stop, and try again what was not answered for."""

    def __init__(self, one: Served) -> None:
        self.one = one
        self.answered: list[str] = []
        self.statuses: set[int] = set()
        self.later: list[str] = []
        self._enough = threading.Event()
        self._threads = [threading.Thread(target=self._tell, args=(number,)) for number in range(CLIENTS)]
        for thread in self._threads:
            thread.start()

    def _tell(self, number: int) -> None:
        turn = 0
        while not self._enough.is_set():
            turn += 1
            batch = [self._event(f"t{number}-{turn}-{n}") for n in range(20)]
            while not self._enough.is_set() and not self._sent(batch):
                self._enough.wait(0.05)

    def _event(self, id_: str) -> dict[str, Any]:
        return {"id": id_, "kind": "note", "project": f"p{len(id_)}", "body": {"text": id_}}

    def _sent(self, batch: list[dict[str, Any]]) -> bool:
        try:
            reply = self.one.ask("POST", "/v1/events", {"events": batch})
        except (OSError, http.client.HTTPException):
            return False
        self.statuses.add(reply.status)
        if reply.status != 200:
            self.later.append(reply.headers.get("retry-after", ""))
            return False
        self.answered += reply.fields["ids"]
        return True

    def stop(self) -> None:
        self._enough.set()
        for thread in self._threads:
            thread.join()


def test_what_any_of_several_workers_answered_for_is_stored_though_one_is_killed(where: str, home: Home) -> None:
    store = where if "://" in where else ""
    with served(home.root, store, 3, **FREE) as one:
        assert waited(lambda: len(children(one.process.pid)) == 3)
        before = children(one.process.pid)
        telling = Telling(one)
        assert waited(lambda: len(telling.answered) > 200)
        os.kill(before[0], signal.SIGKILL)
        assert waited(lambda: len(set(children(one.process.pid)) - {before[0]}) == 3), "another takes its place"
        number = len(telling.answered)
        assert waited(lambda: len(telling.answered) > number + 200)
        telling.stop()
        left = children(one.process.pid)
    with Memory.open(home.root, store=store) as memory:
        memory.catch_up()
        there = {each.id for each in memory.store.events()}
    assert set(telling.answered) - there == set()
    assert telling.statuses == {200}
    assert waited(lambda: all(map(gone, left))), "they end together"


def test_a_restart_of_postgres_loses_nothing_that_was_answered_for(home: Home) -> None:
    with postgres() as running:
        store = running.database()
        with served(home.root, store, 2, **FREE) as one:
            telling = Telling(one)
            assert waited(lambda: len(telling.answered) > 200)
            running.restart()
            number = len(telling.answered)
            assert waited(lambda: len(telling.answered) > number + 200)
            telling.stop()
            assert one.ask("GET", "/ready").status == 200
            running.stop()
            for method, path, body in ASKED:
                reply = one.ask(method, path, body)
                assert (reply.status, bool(reply.headers.get("retry-after"))) == (503, True), path
            running.restart()
        opened = open_store(store, derive)
        there = {each.id for each in opened.events()}
        opened.close()
    assert set(telling.answered) - there == set()
    assert telling.statuses <= {200, 503}
    assert all(telling.later), "a refusal says when to come again"
    assert os.listdir(home.spool) == [] if os.path.isdir(home.spool) else True, "nothing hangs on this machine"


def test_workers_end_with_the_one_that_minds_them(home: Home) -> None:
    with served(home.root, "", 2, **FREE) as one:
        assert waited(lambda: len(children(one.process.pid)) == 2)
        left = children(one.process.pid)
        one.kill()
        assert waited(lambda: all(map(gone, left)))


# Who works the jobs


def test_who_waits_hears_of_work(where: str) -> None:
    mine, other = open_store(where, derive), open_store(where, derive)
    mine.database.heard(0)
    assert not mine.database.heard(0)
    heard: list[bool] = []
    thread = threading.Thread(target=lambda: heard.append(mine.database.heard(20)))
    thread.start()
    Jobs(other.database).enqueue("mine", "a", {}, project="p")
    began = time.monotonic()
    thread.join()
    assert heard == [True]
    assert time.monotonic() - began < 5
    mine.close()
    other.close()


def test_whoever_follows_ticks_again_when_there_was_work_and_waits_when_there_was_none() -> None:
    did: list[object] = []
    ticks: Iterator[Ticked | BaseException] = iter(
        [Ticked(ran=True, jobs_done=1), Ticked(ran=True), StoreUnreachable("away"), Ticked(ran=False)]
    )

    def tick() -> Ticked:
        found = next(ticks, KeyboardInterrupt())
        if isinstance(found, BaseException):
            raise found
        did.append(found.ran)
        return found

    def heard(seconds: float) -> bool:
        did.append(seconds)
        return False

    with pytest.raises(KeyboardInterrupt):
        following.follow(tick, heard, lambda seconds: did.append(f"waited {seconds:g}"), lambda: True)
    assert did == [0, True, 0, True, following.PATIENCE, 0, "waited 5", 0, False, following.PATIENCE, 0]


def test_a_follower_learns_from_what_arrives(where: str, home: Home) -> None:
    environ = {**os.environ, "ENGRAIN_HOME": home.root, "ENGRAIN_STORE": where}
    command = ["python", "-m", "engrain", "tick", "--follow", "--quiet"]

    process = subprocess.Popen([sys.executable, *command[1:]], env=environ)
    store = open_store(where, derive)
    store.append(
        [event(1, kind="tool.call", body={"tool": "Bash", "input": {"command": "ls"}, "output": "", "exit": 0})]
    )
    assert waited(lambda: Jobs(store.database).waiting() == 0)
    process.terminate()
    process.wait(20)
    store.close()
