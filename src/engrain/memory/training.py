"""What Memory does with training: gives the sessions that rows are made of, and keeps what each run came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain.event import MAX_TIME, TRAIN_RUN, Event

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.train.trajectory import Trajectory

STAGES = ("data", "audit", "lora", "evaluate", "export", "verify", "install")


class Ran(NamedTuple):
    """A run as the journal has it."""

    id: str
    time: int
    project: str
    stage: str
    passed: bool
    data: str
    seconds: float
    recipe: Mapping[str, Any]
    metrics: Mapping[str, Any]
    gates: tuple[Mapping[str, Any], ...]
    artefacts: tuple[str, ...]


def trajectories(memory: Memory, *, everywhere: bool, progress: Any = None) -> Iterator[Trajectory]:
    """The sessions of this project, or of all, as trajectories."""
    from engrain.train.trajectory import trajectory

    memory.catch_up()
    store = memory.store
    mine = set(store.same_project(memory.project.id))
    rows = [row for row in store.sessions() if row[0] == memory.tenant and (everywhere or row[1] in mine)]
    for session, agent in dict.fromkeys((row[2], row[3]) for row in rows):
        told = list(store.events_of_session(memory.tenant, session, agent))
        found = trajectory(told, memory.bodies.get(event.id for event in told))
        if progress:
            progress(1)
        if found is not None:
            yield found


def record(memory: Memory, stage: str, **about: Any) -> Event:
    """A run is in the journal: what was decided, on which data, what came of it, where it lies."""
    event = memory.event(TRAIN_RUN, {"stage": stage, **about})
    memory.record(memory.sighting(), event)
    return event


def runs(memory: Memory, *, everywhere: bool, limit: int) -> list[Ran]:
    """Runs, the latest first."""
    memory.catch_up()
    project = "" if everywhere else memory.project.id
    args = {"tenant": memory.tenant, "project": project, "projects": memory.store.same_project(project),
            "kind": TRAIN_RUN, "session": "", "time": MAX_TIME, "id": "", "limit": limit}  # fmt: skip
    return [_ran(event) for event in memory.store.latest(args)]


def _ran(event: Event) -> Ran:
    body = event.body
    gates = tuple(gate for gate in body.get("gates", ()) if isinstance(gate, dict))
    return Ran(
        event.id, event.time, event.project, str(body.get("stage", "")), body.get("passed") is True,
        str(body.get("data", "")), float(body.get("seconds", 0.0)), body.get("recipe") or {},
        body.get("metrics") or {}, gates, tuple(map(str, body.get("artefacts", ()))),
    )  # fmt: skip
