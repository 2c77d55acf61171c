"""What reads, writes and edits carried: beside the journal, for a while, and nowhere else."""

from __future__ import annotations

import io
import os
import time

from engrain import event as events
from engrain.event import Event
from engrain.memory import Memory
from engrain.store import Store
from engrain.store.bodies import Bodies
from engrain.upkeep import doctor
from engrain.upkeep.doctor import Patient
from tests.making import event, found
from tests.test_forget import holding

CONTENT = "cassowary-2718-numbat"


def carrying(number: int, text: str = CONTENT, *, days: float = 0) -> Event:
    made = event(number, body={"tool": "Write", "bodies": {"content": text}})
    return made._replace(time=int((time.time() - days * 86400) * 1e6))


def test_what_an_event_carried_is_kept_apart_from_it(store: Store) -> None:
    store.append([carrying(1), event(2)])
    assert Bodies(store.database).get(["e00001", "e00002"]) == {"e00001": {"content": CONTENT}}
    assert store.get(["e00001"])[0].body == {"tool": "Write"}
    assert found(store, "cassowary") == []
    assert not any(CONTENT in line for line in store.dump())
    assert store.append([carrying(1)]).known == 1


def test_no_export_and_no_backup_has_it(memory: Memory) -> None:
    memory.record(carrying(1))
    out = io.BytesIO()
    memory.export(out)
    assert CONTENT.encode() not in out.getvalue()
    copy = memory.backup()
    assert holding(os.path.dirname(copy.path), CONTENT) == []
    assert memory.bodies.kept().number == 1, "the store itself keeps it"


def test_it_expires_by_the_next_tick(memory: Memory) -> None:
    memory.record(carrying(1, days=31), carrying(2, days=29))
    memory.tick(seconds=5)
    assert set(memory.bodies.get(["e00001", "e00002"])) == {"e00002"}
    assert memory.store.count() == 2, "the events themselves stay"


def test_it_is_forgotten_with_its_event(memory: Memory) -> None:
    memory.record(carrying(1))
    memory.forget(["e00001"])
    assert memory.bodies.kept().number == 0
    assert holding(memory.home.root, CONTENT) == []


def test_a_rebuild_leaves_it_alone(memory: Memory) -> None:
    memory.record(carrying(1))
    memory.rebuild()
    assert memory.bodies.kept().number == 1


def test_the_doctor_says_how_much_is_kept_and_until_when(memory: Memory) -> None:
    def found(keep: float) -> doctor.Finding:
        patient = Patient(
            memory.home, lambda: memory.store, reserve_mb=1, deep=False, now=time.time(), keep_days=keep
        )  # fmt: skip
        return next(f for f in doctor.examine(patient) if f.check == "bodies")

    assert found(30).level == doctor.OK
    memory.record(carrying(1, days=10))
    assert "content of 1 reads" in found(30).says
    assert found(30).level == doctor.OK
    assert "by train.keep" in found(90).says
    assert found(90).level == doctor.WARNING
    assert "`engrain tick` erases it" in found(5).says


def test_a_body_is_split_off_once_and_empty_ones_leave_nothing() -> None:
    plain, carried = events.without_bodies(event(1, body={"a": 1, "bodies": {}}))
    assert plain.body == {"a": 1}
    assert carried == ""
    assert events.without_bodies(event(1))[0] is not None
