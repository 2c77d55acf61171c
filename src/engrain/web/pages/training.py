"""Training: the runs that the journal tells of: rows and their audit, what training came to, what the gates said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engrain.event import Event
from engrain.memory import looking
from engrain.web.asked import Asked, Page

RUN, SHOWN = "train.run", 30
STAGES = {
    "data": "rows made", "audit": "rows audited", "smoke": "a smoke run trained",
    "smoke-gate": "the smoke run judged", "lora": "an adapter trained", "evaluate": "judged by the gates",
    "export": "a model written", "verify": "the model tried", "install": "a model installed",
}  # fmt: skip


class Measure(NamedTuple):
    """A number, and between which it lies with 95 % where that is known."""

    value: float
    low: float | None = None
    high: float | None = None


class Run(NamedTuple):
    """A run as it is shown. `curves`: numbers at some steps; `beside`: models side by side."""

    id: str
    time: int
    project: str
    what: str
    passed: bool | None
    data: str
    seconds: float
    figures: tuple[tuple[str, float], ...]
    curves: dict[str, Any]
    beside: tuple[tuple[str, ...], tuple[tuple[str, tuple[Measure | None, ...]], ...]]
    gates: tuple[Mapping[str, Any], ...]


def show(asked: Asked) -> Page:
    """The runs, the latest first."""
    with asked.memory() as memory:
        rows = [_run(event) for event in looking.latest_of(memory, RUN, SHOWN)]
        return Page("training.html", {"rows": rows, "names": looking.names(memory)})


def _run(event: Event) -> Run:
    body = event.body
    metrics = body["metrics"] if isinstance(body.get("metrics"), dict) else {}
    gates = tuple(each for each in body.get("gates", ()) if isinstance(each, dict)) if "gates" in body else ()
    stage, seconds = str(body.get("stage", "")), body.get("seconds")
    passed = body.get("passed")
    return Run(
        event.id, event.time, event.project, STAGES.get(stage, stage or "a run"),
        passed if isinstance(passed, bool) and gates else None, str(body.get("data", ""))[:12],
        _number(seconds) or 0.0,
        tuple((name, value) for name, value in metrics.items() if _is_number(value)), _curves(metrics),
        _beside(metrics), gates,
    )  # fmt: skip


def _curves(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """What was told step by step: pairs of a step and a number, under the same steps."""
    found = {name: dict(pairs) for name, value in metrics.items() if (pairs := _pairs(value))}
    steps = sorted({step for each in found.values() for step in each})
    series = [steps, *([each.get(step) for step in steps] for each in found.values())]
    return {"labels": [name.replace("_", " ") for name in found], "series": series} if found else {}


def _pairs(value: Any) -> list[tuple[float, float]]:
    if not isinstance(value, list) or len(value) < 2:
        return []
    told = [each for each in value if isinstance(each, list) and len(each) == 2 and all(map(_is_number, each))]
    return [(step, number) for step, number in told] if len(told) == len(value) else []


def _beside(
    metrics: Mapping[str, Any],
) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[Measure | None, ...]], ...]]:
    """Models in columns (the candidate, the base, the incumbent), and what was measured of each in rows."""
    models = {name: value for name, value in metrics.items() if isinstance(value, dict)}
    measures = list(dict.fromkeys(name for each in models.values() for name, one in each.items() if _measure(one)))
    rows = tuple((name, tuple(_measure(each.get(name)) for each in models.values())) for name in measures)
    return (tuple(models), rows) if rows else ((), ())


def _measure(value: Any) -> Measure | None:
    if isinstance(value, list) and len(value) == 3 and all(map(_is_number, value)):
        return Measure(*value)
    return Measure(float(value)) if _is_number(value) else None


def _number(value: Any) -> float | None:
    return float(value) if _is_number(value) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
