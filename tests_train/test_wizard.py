"""The wizard with its real stages, on SmolLM2-135M: a person drives it, one command plays the same again, and killed at
each stage it comes to the same."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from textual.pilot import Pilot

from engrain.cli.group import run
from engrain.memory import Memory, training
from engrain.train import gates, recipe
from engrain.train.serving import http, talk
from engrain.wizard import config as configs
from engrain.wizard import state as states
from engrain.wizard.config import Config
from engrain.wizard.plan import STAGES
from engrain.wizard.screens.app import Wizard
from engrain.wizard.screens.gate import Gate
from engrain.wizard.screens.handing import Handing
from engrain.wizard.screens.over import Over
from engrain.wizard.walk import APPROVE, OVER
from tests_train.prepare import FOLDER
from tests_train.shop import CHOSEN, session

SMALL = CHOSEN._replace(
    length=448, batch=2, epochs=2.0, least_rows=10, least_held=3, rollouts=2, turns=2, looked_at=4, checkpoint_every=3
)
MIDST = {
    "machine": "reading the base", "data": "reading 16 sessions", "audit": "reading every row", "smoke": "22 packed",
    "smoke-gate": "base: ", "train": "step 10/", "gate": "candidate: ", "export": "writing engrained-Q4_K_M",
    "install": "/", "verify": "346 places",
}  # fmt: skip
"""What a stage says when it is half done."""


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A home with sessions, and a recipe."""
    folder = str(tmp_path_factory.mktemp("wizard"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENGRAIN_HOME", os.path.join(folder, "home"))
        with Memory.open() as memory:
            memory.record(*(event for number in range(16) for event in session(number)))
        with open(os.path.join(folder, "recipe.toml"), "w", encoding="utf-8") as file:
            file.write(recipe.text(SMALL))
        yield folder


def wanted(top: str, name: str, approved: tuple[str, ...] = ()) -> Config:
    return Config(
        folder=os.path.join(top, name), base=FOLDER, recipe=os.path.join(top, "recipe.toml"), everywhere=True,
        incumbent="", install=os.path.join(top, f"used by {name}"), approved=approved,
    )  # fmt: skip


def artefacts(config: Config) -> dict[str, str]:
    """What came of every stage, and the file that was installed."""
    state = states.load(config.folder)
    file = os.path.join(config.install, "engrained", "engrained-Q4_K_M.gguf")
    return {**{name: done.digest for name, done in state.done.items()}, "installed": states.file_digest(file)}


@pytest.fixture(scope="module")
def driven(top: str) -> Config:
    """A walk that a person drove on the tiny tier, as its own config tells of it."""
    config = wanted(top, "driven")

    async def play() -> int | None:
        app = Wizard(config)
        async with app.run_test(size=(110, 34)) as pilot:
            await pilot.press("t")
            await pilot.press("g")
            for screen, key in ((Gate, "y"), (Gate, "y"), (Handing, "y")):
                await _stands(app, pilot)
                await pilot.press("g")
                await _until(app, pilot, lambda screen=screen: isinstance(app.screen, screen))
                await pilot.press(key)
                await pilot.pause()
            await _stands(app, pilot)
            await pilot.press("g")
            await _until(app, pilot, lambda: isinstance(app.screen, Over))
            await pilot.press("escape")
        return app.return_value

    assert asyncio.run(play()) == 0
    return configs.load(os.path.join(config.folder, configs.FILE))


async def _stands(app: Wizard, pilot: Pilot[int]) -> None:
    """Waits until a person is asked."""

    def asked() -> bool:
        assert app.walk is not None
        found = app.walk.next()
        return found.what in (APPROVE, OVER) or bool(found.stage and found.stage.asks)

    await _until(app, pilot, lambda: not any(worker.is_running for worker in app.workers) and asked())


async def _until(app: Wizard, pilot: Pilot[int], holds: Callable[[], bool]) -> None:
    for _ in range(36_000):
        if holds():
            await pilot.pause()
            return
        await asyncio.sleep(0.05)
    raise AssertionError(app.export_screenshot())


def command(config: Config) -> list[str]:
    path = f"{config.folder}.toml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(configs.text(config))
    return [sys.executable, "-m", "engrain", "wizard", "--config", path, "--no-tui"]


def test_a_person_drives_it_to_a_model_that_answers(driven: Config) -> None:
    assert [each.partition(":")[0] for each in driven.approved] == ["smoke-gate", "gate"]
    assert set(artefacts(driven)) == {*(stage.name for stage in STAGES), "installed"}
    with http.listening(os.path.join(driven.install, "engrained"), 0, lambda _: None) as up:
        answer = talk.asked(up.url, {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 8})
    assert answer["choices"][0]["message"]["content"]


def test_every_stage_is_in_the_journal_of_runs(driven: Config, capsys: pytest.CaptureFixture[str]) -> None:
    with Memory.open() as memory:
        found = [ran for ran in training.runs(memory, everywhere=True, limit=100)
                 if ran.artefacts and ran.artefacts[0].startswith((driven.folder, driven.install))]  # fmt: skip
    assert sorted(ran.stage for ran in found) == sorted(training.STAGES)
    data = {ran.data for ran in found}
    assert len(data) == 1
    judged = next(ran for ran in found if ran.stage == "evaluate")
    assert [gate["name"] for gate in judged.gates] == [gate.name for gate in gates.GATES]
    assert judged.recipe["rate"] == SMALL.rate
    assert run(["train", "runs", "--everywhere"]) == 0
    assert "smoke-gate" in capsys.readouterr().out


def test_one_command_from_the_journal_to_a_served_model(top: str, driven: Config) -> None:
    config = wanted(top, "again", driven.approved)
    done = subprocess.run(command(config), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("All is done.\n")
    assert artefacts(config) == artefacts(driven)


def test_without_a_person_s_word_it_ends_at_the_gate(top: str, driven: Config) -> None:
    config = driven._replace(approved=())
    state = states.load(config.folder)
    states.save(config.folder, state._replace(approved={}))
    done = subprocess.run(command(config), capture_output=True, text=True, check=False)
    states.save(config.folder, state)
    assert done.returncode == 1
    assert f'approved = ["smoke-gate:{state.done["smoke-gate"].digest}"]' in done.stdout


def test_killed_at_each_stage_it_comes_to_the_same(top: str, driven: Config) -> None:
    config = wanted(top, "killed", driven.approved)
    for stage in STAGES:
        with subprocess.Popen(command(config), stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            reached, killed = False, False
            for line in process.stdout:
                reached = reached or line == f"{stage.title}: {stage.does}\n"
                if reached and line.startswith(f"  {MIDST[stage.name]}"):
                    process.send_signal(signal.SIGKILL)
                    killed = True
                    break
        assert killed, stage.name
        assert stage.name not in states.load(config.folder).done
    with open(os.path.join(config.folder, "full", "run", "log.txt"), encoding="utf-8") as file:
        assert "goes on after step" in file.read()
    assert subprocess.run(command(config), stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert artefacts(config) == artefacts(driven)
