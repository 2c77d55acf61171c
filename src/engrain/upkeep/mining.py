"""Mining: a session's tool calls, looked at once they are in the journal, and what was learned from them, journalled.

One job for each session that has new calls, in line since they were stored (`Store.append`). It reads the calls of its
session whole, bounded, and says everything that is settled by now; Memory journals it through the gate, and what was
said before is known by its id and stays once. So a job that was killed is simply done again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engrain.event import Event
from engrain.fingerprint import fingerprint
from engrain.learn.deeds import Call, call_of
from engrain.learn.mined import Told, learned
from engrain.learn.values import files, values
from engrain.recall.near import wording_of
from engrain.recall.shown import described
from engrain.store import Store
from engrain.store.bodies import Bodies
from engrain.store.jobs import LEARN, Job, Jobs
from engrain.store.store import Progress
from engrain.upkeep import tick

MOST_CALLS = 20_000
MOST_OUTPUT = 64_000


def taught(store: Store, *, tenant: str, project: str, session: str) -> Iterable[Event]:
    """What this session teaches, for whoever journals it."""
    return learned(calls_of(store, tenant, project, session), told, tenant=tenant, session=session)


def calls_of(store: Store, tenant: str, project: str, session: str) -> list[Call]:
    """The calls of a session, with what lies beside the journal."""
    found = store.calls(tenant, project, session, limit=MOST_CALLS)
    carried = Bodies(store.database).get(event.id for event in found)
    return [_with_failure(call_of(event, carried.get(event.id, {}))) for event in found]


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
