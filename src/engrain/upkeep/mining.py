"""Mining: a session's tool calls, looked at once they are in the journal, and what was learned from them, journalled.

One job for each session that has new calls, in line since they were stored (`Store.append`). It reads the calls of its
session whole, bounded, and says everything that is settled by now; Memory journals it through the gate, and what was
said before is known by its id and stays once. So a job that was killed is simply done again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from engrain.event import Event
from engrain.fingerprint import fingerprint
from engrain.learn.deeds import Call, call_of
from engrain.learn.mined import Told, learned
from engrain.learn.reading import text
from engrain.learn.tasks import followed, merged, row_of, told_in
from engrain.learn.values import files, values
from engrain.learn.worked import Work, tasks
from engrain.recall.near import wording_of
from engrain.recall.shown import described
from engrain.store import Store
from engrain.store.bodies import Bodies
from engrain.store.jobs import LEARN, Job, Jobs
from engrain.store.store import Progress
from engrain.upkeep import tick

MOST_CALLS = 20_000
MOST_TALK = 20_000
MOST_OUTPUT = 64_000


def taught(store: Store, *, tenant: str, project: str, session: str, now: int) -> Iterable[Event]:
    """What this session teaches, for whoever journals it."""
    found, carried = _read(store, tenant, project, session)
    yield from learned(_calls(found, carried), told, tenant=tenant, session=session)
    talk = store.talk(tenant, project, session, limit=MOST_TALK)
    yield from _worked(store, [*found, *talk], carried, now)


def calls_of(store: Store, tenant: str, project: str, session: str) -> list[Call]:
    """The calls of a session, with what lies beside the journal."""
    return _calls(*_read(store, tenant, project, session))


def _read(store: Store, tenant: str, project: str, session: str) -> tuple[list[Event], Mapping[str, Any]]:
    found = store.calls(tenant, project, session, limit=MOST_CALLS)
    return found, Bodies(store.database).get(event.id for event in found)


def _calls(found: Sequence[Event], carried: Mapping[str, Any]) -> list[Call]:
    return [_with_failure(call_of(event, carried.get(event.id, {}))) for event in found]


def _worked(store: Store, session: Sequence[Event], carried: Mapping[str, Any], now: int) -> Iterator[Event]:
    """The tasks that a session worked on, each with the strategies that it was shown and followed."""
    first = session[0] if session else None
    places = [row for row in store.places() if first and row[:2] == (first.tenant, first.project)]
    root = str(max(places, key=lambda row: row[3])[5]) if places else ""

    def known(ids: Sequence[str]) -> Iterable[tuple[str, str]]:
        return ((event.id, text(event, "outcome")) for event in store.get(ids))

    for event, work in tasks(session, lambda _: carried, known, root=root, now=now):
        used = _followed(store, event, work)
        yield event._replace(body={**event.body, "followed": used}) if used else event


def _followed(store: Store, event: Event, work: Work) -> list[str]:
    """The strategies that were shown while somebody worked on a task, and that it then followed."""
    args = {
        "tenant": event.tenant, "projects": store.same_project(event.project),
        "since": work.prompt.time, "until": work.last.time,
    }  # fmt: skip
    shown = {row[0] for row in store.database.all("tasks_shown", args) if row[2] in ("", event.session)}
    if not shown:
        return []
    rows = store.database.all("tasks_told", {"tenant": event.tenant, "tasks": sorted(shown)})
    done = merged([told_in(event)])[0]
    return [each.id for each in merged(map(row_of, rows)) if each.id != done.id and followed(each, done)]


def _with_failure(call: Call) -> Call:
    """Whoever recorded it may not have looked at what failed."""
    if call.failure or not call.command or call.exit in (None, 0):
        return call
    return call._replace(failure=told(call).body)


def told(call: Call) -> Told:
    """A failed call as events tell of it."""
    found = fingerprint(call.output, call.command, call.exit)
    body = {**described(found), "wording": wording_of(found)[:400]}
    if call.failure:
        body.update({k: v for k, v in call.failure.items() if k in body and k != "known"})
    return Told(body, values(found, call.cwd), files(found, call.cwd))


def learn_all(store: Store, handler: Callable[[Job], None], progress: Progress | None = None) -> int:
    """Learns from every session that is in line, one by one; how many those were."""
    done = 0

    def one(job: Job) -> None:
        nonlocal done
        handler(job)
        done += 1
        if progress:
            progress(1)

    tick.work(Jobs(store.database), {LEARN: one}, deadline=float("inf"))
    return done
