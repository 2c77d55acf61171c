"""The overview: what the memory did, week by week, and what fails again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engrain.learn.belief import WEEK
from engrain.memory import looking
from engrain.memory.failures import WEEKS, Week
from engrain.memory.history import Wanted
from engrain.web.asked import Asked, Page
from engrain.web.drawing import Bar
from engrain.web.words import day

if TYPE_CHECKING:
    from engrain.memory import Memory

MOST = 8


def show(asked: Asked) -> Page:
    """What the memory did."""
    with asked.memory() as memory:
        return Page("overview.html", values(memory))


def values(memory: Memory) -> dict[str, Any]:
    """What stands in the overview, and in a report of it."""
    did, weeks = looking.did(memory), memory.weeks()
    common = memory.failures(limit=MOST)
    known = looking.known(memory, [key for each in common for key in (each.fingerprint, each.family)])
    kinds = looking.kinds(memory)
    recent = sum(week.failures for week in weeks)
    return {
        "did": did, "weeks": weeks, "bars": [Bar(week.failures, week.shown, day(week.week * WEEK)) for week in weeks],
        "tried": [Bar(week.worked + week.failed, week.worked, day(week.week * WEEK)) for week in weeks],
        "curve": {
            "labels": ["worked", "did not"], "times": True,
            "series": [[week.week * WEEK // 1_000_000 for week in weeks], *_went(weeks)],
        },
        "common": [(each, known.get(each.fingerprint, 0) or known.get(each.family, 0)) for each in common],
        "recent": recent, "recent_shown": sum(week.shown for week in weeks), "number_of_weeks": WEEKS,
        "kinds": kinds, "events": sum(kinds.values()), "sessions": memory.sessions(Wanted(), limit=5),
        "names": looking.names(memory),
    }  # fmt: skip


def _went(weeks: list[Week]) -> list[list[int]]:
    return [[week.worked for week in weeks], [week.failed for week in weeks]]
