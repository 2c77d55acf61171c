"""What Memory does with training: gives the sessions that rows are made of, and keeps what each run came to."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain import event as events
from engrain.event import MAX_TIME, TRAIN_RUN, Event

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.train.trajectory import Trajectory

STAGES = ("data", "audit", "smoke", "smoke-gate", "lora", "evaluate", "export", "verify", "install")
SHOWN = 80
"""Points of a curve."""


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


def trajectories(memory: Memory, *, everywhere: bool, progress: Any = None, latest: int = 0) -> Iterator[Trajectory]:
    """The sessions of this project, or of all, as trajectories; `latest`: only so many that began last."""
    from engrain.train.trajectory import trajectory

    memory.catch_up()
    store = memory.store
    mine = set(store.same_project(memory.project.id))
    rows = [row for row in store.sessions() if row[0] == memory.tenant and (everywhere or row[1] in mine)]
    if latest:
        rows = sorted(rows, key=lambda row: (row[4], row[2]))[-latest:]
    for session, agent in dict.fromkeys((row[2], row[3]) for row in rows):
        told = list(store.events_of_session(memory.tenant, session, agent))
        found = trajectory(told, memory.bodies.get(event.id for event in told))
        if progress:
            progress(1)
        if found is not None:
            yield found


def record(memory: Memory, stage: str, *, key: str = "", **about: Any) -> Event:
    """A run is in the journal: what was decided, on which data, what came of it, where it lies. With a `key` it is
    there once, however often it is told."""
    named = events.id_of("train", stage, key) if key else None
    event = memory.event(TRAIN_RUN, {"stage": stage, **about}, id=named)
    memory.record(memory.sighting(), event)
    return event


def of_rows(folder: str, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What is recorded of rows that were made."""
    metrics = {name: manifest[name] for name in ("sessions", "rows", "learned", "dropped")}
    return {"passed": manifest["rows"]["train"] > 0, "data": manifest["digest"], "recipe": manifest["recipe"],
            "metrics": metrics, "artefacts": [os.path.abspath(folder)]}  # fmt: skip


def of_audit(folder: str, audit: Mapping[str, Any], data: str) -> dict[str, Any]:
    """What is recorded of an audit."""
    return {"passed": audit["passed"], "data": data, "gates": audit["checks"], "artefacts": [os.path.abspath(folder)]}


def of_adapter(
    out: str, done: Mapping[str, Any], recipe: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What is recorded of an adapter that was trained; `steps` is what was written down of each step."""
    metrics = {name: done[name] for name in ("steps", "loss", "held", "base_held", "speed")}
    curves = {f"{name}_by_step": _thinned([[row["step"], row[name]] for row in steps if name in row])
              for name in ("loss", "held")}  # fmt: skip
    return {"passed": True, "data": done["digest"], "recipe": recipe, "metrics": {**metrics, **curves},
            "seconds": done["seconds"], "artefacts": [os.path.abspath(out)]}  # fmt: skip


def of_report(out: str, report: Mapping[str, Any], recipe: Mapping[str, Any]) -> dict[str, Any]:
    """What is recorded of the gates' words."""
    told = {name: report[name] for name in ("passed", "data", "gates", "seconds")}
    return {**told, "recipe": recipe, "metrics": report["measured"], "artefacts": [os.path.abspath(out)]}


def _thinned(pairs: list[list[float]]) -> list[list[float]]:
    """A curve with no more points than a picture shows, the last one among them."""
    every = -(-len(pairs) // SHOWN)
    return [pair for place, pair in enumerate(pairs) if (len(pairs) - 1 - place) % max(1, every) == 0]


def runs(memory: Memory, *, everywhere: bool, limit: int) -> list[Ran]:
    """Runs, the latest first."""
    memory.catch_up()
    project = "" if everywhere else memory.project.id
    args = {"tenant": memory.tenant, "project": project, "projects": memory.store.same_project(project),
            "kind": TRAIN_RUN, "session": "", "time": MAX_TIME, "id": "", "limit": limit}  # fmt: skip
    return [_ran(event) for event in memory.store.latest(args)]


def in_use(memory: Memory) -> list[str]:
    """The runs whose models were installed, the latest first."""
    found = [ran for ran in runs(memory, everywhere=True, limit=200) if ran.stage == "install" and ran.passed]
    return list(dict.fromkeys(filter(None, (str(ran.metrics.get("run", "")) for ran in found))))


def _ran(event: Event) -> Ran:
    body = event.body
    gates = tuple(gate for gate in body.get("gates", ()) if isinstance(gate, dict))
    return Ran(
        event.id, event.time, event.project, str(body.get("stage", "")), body.get("passed") is True,
        str(body.get("data", "")), float(body.get("seconds", 0.0)), body.get("recipe") or {},
        body.get("metrics") or {}, gates, tuple(map(str, body.get("artefacts", ()))),
    )  # fmt: skip
