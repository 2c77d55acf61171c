"""Observe: what became of the fixes that were shown, as outcomes of their own.

A serving waits for a verdict: the commands that follow it in its project give one (`learn.outcomes`), or none. An
outcome has the id that follows from its serving, so that whoever looks again, here or elsewhere, says the same once.
So it is with lessons: one that fires again soon in its session was not heeded, one that does not was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engrain import event as events
from engrain.event import LESSON_HEEDED, OUTCOME, Event
from engrain.learn.lessons import AGAIN, Firing, verdicts
from engrain.learn.outcomes import WINDOW, Run, Serving, closed, judged
from engrain.store import Store

MOST_SERVINGS, MOST_RUNS = 500, 500
MOST_FIRINGS, FIRINGS_WITHIN = 2000, 48 * AGAIN


def outcomes(store: Store, *, tenant: str, now: int) -> list[Event]:
    """The outcomes that can be told by now and have not been told yet."""
    rows = store.database.all("servings_since", {"tenant": tenant, "since": now - WINDOW, "limit": MOST_SERVINGS})
    shown = store.get([id_ for _, id_, held in rows if not held])
    told = {event.id for event in store.get([_id(serving) for serving in shown])}
    return [made for serving in shown if _id(serving) not in told for made in _judge(store, serving)]


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


def runs_after(store: Store, serving: Event, within: int) -> list[Run]:
    """The commands of the serving's project that began within so long after it, an agent's or a person's."""
    args = {
        "tenant": serving.tenant,
        "projects": store.same_project(serving.project),
        "since": serving.time,
        "until": serving.time + within,
        "limit": MOST_RUNS,
    }
    return [_run(row) for row in store.database.all("runs_between", args)]


def _judge(store: Store, serving: Event) -> Iterator[Event]:
    shown = [each for each in serving.body.get("fixes", []) if isinstance(each, dict)]
    fixes = tuple((str(each.get("fix", "")), tuple(map(str, each.get("steps", ())))) for each in shown)
    asked = Serving(
        serving.id, serving.time, str(serving.body.get("command", "")), str(serving.body.get("fingerprint", "")), fixes
    )
    verdict = judged(asked, runs_after(store, serving, WINDOW), str(serving.body.get("root", "")))
    if verdict is None or closed(verdict):
        return
    general = next((str(each.get("general", "")) for each in shown if each.get("fix") == verdict.fix), "")
    body = {
        "fix": verdict.fix,
        "general": general,
        "worked": verdict.worked,
        "provenance": verdict.provenance,
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
