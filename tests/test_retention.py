"""What was recorded and taught nothing goes when it is old or too much; what anything rests on stays."""

from __future__ import annotations

import pytest

from engrain.config import Config, Setted
from engrain.errors import BadConfig
from engrain.event import EPISODE, Event
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store import Store
from engrain.upkeep import retention
from engrain.upkeep.retention import DAY, Limit, expire, limits
from tests.making import event, failed

NOW = 1_800_000_000_000_000
OLD = NOW - 200 * DAY


def call(number: int, days: float, *, session: str = "plain", size: int = 10) -> Event:
    body = {"tool": "Bash", "input": {"command": "ls"}, "output": "x" * size, "exit": 0}
    return event(number, kind="tool.call", body=body, session=session)._replace(time=NOW - int(days * DAY))


def left(store: Store) -> set[str]:
    return {each.id for each in store.events()}


def always() -> bool:
    return True


def test_what_is_old_goes_and_what_anything_rests_on_stays(store: Store, home: Home) -> None:
    with Memory.open(home.root, store=store.where) as memory:
        broke = failed(memory, "ModuleNotFoundError: No module named 'x'", time=OLD)._replace(
            id="broke", tenant="local"
        )
    followed = {"state": "resolved", "fingerprint": "f", "family": "g"}
    store.append(
        [
            *(call(n, 200) for n in range(5)),
            *(call(n, 200, session="lived") for n in range(5, 10)),
            *(call(n, 1) for n in range(10, 15)),
            event(20, kind=EPISODE, body=followed, session="lived")._replace(time=OLD),
            event(21, "a note of long ago")._replace(time=OLD),
            broke,
        ]
    )
    gone, ended = expire(store, [Limit("tool.call", 90), Limit("command", 90)], NOW, always)
    assert (gone, ended) == (5, True)
    assert left(store) == {f"e{n:05d}" for n in (*range(5, 15), 20, 21)} | {"broke"}
    before = list(store.dump())
    store.rebuild()
    assert list(store.dump()) == before, "what is derived is still a function of what is there"
    assert store.append([call(0, 200)]).new == 1, "no tombstone is left"


def test_when_there_is_too_much_the_oldest_go_until_there_is_not(store: Store) -> None:
    store.append(call(n, 100 - n, size=100_000) for n in range(20))
    assert expire(store, [Limit("tool.call", mb=3)], NOW, always) == (0, True)
    assert expire(store, [Limit("tool.call", mb=1)], NOW, always)[0] == 11
    assert min(left(store)) == "e00011"
    assert store.size_of("tool.call") <= 1_000_000


def test_it_stops_when_its_time_is_over_and_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PIECE", 3)
    store.append(call(n, 200) for n in range(8))
    chances = iter([True, False])
    assert expire(store, [Limit("tool.call", 90)], NOW, lambda: next(chances)) == (3, False)
    assert expire(store, [Limit("tool.call", 90)], NOW, always) == (5, True)


def test_the_settings_say_what_goes_and_nothing_does_without_them(memory: Memory) -> None:
    memory.record(*(call(n, 4000, session="") for n in range(3)), event(9, "stays")._replace(time=1))
    assert memory.tick(seconds=5).expired == 0
    memory.config = memory.config.having("retention.days", "tool.call: 90")
    assert memory.tick(seconds=5).expired == 3
    assert left(memory.store) == {"e00009"}
    memory.record(call(1, 4000, session=""))
    assert memory.tick(seconds=5).expired == 0, "once a day"


@pytest.mark.parametrize("text", ["note: 90", "tool.call", "tool.call: soon", "tool.call: 0", "tool.call: -1", ": 4"])
def test_a_limit_that_makes_no_sense_is_refused(text: str) -> None:
    values = {name: Setted(name, "", "test") for name in (retention.DAYS, retention.MB)}
    with pytest.raises(BadConfig, match="test: retention"):
        limits(Config({**values, retention.DAYS: Setted(retention.DAYS, text, "test")}))


def test_limits_are_read() -> None:
    values = {
        retention.DAYS: Setted(retention.DAYS, "tool.call: 180, reply:90", "test"),
        retention.MB: Setted(retention.MB, "tool.call:5000", "test"),
    }
    assert limits(Config(values)) == [Limit("tool.call", 180, 5000), Limit("reply", 90)]
