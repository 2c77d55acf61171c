"""Calls, commands and prompts as rows; and what counts as one run where two told of it."""

from __future__ import annotations

from typing import Any

import pytest

from engrain import event as events
from engrain.event import SERVED, Event
from engrain.learn.calls import LINE, called
from engrain.learn.outcomes import WINDOW
from engrain.store import Store
from engrain.upkeep.observe import runs_after
from tests.making import START, event

SECOND = 1_000_000


def call(second: float, command: str, **more: Any) -> Event:
    body = {"tool": "Bash", "call": f"c{second}", "input": {"command": command}, "exit": 0, "failed": False, **more}
    return events.make("tool.call", body, project="p", session="s", agent="a", time=START + int(second * SECOND))


def command(second: float, line: str, **more: Any) -> Event:
    body = {"command": line, "exit": 0, "interrupted": False, **more}
    return events.make("command", body, project="p", time=START + int(second * SECOND))


def row(body: dict[str, Any]) -> dict[str, Any]:
    (found,) = called(event(1, kind="tool.call", body=body))
    return found.values


def runs(store: Store, *journal: Event) -> list[tuple[str, int | None]]:
    served = events.make(SERVED, {"fixes": []}, project="p", time=START)
    store.append([served, *journal])
    return [(run.command, run.exit) for run in runs_after(store, served, WINDOW)]


ROWS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("a shell", {"tool": "Bash", "input": {"command": "ls"}, "exit": 1, "failed": True, "seconds": 2},
     {"command": "ls", "exit": 1, "failed": 1, "seconds": 2.0, "started": START + 1 - 2 * SECOND, "path": ""}),
    ("a write", {"tool": "Write", "input": {"file_path": "/a.py"}}, {"path": "/a.py", "command": "", "exit": None}),
    ("a search", {"tool": "Grep", "input": {"path": "/src", "pattern": "x"}}, {"path": ""}),
    ("no shell's command", {"tool": "mcp__x__run", "input": {"command": "ls"}}, {"command": ""}),
    ("a failure", {"tool": "Bash", "failure": {"fingerprint": "1:f"}}, {"fingerprint": "1:f", "command": ""}),
    ("its end was seen", {"tool": "write_stdin", "exit": 2, "continues": {"call": "c", "command": "make"}},
     {"command": "make", "of": "c", "exit": 2}),
    ("its end was not", {"tool": "write_stdin", "continues": {"call": "c", "command": "make"}},
     {"command": "", "of": "c"}),
    ("watched", {"tool": "Bash", "input": {"command": "cd x && engrain watch pytest"}, "seconds": 1}, {"watched": 1}),
    ("watched for long", {"tool": "Bash", "input": {"command": "engrain  watch -- pytest"}}, {"watched": 2}),
    ("of no tool", {"input": ["odd"], "exit": "odd", "seconds": "odd", "failure": 3, "continues": 7},
     {"tool": "?", "exit": None, "seconds": None, "fingerprint": "", "of": ""}),
    ("odd numbers", {"tool": "Bash", "exit": 2**40, "seconds": float(10**12)}, {"exit": None, "seconds": None}),
    ("true is no number", {"tool": "Bash", "exit": True, "seconds": True}, {"exit": None, "seconds": None}),
    ("long", {"tool": "Bash", "input": {"command": "x" * 99_999}}, {"command": "x" * LINE}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), [r[1:] for r in ROWS], ids=[r[0] for r in ROWS])
def test_a_call_is_one_row(body: dict[str, Any], expected: dict[str, Any]) -> None:
    found = row(body)
    assert {name: found[name] for name in expected} == expected


def test_an_agent_s_commands_and_a_person_s_are_runs_in_their_order(store: Store) -> None:
    found = runs(
        store,
        call(30, "pytest", exit=1, failed=True, seconds=9.0),
        command(25, "make"),
        call(28, "", tool="Read"),
        call(-1, "before"),
        call(40, "began before", seconds=60.0),
    )
    assert found == [("pytest", 1), ("make", 0)]


def test_a_command_that_was_watched_inside_a_call_counts_once(store: Store) -> None:
    found = runs(
        store,
        call(10, "pip install x && engrain watch pytest", seconds=8.0),
        command(4, "pytest"),
        command(11, "make"),
        call(30, "engrain watch -- make lint"),
        command(29, "make lint"),
    )
    assert found == [("pip install x && engrain watch pytest", 0), ("make", 0), ("make lint", 0)]


def test_the_call_in_which_a_fix_was_shown_is_no_run_after_it(store: Store) -> None:
    assert runs(store, call(1, "engrain watch -- pytest", seconds=5.0), command(-3, "pytest")) == []


def test_a_command_that_ran_on_is_a_run_when_its_end_was_seen(store: Store) -> None:
    ran_on = call(5, "make", tool="exec_command", exit=None)
    poll = call(9, "", tool="write_stdin", exit=2, failed=True, continues={"call": "c5", "command": "make"})
    assert runs(store, ran_on, poll) == [("make", None), ("make", 2)]


def test_a_prompt_is_a_row_and_goes_with_its_event(store: Store) -> None:
    asked = [event(n, kind="prompt", body={"text": "ok", "prompt": f"n{n}"}) for n in (1, 2)]
    store.append([*asked, event(3, kind="prompt", body={"text": ""})])
    rows = [line for line in store.dump() if line.startswith('["prompts"')]
    assert len(rows) == 2
    store.append([events.forget([asked[0].id])])
    assert [line for line in store.dump() if line.startswith('["prompts"')] == rows[1:]
