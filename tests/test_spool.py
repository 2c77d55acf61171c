"""The spool: a record that was appended is there, whole, whatever dies around it."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import threading
from pathlib import Path

import pytest

from engrain.capture import spool
from engrain.errors import SpoolUnwritable
from engrain.paths import Home


def drain(folder: str) -> list[bytes]:
    found: list[bytes] = []
    for path in spool.seal(folder):
        with spool.Segment(path) as segment:
            found += segment.records()
            segment.remove()
    return found


def test_records_come_out_as_they_went_in(home: Home) -> None:
    for n in range(5):
        spool.append(home.spool, f"record {n}".encode())
    assert drain(home.spool) == [f"record {n}".encode() for n in range(5)]
    assert drain(home.spool) == []
    assert spool.waiting(home.spool) == []


def test_every_folder_on_the_way_is_made_owner_only(tmp_path: Path) -> None:
    spool.append(str(tmp_path / "data" / "home" / "spool"), b"{}")
    for folder in ("data", "data/home", "data/home/spool"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == 0o700, folder


def test_a_spool_that_is_not_there_is_empty_and_is_made_owner_only(home: Home) -> None:
    assert spool.waiting(home.spool) == []
    assert spool.aside(home.spool) == []
    assert spool.oldest(home.spool) is None
    spool.append(home.spool, b"x")
    assert stat.S_IMODE(os.stat(home.spool).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(os.path.join(home.spool, spool.CURRENT)).st_mode) == 0o600


def test_a_record_is_one_line(home: Home) -> None:
    with pytest.raises(ValueError, match="one line"):
        spool.append(home.spool, b"a\nb")


def test_a_torn_record_spoils_itself_alone(home: Home) -> None:
    spool.append(home.spool, b"before")
    with open(os.path.join(home.spool, spool.CURRENT), "ab") as file:
        file.write(b'\n{"torn')
    spool.append(home.spool, b"after")
    assert drain(home.spool) == [b"before", b'{"torn', b"after"]


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_segment_cut_anywhere_gives_its_whole_records_and_one_torn_one(home: Home, cut: int) -> None:
    for n in range(3):
        spool.append(home.spool, f"record-{n}".encode())
    path = os.path.join(home.spool, spool.CURRENT)
    os.truncate(path, os.stat(path).st_size - cut)
    found = drain(home.spool)
    assert found[:2] == [b"record-0", b"record-1"]
    assert all(b"record-2".startswith(rest) for rest in found[2:])


def test_a_record_of_50_mb_goes_aside_whole_and_the_others_come_out(home: Home) -> None:
    spool.append(home.spool, b"before")
    spool.append(home.spool, b"x" * 50_000_000)
    spool.append(home.spool, b"after")
    assert drain(home.spool) == [b"before", b"after"]
    ((path, why),) = spool.aside(home.spool)
    assert "longer than a record may be" in why
    assert os.stat(path).st_size == 50_000_000 + len(why) + 1


def test_the_same_record_aside_twice_is_kept_once(home: Home) -> None:
    spool.append(home.spool, b"bad")
    (path,) = spool.seal(home.spool)
    with spool.Segment(path) as segment:
        segment.set_aside(b"bad", "because")
        segment.set_aside(b"bad", "because")
    assert len(spool.aside(home.spool)) == 1
    assert spool.aside_record(spool.aside(home.spool)[0][0]) == b"bad"


def test_a_writer_never_waits_for_a_drain_and_never_writes_into_what_is_drained(home: Home) -> None:
    spool.append(home.spool, b"first")
    current = os.path.join(home.spool, spool.CURRENT)
    fd = os.open(current, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    sealed = spool.seal(home.spool)
    spool.append(home.spool, b"second")
    os.close(fd)
    with spool.Segment(sealed[0]) as segment:
        assert list(segment.records()) == [b"first"]
        spool.append(home.spool, b"third")
        segment.remove()
    assert drain(home.spool) == [b"second", b"third"]


def test_many_writers_and_a_drain_lose_and_double_nothing(home: Home) -> None:
    expected = {f"{writer}-{n}".encode() for writer in range(4) for n in range(500)}

    def write(writer: int) -> None:
        for n in range(500):
            spool.append(home.spool, f"{writer}-{n}".encode())

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in writers:
        thread.start()
    found: list[bytes] = []
    while any(thread.is_alive() for thread in writers):
        found += drain(home.spool)
    found += drain(home.spool)
    assert sorted(found) == sorted(expected)


def test_a_full_disk_is_one_clear_line(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_fd: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    spool.append(home.spool, b"before")
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(SpoolUnwritable, match="no space left on device; the event was not recorded"):
        spool.append(home.spool, b"lost")
    monkeypatch.undo()
    assert drain(home.spool) == [b"before"]


def test_a_short_write_is_written_again_whole(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    write, calls = os.write, []

    def short(fd: int, data: bytes) -> int:
        calls.append(len(data))
        return write(fd, data[: 4 if len(calls) == 1 else len(data)])

    monkeypatch.setattr(os, "write", short)
    spool.append(home.spool, b"record")
    assert drain(home.spool)[-1] == b"record"


def test_the_oldest_segment_tells_how_long_events_wait(home: Home) -> None:
    spool.append(home.spool, b"x")
    os.utime(os.path.join(home.spool, spool.CURRENT), (1000, 1000))
    assert spool.oldest(home.spool) == 1000
