"""What becomes of a fix that a watched command was shown: observed, counted, and told by stats."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable

import pytest

from engrain import event as events
from engrain.event import HELD, OUTCOME, SERVED
from engrain.memory import Memory
from tests.making import Ran

Engrain = Callable[..., Ran]

CHECK, STEP = "cat settings.toml", "cp settings.example settings.toml"
ERROR = "cat: settings.toml: No such file or directory"


@pytest.fixture
def taught(engrain: Engrain, tmp_path: object) -> Engrain:
    with open(os.path.join(str(tmp_path), "settings.example"), "w", encoding="utf-8") as file:
        file.write("port = 1\n")
    assert engrain("fix", ERROR, "--steps", STEP).code == 0
    return engrain


def outcomes(tmp_path: object) -> list[tuple[bool, str]]:
    with Memory.open(folder=str(tmp_path)) as memory:
        memory.catch_up()
        found = [event for event in memory.store.events() if event.kind == OUTCOME]
        return [(event.body["worked"], event.body["provenance"]) for event in found]


def test_a_failing_command_is_answered_in_a_few_lines(taught: Engrain) -> None:
    done = taught("watch", "--", *shlex.split(CHECK))
    assert done.code == 1
    said = [line for line in done.err.splitlines() if line.startswith("[engrain] ")]
    assert 2 <= len(said) <= 10
    assert STEP in done.err
    assert done.err.startswith(ERROR), "what the command said stands first, untouched"


def test_an_unknown_failure_is_answered_with_silence(engrain: Engrain) -> None:
    done = engrain("watch", "--", *shlex.split(CHECK))
    assert (done.code, done.err) == (1, f"{ERROR}\n")


def test_the_step_and_then_the_pass_is_an_observed_outcome(taught: Engrain, tmp_path: object) -> None:
    for line in (CHECK, STEP, CHECK):
        taught("watch", "--", *shlex.split(line))
    assert outcomes(tmp_path) == [(True, "runtime_observed")]
    assert outcomes(tmp_path) == [(True, "runtime_observed")], "looked at again, it is told once"
    assert taught("fixes", "--json").json[0]["worked"] == 1


def test_the_step_and_then_the_same_failure_is_one_too(taught: Engrain, tmp_path: object) -> None:
    taught("watch", "--", *shlex.split(CHECK))
    taught("watch", "--cmd", f"{STEP}; rm settings.toml")
    taught("watch", "--", *shlex.split(STEP))
    os.unlink(os.path.join(str(tmp_path), "settings.toml"))
    taught("watch", "--", *shlex.split(CHECK))
    assert outcomes(tmp_path) == [(False, "runtime_observed")]


def test_that_it_was_no_help_with_a_similar_failure_is_but_a_guess(taught: Engrain, tmp_path: object) -> None:
    step = "cp settings.example prices.csv"
    taught("fix", "cat: prices.csv: No such file or directory", "--steps", step)
    for line in ("cat seats.csv", step, "cat seats.csv"):
        assert "but similar to" in taught("watch", "--", *shlex.split(line)).err or line == step
    assert outcomes(tmp_path) == [(False, "heuristic")]


def test_a_pass_without_the_step_is_but_a_guess(taught: Engrain, tmp_path: object) -> None:
    taught("watch", "--", *shlex.split(CHECK))
    with open(os.path.join(str(tmp_path), "settings.toml"), "w", encoding="utf-8"):
        pass
    taught("watch", "--", *shlex.split(CHECK))
    assert outcomes(tmp_path) == [(True, "heuristic")]
    found = taught("fixes", "--json").json[0]
    assert (found["worked"], found["failed"]) == (0, 0), "a guess is not shown as seen"


def test_the_failing_command_is_not_offered_as_its_own_remedy(engrain: Engrain) -> None:
    engrain("fix", ERROR, "--steps", CHECK)
    assert engrain("watch", "--", *shlex.split(CHECK)).err == f"{ERROR}\n"


def test_what_engrain_said_is_not_recorded_as_output(taught: Engrain, tmp_path: object) -> None:
    taught("watch", "--", *shlex.split(CHECK))
    with Memory.open(folder=str(tmp_path)) as memory:
        memory.catch_up()
        (event,) = [event for event in memory.store.events() if event.kind == "command"]
        assert event.body["output"] == f"{ERROR}\n"
        assert event.body["failure"]["toolchain"]


def test_an_interrupted_command_has_not_failed(taught: Engrain, tmp_path: object) -> None:
    script = "import os, signal; os.kill(os.getppid(), signal.SIGTERM); signal.pause()"
    watch = [sys.executable, "-m", "engrain", "watch", "--", sys.executable, "-c", script]
    # Its parent is the minder of the command, whose own parent is told by nobody: a signal to the watch itself.
    script = "import os, signal, sys; os.kill(int(sys.argv[1]), signal.SIGTERM); signal.pause()"
    line = f"exec {shlex.join(watch[:5])} {shlex.quote(sys.executable)} -c {shlex.quote(script)} $$"
    done = subprocess.run(["sh", "-c", line], cwd=str(tmp_path), capture_output=True, timeout=60, check=False)
    assert done.returncode == 143
    with Memory.open(folder=str(tmp_path)) as memory:
        memory.catch_up()
        (event,) = [event for event in memory.store.events() if event.kind == "command"]
        assert "failure" not in event.body


def test_nothing_of_a_terminal_s_language_reaches_the_terminal(engrain: Engrain) -> None:
    step = "cp a b \x1b]0;owned\x07\x1b[2J\u202e"
    engrain("fix", ERROR, "--steps", step, "--cause", "\x1b[31mred")
    said = engrain("watch", "--", *shlex.split(CHECK)).err.replace(f"{ERROR}\n", "")
    assert "cp a b" in said
    assert not set(said) & {"\x1b", "\x07", "\u202e"}
    listed = engrain("fixes").out + engrain("classify", stdin=ERROR.encode()).out
    assert not set(listed) & {"\x1b", "\x07", "\u202e"}


# Proof, on both stores


def failure(memory: Memory, number: int, *, shown: str, passes: bool) -> None:
    """A failure, what was shown for it, and the command again."""
    time = events.now() - 3_000_000_000 + number * 1_000_000
    found = {"fingerprint": "1:a", "family": "1:f", "toolchain": "t", "error_type": "E", "message": "it is gone"}
    failed = memory.event(
        "command", {"command": f"make t{number}", "exit": 2, "cwd": "", "failure": found}, time=time, id=f"f{number}"
    )
    from engrain.learn.commands import key

    body = {"fixes": [{"fix": "abc", "steps": ["x"]}], "of": failed.id, "fingerprint": "1:a", "channel": "hook"}
    body["command"] = key(f"make t{number}")
    memory.record(failed, memory.event(shown, body, time=time + 1, id=f"s{number}"))
    again = {"command": f"make t{number}", "exit": 0 if passes else 2, "cwd": ""}
    memory.record(memory.event("command", again, time=time + 500_000, id=f"a{number}"))


def test_stats_count_failures_and_compare_with_what_was_held_back(memory: Memory) -> None:
    for n in range(30):
        failure(memory, n, shown=SERVED, passes=n < 24)
        failure(memory, 100 + n, shown=HELD, passes=n < 6)
    proof = memory.proof()
    assert (proof.failures, proof.answered) == (60, 30)
    assert (proof.common[0].times, proof.common[0].message) == (60, "it is gone")
    compared = proof.compared
    assert (compared.shown, compared.resolved, compared.held, compared.held_resolved) == (30, 24, 30, 6)
    assert compared.gain is not None
    difference, low, high = compared.gain
    assert low < difference < high
    assert (round(difference, 2), low > 0.3) == (0.6, True)


NO_RULE = "make: *** No rule to make target 'tests'.  Stop."


def corrected(memory: Memory, number: int, kind: str, code: int) -> None:
    """A command failed, how it is to be changed was shown or held back, and so it was run."""
    shown = memory.match(NO_RULE, "make tests")
    time = events.now() - 3_000_000_000 + number * 10_000_000
    serving = memory.serving(shown, channel="hook", command="make tests", cwd=memory.project.root)
    memory.record(serving._replace(time=time, kind=kind, id=f"s{number}"))
    body = {"command": "make test", "exit": code, "cwd": memory.project.root}
    memory.record(memory.event("command", body, time=time + 1_000_000, id=f"a{number}"))


def test_a_command_that_was_changed_as_told_counts_though_the_old_one_never_runs_again(memory: Memory) -> None:
    steps = ["in the command, `test` in place of `tests`"]
    fix = memory.remember_error_fix(NO_RULE, steps).fix
    for number in range(6):
        corrected(memory, number, SERVED, 0)
        corrected(memory, 10 + number, HELD, int(number > 1))
    compared = memory.proof().compared
    assert (compared.shown, compared.resolved, compared.held, compared.held_resolved) == (6, 6, 6, 2)
    memory.observe()
    assert memory.fix(fix).worked == 6


def test_nothing_is_reported_that_was_not_measured(memory: Memory, engrain: Engrain) -> None:
    proof = memory.proof()
    assert (proof.failures, proof.answered, proof.tried, proof.compared.gain) == (0, 0, [], None)
    said = engrain("stats").out
    for word in ("gain", "believed", "failure"):
        assert word not in said


def test_what_is_held_back_is_no_evidence(memory: Memory) -> None:
    for n in range(5):
        failure(memory, n, shown=HELD, passes=True)
    memory.observe()
    assert not [event for event in memory.store.events() if event.kind == OUTCOME]


def shown_then_done(memory: Memory, ago: int, commands: int, name: str) -> None:
    """A fix was shown so many hours ago; then came other commands, its step, and the command passed."""
    time = events.now() - ago * 3_600_000_000
    shown = memory.match(ERROR, CHECK)
    serving = memory.serving(shown, channel="watch", command=CHECK, cwd=memory.project.root)._replace(time=time)
    lines = [*(f"ls {name}{n}" for n in range(commands)), STEP, CHECK]
    memory.store.append(
        memory.admitted(each)
        for each in (
            serving,
            *(
                memory.event("command", {"command": line, "exit": 0, "cwd": memory.project.root}, time=time + 1 + n)
                for n, line in enumerate(lines)
            ),
        )
    )


def test_what_was_shown_is_judged_though_nobody_looked_for_days(memory: Memory) -> None:
    fix = memory.remember_error_fix(ERROR, STEP).fix
    shown_then_done(memory, 72, 3, "a")
    shown_then_done(memory, 24 * 9, 3, "b")
    assert memory.observe() == 1
    assert memory.observe() == 0
    assert memory.fix(fix).worked == 1


def test_many_commands_of_one_project_close_no_question_of_another_day(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engrain.upkeep.observe.MOST_READ", 20)
    fix = memory.remember_error_fix(ERROR, STEP).fix
    shown_then_done(memory, 100, 15, "a")
    shown_then_done(memory, 50, 15, "b")
    shown_then_done(memory, 10, 15, "c")
    assert memory.observe() == 3
    assert memory.fix(fix).worked == 3


def test_beliefs_are_compared_with_what_came_of_them(memory: Memory, engrain: Engrain) -> None:
    fix = memory.remember_error_fix("ModuleNotFoundError: No module named 'orjson'", "pip install orjson").fix
    for n in range(20):
        memory.rate(fix, worked=n % 4 != 0)
    proof = memory.proof()
    assert proof.calibration.number == 20
    assert proof.tried[0].id == fix
    assert 0 <= proof.calibration.gap < 0.4
    if "://" not in memory.where:
        memory.close()
        assert "15 of 20" in engrain("stats").out
