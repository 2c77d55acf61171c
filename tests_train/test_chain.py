"""The whole chain on SmolLM2-135M: sessions → rows → audit → adapter → gates, and what the gates must refuse."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from engrain.memory import Memory, training
from engrain.train import device, examples, lora
from engrain.train.ask import BASE, CANDIDATE
from engrain.train.evaluate import Exam, Report
from engrain.train.gates import Measured
from engrain.train.recipe import Recipe
from engrain.train.render import NONE, Rendered
from tests_train.prepare import FOLDER
from tests_train.shop import CHOSEN


def closed(exam: Exam, base: Measured, adapter: str) -> set[str]:
    """The gates that say no to an adapter."""
    report = exam.report({BASE: base, CANDIDATE: exam.measured(adapter)}, 0.0)
    assert all(word.can_fail for word in report.gates)
    return {word.name for word in report.gates if not word.passed}


def test_a_good_adapter_passes_every_gate(report: Report) -> None:
    assert {word.name for word in report.gates if not word.passed} == set()
    assert all(word.can_fail for word in report.gates)
    with Memory.open() as memory:
        stages = [(ran.stage, ran.passed) for ran in training.runs(memory, everywhere=True, limit=10)]
    assert stages[-3:] == [("lora", True), ("audit", True), ("data", True)]


def test_a_broken_adapter_is_refused(place: str, good: str, exam: Exam, base: Measured) -> None:
    broken = os.path.join(place, "broken")
    shutil.copytree(os.path.join(good, lora.ADAPTER), broken)
    path = os.path.join(broken, "adapter_model.safetensors")
    torch.manual_seed(0)
    save_file({name: torch.randn_like(each) * 0.3 for name, each in load_file(path).items()}, path)
    assert {"parse", "general"} & closed(exam, base, broken)


def trained(place: str, name: str, chosen: Recipe, change: Callable[[list[Any]], list[Any]] | None = None,
            spoil: Callable[[Rendered], Rendered] | None = None) -> str:  # fmt: skip
    """An adapter of rows that were changed on purpose."""
    rows = os.path.join(place, "rows")
    if change:
        found = {part: examples.read(rows, part) for part in (examples.TRAIN, examples.HELD)}
        found[examples.TRAIN] = change(found[examples.TRAIN])
        rows = os.path.join(place, f"rows of {name}")
        examples.write(rows, examples.Made(found, examples.manifest(os.path.join(place, "rows"))), chosen)
    out = os.path.join(place, name)
    lora.train(rows, FOLDER, out, chosen, device.chosen(), lambda _: None, change=spoil)
    return os.path.join(out, lora.ADAPTER)


def test_one_that_learned_by_heart_is_refused(place: str, exam: Exam, base: Measured) -> None:
    chosen = CHOSEN._replace(rate=2e-2, epochs=14.0, batch=1)
    adapter = trained(place, "by heart", chosen, change=lambda rows: rows[:2])
    assert {"fits", "general"} & closed(exam, base, adapter)


def test_one_that_loops_is_refused(place: str, exam: Exam, base: Measured) -> None:
    def looping(rows: list[Any]) -> list[Any]:
        """Whatever comes back, the first call again."""
        for row in rows:
            first = next(message for message in row["messages"] if message.get("tool_calls"))
            for message in row["messages"]:
                if message["role"] == "assistant":
                    message.update(content=first["content"], tool_calls=first["tool_calls"])
        return json.loads(json.dumps(rows))[:16]

    adapter = trained(place, "looping", CHOSEN, change=looping)
    assert "repeats" in closed(exam, base, adapter)


def test_one_that_never_learned_to_end_is_refused(place: str, exam: Exam, base: Measured) -> None:
    def endless(text: Rendered) -> Rendered:
        """As if turns had no end: what stands behind them follows at once."""
        new_line = text.ids[-1]
        learned = [label != NONE and label == 2 for label in text.labels]
        ids = tuple(new_line if spoiled else each for spoiled, each in zip(learned, text.ids, strict=True))
        labels = tuple(new_line if spoiled else each for spoiled, each in zip(learned, text.labels, strict=True))
        return text._replace(ids=ids, labels=labels)

    adapter = trained(place, "endless", CHOSEN, spoil=endless)
    assert "ends" in closed(exam, base, adapter)
