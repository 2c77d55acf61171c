"""Forget: not a byte remains in the home, and nothing brings it back."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys

import pytest

from engrain import event as events
from engrain.capture import spool
from engrain.errors import NotFound
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store.store import Choice
from engrain.upkeep import backup, forget
from tests.making import event

SECRET = "xylophone-4711-quagga"


def holding(folder: str, needle: str = SECRET) -> list[str]:
    """The files below a folder that hold the text, in any of the encodings that it could lie in."""
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                data = file.read()
            if any(part.encode() in data for part in (needle, *needle.split("-")[::2])):
                found.append(path)
    return found


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.record(*(event(n) for n in range(50)), event(77, f"the word is {SECRET}"), event(78, f"{SECRET} again"))
    return memory


def test_a_forgotten_text_is_nowhere_in_the_home(told: Memory) -> None:
    done = told.forget(told.to_forget(Choice(matching=SECRET)))
    assert done.ids == ("e00077", "e00078")
    assert done.compacted
    assert holding(told.home.root) == []
    assert told.search("xylophone", everywhere=True) == []


def test_neither_import_nor_restore_nor_rebuild_nor_spool_brings_it_back(told: Memory, tmp_path: object) -> None:
    exported = io.BytesIO()
    told.export(exported)
    copy = told.backup(os.path.join(str(tmp_path), "elsewhere.db"))
    told.forget(["e00077", "e00078"])
    told.rebuild()
    assert told.import_journal(io.BytesIO(exported.getvalue())).appended.forgotten == 2
    assert told.restore(copy.path).forgotten == 2
    told.capture(event(77, SECRET))
    told.tick(seconds=10)
    assert holding(told.home.root) == []
    assert told.get("e00077") == []


def test_a_new_store_in_the_same_home_still_knows_what_was_forgotten(home: Home, tmp_path: object) -> None:
    with Memory.open(home.root) as memory:
        memory.record(event(1), event(77, SECRET))
        copy = memory.backup(os.path.join(str(tmp_path), "elsewhere.db"))
        memory.forget(["e00077"])
    for name in os.listdir(home.root):
        if name.startswith("engrain.db"):
            os.unlink(home.at(name))
    with Memory.open(home.root) as memory:
        assert memory.restore(copy.path).forgotten == 1
    assert holding(home.root) == []


def test_what_waits_in_the_spool_is_forgotten_too(told: Memory) -> None:
    told.capture(event(90, f"still waiting: {SECRET}"))
    told.forget(told.to_forget(Choice(matching=SECRET)))
    assert holding(told.home.root) == []


def test_what_was_kept_aside_goes_with_the_id_in_it(told: Memory) -> None:
    newer = events.line(event(77, SECRET))[:-1] + ',"colour":"red"}'
    spool.append(told.home.spool, newer.encode())
    told.tick(seconds=10)
    assert spool.aside(told.home.spool)
    told.forget(["e00077", "e00078"])
    assert holding(told.home.root) == []


@pytest.mark.parametrize("named", ["", "e", "id", "body", "e0007"])
def test_an_id_that_stands_in_every_record_by_chance_drops_none_that_was_kept_aside(told: Memory, named: str) -> None:
    """Whoever may write over HTTP may name any id."""
    spool.append(told.home.spool, events.line(event(77))[:-1].encode() + b',"colour":"red"}')
    told.tick(seconds=10)
    told.forget([named])
    assert len(spool.aside(told.home.spool)) == 1


def test_what_was_kept_aside_goes_with_the_text_in_it(told: Memory) -> None:
    spool.append(told.home.spool, b'{"v":99,"body":{"text":"a \\u201cquoted\\u201d word"}}')
    spool.append(told.home.spool, b'{"v":99,"body":{"text":"another"}}')
    told.tick(seconds=10)
    assert len(spool.aside(told.home.spool)) == 2
    choice = Choice(matching="\u201cquoted\u201d")
    assert (told.to_forget(choice), told.unread_to_forget(choice)) == ([], 1)
    assert told.unread_to_forget(choice._replace(session="s")) == 0
    assert told.forget_unread(choice) == 1
    assert len(spool.aside(told.home.spool)) == 1
    with pytest.raises(NotFound):
        told.to_forget(choice)


def test_copies_in_the_home_are_cleaned_and_copies_elsewhere_are_named(told: Memory, tmp_path: object) -> None:
    inside = told.backup()
    outside = told.backup(os.path.join(str(tmp_path), "elsewhere.db"))
    shutil.copy(inside.path, told.home.backups + "/unregistered.db")
    done = told.forget(["e00077", "e00078"])
    assert set(done.cleaned) == {inside.path, told.home.backups + "/unregistered.db"}
    assert done.still_holding == (outside.path,)
    assert holding(told.home.root) == []
    assert backup.check(inside.path).events == 50 + 1
    assert backup.registered_digest(told.home, inside.path) == backup.check(inside.path).digest


def test_a_reader_in_the_way_delays_the_compaction_to_the_next_tick(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engrain.store.sqlite.BUSY_SECONDS", 0.0)
    with Memory.open(home.root) as memory, Memory.open(home.root) as reader:
        memory.record(event(1, SECRET))
        with reader.store.snapshot():
            assert reader.store.count() == 1
            done = memory.forget(["e00001"])
        assert not done.compacted
        assert memory.jobs.waiting() == 1
        reader.close()
        assert memory.tick(seconds=10).jobs_done == 1
        assert holding(home.root) == []


def test_forgetting_nothing_is_said(memory: Memory) -> None:
    with pytest.raises(NotFound, match="no event fits"):
        memory.to_forget(Choice(matching="never said"))


def test_a_torn_line_in_the_ledger_costs_itself_alone(told: Memory) -> None:
    told.forget(["e00077"])
    with open(told.home.forgotten, "ab") as file:
        file.write(b'{"id":"torn')
    told.forget(["e00078"])
    assert [events.targets(e) for e in forget.ledger(told.home)] == [["e00077"], ["e00078"]]


def test_another_tenant_forgets_everywhere_too(home: Home, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAIN_TENANT", "acme")
    with Memory.open(home.root, store=where) as memory:
        memory.record(event(1, SECRET, tenant="acme"), event(2))
        inside = memory.backup()
        done = memory.forget(memory.to_forget(Choice(matching=SECRET)))
        assert done.cleaned == (inside.path,)
        assert holding(home.root) == []


def test_nobody_forgets_what_is_anothers(told: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAIN_TENANT", "acme")
    with (
        Memory.open(told.home.root, store=told.where) as other,
        pytest.raises(NotFound),
    ):
        other.to_forget(Choice(matching=SECRET))


@pytest.mark.parametrize("dies_in", ["engrain.store.store.Store.compact", "engrain.upkeep.backup.clean"])
def test_a_forget_that_was_killed_is_finished_by_the_next_tick(
    told: Memory, monkeypatch: pytest.MonkeyPatch, dies_in: str
) -> None:
    """Killed between the erasing and the compacting, or before the copies were looked at."""
    told.backup()

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(dies_in, die)
    with pytest.raises(KeyboardInterrupt):
        told.forget(["e00077", "e00078"])
    monkeypatch.undo()
    assert told.jobs.waiting(forget.COMPACT) == 1
    assert told.tick(seconds=10).jobs_failed == 0
    assert told.jobs.waiting(forget.COMPACT) == 0
    assert holding(told.home.root) == []


def test_a_forget_may_be_said_again(told: Memory) -> None:
    told.forget(["e00077"])
    assert told.to_forget(Choice(ids=("e00077",))) == ["e00077"]
    assert told.forget(["e00077"]).compacted
    assert told.jobs.waiting() == 0


def test_a_copy_anywhere_in_the_home_is_cleaned(told: Memory) -> None:
    copy = told.backup(told.home.at("mine.db"))
    assert told.forget(["e00077", "e00078"]).cleaned == (copy.path,)
    assert holding(told.home.root) == []


def test_forgets_at_once_leave_every_copy_whole(home: Home) -> None:
    with Memory.open(home.root) as memory:
        memory.record(*(event(n) for n in range(300)))
        copies = [memory.backup() for _ in range(3)]
    script = (
        "import sys; from engrain.memory import Memory\n"
        f"Memory.open({home.root!r}).forget([f'e{{int(sys.argv[1]):05d}}'])"
    )
    command = [sys.executable, "-W", "ignore", "-c", script]
    running = [subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE) for n in range(6)]
    assert [process.communicate()[1] for process in running] == [b""] * 6
    with Memory.open(home.root) as memory:
        memory.tick(seconds=20)
    for copy in copies:
        with backup.opened(copy.path) as store:
            assert {e.id for e in store.events() if e.kind == "note"} == {f"e{n:05d}" for n in range(6, 300)}


def test_what_a_killed_drain_had_half_kept_aside_goes(told: Memory) -> None:
    torn = events.line(event(99, SECRET)).encode()[:-9]
    spool.append(told.home.spool, torn)
    told.tick(seconds=10)
    (kept,) = spool.aside(told.home.spool)
    os.rename(kept[0], os.path.join(os.path.dirname(kept[0]), "4711.partial"))
    told.forget(["e00077", "e00078"])
    told.tick(seconds=10)
    assert holding(told.home.root) == []
