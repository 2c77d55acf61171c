"""The wizard: how it walks, what it refuses, what a person sees. Its stages here are quick ones (`wizarding`);
`tests_train/test_wizard.py` has those that train."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from engrain.cli.group import run
from engrain.errors import BadConfig, BadInput
from engrain.memory import Memory, training
from engrain.wizard import config as configs
from engrain.wizard import state as states
from engrain.wizard.config import Config
from engrain.wizard.plain import side_by_side, walked
from engrain.wizard.plan import STAGES as REAL
from engrain.wizard.plan import Stage
from engrain.wizard.screens.app import Wizard
from engrain.wizard.screens.course import Course
from engrain.wizard.screens.gate import Gate
from engrain.wizard.screens.handing import Handing
from engrain.wizard.screens.over import Over
from engrain.wizard.screens.setup import Setup
from engrain.wizard.state import Done
from engrain.wizard.walk import APPROVE, OVER, REFUSED, RUN, Walk
from engrain.wizard.work import Work
from tests.pictured import compared, seen
from tests.test_train import session
from tests.wizarding import STAGES

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@pytest.fixture
def place(tmp_path: Any) -> str:
    """A folder for a walk, with sessions in the journal."""
    return placed(str(tmp_path))


def placed(folder: str) -> str:
    with Memory.open() as memory:
        memory.record(*(event for number in range(6) for event in session(number)))
    return folder


def wanted(place: str, name: str = "w", **more: Any) -> Config:
    installed = os.path.join(place, f"used by {name}")
    return Config(folder=os.path.join(place, name), base="/no/base", install=installed, name="m")._replace(**more)


def artefacts(config: Config) -> dict[str, str]:
    """What came of every stage, and what was installed."""
    found = {name: done.digest for name, done in states.load(config.folder).done.items()}
    path = os.path.join(config.install, f"{config.name}.json")
    return {**found, "installed": states.file_digest(path)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    """What a walk that nobody disturbed was approved with and came to."""
    with pytest.MonkeyPatch.context() as patch:
        top = str(tmp_path_factory.mktemp("whole"))
        patch.setenv("ENGRAIN_HOME", os.path.join(top, "home"))
        config = approving(wanted(placed(top)))
        with Walk(config, STAGES) as walk:
            assert walked(walk, quiet)
        yield config.approved, artefacts(config)


def quiet(_: str) -> None:
    return


def approving(config: Config) -> Config:
    """Walks as far as the gate, and approves it as a person would in the config."""
    with Walk(config, STAGES) as walk:
        assert not walked(walk, quiet)
        found = walk.next()
        assert found.what == APPROVE
        assert found.stage is not None
        assert found.done is not None
        return config._replace(approved=(f"{found.stage.name}:{found.done.digest}",))


# Walking


def test_a_walk_goes_to_its_gate_and_there_waits_for_a_person(place: str) -> None:
    said: list[str] = []
    config = wanted(place)
    with Walk(config, STAGES) as walk:
        assert not walked(walk, said.append)
        done = walk.state.done["gate"]
    assert f'  approved = ["gate:{done.digest}"]' in said
    assert not os.path.exists(config.install)


def test_approved_in_the_config_it_goes_to_the_end_and_does_nothing_twice(place: str) -> None:
    config = approving(wanted(place))
    said: list[str] = []
    with Walk(config, STAGES) as walk:
        assert walked(walk, said.append)
        assert walk.next().what == OVER
    assert said[1] == "Build the rows: done already. 5 rows to train, 1 held out"
    assert os.path.exists(os.path.join(config.install, "m.json"))


def test_the_config_that_it_wrote_plays_the_same_again_in_one_go(
    place: str, whole: tuple[tuple[str, ...], dict[str, str]]
) -> None:
    config = wanted(place, approved=whole[0])
    with Walk(config, STAGES):
        pass
    again = configs.load(os.path.join(config.folder, configs.FILE))
    assert again == config
    with Walk(again, STAGES) as walk:
        assert walked(walk, quiet)
    assert artefacts(again) == whole[1]


def test_a_word_is_for_one_result_alone(place: str) -> None:
    config = approving(wanted(place))
    with Memory.open() as memory:
        memory.record(*session(7))
    other = config._replace(folder=os.path.join(place, "other"))
    with Walk(other, STAGES) as walk:
        assert not walked(walk, quiet)
        found = walk.next()
        assert found.what == APPROVE
        assert found.stage is not None
        with pytest.raises(BadInput, match="no result"):
            walk.approve(found.stage, config.approved[0].partition(":")[2])


def test_what_a_gate_refused_can_not_be_approved(place: str) -> None:
    config = wanted(place, context=9)
    with Walk(config, STAGES) as walk:
        assert not walked(walk, quiet)
        found = walk.next()
        assert found.what == REFUSED
        assert found.stage is not None
        assert found.done is not None
        with pytest.raises(BadInput, match="can't be approved away"):
            walk.approve(found.stage, found.done.digest)
    config = config._replace(approved=(f"gate:{found.done.digest}",))
    with Walk(config, STAGES) as walk:
        assert not walked(walk, quiet)
        assert walk.next().what == REFUSED


def test_what_failed_and_is_no_gate_is_tried_again(place: str) -> None:
    broken = os.path.join(place, "broken")
    with open(broken, "w", encoding="utf-8"):
        pass
    config = wanted(place)
    with Walk(config, STAGES) as walk:
        assert not walked(walk, quiet)
        assert walk.next().what == REFUSED
    os.unlink(broken)
    assert approving(config).approved


def test_what_changed_is_done_again_with_all_that_needs_it(place: str) -> None:
    config = approving(wanted(place))
    with Walk(config, STAGES) as walk:
        assert walked(walk, quiet)
        assert walk.next().what == OVER
    with Walk(config._replace(name="other"), STAGES) as walk:
        assert [stage.name for stage in STAGES if walk.done(stage)] == ["machine", "data", "train", "gate", "verify"]
        found = walk.next()
        assert found.stage is not None
        assert (found.what, found.stage.name) == (RUN, "export")
    with Walk(config, STAGES) as walk:
        os.unlink(os.path.join(config.folder, "table", "TABLE.json"))
        found = walk.next()
        assert found.stage is not None
        assert (found.what, found.stage.name) == (RUN, "train")


def test_rows_of_other_inputs_are_not_gone_on_with(place: str) -> None:
    def work(inputs: str) -> Work:
        return Work(wanted(place), inputs, {}, lambda _: None)

    folder = work("a").own("full")
    with open(os.path.join(folder, "checkpoint"), "w", encoding="utf-8"):
        pass
    assert os.listdir(work("a").own("full")) == os.listdir(folder)
    assert "checkpoint" in os.listdir(folder)
    assert os.listdir(work("b").own("full")) == [".inputs"]


def test_every_stage_is_in_the_journal_of_runs_once(place: str) -> None:
    config = approving(wanted(place))
    with Walk(config, STAGES) as walk:
        walk.state.done.clear()
        assert walked(walk, quiet)
    with Memory.open() as memory:
        assert [ran.stage for ran in training.runs(memory, everywhere=True, limit=9)] == ["data"]


def test_one_wizard_in_a_folder_at_a_time(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "_PATIENCE", 0.0)
    with Walk(wanted(place), STAGES), pytest.raises(BadInput, match="another wizard"):
        Walk(wanted(place), STAGES)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"version": 1}', '{"version": 9, "done": {}, "approved": {}}'])
def test_a_damaged_state_is_said_and_left_alone(place: str, text: str) -> None:
    config = wanted(place)
    os.makedirs(config.folder)
    path = os.path.join(config.folder, states.FILE)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    with pytest.raises(BadInput, match="another folder"):
        Walk(config, STAGES)
    with open(path, encoding="utf-8") as file:
        assert file.read() == text


def test_a_stage_that_can_not_be_done_says_why_in_a_line(place: str) -> None:
    broken = [Stage(name, name, "", f"tests.test_wizard:{name}") for name in ("fails", "exits", "full")]
    with Walk(wanted(place), broken) as walk:
        with pytest.raises(BadInput, match=r"fails: no such thing$"):
            walk.run(broken[0], lambda _: None)
        with pytest.raises(
            BadInput, match=r"exits ended unexpectedly \(3\), its last words 'last words'; .*exits\.log"
        ):
            walk.run(broken[1], lambda _: None)
        with pytest.raises(BadInput, match=r"disk: no space left on device$"):
            walk.run(broken[2], lambda _: None)


def fails(_: Work) -> Done:
    raise BadInput("no such\nthing")


def full(_: Work) -> Done:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/disk")


def exits(_: Work) -> Done:
    print("last words", flush=True)
    os._exit(3)


# Killed at each stage


def started(config: Config, *, approved: tuple[str, ...]) -> subprocess.Popen[str]:
    path = os.path.join(os.path.dirname(config.folder), "given.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(configs.text(config._replace(approved=approved)))
    return subprocess.Popen([sys.executable, "-m", "tests.wizarding", path], stdout=subprocess.PIPE, text=True, cwd=TOP)


@pytest.mark.parametrize("stage", [stage.name for stage in STAGES])
def test_killed_in_a_stage_and_begun_again_it_comes_to_the_same(
    place: str, stage: str, whole: tuple[tuple[str, ...], dict[str, str]]
) -> None:
    approved, made = whole
    os.makedirs(os.path.join(place, "held"))
    os.mkfifo(os.path.join(place, "held", stage))
    config = wanted(place, "killed")
    with started(config, approved=approved) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == f"  half of {stage}\n":
                process.send_signal(signal.SIGKILL)
                break
    shutil.rmtree(os.path.join(place, "held"))
    assert stage not in states.load(config.folder).done
    with started(config, approved=approved) as process:
        process.communicate()
    assert process.returncode == 0
    assert artefacts(config) == made


def test_told_to_end_it_stops_its_stage_and_says_so(place: str) -> None:
    os.makedirs(os.path.join(place, "held"))
    os.mkfifo(os.path.join(place, "held", "data"))
    config = wanted(place)
    said: list[str] = []
    with Walk(config, STAGES) as walk:

        def heard(text: str) -> None:
            said.append(text)
            if text == "  half of data":
                walk.stop()

        assert not walked(walk, heard)
    assert said[-1] == "  It was stopped; the same command goes on."
    shutil.rmtree(os.path.join(place, "held"))
    assert approving(config).approved


# Config


def test_a_config_says_all_and_comes_back_the_same(place: str) -> None:
    config = wanted(place, quants=("Q8_0", "f16"), approved=("gate:ab",), everywhere=True, context=131072)
    os.makedirs(config.folder)
    path = configs.save(config)
    assert configs.load(path) == config
    with open(path, encoding="utf-8") as file:
        assert len(file.readlines()) == 1 + len(Config._fields) == 1 + len(configs.MEANING)


@pytest.mark.parametrize(("text", "says"), [
    ("folders = 'x'", "there is no 'folders'"), ("everywhere = 1", "true or false"), ("folder = [", "wizard.toml:"),
    ("quants = 'f16'", "list of texts"), ("context = -1", "whole number"), ("approved = [1]", "list of texts"),
])  # fmt: skip
def test_a_config_that_can_not_be_understood_is_said(tmp_path: Any, text: str, says: str) -> None:
    path = tmp_path / "wizard.toml"
    path.write_text(text)
    with pytest.raises(BadConfig, match=says):
        configs.load(str(path))


def test_gates_are_never_approved_without_naming_the_result() -> None:
    for word in ("gate", "gate:", "all"):
        with pytest.raises(BadConfig, match="with its digest"):
            configs.checked(Config(folder="f", base="b", approved=(word,)))


def test_paths_are_those_of_the_file(tmp_path: Any) -> None:
    (tmp_path / "wizard.toml").write_text('folder = "w"\nbase = "~/b"\ninstall = "ollama"\nrecipe = "r.toml"\n')
    found = configs.load(str(tmp_path / "wizard.toml"))
    assert found.folder == str(tmp_path / "w")
    assert found.base == os.path.expanduser("~/b")
    assert found.install == "ollama"
    assert found.recipe == str(tmp_path / "r.toml")


def test_the_command_says_what_is_missing(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["wizard", "--no-tui"]) == 2
    assert "needs a folder" in capsys.readouterr().err
    assert run(["wizard", str(tmp_path / "w"), "--no-tui"]) == 2
    assert "needs a base" in capsys.readouterr().err
    assert run(["wizard", str(tmp_path / "w")]) == 2
    assert "no terminal" in capsys.readouterr().err
    assert run(["wizard", "--config", str(tmp_path / "none.toml")]) == 1


def test_every_stage_of_the_real_plan_names_what_there_is() -> None:
    names: list[str] = []
    for stage in REAL:
        assert set(stage.fields) <= set(Config._fields)
        assert set(stage.needs) <= set(names)
        names.append(stage.name)
    assert [stage.name for stage in REAL if stage.gate] == ["smoke-gate", "gate"]


def test_models_stand_side_by_side() -> None:
    done = Done("", "", True, "", beside={"base": {"tool": 0.1}, "candidate": {"tool": 0.75, "loss": 1.5}})
    assert side_by_side(done) == ["      base  candidate", "tool   0.1       0.75", "loss     –        1.5"]


# Screens

SIZE = (110, 34)


def played(config: Config, act: Callable[[Wizard, Pilot[int]], Coroutine[Any, Any, None]]) -> Wizard:
    """An app that somebody acts on."""

    async def play() -> Wizard:
        app = Wizard(config, STAGES)
        async with app.run_test(size=SIZE) as pilot:
            await act(app, pilot)
        return app

    return asyncio.run(play())


async def until(app: Wizard, pilot: Pilot[int], seen_: Callable[[], bool]) -> None:
    """Waits until something is so; what never becomes so fails."""
    for _ in range(3000):
        if seen_():
            await pilot.pause()
            return
        await asyncio.sleep(0.01)
    raise AssertionError(seen(app))


async def gone(app: Wizard, pilot: Pilot[int], key: str = "g") -> None:
    """Presses a key and waits until what began because of it is over."""
    await pilot.press(key)
    await app.workers.wait_for_complete()
    await pilot.pause()


def normal(text: str, place: str) -> str:
    """What is seen, without what differs from run to run: digests, times, folders."""
    text = re.sub(r"\b[0-9a-f]{16}\b", "<digest>", text)
    text = re.sub(r"\b\d+ s\b", "N s", text)
    return "\n".join(line.rstrip() for line in text.replace(place, "<place>").splitlines()) + "\n"


def held(place: str, stage: str) -> Iterator[str]:
    """Stage after stage can be held half-way."""
    os.makedirs(os.path.join(place, "held"), exist_ok=True)
    path = os.path.join(place, "held", stage)
    os.mkfifo(path)
    yield path


def test_asked_what_is_wanted(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)

    async def act(app: Wizard, pilot: Pilot[int]) -> None:
        assert isinstance(app.screen, Setup)
        await pilot.click("#begin")
        compared("wizard-setup", seen(app))
        app.screen.query_one("#field-base", Input).value = "/no/base"
        app.screen.query_one("#field-folder", Input).value = "w"
        app.screen.query_one("#field-folder", Input).focus()
        await pilot.press("enter")
        await until(app, pilot, lambda: isinstance(app.screen, Course))
        assert app.walk is not None
        assert app.walk.config.folder == os.path.join(place, "w")

    played(Config(), act)


def test_a_stage_shows_its_log_its_figures_and_the_time_left(place: str) -> None:
    async def act(app: Wizard, pilot: Pilot[int]) -> None:
        compared("wizard-before", normal(seen(app), place))
        await gone(app, pilot)
        compared("wizard-after-a-stage", normal(seen(app), place))
        await gone(app, pilot)
        pipe = next(held(place, "train"))
        await pilot.press("g")
        await until(app, pilot, lambda: "left" in seen(app) and "half of train" in seen(app))
        compared("wizard-a-stage-runs", normal(seen(app), place))
        with open(pipe, "w", encoding="utf-8"):
            pass
        await app.workers.wait_for_complete()

    played(wanted(place), act)


def test_driven_to_the_end_by_a_person(place: str, whole: tuple[tuple[str, ...], dict[str, str]]) -> None:
    config = wanted(place)

    async def act(app: Wizard, pilot: Pilot[int]) -> None:
        await pilot.press("t")
        await gone(app, pilot)
        await until(app, pilot, lambda: app.walk is not None and app.walk.next().what == APPROVE)
        await app.workers.wait_for_complete()
        await pilot.press("g")
        await until(app, pilot, lambda: isinstance(app.screen, Gate))
        compared("wizard-gate", normal(seen(app), place))
        await pilot.press("y")
        await until(app, pilot, lambda: app.walk is not None and (found := app.walk.next().stage) is not None
                    and found.name == "install")  # fmt: skip
        await app.workers.wait_for_complete()
        await pilot.press("g")
        await until(app, pilot, lambda: isinstance(app.screen, Handing))
        compared("wizard-before-installing", normal(seen(app), place))
        await gone(app, pilot, "y")
        await until(app, pilot, lambda: app.walk is not None and app.walk.next().what == OVER)
        await app.workers.wait_for_complete()
        await pilot.press("g")
        await until(app, pilot, lambda: isinstance(app.screen, Over))
        compared("wizard-over", normal(seen(app), place))
        await pilot.press("escape")

    assert played(config, act).return_value == 0
    assert artefacts(config) == whole[1]


def test_a_gate_that_says_no_shows_no_way_on(place: str) -> None:
    async def act(app: Wizard, pilot: Pilot[int]) -> None:
        for _ in range(4):
            await gone(app, pilot)
        await pilot.press("g")
        assert isinstance(app.screen, Course)
        compared("wizard-refused", normal(seen(app), place))
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        # On the smallest of screens the reason and what can be done stand there whole.
        for name in ("#because", "#go", "#leave", "#log"):
            shown = app.screen.query_one(name).region
            assert shown.height > 0
            assert shown.bottom <= 23, name

    played(wanted(place, context=9), act)


def test_not_now_is_no_word(place: str) -> None:
    async def act(app: Wizard, pilot: Pilot[int]) -> None:
        for _ in range(4):
            await gone(app, pilot)
        await pilot.press("g")
        await until(app, pilot, lambda: isinstance(app.screen, Gate))
        await pilot.press("escape")
        await pilot.pause()
        assert app.walk is not None
        assert app.walk.next().what == APPROVE

    played(wanted(place), act)
    assert states.load(wanted(place).folder).approved == {}


def test_left_in_a_stage_it_stops_and_goes_on_another_time(place: str) -> None:
    config = wanted(place)

    async def act(app: Wizard, pilot: Pilot[int]) -> None:
        next(held(place, "machine"))
        await pilot.press("g")
        await until(app, pilot, lambda: "half of machine" in seen(app))
        await pilot.press("q")

    assert played(config, act).return_value == 1
    shutil.rmtree(os.path.join(place, "held"))
    assert approving(config).approved


def test_what_a_stage_says_is_drawn_and_not_obeyed(place: str) -> None:
    stages = (Stage("says", "[red]Says", "[b", "tests.test_wizard:says"),)

    async def play() -> str:
        app = Wizard(wanted(place), stages)
        async with app.run_test(size=SIZE) as pilot:
            await gone(app, pilot)
            return seen(app)

    text = asyncio.run(play())
    assert "[red]Says" in text
    assert "[link=x]a[/]" in text
    assert "[bold]b" in text


def says(work: Work) -> Done:
    work.say("[link=x]a[/]")
    return Done(work.inputs, "d", True, "[bold]b", {"[i]": "[/]"})


def test_a_folder_in_use_is_said_and_left_alone(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "_PATIENCE", 0.0)

    async def act(app: Wizard, pilot: Pilot[int]) -> None:
        await pilot.pause()

    with Walk(wanted(place), STAGES):
        assert played(wanted(place), act).return_value == 2


def test_snapshots_hold_no_more_than_a_screen() -> None:
    folder = os.path.join(TOP, "tests", "snapshots")
    for name in os.listdir(folder):
        assert os.path.getsize(os.path.join(folder, name)) < 12_000
