"""Observe: what became of the fixes that were shown, as outcomes of their own.

A serving waits for a verdict: the commands that follow it in its project give one (`learn.outcomes`), or none. An
outcome has the id that follows from its serving, so that whoever looks again, here or elsewhere, says the same once.
So it is with lessons: one that fires again soon in its session was not heeded, one that does not was.
Nobody may look for days: a machine sleeps. So servings are asked about for longer than commands count for them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from engrain import event as events
from engrain.event import LESSON_HEEDED, OUTCOME, Event
from engrain.learn.lessons import AGAIN, Firing, verdicts
from engrain.learn.outcomes import HEURISTIC, MOST_RUNS, WINDOW, Run, Serving, closed, judged
from engrain.learn.recipe import unpacked
from engrain.learn.retyped import is_rule
from engrain.model import SIMILAR
from engrain.store import Store

LATEST = 7 * WINDOW
"""Microseconds after which a serving that has no verdict is not asked about any more."""

MOST_SERVINGS = 500
MOST_READ = 5000
"""Commands of a project that are read at once: those after its oldest serving that waits."""

MOST_FIRINGS, FIRINGS_WITHIN = 2000, 48 * AGAIN


def outcomes(store: Store, *, tenant: str, now: int) -> list[Event]:
    """The outcomes that can be told by now and have not been told yet."""
    rows = store.database.all("servings_since", {"tenant": tenant, "since": now - LATEST, "limit": MOST_SERVINGS})
    shown = store.get([id_ for _, id_, held in rows if not held])
    told = {event.id for event in store.get([_id(serving) for serving in shown])}
    waiting: dict[str, list[Event]] = defaultdict(list)
    for serving in shown:
        if _id(serving) not in told:
            waiting[serving.project].append(serving)
    return [made for servings in waiting.values() for made in _judged(store, servings)]


def _judged(store: Store, servings: Sequence[Event]) -> Iterator[Event]:
    """The outcomes of the servings of one project, whose commands are read once."""
    first, last = (end(servings, key=lambda serving: serving.time) for end in (min, max))
    runs = runs_after(store, first, last.time - first.time + WINDOW, MOST_READ)
    changes = instead(store, servings)
    times = [run.time for run in runs]
    for serving in servings:
        start = bisect_right(times, serving.time)
        # One more than counts, which closes the question.
        its = runs[start : start + MOST_RUNS + 1]
        if len(runs) == MOST_READ and len(its) <= MOST_RUNS:
            its = runs_after(store, serving, WINDOW)
        yield from _judge(serving, its, changes)


def heeds(store: Store, *, tenant: str, now: int) -> list[Event]:
    """Whether lessons that fired were heeded, as far as it can be told by now and has not been told yet."""
    args = {"tenant": tenant, "since": now - FIRINGS_WITHIN, "limit": MOST_FIRINGS}
    found = verdicts([Firing._make(row) for row in store.database.all("firings_since", args)], now)
    told = {event.id for event in store.get([_heed_id(firing) for firing, _, _ in found])}
    return [_heed(tenant, *each) for each in found if _heed_id(each[0]) not in told]


def _heed(tenant: str, firing: Firing, heeded: bool, time: int) -> Event:
    body = {"lesson": firing.lesson, "heeded": heeded, "provenance": "heuristic", "of": firing.id}
    return events.make(
        LESSON_HEEDED, body, project=firing.project, tenant=tenant, session=firing.session, time=time,
        id=_heed_id(firing),
    )  # fmt: skip


def _heed_id(firing: Firing) -> str:
    return events.id_of(LESSON_HEEDED, firing.id, firing.lesson)


def runs_after(store: Store, serving: Event, within: int, most: int = MOST_RUNS) -> list[Run]:
    """The commands of the serving's project that began within so long after it, an agent's or a person's."""
    args = {
        "tenant": serving.tenant,
        "projects": store.same_project(serving.project),
        "since": serving.time,
        "until": serving.time + within,
        "limit": most,
    }
    return [_run(row) for row in store.database.all("runs_between", args)]


def instead(store: Store, servings: Sequence[Event]) -> frozenset[str]:
    """Which of the fixes that were shown say how the command itself is to be changed."""
    if not servings:
        return frozenset()
    ids = sorted({str(each.get("fix", "")) for serving in servings for each in _shown(serving)})
    rows = store.database.all("fixes_by_ids", {"tenant": servings[0].tenant, "fixes": ids}) if ids else []
    return frozenset(str(row[1]) for row in rows if any(map(is_rule, unpacked(row[9])[-1:])))


def as_told(serving: Event, changes: frozenset[str]) -> list[str]:
    """The command as the fixes that were shown have it."""
    steps = (each.get("steps") for each in _shown(serving) if each.get("fix") in changes)
    return [str(each[-1]) for each in steps if isinstance(each, list | tuple) and each]


def _shown(serving: Event) -> list[dict[str, Any]]:
    return [each for each in serving.body.get("fixes", []) if isinstance(each, dict)]


def _judge(serving: Event, runs: Sequence[Run], changes: frozenset[str]) -> Iterator[Event]:
    shown = _shown(serving)
    fixes = tuple((str(each.get("fix", "")), tuple(map(str, each.get("steps", ())))) for each in shown)
    asked = Serving(
        serving.id, serving.time, str(serving.body.get("command", "")), str(serving.body.get("fingerprint", "")), fixes,
        changes,
    )  # fmt: skip
    verdict = judged(asked, runs, str(serving.body.get("root", "")))
    if verdict is None or closed(verdict):
        return
    tried: dict[str, Any] = next((each for each in shown if each.get("fix") == verdict.fix), {})
    # It was taught against another failure: that it is no help with this one says little of how it is with that.
    guess = verdict.worked is False and tried.get("match") == SIMILAR
    body = {
        "fix": verdict.fix,
        "general": str(tried.get("general", "")),
        "worked": verdict.worked,
        "provenance": HEURISTIC if guess else verdict.provenance,
        "of": serving.id,
        "run": verdict.run,
    }
    yield events.make(
        OUTCOME, body, project=serving.project, tenant=serving.tenant, session=serving.session, agent=serving.agent,
        time=verdict.time, id=_id(serving),
    )  # fmt: skip


def _id(serving: Event) -> str:
    return events.id_of(OUTCOME, serving.id)


def _run(row: tuple[Any, ...]) -> Run:
    id_, time, command, exit_code, fingerprint, interrupted, cwd = row
    return Run(id_, time, command, exit_code, fingerprint, bool(interrupted), cwd)
