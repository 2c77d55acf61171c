"""The doctor finds what is wrong and says what to do, in one line each."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable

import pytest

from engrain.capture import spool
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store import Store
from engrain.store.jobs import MAX_TRIES, Jobs
from engrain.upkeep import doctor
from engrain.upkeep.doctor import OK, PROBLEM, WARNING, Finding, Patient
from tests.making import Ran, event


def examine(memory: Memory, *, deep: bool = True, ahead: float = 0, reserve: float = 1) -> dict[str, list[Finding]]:
    patient = Patient(
        memory.home, lambda: memory.store, reserve_mb=reserve, deep=deep, now=time.time() + ahead
    )  # fmt: skip
    found: dict[str, list[Finding]] = {}
    for finding in doctor.examine(patient):
        assert "\n" not in finding.says
        found.setdefault(finding.check, []).append(finding)
    return found


def levels(found: dict[str, list[Finding]]) -> dict[str, str]:
    order = (OK, WARNING, PROBLEM)
    return {name: max((f.level for f in rows), key=order.index) for name, rows in found.items()}


def test_a_healthy_home_is_well(memory: Memory) -> None:
    memory.record(event(1))
    found = examine(memory)
    assert set(levels(found).values()) == {OK}
    assert [name for name, _ in doctor.CHECKS if name != "server"] == list(found)
    assert "1 events, intact" in found["store"][0].says or "1 event, intact" in found["store"][0].says


def test_a_home_that_is_not_there_yet_is_well(tmp_path: object) -> None:
    with Memory.open(os.path.join(str(tmp_path), "none")) as memory:
        assert levels(examine(memory))["home"] == OK


def test_a_damaged_store_is_explained_with_the_way_back(home: Home, engrain: Callable[..., Ran]) -> None:
    with Memory.open(home.root) as memory:
        memory.record(*(event(n, "x" * 500) for n in range(500)))
    with open(home.database, "r+b") as file:
        file.seek(8192)
        file.write(os.urandom(60_000))
    done = engrain("doctor", "--deep")
    assert done.code == 1
    assert "engrain restore" in done.out
    assert "Traceback" not in done.err
    noted = engrain("note", "meanwhile")
    assert noted.code in (0, 1)
    assert "Traceback" not in noted.err


def test_a_file_that_is_no_database_is_explained_and_new_events_wait(home: Home, engrain: Callable[..., Ran]) -> None:
    with open(home.database, "wb") as file:
        file.write(b"this is not a database" * 1000)
    done = engrain("doctor")
    assert done.code == 1
    assert "not a database" in done.out
    assert "waits in the spool" in engrain("note", "meanwhile").err
    os.unlink(home.database)
    assert "meanwhile" in engrain("search", "meanwhile").out


def test_a_newer_store_is_explained_and_new_events_wait(home: Home, engrain: Callable[..., Ran]) -> None:
    engrain("note", "before")
    with Memory.open(home.root) as memory:
        memory.store.database.run("record_migration", [{"name": "9999_future.sql", "time": 1}])
    done = engrain("doctor")
    assert done.code == 1
    assert "newer Engrain" in done.out
    assert "is not lost" in engrain("note", "meanwhile").err
    assert engrain("search", "before").code == 1
    assert spool.waiting(home.spool)


def test_open_modes_are_found_and_closed_when_asked(home: Home, engrain: Callable[..., Ran]) -> None:
    engrain("note", "x")
    os.chmod(home.database, 0o644)
    assert engrain("doctor").code == 1
    assert "closed 1 file" in engrain("doctor", "--fix").out
    assert engrain("doctor").code == 0


def test_an_old_spool_is_found(memory: Memory) -> None:
    memory.capture(event(1)._replace(time=int(time.time() * 1e6)))
    assert levels(examine(memory))["spool"] == OK
    found = examine(memory, ahead=2 * 3600)
    assert levels(found)["spool"] == WARNING
    assert "waiting for 2 h" in found["spool"][0].says


def test_records_kept_aside_are_found(memory: Memory) -> None:
    spool.append(memory.home.spool, b"garbage")
    memory.tick(seconds=10)
    assert "kept aside" in examine(memory)["spool"][-1].says


def test_dead_jobs_are_found_with_their_last_error(memory: Memory) -> None:
    jobs = Jobs(memory.store.database)
    jobs.enqueue("mine", "k", {}, project="p", now=0)
    for n in range(MAX_TRIES):
        (job,) = jobs.lease("me", ["mine"], now=n * 10**10)
        jobs.fail(job, "it rains", now=n * 10**10)
    (finding,) = examine(memory)["jobs"]
    assert finding.level == WARNING
    assert "it rains" in finding.says


def test_too_little_room_is_found(memory: Memory) -> None:
    assert levels(examine(memory, reserve=10**9))["disk"] == WARNING


def test_a_copy_that_still_holds_what_was_forgotten_is_named(memory: Memory, tmp_path: object) -> None:
    memory.record(event(1), event(2))
    copy = memory.backup(os.path.join(str(tmp_path), "elsewhere.db"))
    memory.forget(["e00001"])
    (finding,) = examine(memory)["backups"]
    assert finding.level == WARNING
    assert copy.path in finding.says
    assert "forgotten" in finding.says


def test_a_damaged_index_is_found_by_a_deep_look(sqlite: Store, home: Home) -> None:
    sqlite.append([event(1, "hello")])
    sqlite.database.run("clear_documents", [{}])
    with Memory.open(home.root) as memory:
        memory.rebuild()
        assert levels(examine(memory))["store"] == OK


@pytest.mark.parametrize("words", [["doctor"], ["doctor", "--json"]])
def test_a_broken_config_does_not_stop_the_doctor(home: Home, engrain: Callable[..., Ran], words: list[str]) -> None:
    with open(home.config, "w", encoding="utf-8") as file:
        file.write("[tick")
    done = engrain(*words)
    assert done.code == 1
    assert "config.toml" in done.out
    assert "Traceback" not in done.err


def test_closing_modes_takes_nothing_from_the_owner(home: Home) -> None:
    script = home.at("mine.sh")
    with open(script, "w", encoding="utf-8"):
        pass
    os.chmod(script, 0o755)
    doctor.close_modes(home)
    assert stat.S_IMODE(os.stat(script).st_mode) == 0o700
