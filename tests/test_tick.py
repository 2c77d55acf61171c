"""The tick: what was recorded reaches the journal, once, whatever happens in between."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable

import pytest

from engrain import event as events
from engrain.capture import spool
from engrain.errors import EngrainError, StoreBusy, StoreFull, StoreRefused
from engrain.event import Event
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store import Store
from engrain.store.jobs import Job, Jobs
from engrain.store.store import Appended
from engrain.upkeep import tick
from tests.making import event


def record(home: Home, *numbers: int) -> None:
    for n in numbers:
        spool.append(home.spool, events.line(event(n)).encode())


def test_the_spool_becomes_the_journal(home: Home, store: Store) -> None:
    record(home, 1, 2, 1)
    done = tick.tick(home, store, {}, seconds=10)
    assert done == tick.Ticked(True, Appended(2, 1, 0))
    assert [e.id for e in store.events()] == ["e00001", "e00002"]
    assert spool.waiting(home.spool) == []


def test_a_tick_that_dies_before_the_commit_loses_nothing(
    home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(home, 1, 2)

    def die(*_: object) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(store, "append", die)
    with pytest.raises(StoreFull):
        tick.tick(home, store, {}, seconds=10)
    monkeypatch.undo()
    record(home, 3)
    assert tick.tick(home, store, {}, seconds=10).appended.new == 3


def test_a_tick_that_dies_between_commit_and_removal_doubles_nothing(
    home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(home, 1, 2)

    def die(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(spool.Segment, "remove", die)
    with pytest.raises(KeyboardInterrupt):
        tick.tick(home, store, {}, seconds=10)
    monkeypatch.undo()
    assert tick.tick(home, store, {}, seconds=10).appended == Appended(0, 2, 0)
    assert store.count() == 2


def test_the_second_tick_leaves_at_once(home: Home, store: Store) -> None:
    record(home, 1)
    with tick.locked(home) as mine:
        assert mine
        assert tick.tick(home, store, {}, seconds=10) == tick.Ticked(ran=False)
    assert tick.tick(home, store, {}, seconds=10).appended.new == 1


def test_what_must_see_the_spool_says_so_when_it_cannot(home: Home, store: Store) -> None:
    assert tick.drained(home, store, wait=0) == Appended()
    record(home, 1)
    with tick.locked(home), pytest.raises(StoreBusy, match="still ingesting"):
        tick.drained(home, store, wait=0)
    assert tick.drained(home, store, wait=0).new == 1


BAD = [
    ("garbage", b"\x00\x01garbage", "not JSON"),
    ("invalid UTF-8", b'{"id":"\xff\xfe"}', "not UTF-8"),
    ("a torn line", events.line(event(7)).encode()[:-9], "not JSON"),
    ("a line of 9 MB", b'{"id":"' + b"a" * 9_000_000, "larger than 8 MiB"),
    ("a line of 20 MB", b'{"id":"' + b"a" * 20_000_000, "longer than a record may be"),
]


@pytest.mark.parametrize(("record_", "why"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_record_that_is_no_event_goes_aside_and_the_rest_goes_on(
    home: Home, sqlite: Store, record_: bytes, why: str
) -> None:
    record(home, 1)
    spool.append(home.spool, record_)
    record(home, 2)
    done = tick.tick(home, sqlite, {}, seconds=10)
    assert done.appended.new == 2
    ((path, reason),) = spool.aside(home.spool)
    assert why in reason
    with open(path, "rb") as file:
        assert file.read().split(b"\n", 1)[1] == record_


def test_an_event_that_the_store_refuses_does_not_keep_the_others_waiting(
    home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(home, 1, 2, 3)
    append = store.append

    def refuse(given: Iterable[Event]) -> Appended:
        batch = list(given)
        if any(e.id == "e00002" for e in batch):
            raise StoreRefused("too large for this database")
        return append(batch)

    monkeypatch.setattr(store, "append", refuse)
    done = tick.tick(home, store, {}, seconds=10)
    assert (done.appended.new, done.aside) == (2, 1)
    ((path, why),) = spool.aside(home.spool)
    assert why == "too large for this database"
    assert events.parse(spool.aside_record(path)) == event(2)


def test_what_a_newer_engrain_wrote_waits_aside_until_it_can_be_read(
    home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = events.line(event(1))[:-1] + ',"colour":"red"}'
    spool.append(home.spool, newer.encode())
    assert tick.tick(home, store, {}, seconds=10).aside == 1
    assert store.count() == 0
    parse = events.parse
    monkeypatch.setattr(events, "parse", lambda text: parse(text.replace(b',"colour":"red"', b"")))
    assert tick.tick(home, store, {}, seconds=10).appended.new == 1
    assert spool.aside(home.spool) == []


def test_jobs_are_worked_and_a_failing_one_is_put_off(home: Home, store: Store) -> None:
    jobs = Jobs(store.database)
    jobs.enqueue("good", "a", {}, project="p")
    jobs.enqueue("bad", "b", {}, project="p")
    worked: list[str] = []

    def good(job: Job) -> None:
        worked.append(job.key)

    def bad(_: Job) -> None:
        raise EngrainError("not today")

    done = tick.tick(home, store, {"good": good, "bad": bad}, seconds=10)
    assert (done.jobs_done, done.jobs_failed, worked) == (1, 1, ["a"])
    assert jobs.waiting() == 1


def test_a_tick_without_time_leaves_the_rest_to_the_next(home: Home, store: Store) -> None:
    record(home, 1)
    assert tick.tick(home, store, {}, seconds=0).appended.new == 0
    assert tick.tick(home, store, {}, seconds=10).appended.new == 1


def test_a_detached_tick_outlives_who_started_it(home: Home) -> None:
    record(home, 1, 2)
    script = f"from engrain.paths import Home; from engrain.upkeep import tick; tick.start(Home({home.root!r}))"
    started = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], check=True, capture_output=True, timeout=30
    )
    assert started.stdout == started.stderr == b""
    # Whether it has begun or not: either we get the lock after it, or we do its work.
    with Memory.open(home.root) as memory:
        while spool.waiting(home.spool):
            tick.drained(home, memory.store, wait=30)
        assert memory.store.count() == 2
    assert os.path.exists(home.lock)


def test_a_long_segment_is_ingested_piece_by_piece(home: Home, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    record(home, *range(50))
    monkeypatch.setattr(spool, "PIECE", 1000)
    ingest, killed = tick._ingest, iter([False, False, True])

    def sometimes(segment: spool.Segment, into: Store) -> tuple[Appended, int]:
        if next(killed, False):
            raise KeyboardInterrupt
        return ingest(segment, into)

    monkeypatch.setattr(tick, "_ingest", sometimes)
    with pytest.raises(KeyboardInterrupt):
        tick.tick(home, store, {}, seconds=10)
    assert 0 < store.count() < 50
    assert tick.tick(home, store, {}, seconds=10).ran
    assert [e.id for e in store.events()] == [f"e{n:05d}" for n in range(50)]
    assert spool.waiting(home.spool) == []


def test_a_long_segment_does_not_keep_a_tick_longer_than_it_may(
    home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(home, *range(50))
    monkeypatch.setattr(spool, "PIECE", 1000)
    clock = iter(range(1000))
    monkeypatch.setattr("engrain.upkeep.tick.time.monotonic", lambda: float(next(clock)))
    tick.drain(home, store, deadline=3.0)
    assert 0 < store.count() < 50
    tick.drain(home, store)
    assert store.count() == 50
