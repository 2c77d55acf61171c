"""An event's line is its identity: it is read back as it was written, and anything else is refused with a reason."""

from __future__ import annotations

import json
import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engrain import event as events
from engrain.errors import BadEvent
from engrain.event import Event
from tests.making import event

NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=60)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)
BODIES = st.dictionaries(st.text(max_size=9), JSON, max_size=5)


@given(id_=NAMES, project=NAMES, body=BODIES, when=st.integers(0, events.MAX_TIME))
def test_a_line_is_read_back_as_it_was_written(id_: str, project: str, body: dict[str, object], when: int) -> None:
    made = events.make("note", body, project=project, time=when, id=id_)
    line = events.line(made)
    assert events.parse(line) == made
    assert events.line(events.parse(line.encode())) == line
    assert "\n" not in line


@given(st.text())
def test_any_text_becomes_text_that_every_store_holds(text: str) -> None:
    made = event(1, body={"text": text + "\0\ud800", text: text})
    stored = json.dumps(made.body, ensure_ascii=False)
    assert "\0" not in stored
    assert "\\u0000" not in stored
    assert stored.encode()


LINE = json.loads(events.line(event(1)))
REFUSED = [
    ("nothing", b"", "not JSON"),
    ("no JSON", b"hello", "not JSON"),
    ("a torn line", events.line(event(1)).encode()[:-5], "not JSON"),
    ("invalid UTF-8", b'{"id":"\xff"}', "not UTF-8"),
    ("a list", b"[]", "not a JSON object"),
    ("deep nesting", b"[" * 200_000, "not JSON"),
    ("a field too few", {**LINE, "body": ...}, "body is missing"),
    ("a field too many", {**LINE, "colour": 1}, "newer Engrain"),
    ("an empty id", {**LINE, "id": ""}, "id is missing"),
    ("an id with a line end", {**LINE, "id": "a\nb"}, "printable"),
    ("an id with a lone surrogate", {**LINE, "id": "\ud800"}, "printable"),
    ("an id of too many bytes", {**LINE, "id": "é" * 257}, "512 bytes"),
    ("a number as project", {**LINE, "project": 7}, "printable"),
    ("a time before 1970", {**LINE, "time": -1}, "between the years"),
    ("a time as a float", {**LINE, "time": 1.5}, "ISO 8601"),
    ("a time without zone", {**LINE, "time": "2026-01-01T00:00:00"}, "zone"),
    ("a time that is none", {**LINE, "time": "yesterday"}, "ISO 8601"),
    ("a version of zero", {**LINE, "v": 0}, "v must be"),
    ("a version that is a bool", {**LINE, "v": True}, "v must be"),
    ("a body that is a list", {**LINE, "body": []}, "JSON object"),
    ("a forget of nothing", {**LINE, "kind": "forget", "body": {}}, "names the ids"),
    ("a forget under a false id", {**LINE, "kind": "forget", "project": "*", "body": {"ids": ["a"]}}, "follows from"),
]


@pytest.mark.parametrize(("given", "why"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_no_event_is_refused_in_one_line(given: bytes | dict[str, object], why: str) -> None:
    if isinstance(given, dict):
        given = json.dumps({key: value for key, value in given.items() if value is not ...}).encode()
    with pytest.raises(BadEvent, match=why) as refused:
        events.parse(given)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_a_line_larger_than_an_event_may_be_is_refused() -> None:
    with pytest.raises(BadEvent, match="larger than 8 MiB"):
        events.parse(b'{"id":"' + b"a" * events.MAX_LINE)


def test_numbers_that_json_does_not_have_are_refused() -> None:
    with pytest.raises(BadEvent, match="not JSON"):
        event(1, body={"n": float("nan")})


TIMES = [
    (0, "1970-01-01T00:00:00.000000Z"),
    (1_790_000_000_123_456, "2026-09-21T14:13:20.123456Z"),
    (events.MAX_TIME, "9999-12-31T23:59:59.999999Z"),
]


@pytest.mark.parametrize(("micros", "stamp"), TIMES)
def test_times_are_written_to_the_microsecond_in_utc(micros: int, stamp: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    assert events.timestamp(micros) == stamp
    assert events.microseconds(stamp) == micros
    monkeypatch.delenv("TZ")
    time.tzset()


def test_ids_sort_by_time_and_do_not_repeat() -> None:
    ids = [events.new_id(1000 * n) for n in range(1000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 1000


def test_the_id_of_named_things_is_the_same_every_time() -> None:
    assert events.id_of("a", "b") == events.id_of("a", "b")
    assert events.id_of("a", "b") != events.id_of("ab")
    assert events.id_of(os.fsdecode(b"\xff"))


def test_one_forget_has_one_id_whoever_makes_it() -> None:
    assert events.forget(["b", "a", "a"]).id == events.forget(["a", "b"]).id
    assert events.targets(events.forget(["b", "a"])) == ["a", "b"]
    assert events.targets(event(1)) == []
    assert isinstance(events.forget(["a"]), Event)


@pytest.mark.parametrize("text", ["x", "x\\u0000"])
@pytest.mark.parametrize("depth", [99, 150, 400, 700, 960])
def test_a_body_is_refused_before_it_is_too_deep_to_walk(depth: int, text: str) -> None:
    head = events.line(event(1)).split('"body"')[0]
    line = f'{head}"body":{{"x":{"[" * depth}"{text}"{"]" * depth}}}}}'
    if depth < events.MAX_DEPTH:
        assert events.parse(line).body["x"]
        return
    with pytest.raises(BadEvent, match=r"nested deeper|not JSON|not valid|recursion"):
        events.parse(line)


def test_what_is_recorded_is_what_will_be_read_back() -> None:
    made = events.make("note", {"text": ("a", "b"), "seen": {10: "ten", 9: "nine"}}, project="p")
    assert events.parse(events.line(made)) == made


def test_the_size_of_a_body_is_counted_in_bytes_whatever_is_in_it() -> None:
    with pytest.raises(BadEvent, match="larger"):
        events.make("note", {"text": "é" * (events.MAX_LINE // 2) + "\ud800"}, project="p")
