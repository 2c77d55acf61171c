"""Backups: a copy with its final name is a good copy, and restoring can't lose anything."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading

import pytest

from engrain.errors import BadInput, NotFound, StoreDamaged
from engrain.memory import Memory
from engrain.paths import Home
from engrain.upkeep import backup
from tests.making import event


@pytest.fixture
def full(memory: Memory) -> Memory:
    memory.record(*(event(n, f"text {n}") for n in range(200)))
    return memory


def test_a_copy_is_one_checked_owner_only_file(full: Memory) -> None:
    copy = full.backup()
    assert copy == backup.check(copy.path)
    assert copy.events == 200
    assert os.listdir(full.home.backups) == [os.path.basename(copy.path)]
    assert stat.S_IMODE(os.stat(copy.path).st_mode) == 0o600
    assert backup.known(full.home) == [copy.path]
    assert full.backup().path != copy.path, "two copies in one second"


def test_what_waits_in_the_spool_is_in_the_copy(full: Memory) -> None:
    full.capture(event(900))
    assert full.backup().events == 201


def test_a_copy_made_while_others_write_is_whole(full: Memory, where: str) -> None:
    stop = threading.Event()

    def write() -> None:
        with Memory.open(full.home.root, store=where) as writer:
            n = 1000
            while not stop.is_set():
                writer.record(event(n))
                n += 1

    thread = threading.Thread(target=write)
    thread.start()
    copies = [full.backup() for _ in range(3)]
    stop.set()
    thread.join()
    assert all(backup.check(copy.path).digest == copy.digest for copy in copies)


def test_restoring_adds_and_keeps_what_came_later(full: Memory) -> None:
    copy = full.backup()
    full.record(event(500, "later"))
    assert full.restore(copy.path).known == 200
    assert full.store.count() == 201


def test_a_lost_store_comes_back_byte_for_byte(full: Memory, home: Home, tmp_path: object) -> None:
    copy = full.backup(os.path.join(str(tmp_path), "copy.db"))
    before = list(full.store.events()), list(full.dump())
    with Memory.open(os.path.join(str(tmp_path), "new home")) as other:
        assert other.restore(copy.path).new == 200
        assert (list(other.store.events()), list(other.dump())) == before


def test_reading_a_copy_changes_not_one_byte_of_it(full: Memory) -> None:
    copy = full.backup()
    with open(copy.path, "rb") as file:
        before = file.read()
    full.restore(copy.path)
    backup.check(copy.path)
    with open(copy.path, "rb") as file:
        assert file.read() == before
    assert os.listdir(full.home.backups) == [os.path.basename(copy.path)]


def test_a_copy_never_overwrites(full: Memory) -> None:
    copy = full.backup()
    with pytest.raises(BadInput, match="never overwrites"):
        full.backup(copy.path)


DAMAGE = [("empty", 0, b""), ("no database", 0, b"hello" * 500), ("a hole in the middle", 20_000, b"\xff" * 9000)]


@pytest.mark.parametrize(("at", "bytes_"), [row[1:] for row in DAMAGE], ids=[row[0] for row in DAMAGE])
def test_a_damaged_copy_is_refused_before_anything_is_restored(full: Memory, at: int, bytes_: bytes) -> None:
    copy = full.backup()
    with open(copy.path, "r+b") as file:
        if not at:
            file.truncate(0)
        file.seek(at)
        file.write(bytes_)
    with Memory.open(full.home.at("other")) as other:
        with pytest.raises(StoreDamaged):
            other.restore(copy.path)
        assert other.store.count() == 0


def test_a_copy_that_is_not_there_is_said(full: Memory) -> None:
    with pytest.raises(NotFound, match="no backup at"):
        full.restore("/nowhere/copy.db")


def test_a_killed_backup_leaves_nothing_that_looks_like_one(full: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> backup.Copy:
        raise KeyboardInterrupt

    monkeypatch.setattr(backup, "check", die)
    with pytest.raises(KeyboardInterrupt):
        full.backup()
    monkeypatch.undo()
    assert os.listdir(full.home.backups) == []
    assert backup.known(full.home) == []


def test_a_torn_line_in_the_list_of_copies_costs_itself_alone(full: Memory, tmp_path: object) -> None:
    outside = full.backup(os.path.join(str(tmp_path), "a.db"))
    with open(full.home.known_backups, "a", encoding="utf-8") as file:
        file.write(json.dumps(outside._asdict())[:20])
    other = full.backup(os.path.join(str(tmp_path), "b.db"))
    assert backup.known(full.home) == [outside.path, other.path]


def test_a_byte_that_turned_inside_a_body_is_found_and_said(full: Memory) -> None:
    copy = full.backup()
    with open(copy.path, "rb") as file:
        data = file.read()
    with open(copy.path, "wb") as file:
        file.write(data.replace(b'{"text":"text 7"}', b'{"text"!"text 7"}'))
    with pytest.raises(StoreDamaged, match="e00007"):
        backup.check(copy.path)
    with pytest.raises(StoreDamaged):
        full.restore(copy.path)


def test_a_copy_of_many_pages_ends_while_others_keep_writing(home: Home) -> None:
    with Memory.open(home.root) as memory:
        memory.store.append(event(n, "x" * 20_000, kind="output") for n in range(1500))
        script = (
            "import itertools; from engrain.memory import Memory; from tests.making import event\n"
            f"memory = Memory.open({home.root!r})\n"
            "for n in itertools.count(5000): memory.record(event(n)); print(n, flush=True)"
        )
        writer = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        assert writer.stdout
        try:
            writer.stdout.readline()
            threading.Timer(20, writer.kill).start()
            memory.backup()
            assert writer.poll() is None, "the copy came only after the writer had gone"
        finally:
            writer.kill()
            writer.communicate()


def test_two_copies_under_one_name_never_meet(full: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    path = full.home.at("copy.db")
    check = backup.check

    def meanwhile(partial: str) -> backup.Copy:
        with open(path, "wb") as file:
            file.write(b"another copy")
        return check(partial)

    monkeypatch.setattr(backup, "check", meanwhile)
    with pytest.raises(BadInput, match="never overwrites"):
        full.backup(path)
    with open(path, "rb") as file:
        assert file.read() == b"another copy"


def test_a_store_in_use_is_not_taken_for_a_copy(home: Home, tmp_path: object) -> None:
    with Memory.open(os.path.join(str(tmp_path), "other")) as other, Memory.open(home.root) as memory:
        other.record(event(1))
        with pytest.raises(BadInput, match="in use"):
            memory.restore(other.home.database)
