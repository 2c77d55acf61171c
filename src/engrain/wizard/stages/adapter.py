"""Adapter: a small one first, and whether anything is broken; then the whole one, and what the gates say of it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from engrain.memory import Memory, training
from engrain.train import device, examples, lora, recipe
from engrain.train import evaluate as judge
from engrain.train.export.standing import digest as adapter_digest
from engrain.train.export.standing import of_base
from engrain.train.recipe import Recipe
from engrain.wizard.stages import rows
from engrain.wizard.stages.times import lasted
from engrain.wizard.state import Done, digest, file_digest
from engrain.wizard.work import Work

SMOKE, FULL, RUN = "smoke", "full", "run"
STAGES = {SMOKE: ("smoke", "smoke-gate"), FULL: ("lora", "evaluate")}
"""How training and judging of either run are called in the journal of runs."""
BROKEN = ("points", "parse", "general", "fits")
"""What a smoke run must keep: it shows that nothing is broken. Whether it is better is for the whole one to show."""


def smoke(work: Work) -> Done:
    """A small adapter of a few rows, and how long the whole one will take."""
    whole = recipe.load(rows.folder(work))
    chosen = recipe.small(whole)
    place = os.path.join(work.own(SMOKE), rows.ROWS)
    if not os.path.exists(os.path.join(place, examples.MANIFEST)):
        found = {part: examples.read(rows.folder(work), part) for part in (examples.TRAIN, examples.HELD)}
        told = examples.manifest(rows.folder(work))
        few = examples.few(found)
        examples.write(place, examples.Made(few, {**told, "rows": {part: len(few[part]) for part in few}}), chosen)
    done = _trained(work, SMOKE, place, chosen)
    seconds = _takes(work, whole, done["speed"])
    small = _adapter(work, SMOKE, done)
    because = f"{small.because}; the whole run will take about {lasted(seconds)}"
    return small._replace(because=because, figures={**small.figures, "seconds for the whole run": round(seconds)})


def train(work: Work) -> Done:
    """The whole adapter."""
    work.own(FULL)
    chosen = recipe.load(rows.folder(work))
    return _adapter(work, FULL, _trained(work, FULL, rows.folder(work), chosen))


def smoke_gate(work: Work) -> Done:
    """Whether the small adapter is broken."""
    return _judged(work, SMOKE, work.at(SMOKE, rows.ROWS), "", BROKEN)


def gate(work: Work) -> Done:
    """Every gate's word on the whole adapter."""
    return _judged(work, FULL, rows.folder(work), _incumbent(work), ())


def _trained(work: Work, name: str, data: str, chosen: Recipe) -> dict[str, Any]:
    """What a run came to; it is trained if it was not yet, or goes on."""
    out = work.at(name, RUN)
    path = os.path.join(out, lora.RUN)
    if not os.path.exists(path):
        lora.train(data, work.config.base, out, chosen, device.chosen(work.config.device), _telling(work, out))
    with open(path, encoding="utf-8") as file:
        done: dict[str, Any] = json.load(file)
    with Memory.open() as memory:
        told = training.of_adapter(out, done, chosen._asdict(), lora.metrics(out))
        training.record(memory, STAGES[name][0], key=rows.key(work, done["digest"]), **told)
    return done


def _telling(work: Work, out: str) -> lora.Say:
    """What the loop says, with the time left as its last step has it."""

    def say(text: str) -> None:
        work.say(text)
        if text.startswith("step ") and (told := lora.metrics(out)):
            work.left(told[-1]["left"])
            work.figure("step", told[-1]["step"])
            work.figure("loss", told[-1]["loss"])

    return say


def _adapter(work: Work, name: str, done: Mapping[str, Any]) -> Done:
    out = work.at(name, RUN)
    because = f"the loss of rows that it never saw went from {done['base_held']:.3f} to {done['held']:.3f}"
    figures = {"steps": done["steps"], "loss": round(done["loss"], 4), "loss of held-out rows": round(done["held"], 4),
               "… of the base": round(done["base_held"], 4), "tokens a second": done["speed"]}  # fmt: skip
    return Done(work.inputs, adapter_digest(os.path.join(out, lora.ADAPTER))[:16], True, because, figures,
                files={f"{name}/{RUN}/{lora.RUN}": file_digest(os.path.join(out, lora.RUN))})  # fmt: skip


def _judged(work: Work, name: str, data: str, incumbent: str, hard: Sequence[str]) -> Done:
    """The report on a run; `hard` gates close the way (all, if none is named). Its digest is that of all that was
    found, so that a person's word is for this result and no other."""
    out = work.at(name, RUN)
    path = os.path.join(out, judge.REPORT)
    if _inputs_of(path) != work.inputs:
        before = os.path.join(incumbent, lora.ADAPTER) if incumbent else ""
        report = judge.evaluate(data, work.config.base, os.path.join(out, lora.ADAPTER), before, recipe.load(data),
                                device.chosen(work.config.device), work.say)  # fmt: skip
        about = {"data": examples.manifest(data)["digest"], "incumbent": incumbent, "inputs": work.inputs}
        judge.write(out, report, about)
    with open(path, encoding="utf-8") as file:
        told: dict[str, Any] = json.load(file)
    gates = [{**each, "hard": not hard or each["name"] in hard} for each in told["gates"]]
    shut = [each["name"] for each in gates if each["hard"] and not each["passed"]]
    told = {**told, "gates": gates, "passed": not shut}
    with Memory.open() as memory:
        about = training.of_report(out, told, recipe.load(data)._asdict())
        training.record(memory, STAGES[name][1], key=rows.key(work, told["data"]), **about)
    found = {key: told[key] for key in ("gates", "measured", "points", "data", "adapter")}
    return Done(work.inputs, digest(found), not shut, _because(gates, shut), {"places asked": told["points"]},
                tuple(gates), _beside(told["measured"]),
                files={f"{name}/{RUN}/{judge.REPORT}": file_digest(path)})  # fmt: skip


def _because(gates: Sequence[Mapping[str, Any]], shut: Sequence[str]) -> str:
    if shut:
        return f"the gates say no: {', '.join(shut)}"
    soft = [each["name"] for each in gates if not each["passed"]]
    also = f"; to be looked at: {', '.join(soft)}" if soft else ""
    return f"{sum(bool(each['passed']) for each in gates)} of {len(gates)} gates are open{also}"


def _inputs_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return str(json.load(file).get("inputs", ""))
    except (OSError, ValueError):
        return ""


def _beside(measured: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Models beside each other: of a share its mean."""
    return {model: {name: value[0] if isinstance(value, list) else value for name, value in found.items()}
            for model, found in measured.items()}  # fmt: skip


def _incumbent(work: Work) -> str:
    """The run in use: as the config says, or the one that was installed last and is still there."""
    if work.config.incumbent != "last":
        return work.config.incumbent
    with Memory.open() as memory:
        found = training.in_use(memory)
    for run in found:
        if run != work.at(FULL, RUN) and of_base(run, work.config.base):
            work.say(f"the run in use is {run}")
            return run
    return ""


def _takes(work: Work, chosen: Recipe, speed: float) -> float:
    """How long the whole run will take: its tokens at this speed."""
    told = examples.manifest(rows.folder(work))
    with open(os.path.join(rows.folder(work), "AUDIT.json"), encoding="utf-8") as file:
        mean = json.load(file)["figures"]["tokens_of_a_row"]["mean"]
    return float(told["shown_in_an_epoch"] * mean * chosen.epochs / max(1.0, speed))
