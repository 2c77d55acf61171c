"""Failures as somebody looks at them, on both stores."""

from __future__ import annotations

import pytest

from engrain import event as events
from engrain.errors import BadInput, NotFound
from engrain.learn.belief import WEEK
from engrain.memory import Memory
from engrain.memory.failures import WEEKS, Wanted
from tests.making import failed

MISSING = "Traceback (most recent call last):\n  File 'a.py', line 1\nModuleNotFoundError: No module named 'orjson'"
UNBOUND = "Traceback (most recent call last):\n  File 'b.py', line 2\nNameError: name 'total' is not defined"


def test_failures_are_listed_with_their_weeks_and_told_whole(memory: Memory) -> None:
    now = events.now()
    memory.record(*(failed(memory, MISSING, time=now - week * WEEK) for week in (0, 0, 1, 30)))
    memory.record(failed(memory, UNBOUND, time=now - WEEK))
    first, second = memory.failures()
    assert (first.error_type, first.times, first.weeks[-2:]) == ("ModuleNotFoundError", 4, (1, 2))
    assert (second.times, sum(second.weeks), len(second.weeks)) == (1, 1, WEEKS)
    assert memory.failures(Wanted(words="TOTAL")) == [second]
    assert memory.failures(Wanted(toolchain="cargo")) == []
    assert memory.failures(limit=1, offset=1) == [second]
    taught = memory.remember_error_fix(MISSING, "pip install orjson")
    memory.rate(taught.fix, worked=True)
    whole = memory.failure(first.fingerprint[:6])
    assert [fix.id for fix in whole.fixes][:1] == [taught.fix]
    assert [each.worked for each in whole.outcomes] == [True]
    assert len(whole.times) == 4
    assert {part.name for part in whole.parts} >= {"module"}
    weeks = memory.weeks()
    assert [week.failures for week in weeks[-2:]] == [2, 2]
    assert weeks[-1].worked == 1


def test_a_failure_that_is_not_there_is_said(memory: Memory) -> None:
    memory.record(failed(memory, MISSING))
    for name in ("0000", "x", "%", ""):
        with pytest.raises((NotFound, BadInput)):
            memory.failure(name)
