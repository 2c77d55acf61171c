"""A store is carried into another one whole, however often it is interrupted, and the same comes back."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator

import pytest

from bench.scratch import Postgres
from engrain import event as events
from engrain.capture.admit import Gate, admitted
from engrain.errors import BadInput, NotFound, StoreDamaged
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.store import Store, open_store
from engrain.store.bodies import Bodies
from engrain.store.jobs import LEARN, Jobs
from engrain.store.tokens import Tokens
from engrain.upkeep import carry
from tests.making import Ran, event


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carry, "PIECE", 50)


@pytest.fixture
def other(server: Postgres) -> Iterator[str]:
    url = server.database()
    yield url
    server.drop(url)


@pytest.fixture
def full(home_of: str) -> str:
    """A store with notes of two teams, calls with bodies, a forget, a token and a session that waits."""
    store, gate = open_store(home_of, derive), Gate("/home/dana")
    ran = {"tool": "Edit", "input": {"file_path": "a.py"}, "output": "ok", "exit": 0, "bodies": {"content": "x = 1"}}
    notes = [event(n, f"text {n}", tenant="b" if n % 7 == 0 else "local", project=f"p{n % 5}") for n in range(230)]
    calls = [event(n, kind="tool.call", body=ran) for n in range(300, 320)]
    store.append(admitted(each, gate) for each in (*reversed(notes), *calls))
    store.append([events.forget(["e00003"])])
    Jobs(store.database).drop(LEARN)
    store.append([admitted(event(400, kind="tool.call", body=ran, session="waits"), gate)])
    Tokens(store.database).create("laptop", ["read"], tenant="local")
    store.close()
    return home_of


@pytest.fixture
def home_of(tmp_path: object) -> str:
    return os.path.join(str(tmp_path), "mine", "engrain.db")


def exported(where: str, folder: str) -> bytes:
    out = io.BytesIO()
    with Memory.open(folder, store=where) as memory:
        memory.export(out)
    return out.getvalue()


class _Enough(Exception):  # noqa: N818 - a signal, not an error
    """Stands for a kill: nothing after it is done."""


def stopping(after: int) -> Callable[[int], None]:
    def told(_: int) -> None:
        nonlocal after
        after -= 1
        if after <= 0:
            raise _Enough

    return told


@pytest.mark.usefixtures("small")
def test_there_and_back_interrupted_both_ways_is_the_same_export(full: str, other: str, tmp_path: object) -> None:
    back = os.path.join(str(tmp_path), "back.db")
    with Memory.open(os.path.join(str(tmp_path), "home")) as memory:
        for source, target in ((full, other), (other, back)):
            for after in (1, 2):
                with pytest.raises(_Enough):
                    memory.carry(source, target, stopping(after))
            done = memory.carry(source, target)
            assert (done.events, done.forgotten, done.bodies) == (251, 0, 21)
            assert done.now <= 101, "what was carried before is not carried again"
            assert done.tokens == 1
            assert memory.to_carry(source, target) == 0
    assert exported(full, str(tmp_path)) == exported(back, str(tmp_path))
    stores = [open_store(where, derive) for where in (full, other, back)]
    assert len({"\n".join(store.dump()) for store in stores}) == 1
    assert [Jobs(store.database).named(LEARN) for store in stores] == [[("local", "p", "waits")]] * 3
    ids = [each.id for each in stores[0].events()]
    assert len({str(Bodies(store.database).get(ids)) for store in stores}) == 1
    for store in stores:
        store.close()


@pytest.mark.usefixtures("small")
def test_what_comes_meanwhile_and_later_follows(full: str, other: str, tmp_path: object) -> None:
    store = open_store(full, derive)
    with Memory.open(os.path.join(str(tmp_path), "home")) as memory:
        memory.carry(full, other, lambda _: _one_more(store))
        store.append([event(9000, "long ago")._replace(time=1)])
        assert memory.carry(full, other).now == 1
        there = open_store(other, derive)
        assert list(there.events()) == list(store.events())
        there.append([events.forget(["e00009"])])
        assert memory.carry(full, other).now == 0
        os.unlink(memory.home.at("carried", os.listdir(memory.home.at("carried"))[0]))
        again = memory.carry(full, other)
        assert (again.forgotten, again.events) == (1, store.count() - 1), "what was forgotten there stays so"
        there.close()
    store.close()


@pytest.mark.usefixtures("small")
def test_a_store_that_was_made_anew_since_is_carried_from_the_start(full: str, other: str, tmp_path: object) -> None:
    with Memory.open(os.path.join(str(tmp_path), "home")) as memory:
        memory.carry(full, other)
        there = open_store(other, derive)
        there.expire([(each.tenant, each.project, each.id) for each in there.latest(_ANY)])
        assert memory.to_carry(full, other) == 251
        assert memory.carry(full, other).events == there.count() == 251, "what was lost over there is there again"
        os.rename(full, f"{full}.old")
        store = open_store(full, derive)
        store.append([event(9000, "of another store")])
        assert memory.carry(full, other).now == 1
        assert there.count() == 252
        there.close()
        store.close()


_ANY = {
    "tenant": "local", "project": "", "projects": [], "kind": "", "session": "", "time": events.MAX_TIME, "id": "~",
    "limit": 60,
}  # fmt: skip


def _one_more(store: Store) -> None:
    number = store.count() + 1000
    if number < 1260:
        store.append([event(number, "came meanwhile")])


def test_another_line_over_there_is_said(full: str, other: str, tmp_path: object) -> None:
    there = open_store(other, derive)
    there.append([event(5, "not what it was", project="p0")])
    with Memory.open(os.path.join(str(tmp_path), "home")) as memory, pytest.raises(StoreDamaged, match="is unchanged"):
        memory.carry(full, other)
    there.close()


def test_the_command_says_how_much_and_refuses_what_makes_no_sense(
    full: str, engrain: Callable[..., Ran], tmp_path: object
) -> None:
    target = os.path.join(str(tmp_path), "copy.db")
    ran = engrain("migrate-store", full, target, "--json")
    assert (ran.code, ran.json["events"], ran.json["tokens"]) == (0, 251, 1)
    assert engrain("migrate-store", full, target).out.startswith("251 events")
    assert engrain("migrate-store", full, full).code == 2
    missing = engrain("migrate-store", target + "x", target)
    assert (missing.code, missing.err.count("\n")) == (1, 1)
    with Memory.open(os.path.join(str(tmp_path), "home")) as memory:
        with pytest.raises(BadInput):
            memory.carry("postgresql://a/b", "postgresql://a/b")
        with pytest.raises(NotFound):
            memory.carry("nowhere.db", target)
