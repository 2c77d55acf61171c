"""Usage: what the memory of tasks was used for, in figures that were counted, and what a session did in circles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from engrain.event import TOOL_CALL
from engrain.learn.reflect import Finding, findings, since_asked
from engrain.learn.tasks import SUCCESS
from engrain.memory import tasks, working

if TYPE_CHECKING:
    from engrain.memory import Memory

MOST_TASKS, MOST_STRATEGIES = 100_000, 10


class Strategy(NamedTuple):
    """A strategy that was followed: how often it was shown, and how often followed."""

    task: str
    text: str
    shown: int
    followed: int


class Usage(NamedTuple):
    """How many tasks there are, by outcome, provenance of it, type and source; how often strategies were shown, how
    often there was none to show, in how many tasks one was followed and how many of those went well."""

    tasks: int
    outcomes: dict[str, int]
    provenance: dict[str, int]
    types: dict[str, int]
    sources: dict[str, int]
    shown: int
    silent: int
    followed: int
    followed_success: int
    strategies: tuple[Strategy, ...]


class Reflection(NamedTuple):
    """What of a session went in circles."""

    session: str
    calls: int
    findings: tuple[Finding, ...]


def usage(memory: Memory, *, everywhere: bool = False) -> Usage:
    """What was counted, of this project or of all."""
    found = tasks.listed(memory, everywhere=everywhere, limit=MOST_TASKS)
    shown, silent, followed = _uses(memory, everywhere) if found else (0, 0, 0)
    followers = [each for each in found if each.followed]
    return Usage(
        len(found), _counted(each.outcome for each in found), _counted(each.provenance["outcome"] for each in found),
        _counted(each.type for each in found), _counted(source for each in found for source in each.sources), shown,
        silent, followed, sum(each.outcome == SUCCESS for each in followers), _strategies(memory, followers),
    )  # fmt: skip


def _uses(memory: Memory, everywhere: bool) -> tuple[int, int, int]:
    projects = memory.store.same_project(memory.project.id)
    args = {"tenant": memory.tenant, "project": "" if everywhere else "some", "projects": projects}
    shown, silent, followed = memory.store.database.all("task_uses_counted", args)[0]
    return int(shown), int(silent), int(followed)


def _strategies(memory: Memory, followers: list[tasks.Task]) -> tuple[Strategy, ...]:
    ids = sorted({name for each in followers for name in each.followed})
    rows = memory.store.database.all("tasks_used", {"tenant": memory.tenant, "tasks": ids}) if ids else []
    best = sorted(rows, key=lambda row: (-row[2], row[0]))[:MOST_STRATEGIES]
    said = {each.id: each.text for each in tasks.by_ids(memory, [row[0] for row in best])}
    return tuple(Strategy(row[0], said.get(row[0], "")[:200], int(row[1]), int(row[2])) for row in best)


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def reflect(memory: Memory, session: str = "", *, whole: bool = True) -> Reflection:
    """What of a session, this project's latest unless it is named, went in circles; or since somebody asked last."""
    name, events = working.events(memory, session)
    part = events if whole else since_asked(events)
    return Reflection(name, sum(event.kind == TOOL_CALL for event in part), tuple(findings(part)))
