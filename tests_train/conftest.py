"""What takes long and is asked by many: the rows of the shop, a run that went as it should, and what the gates say."""

from __future__ import annotations

import os

import pytest

from engrain.cli.group import run
from engrain.memory import Memory
from engrain.train import device, lora, recipe
from engrain.train.ask import BASE, CANDIDATE
from engrain.train.evaluate import Exam, Report
from engrain.train.gates import Measured
from tests_train.prepare import FOLDER
from tests_train.shop import CHOSEN, session


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A home with the sessions of the shop, and the rows that were made of them."""
    folder = str(tmp_path_factory.mktemp("chain"))
    os.environ["ENGRAIN_HOME"] = os.path.join(folder, "home")
    with Memory.open() as memory:
        memory.record(*(event for number in range(40) for event in session(number)))
    with open(os.path.join(folder, "recipe.toml"), "w", encoding="utf-8") as file:
        file.write(recipe.text(CHOSEN))
    rows = os.path.join(folder, "rows")
    asked = ["--base", FOLDER, rows]
    assert run(["train", "data", "--everywhere", "--recipe", os.path.join(folder, "recipe.toml"), *asked]) == 0
    assert run(["train", "lora", "--base", FOLDER, rows, os.path.join(folder, "early")]) == 2, "not audited yet"
    assert run(["train", "audit", *asked]) == 0
    return folder


@pytest.fixture(scope="session")
def good(place: str) -> str:
    """A run that went as it should."""
    out = os.path.join(place, "good")
    assert run(["train", "lora", "--base", FOLDER, os.path.join(place, "rows"), out]) == 0
    return out


@pytest.fixture(scope="session")
def exam(place: str) -> Exam:
    return Exam(os.path.join(place, "rows"), FOLDER, CHOSEN, device.chosen())


@pytest.fixture(scope="session")
def base(exam: Exam) -> Measured:
    return exam.measured("")


@pytest.fixture(scope="session")
def report(good: str, exam: Exam, base: Measured) -> Report:
    """What the gates say of it."""
    return exam.report({BASE: base, CANDIDATE: exam.measured(os.path.join(good, lora.ADAPTER))}, 0.0)
