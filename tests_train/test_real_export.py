"""The run that went as it should, in the user's hands: exported, compared, installed, all by commands."""

from __future__ import annotations

import json
import os

import pytest

from engrain.cli.group import run
from engrain.memory import Memory, training
from engrain.train import evaluate, examples
from engrain.train.evaluate import Report
from engrain.train.export import exported
from tests_train.prepare import FOLDER

QUANTS = ("f16", "Q8_0", "Q4_K_M")


@pytest.fixture(scope="module")
def model(place: str, good: str, report: Report) -> str:
    """The folder of the export."""
    out = os.path.join(place, "shop model")
    words = ["train", "export", good, out, "--base", FOLDER, *(word for each in QUANTS for word in ("-q", each))]
    evaluate.write(good, report._replace(passed=False, gates=(report.gates[0]._replace(passed=False),)),
                   {"data": examples.manifest(os.path.join(place, "rows"))["digest"], "incumbent": ""})  # fmt: skip
    assert run(words) == 1, "a gate says no"
    assert not os.path.exists(out)
    evaluate.write(good, report, {"data": examples.manifest(os.path.join(place, "rows"))["digest"], "incumbent": ""})
    assert run(words) == 0
    return out


def test_the_export_is_of_a_run_that_passed(model: str) -> None:
    made = exported(model)
    assert made.gated
    assert made.name == "shop-model"
    assert made.ggufs == tuple(f"shop-model-{quant}.gguf" for quant in QUANTS)
    with open(os.path.join(model, "README.md"), encoding="utf-8") as file:
        card = file.read()
    assert "Every gate was open" in card
    assert "| useful | yes |" in card


def test_files_say_what_the_merged_model_says_where_it_speaks(
    model: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = os.path.join(place, "rows")
    assert run(["train", "verify", model, "--base", FOLDER, "--data", rows, "--places", "500", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = {each["quant"]: each for each in told["agreements"]}
    assert found["f16"]["share"] >= 0.995
    assert found["f16"]["everywhere"] >= 0.995
    assert found["Q8_0"]["share"] >= 0.98
    assert found["Q4_K_M"]["share"] >= 0.9
    assert found["f16"]["places"] >= 500


def test_it_is_installed_and_the_journal_knows_all_of_it(model: str, place: str) -> None:
    models = os.path.join(place, "lm studio")
    os.makedirs(models)
    assert run(["train", "install", model, "--to", "lm-studio", "--lm-studio", models]) == 0
    there = os.path.join(models, "models", "engrain", "shop-model")
    assert "shop-model-Q4_K_M.gguf" in os.listdir(there)
    with Memory.open() as memory:
        ran = training.runs(memory, everywhere=True, limit=3)
    assert [each.stage for each in ran] == ["install", "verify", "export"]
    assert all(each.passed for each in ran)
    assert [each.artefacts[0] for each in ran] == [there, model, model]
