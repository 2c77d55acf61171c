"""The store, on both databases: the journal is a set, and everything else follows from it."""

from __future__ import annotations

import random
import threading
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engrain import event as events
from engrain.errors import StoreBusy, StoreNewer
from engrain.event import PROJECT_MERGE, Event
from engrain.learn.direct import derive
from engrain.paths import Home
from engrain.store import Store, open_store
from engrain.store.store import Appended, Choice
from tests.making import START, event, found


def state(store: Store) -> list[str]:
    """Everything that the store holds: the journal and all that follows from it."""
    return [*(events.line(e) for e in store.events()), *store.dump()]


def test_an_event_is_stored_once_however_often_it_comes(store: Store) -> None:
    assert store.append([event(1), event(2), event(1)]) == Appended(2, 1, 0)
    assert store.append([event(1)]) == Appended(0, 1, 0)
    assert list(store.events()) == [event(1), event(2)]
    assert store.get(["e00002", "unknown"]) == [event(2)]
    assert store.count() == 2


def test_the_same_id_in_two_projects_is_two_events(store: Store) -> None:
    assert store.append([event(1), event(1, project="q")]).new == 2


def test_of_two_versions_of_an_event_the_earlier_holds_in_any_order(store: Store) -> None:
    early, late = event(1, "early"), event(1, "late")._replace(time=START + 999)
    store.append([late])
    assert store.append([early]).known == 1
    store.append([late])
    assert list(store.events()) == [early]
    assert found(store, "early") == [early]
    assert found(store, "late") == []
    assert store.sessions() == [("local", "p", "s", "test", START + 1, START + 1, 1)]


def test_search_finds_all_words_first_then_any(store: Store) -> None:
    store.append([event(1, "migrations run before the seed"), event(2, "the seed is broken"), event(3, "nothing")])
    assert [hit.id for hit in found(store, "seed migrations")] == ["e00001"]
    assert {hit.id for hit in found(store, "seed unheard")} == {"e00001", "e00002"}
    assert found(store, "running migration")[0].id == "e00001"


QUERIES = [
    "", " ", '"', "foo(bar)", "C++ & python", "a|b", "AND", "NOT seed", "seed*", "NEAR(", "'; DROP TABLE", "🦜", "\0",
    "-", "^seed", "col:umn", "\\", "%", "a" * 10_000, "é" * 300, "<->", "!", ":*", "seed " * 5000, "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_any_text_is_a_valid_query(store: Store, query: str) -> None:
    store.append([event(1, "seed")])
    assert isinstance(found(store, query), list)


def test_forgotten_events_are_gone_and_stay_gone(store: Store) -> None:
    store.append([event(n) for n in range(5)])
    store.append([events.forget(["e00001", "e00003"])])
    assert store.append([event(1), event(9)]) == Appended(1, 0, 1)
    assert [e.id for e in store.events() if e.kind == "note"] == ["e00000", "e00002", "e00004", "e00009"]
    assert found(store, "1") == []
    assert store.tombstones() == {"e00001", "e00003"}
    store.rebuild()
    assert store.append([event(3)]).forgotten == 1


def test_an_event_that_was_forgotten_before_it_came_never_enters(store: Store) -> None:
    store.append([events.forget(["e00001"])])
    assert store.append([event(1)]) == Appended(0, 0, 1)


def test_a_forget_of_one_tenant_leaves_another_alone(store: Store) -> None:
    store.append([event(1), event(1, tenant="other")])
    store.append([events.forget(["e00001"], tenant="other")])
    assert [e.tenant for e in store.events() if e.kind == "note"] == ["local"]


def test_a_forget_cannot_be_forgotten(store: Store) -> None:
    forget = events.forget(["e00001"])
    store.append([event(1), forget])
    store.append([events.forget([forget.id])])
    assert forget in store.events()
    assert store.append([event(1)]).forgotten == 1


def test_nothing_under_the_id_of_a_forget_takes_it_back(store: Store) -> None:
    forget = events.forget(["e00001"], time=START)
    disguise = events.make("note", {"text": "x"}, project=forget.project, id=forget.id, time=START - 1)
    for part in ([forget], [event(1)], [disguise], [event(1)]):
        store.append(part)
    assert list(store.events()) == [forget]
    assert store.tombstones() == {"e00001"}


def sample(seed: int) -> list[Event]:
    """A small journal with everything that can make an order matter."""
    rng = random.Random(seed)
    journal = [
        event(n, f"w{rng.randint(0, 9)} x", project=rng.choice("pq"), session=rng.choice(["", "s", "t"]))
        for n in range(60)
    ]
    journal += [
        event(n, "another version", project="p")._replace(time=START + rng.randint(0, 99)) for n in range(0, 60, 7)
    ]
    journal += [event(n, "text", body={"text": f"v{n}"}, id="same") for n in range(3)]
    journal += [events.forget([f"e{n:05d}" for n in rng.sample(range(60), 5)], time=START) for _ in range(2)]
    for n in range(100, 130):
        missing = f"m{rng.randint(0, 4)}"
        body = {
            "fingerprint": f"1:{missing}", "family": "1:f", "toolchain": "python", "error_type": "E",
            "wording": rng.choice(["no <name>", "no such <name>"]), "parameters": {"module": missing},
            "steps": [f"pip install {missing}"], "source": rng.choice(["taught", "mined", "imported"]), "worked": n,
            "cause": rng.choice(["", "it is not there"]),
        }  # fmt: skip
        journal.append(event(n, kind="fix", project=rng.choice("pq"), body=body))
        went = {"fix": f"x{n % 3}", "general": "g", "worked": n % 2 == 0, "provenance": rng.choice(["explicit", "odd"])}
        journal.append(event(n + 100, kind="fix.outcome", project=rng.choice("pq"), body=went))
        journal.append(event(n + 200, kind="fix.served", body={"fixes": [{"fix": "x1"}, {"fix": "x2"}], "of": "e1"}))
        rule = {
            "text": f"l{n % 4}",
            "trigger": {"command": f"rm {missing}|mkfs"},
            "source": rng.choice(["taught", "mined"]),
        }
        journal.append(event(n + 400, kind="lesson", project=rng.choice("pq*"), body=rule))
        state = {"lesson": "l", "state": rng.choice(["active", "retired", "odd"])}
        journal.append(event(n + 500, kind="lesson.state", project=rng.choice("pq"), body=state))
        journal.append(event(n + 600, kind="lesson.fired", body={"lessons": ["l", "m", "l", 5], "phase": "before"}))
        journal.append(
            event(n + 700, kind="lesson.heeded", body={"lesson": "l", "heeded": rng.choice([True, False, 1])})
        )
        journal.append(event(n + 300, kind="command", body={"command": "x", "failure": {"fingerprint": "1:m"}}))
        used = {"tool": "Bash", "input": {"command": "make"}, "failed": True, "exit": n, "seconds": n / 7}
        journal.append(event(n + 800, kind="tool.call", project=rng.choice("pq"), body=used))
        journal.append(event(n + 900, kind="prompt", body={"text": "ok", "prompt": f"p{n}"}))
    journal += [events.forget([f"e{n:05d}" for n in rng.sample(range(100, 1030), 50)], time=START + 700)]
    late = events.forget(["e00003"], time=START + 500)
    journal += [late, events.make("note", {"text": "no forget"}, project=late.project, id=late.id, time=START)]
    journal += [events.make(PROJECT_MERGE, {"into": "q"}, project="p", id="merge", time=START)]
    return journal


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_state_is_a_function_of_the_set_of_events(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    journal, rng = sample(seed), random.Random(seed)
    states = []
    for parts in (1, 3, 10):
        shuffled = [*journal, *rng.sample(journal, 5)]
        rng.shuffle(shuffled)
        store = open_store(str(tmp_path_factory.mktemp("shuffled") / "engrain.db"), derive)
        rest = iter(shuffled)
        while part := list(islice(rest, len(shuffled) // parts + 1)):
            store.append(part)
        states.append(state(store))
        store.rebuild()
        states.append(state(store))
        store.close()
    assert all(other == states[0] for other in states)


def test_both_databases_reach_the_same_state(store: Store, home: Home) -> None:
    plain = open_store(home.at("plain.db"), derive)
    plain.append(sample(1))
    shuffled = sample(1)
    random.Random(2).shuffle(shuffled)
    store.append(shuffled)
    assert state(store) == state(plain)
    before = state(store)
    assert store.rebuild() == store.count()
    assert state(store) == before
    plain.close()


def test_a_choice_joins_its_conditions(store: Store) -> None:
    store.append([event(1, "a%b"), event(2, "a_b", session="t"), event(3, "ab", project="q")])
    assert store.choose(Choice()) == []
    assert [key[2] for key in store.choose(Choice(session="t"))] == ["e00002"]
    assert [key[2] for key in store.choose(Choice(project="p", before=START + 2))] == ["e00001"]
    assert [key[2] for key in store.choose(Choice(matching="a%b"))] == ["e00001"]
    assert [key[2] for key in store.choose(Choice(ids=("e00001", "e00003"), project="q"))] == ["e00003"]


def test_a_choice_finds_text_that_json_escapes(store: Store) -> None:
    store.append([event(1, 'say "hi"\nbye')])
    assert store.choose(Choice(matching='"hi"\nbye'))


def test_merged_projects_are_found_under_each_other(store: Store) -> None:
    store.append([event(1, "here"), event(2, "here", project="q"), event(3, "here", project="r")])
    store.append([events.make(PROJECT_MERGE, {"into": "q"}, project="p", id="m")])
    assert {hit.id for hit in found(store, "here", "q")} == {"e00001", "e00002"}
    assert {hit.id for hit in found(store, "here", "p")} == {"e00001", "e00002"}
    assert {hit.id for hit in found(store, "here", "r")} == {"e00003"}


def test_writers_at_once_lose_and_double_nothing(where: str) -> None:
    open_store(where, derive).close()

    def write(writer: int) -> None:
        store = open_store(where, derive)
        for n in range(20):
            store.append([event(n * 10 + k, session=f"s{writer}") for k in range(10)])
            store.append([event(1000 + writer * 100 + n)])
        store.close()

    threads = [threading.Thread(target=write, args=(w,)) for w in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = open_store(where, derive)
    assert store.count() == 200 + 80
    before = state(store)
    store.rebuild()
    assert state(store) == before
    store.close()


def test_a_reader_sees_one_moment_while_others_write(where: str) -> None:
    reader, writer = open_store(where, derive), open_store(where, derive)
    writer.append([event(n) for n in range(10)])
    with reader.snapshot():
        first = reader.count()
        writer.append([event(n) for n in range(10, 20)])
        assert reader.count() == first == 10
    assert reader.count() == 20
    reader.close()
    writer.close()


def test_a_store_of_a_newer_engrain_is_left_alone(where: str) -> None:
    old, new = open_store(where, derive), open_store(where, derive)
    old.append([event(1)])
    new.database.run("record_migration", [{"name": "9999_future.sql", "time": 1}])
    with pytest.raises(StoreNewer, match="upgrade Engrain"):
        old.append([event(2)])
    with pytest.raises(StoreNewer, match="9999_future"):
        open_store(where, derive)
    assert old.count() == 1
    old.close()
    new.close()


def test_a_failed_batch_leaves_nothing_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.append([event(1)])
    before = state(store)

    def fail(*_: object) -> None:
        raise StoreBusy("somebody else")

    monkeypatch.setattr(store, "_count", fail)
    with pytest.raises(StoreBusy):
        store.append([event(2)])
    monkeypatch.undo()
    assert state(store) == before
    assert store.append([event(2)]).new == 1


def test_names_as_long_as_they_may_be_fit_every_index(store: Store) -> None:
    # Bytes that do not compress, as four columns of one key: the widest key there is.
    rng = random.Random(1)
    names = ["".join(chr(rng.randint(0x4E00, 0x9FA5)) for _ in range(170)) for _ in range(5)]
    long = event(1, project=names[0], session=names[1], tenant=names[2], id=names[3])._replace(agent=names[4])
    assert store.append([long]).new == 1
    store.append([events.forget([names[3]], tenant=names[2])])
    assert store.tombstones() == {names[3]}


def test_a_word_or_body_of_any_size_is_stored(store: Store) -> None:
    store.append([event(1, "w" * 3_000_000), event(2, " ".join(f"word{n}" for n in range(300_000)))])
    assert store.count() == 2
    assert found(store, "word1")[0].id == "e00002"
