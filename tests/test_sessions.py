"""Sessions: listed, told in order with every call at its prompt, followed as they happen."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from engrain.capture.session import Session
from engrain.errors import BadInput, NotFound
from engrain.event import Event, now
from engrain.learn.turns import turns
from engrain.memory import Memory
from engrain.memory.history import Arrivals, Wanted
from tests.making import START, Ran

Engrain = Callable[..., Ran]
SECOND = 1_000_000


def events(
    memory: Memory | None = None, name: str = "s-1", agent: str = "claude-code", day: int = 0, start: int = START
) -> list[Event]:
    """A session in which the same word was said twice."""
    of = Session(agent, name, project=memory.project.id if memory else "p", tenant="local")
    start += day * 86_400 * SECOND
    at = [start + second * SECOND for second in range(20)]
    failure = {"fingerprint": "f", "family": "f", "toolchain": "t", "error_type": "E", "message": "no orjson"}
    return [
        of.started(at[0], source="startup"),
        of.prompted(at[1], "p1", "ok", prompt="p1"),
        of.called(at[3], "c1", "Bash", {"command": "pytest"}, "E", failed=True, exit=1, prompt="p1", failure=failure),
        of.replied(at[4], "r1", "orjson is missing"),
        of.prompted(at[5], "p2", "ok", prompt="p2"),
        of.called(at[6], "c2", "Bash", {"command": "pip install orjson"}, "fine", failed=False, exit=0, prompt="p2"),
        of.ended(at[9], reason="logout"),
    ]


def told(given: list[Event]) -> list[tuple[str | None, list[str]]]:
    return [
        (turn.prompt.body.get("prompt") if turn.prompt else None, [call.body["call"] for call in turn.calls])
        for turn in turns(given)
    ]


def test_the_same_words_twice_are_two_turns() -> None:
    assert told(events()) == [("p1", ["c1"]), ("p2", ["c2"])]
    assert told(events()[::-1]) == told(events()), "whatever the order of arrival"


def test_a_call_is_linked_by_name_however_late_it_is_told() -> None:
    late = [e._replace(time=e.time + 10 * SECOND) if e.body.get("call") == "c1" else e for e in events()]
    assert told(late) == [("p1", ["c1"]), ("p2", ["c2"])]


def test_without_names_a_call_belongs_to_the_last_prompt_before_it_began() -> None:
    of = Session("a", "s", project="p", tenant="local")
    given = [
        of.called(START, "early", "Read", {}, "", failed=False),
        of.prompted(START + 2 * SECOND, "x", "ok"),
        of.prompted(START + 4 * SECOND, "y", "ok"),
        of.called(START + 5 * SECOND, "ran on", "Bash", {"command": "make"}, "", failed=False, seconds=2.5),
        of.called(START + 6 * SECOND, "after", "Bash", {"command": "ls"}, "", failed=False, seconds=0.1),
    ]
    assert [calls for _, calls in told(given)] == [["early"], ["ran on"], ["after"]]


def test_sessions_are_listed_and_chosen(memory: Memory) -> None:
    memory.record(*events(memory, "s-1"), *events(memory, "s-2", "codex", day=1))
    elsewhere = Session("codex", "other", project="elsewhere", tenant="local")
    memory.record(elsewhere.prompted(START, "p", "hello"))
    first = memory.sessions(Wanted(project=memory.project.id))
    assert [(each.session, each.agent, each.asked) for each in first] == [
        ("s-2", "codex", "ok"), ("s-1", "claude-code", "ok"),
    ]  # fmt: skip
    assert (first[0].prompts, first[0].calls, first[0].failures, first[0].events) == (2, 2, 1, 7)
    assert len(memory.sessions()) == 3
    assert [each.session for each in memory.sessions(limit=1)] == ["s-2"]
    assert [each.session for each in memory.sessions(Wanted(agent="codex"))] == ["s-2", "other"]
    assert {each.session for each in memory.sessions(Wanted(failed=True))} == {"s-1", "s-2"}
    later = START + 43_200 * SECOND
    assert [each.session for each in memory.sessions(Wanted(since=later))] == ["s-2"]
    assert {each.session for each in memory.sessions(Wanted(before=later))} == {"s-1", "other"}


def test_a_session_is_found_by_its_beginning(memory: Memory) -> None:
    memory.record(*events(memory, "s-1"), *events(memory, "s-12"))
    assert memory.session("s-12").session == "s-12"
    assert memory.session("s-1").session == "s-1", "a whole name is no beginning"
    assert memory.session("s-1").reason == "logout"
    with pytest.raises(BadInput, match="s-1 or s-12"):
        memory.session("s-")
    with pytest.raises(NotFound):
        memory.session("nope")


def test_sessions_and_show_as_a_person_sees_them(engrain: Engrain, tmp_path: object) -> None:
    with Memory.open(folder=str(tmp_path)) as memory:
        memory.record(*events(memory))
    listed = engrain("sessions")
    assert listed.code == 0
    assert "2 asked, 2 calls, 1 failed" in listed.out
    assert engrain("sessions", "--json").json[0]["session"] == "s-1"
    assert engrain("sessions", "--agent", "codex").code == 1
    assert engrain("sessions", "--since", "later").code == 2
    shown = engrain("show", "s-1").out.splitlines()
    assert shown[0] == "session  s-1"
    assert shown[2] == "2 prompts, 2 tool calls, 1 failed"
    assert [line[10:] for line in shown[3:] if line] == [
        "▸ ok",
        "  ✗ Bash   pytest  (exit 1)  no orjson",
        "  « orjson is missing",
        "▸ ok",
        "  ✓ Bash   pip install orjson",
    ]
    (told_json,) = engrain("show", "s-1", "--json").json
    assert [[call["call"] for call in turn["calls"]] for turn in told_json["turns"]] == [["c1"], ["c2"]]
    assert told_json["turns"][0]["prompt"]["text"] == "ok"
    id_ = told_json["turns"][0]["calls"][0]["id"]
    assert engrain("show", id_).out.startswith(f"tool.call  {id_}")


def test_what_happens_is_followed(tmp_path: object) -> None:
    """A real follower, which sees what a hook put into the spool after it began."""
    command = [sys.executable, "-u", "-m", "engrain", "sessions", "--follow"]
    with (
        Memory.open(folder=str(tmp_path)) as memory,
        subprocess.Popen(command, stdout=subprocess.PIPE, cwd=str(tmp_path), env=dict(os.environ)) as running,
    ):
        assert running.stdout is not None
        try:
            # The follower tells of what comes once it is there: a session is recorded until one was seen.
            seen = ""
            while "✗ Bash   pytest" not in seen:
                for event in events(memory, os.urandom(4).hex(), start=now())[1:3]:
                    memory.capture(event)
                if select.select([running.stdout], [], [], 0.3)[0]:
                    seen += os.read(running.stdout.fileno(), 65_536).decode()
            assert "▸ ok" in seen
            assert "✗ Bash   pytest  (exit 1)  no orjson" in seen
        finally:
            running.send_signal(signal.SIGINT)
            assert running.wait(20) == 0


def test_what_arrives_is_told_once_and_in_order(memory: Memory) -> None:
    given = events(memory, start=now())
    memory.record(given[-1])
    arrivals = Arrivals(memory)
    assert arrivals.new() == []
    for event in given[2::-1]:
        memory.capture(event)
    assert arrivals.new() == given[:3]
    memory.record(*given)
    assert arrivals.new() == given[3:-1]
    assert arrivals.new() == []
