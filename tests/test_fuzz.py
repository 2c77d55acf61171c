"""A few turns of the fuzzer, and what it found once."""

from __future__ import annotations

import itertools
import os
import signal

import pytest

from engrain.capture.transcripts import claude_code, codex
from engrain.capture.transcripts.records import Unread
from engrain.recall.bounded import Clock
from fuzz.__main__ import NAMES
from fuzz.bend import bent
from fuzz.targets import all_targets
from tests.transcripts import asks, lines, uses

TURNS = 150


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", NAMES)
def test_what_is_bent_breaks_nothing(name: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENGRAIN_HOME")
    targets = {target.name: target for target in all_targets(str(tmp_path))}
    assert tuple(targets) == NAMES
    target = targets[name]
    seeds = target.seeds()
    for data in itertools.islice(bent(seeds, 20261119), len(seeds) + TURNS):
        assert target.check(data) == "", data


def test_a_session_with_an_impossible_name_costs_itself_alone() -> None:
    """Its calls were told at the end of the file, where nobody took the refusal."""
    unread = Unread()
    rows = lines(
        asks(1, "go", sessionId="x" * 4000),
        uses(2, "c1", "Bash", {"sessionId": "x" * 4000}, command="ls"),
        asks(3, "on"),
    ).splitlines(keepends=True)
    told = list(claude_code.read(rows, project=lambda _: "p", tenant="local", unread=unread))
    assert [event.body.get("text") for event in told if event.kind == "prompt"] == ["on"]
    assert unread.number == 2
    assert list(codex.read(rows, project=lambda _: "p", tenant="local")) is not None


def test_a_timer_that_rings_late_is_not_wound_again() -> None:
    """Set again after the search, it would ring when nobody listens, which ends a process."""
    with Clock() as clock:
        assert clock.found("a+b", "aaab") is True
        os.kill(os.getpid(), signal.SIGALRM)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
