"""Machines and servers: hooks spool and a tick sends, a sync makes two stores one, a worker works."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bench.scratch import Postgres
from engrain.errors import StoreBusy, StoreError
from engrain.memory import Memory
from engrain.memory.remote.memory import Remote
from engrain.rest.workers import Beside
from engrain.store.store import Appended, Choice
from engrain.upkeep import answers
from tests.making import run
from tests.payloads import payload
from tests.served import Served, served
from tests.test_contract import FREE
from tests.test_hook import DOOR

ERROR = "Traceback (most recent call last):\n  File 'a.py', line 1\nModuleNotFoundError: No module named 'orjson'"


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("served")), **FREE) as one:
        yield one


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch, api: Served) -> None:
    monkeypatch.setenv("ENGRAIN_TOKEN", api.token)


def machine(tmp_path: object, name: str, store: str | None = None) -> Memory:
    """A machine with a memory of its own, in a checkout of the same project."""
    folder = os.path.join(str(tmp_path), name, "shop")
    os.makedirs(folder, exist_ok=True)
    return Memory.open(os.path.join(str(tmp_path), name, "home"), store=store, folder=folder)


def synced(memory: Memory, api: Served) -> tuple[int, int, int]:
    with Memory.open(memory.home.root, store=api.url) as far:
        assert isinstance(far, Remote)
        return tuple(memory.sync(far))  # type: ignore[return-value]


def ids(memory: Memory) -> set[str]:
    return {event.id for event in memory.store.events()}


# Sync


def test_machines_that_sync_have_the_same_whoever_came_first(tmp_path: object, api: Served) -> None:
    with machine(tmp_path, "one") as one, machine(tmp_path, "two") as two:
        mine = [one.event("note", {"text": f"one {n}"}, project="p") for n in range(30)]
        theirs = [two.event("note", {"text": f"two {n}"}, project="p") for n in range(20)]
        one.record(*mine)
        two.record(*theirs, mine[0])
        assert synced(one, api)[0] == 30
        assert synced(two, api)[1] >= 29
        synced(one, api)
        assert ids(one) == ids(two)
        assert list(one.dump()) == list(two.dump())
        assert synced(one, api)[0] == synced(one, api)[1] == 0


def test_what_one_forgets_all_forget_and_nothing_brings_it_back(tmp_path: object, api: Served) -> None:
    with machine(tmp_path, "one") as one, machine(tmp_path, "two") as two:
        secret = one.note("the code of the door is 4711")
        synced(one, api)
        synced(two, api)
        assert secret.id in ids(two)
        one.forget([secret.id])
        synced(one, api)
        synced(two, api)
        assert secret.id not in ids(one) | ids(two)
        two.record(secret)
        synced(two, api)
        assert secret.id not in ids(two)
        assert two.tick(seconds=5).jobs_done >= 1
        with open(two.where, "rb") as file:
            assert b"4711" not in file.read()


def test_a_sync_that_was_cut_off_goes_on(tmp_path: object, api: Served) -> None:
    with machine(tmp_path, "one") as one:
        one.record(*(one.event("note", {"text": str(n)}, project="cut") for n in range(1500)))
        with Memory.open(one.home.root, store=api.url) as far:
            assert isinstance(far, Remote)
            sent = 0
            append = far.journal.append

            def cut(*given: object) -> Appended:
                nonlocal sent
                sent += 1
                if sent == 2:
                    raise StoreBusy("gone")
                return append(*given)  # type: ignore[arg-type]

            far.journal.append = cut  # type: ignore[method-assign, assignment]
            with pytest.raises(StoreBusy):
                one.sync(far)
        assert synced(one, api)[0] == 500


def test_what_a_server_refuses_is_kept_aside_and_the_rest_goes_on(
    tmp_path: object, api: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(os.path.join(str(tmp_path), "small"), **FREE, ENGRAIN_SERVER_MAX_MB="1") as small:
        monkeypatch.setenv("ENGRAIN_TOKEN", small.token)
        with machine(tmp_path, "one") as one:
            big = one.event("note", {"text": "x" * 1_200_000}, project="p")
            one.record(*(one.event("note", {"text": str(n)}, project="p") for n in range(3)), big)
            assert synced(one, small) == (3, 0, 1)
            found = run(["doctor", "--json"], folder=str(tmp_path), environ={
                **os.environ, "ENGRAIN_HOME": one.home.root,
            })  # fmt: skip
            assert "at most 1,048,576 bytes" in next(
                each["says"] for each in json.loads(found.out) if each["check"] == "spool" and "aside" in each["says"]
            )


class _Odd(BaseHTTPRequestHandler):
    """A server that answers everything in one way."""

    answer: tuple[int, str, bytes]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        status, kind, body = self.answer
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(max(len(body), 10)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody listens."""


def _problem(status: int) -> tuple[int, str, bytes]:
    return status, "application/problem+json", json.dumps({"status": status, "detail": "no"}).encode()


NONSENSE = (
    b"", b"[]        ", b"{}        ", b'{"stored":', b"<html>log in</html>", b'{"stored":1,"ids":[[]],"refused":[]}',
    b'{"stored":1,"ids":null,"refused":null}', b'{"stored":0,"ids":[],"refused":[{"number":"x"}]}',
    b'{"stored":0,"ids":[],"refused":[{"number":7,"detail":"no"}]}', b'{"stored":9,"ids":["another"],"refused":[7]}',
)  # fmt: skip
ODD = (
    *map(_problem, (401, 403, 404, 405, 408, 409, 415, 421, 422, 429, 500, 503, 507)),
    *((status, "text/html", b"a word of a proxy") for status in (301, 404, 413, 502)),
    *((200, "application/json", body) for body in NONSENSE),
)


@pytest.mark.parametrize("answer", ODD)
def test_whatever_is_answered_but_success_is_kept_to_be_sent_again(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, answer: tuple[int, str, bytes]
) -> None:
    monkeypatch.setenv("ENGRAIN_TOKEN", "engr_0a1b2c3d4e5f_" + "B" * 43)
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Odd", (_Odd,), {"answer": answer})) as odd:
        threading.Thread(target=odd.serve_forever, daemon=True).start()
        with machine(tmp_path, "one", f"http://127.0.0.1:{odd.server_port}") as one:
            one.record(one.event("note", {"text": "told"}, project="p"))
            assert one.waits
            one.capture(one.event("note", {"text": "spooled"}, project="p"))
            with pytest.raises(StoreError):
                one.tick(seconds=1)
            waiting = b"".join(Path(each).read_bytes() for each in glob.glob(f"{one.home.spool}/*.seg"))
            assert (b"told" in waiting, b"spooled" in waiting) == (True, True)
            assert not glob.glob(f"{one.home.spool}/aside/*")
        odd.shutdown()


def test_a_store_that_was_lost_comes_back_and_what_is_new_in_it_goes_out(tmp_path: object, api: Served) -> None:
    with machine(tmp_path, "one") as one:
        notes = [one.note(f"number {n} of many").id for n in range(5)]
        synced(one, api)
        lost = one.where
    os.rename(lost, f"{lost}.damaged")
    with machine(tmp_path, "one") as one:
        new = one.note("came before anything was back").id
        synced(one, api)
        assert {*notes, new} <= ids(one)
        assert synced(one, api)[:2] == (0, 0)
    with machine(tmp_path, "two") as two:
        synced(two, api)
        assert new in ids(two)


def test_the_command_says_what_it_did(tmp_path: object, api: Served) -> None:
    with machine(tmp_path, "one") as one:
        one.note("hello")
        environ = {**os.environ, "ENGRAIN_HOME": one.home.root}
    said = run(["sync", api.url], folder=str(tmp_path), environ=environ)
    assert said.out.startswith("sent 2 events")
    assert run(["sync"], folder=str(tmp_path), environ=environ).code == 2
    assert run(["sync", "nonsense"], folder=str(tmp_path), environ=environ).code == 2
    assert run(["token", "keep"], folder=str(tmp_path), environ=environ, stdin=b"nonsense\n").code == 2
    del environ["ENGRAIN_TOKEN"]
    assert run(["sync", api.url], folder=str(tmp_path), environ=environ).code == 1
    assert run(["token", "keep"], folder=str(tmp_path), environ=environ, stdin=api.token.encode()).code == 0
    assert run(["sync", api.url], folder=str(tmp_path), environ=environ).code == 0


# Hooks where the store is behind a server


def hooked(event: str, home: str, folder: str, store: str) -> str:
    """What a hook says."""
    words = [sys.executable, "-I", "-S", "-c", DOOR.format("/bin/true"), event]
    environ = {**os.environ, "ENGRAIN_HOME": home, "ENGRAIN_STORE": store}
    said = json.dumps({**payload(event), "cwd": folder}).encode()
    done = subprocess.run(words, input=said, capture_output=True, env=environ, cwd=folder, check=True, timeout=60)
    return done.stdout.decode()


def test_a_hook_spools_and_the_tick_sends_and_brings_answers(tmp_path: object, api: Served) -> None:
    with machine(tmp_path, "teacher", api.url) as teacher:
        fix = teacher.remember_error_fix(ERROR, ["pip install orjson"]).fix
        teacher.learn_lesson("pin what you install", tool="Bash", phase="after", everywhere=True)
    with machine(tmp_path, "laptop", api.url) as laptop:
        home, folder = laptop.home.root, laptop.folder
        assert hooked("PostToolUseFailure", home, folder, api.url) == ""
        assert laptop.tick().appended.new == 1
        said = hooked("PostToolUseFailure", home, folder, api.url)
        assert fix in said
        assert "pin what you install" in said
        assert os.path.exists(laptop.home.brief("local", laptop.project.id))
        assert hooked("PostToolUseFailure", home, folder, "http://127.0.0.1:9")
        assert laptop.tick().appended.new >= 3
        assert {"fix.served", "tool.call", "lesson.fired"} <= set(laptop.stats().kinds)
        assert sorted(os.listdir(os.path.join(home, "spool"))) == []
        with machine(tmp_path, "teacher", api.url) as teacher:
            teacher.forget(teacher.to_forget(Choice(ids=(fix,))))
        laptop.tick()
        assert fix not in hooked("PostToolUseFailure", home, folder, api.url)


def test_beside_postgresql_the_tick_keeps_answers_too(tmp_path: object, server: Postgres) -> None:
    url = server.database()
    with machine(tmp_path, "one", url) as one:
        home, folder = one.home.root, one.folder
        fix = one.remember_error_fix(ERROR, ["pip install orjson"]).fix
        assert hooked("PostToolUseFailure", home, folder, url) == ""
        one.tick()
        assert fix in hooked("PostToolUseFailure", home, folder, url)
    server.drop(url)


def test_of_another_server_answers_are_begun_anew(tmp_path: object) -> None:
    with machine(tmp_path, "one") as one, machine(tmp_path, "two") as two:
        for memory, word in ((one, "alpha"), (two, "beta")):
            memory.learn_lesson(f"{word}: look twice", tool="Bash")
        for memory in (one, two, two):
            answers.update(one.home, memory.where, partial(memory.store.changed, "local"))
        with Memory.open(store=answers.path(one.home), folder=one.folder) as kept:
            assert [each.text for each in kept.lessons(everywhere=True)] == ["beta: look twice"]


def test_of_a_source_that_was_made_anew_answers_are_too(tmp_path: object) -> None:
    with machine(tmp_path, "one") as one:
        for word in ("alpha", "beta"):
            with machine(tmp_path, word) as source:
                for n in range(2 if word == "alpha" else 1):
                    source.learn_lesson(f"{word}: look {n} times", tool="Bash")
                answers.update(one.home, "the source", partial(source.store.changed, "local"))
                assert answers.update(one.home, "the source", partial(source.store.changed, "local")) == 0
        with Memory.open(store=answers.path(one.home), folder=one.folder) as kept:
            assert [each.text for each in kept.lessons(everywhere=True)] == ["beta: look 0 times"]


# Workers


def test_a_worker_sends_what_hooks_spool_and_learns_where_the_store_is(tmp_path: object, api: Served) -> None:
    with machine(tmp_path, "laptop", api.url) as laptop:
        for number in range(3):
            laptop.capture(laptop.event("note", {"text": f"worked {number}"}))
        environ = {**os.environ, "ENGRAIN_HOME": laptop.home.root, "ENGRAIN_STORE": api.url}
        assert run(["worker", "--until-idle"], folder=str(tmp_path), environ=environ).code == 0
        assert len(laptop.search("worked")) == 3
    environ = {**os.environ, "ENGRAIN_HOME": api.home}
    assert run(["worker", "--until-idle", "--seconds", "5"], folder=str(tmp_path), environ=environ).code == 0


def test_what_works_beside_a_server_is_replaced_and_ends_with_it() -> None:
    beside = Beside([sys.executable, "-c", "import time; time.sleep(600)"])
    first = beside._process
    first.kill()
    while beside._process is first:
        first.wait()
        time.sleep(0.01)
    second = beside._process
    beside.close()
    assert second.poll() is not None
