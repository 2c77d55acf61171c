"""Little stories: a fix was shown, then this happened."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engrain.learn.commands import key
from engrain.learn.outcomes import (
    EXPIRED,
    HEURISTIC,
    MOST_RUNS,
    OBSERVED,
    SOON,
    SUPERSEDED,
    WINDOW,
    Run,
    Serving,
    Verdict,
    closed,
    judged,
)

START = 1_000_000_000
SECOND = 1_000_000
SHOWN = Serving(
    "s", START, key("pytest a.py"), "first", (("A", ("Run `pip install x`",)), ("B", ("npm ci", "npm run prepare")))
)

Told = tuple[str, int | None, str]


def runs(*story: Told) -> list[Run]:
    return [
        Run(f"r{n}", START + n * SECOND, command, code, fingerprint)
        for n, (command, code, fingerprint) in enumerate(story, 1)
    ]


def told(verdict: Verdict | None) -> tuple[str, bool | None, str] | None:
    return verdict and (verdict.fix, verdict.worked, verdict.provenance)


STEP_A: Told = ("pip install x", 0, "")
STEP_B: Told = ("npm ci 2>&1", 0, "")
PASS: Told = ("cd /w && pytest -q a.py", 0, "")
AGAIN: Told = ("pytest a.py -x", 1, "first")

STORIES: tuple[tuple[str, tuple[Told, ...], tuple[str, bool | None, str] | None], ...] = (
    ("nothing happened yet", (), None),
    ("only other commands", (("ls", 0, ""), ("pytest b.py", 0, "")), None),
    ("a step, then the command passes", (STEP_A, PASS), ("A", True, OBSERVED)),
    ("the second fix was taken", (STEP_B, PASS), ("B", True, OBSERVED)),
    ("both were, the last one counts", (STEP_A, STEP_B, PASS), ("B", True, OBSERVED)),
    ("in one line", (("pip install x && pytest a.py", 0, ""),), ("A", True, OBSERVED)),
    ("with other work between", (STEP_A, ("pytest b.py", 1, "else"), PASS), ("A", True, OBSERVED)),
    ("a step only, nothing after", (STEP_A,), None),
    ("the step fails", (("pip install x", 1, "net"),), ("A", False, OBSERVED)),
    ("the step fails silently", (("cd /w && npm ci", 1, ""),), ("B", False, OBSERVED)),
    ("the same failure comes back", (STEP_A, AGAIN), ("A", False, OBSERVED)),
    ("in one line it comes back", (("pip install x && pytest a.py", 1, "first"),), ("A", False, OBSERVED)),
    ("another failure comes", (STEP_A, ("pytest a.py", 1, "second")), ("A", True, OBSERVED)),
    ("in one line either may have failed", (("pip install x && pytest a.py", 1, "second"),), None),
    ("that line is no try", (("pip install x && pytest a.py", 1, "second"), AGAIN), ("", None, SUPERSEDED)),
    ("a failure that nobody can tell", (STEP_A, ("pytest a.py", 1, "")), None),
    ("passes, nobody saw a step", (PASS,), ("A", True, HEURISTIC)),
    ("fails again, nobody tried", (AGAIN,), ("", None, SUPERSEDED)),
    ("fails otherwise, nobody tried", (("pytest a.py", 1, "second"), PASS), ("", None, SUPERSEDED)),
    ("closed before the step", (AGAIN, STEP_A, PASS), ("", None, SUPERSEDED)),
    ("a pipe hides the exit code", (STEP_A, ("pytest a.py | tail -3", 0, "")), ("A", True, HEURISTIC)),
    ("a pipe, and no step: nothing", (("pytest a.py | tail -3", 0, ""),), None),
    ("a pipe, but the failure was seen", (STEP_A, ("pytest a.py | tail -3", 0, "first")), ("A", False, OBSERVED)),
    ("grep found nothing", (STEP_A, ("pytest a.py | grep passed", 1, "")), None),
    ("unknown exit", (STEP_A, ("pytest a.py", None, "")), None),
    ("another test passes", (STEP_A, ("pytest a.py::test_one", 0, "")), None),
    ("asking for the version is no pass", (STEP_A, ("pytest --version a.py", 0, "")), None),
    ("other flags are another step", (("pip install --user x", 0, ""), PASS), ("A", True, HEURISTIC)),
)


@pytest.mark.parametrize(("story", "happened", "verdict"), STORIES, ids=[story for story, _, _ in STORIES])
def test_stories(story: str, happened: tuple[Told, ...], verdict: tuple[str, bool | None, str] | None) -> None:
    assert told(judged(SHOWN, runs(*happened))) == verdict


def test_the_verdict_names_the_run() -> None:
    assert judged(SHOWN, runs(STEP_A, PASS)) == Verdict("A", True, OBSERVED, "r2", START + 2 * SECOND)


def test_what_was_interrupted_says_nothing() -> None:
    story = [run._replace(interrupted=True) for run in runs(("pip install x", 130, "x"), AGAIN, PASS)]
    assert judged(SHOWN, story) is None


def test_what_came_before_says_nothing() -> None:
    assert judged(SHOWN, [run._replace(time=START) for run in runs(PASS)]) is None


def test_a_late_pass_is_nobody_s_merit() -> None:
    late = [run._replace(time=START + SOON + 1) for run in runs(PASS)]
    assert told(judged(SHOWN, late)) == ("", None, SUPERSEDED)
    in_time = [run._replace(time=START + SOON) for run in runs(PASS)]
    assert told(judged(SHOWN, in_time)) == ("A", True, HEURISTIC)


def test_the_window_closes() -> None:
    step, late = runs(STEP_A, PASS)
    at_last = late._replace(time=START + WINDOW)
    assert told(judged(SHOWN, [step, at_last])) == ("A", True, OBSERVED)
    found = judged(SHOWN, [step, late._replace(time=START + WINDOW + 1)])
    assert told(found) == ("", None, EXPIRED)
    assert found is not None
    assert closed(found)


def test_too_many_runs_close_it() -> None:
    busy = runs(*[("ls", 0, "")] * MOST_RUNS)
    assert judged(SHOWN, busy) is None
    assert told(judged(SHOWN, runs(*[("ls", 0, "")] * MOST_RUNS, PASS))) == ("", None, EXPIRED)


def test_a_step_that_only_looks_proves_nothing() -> None:
    serving = SHOWN._replace(fixes=(("A", ("Add it to a.toml",)), ("B", ("git status",))))
    assert told(judged(serving, runs(("git status", 0, ""), PASS))) == ("A", True, HEURISTIC)


def test_without_fixes_there_is_nothing_to_judge() -> None:
    assert told(judged(SHOWN._replace(fixes=()), runs(PASS))) == ("", None, SUPERSEDED)


def test_the_corrected_command_is_step_and_proof_at_once() -> None:
    serving = SHOWN._replace(key=key("pip install y"), fixes=(("A", ("pip install --user y",)),))
    assert told(judged(serving, runs(("pip install --user y", 0, "")))) == ("A", True, OBSERVED)
    assert told(judged(serving, runs(("pip install --user y", 1, "first")))) == ("A", False, OBSERVED)


INSTEAD = SHOWN._replace(key=key("make tests"), fixes=(("A", ("make test",)),), instead=frozenset("A"))


def test_the_command_as_the_fix_has_it_is_proof_though_it_is_another_command() -> None:
    assert told(judged(INSTEAD, runs(("make test", 0, "")))) == ("A", True, OBSERVED)
    assert told(judged(INSTEAD, runs(("make test | tail -3", 0, "")))) == ("A", True, HEURISTIC)
    assert told(judged(INSTEAD, runs(("make test", 2, "first")))) == ("A", False, OBSERVED)
    assert judged(INSTEAD._replace(instead=frozenset()), runs(("make test", 0, ""))) is None
    several = INSTEAD._replace(fixes=(("A", ("make prepare", "make test")),))
    assert judged(several, runs(("make prepare", 0, ""))) is None


def test_that_the_command_then_fails_otherwise_is_not_held_against_the_fix_that_led_there() -> None:
    assert judged(INSTEAD, runs(("make test", 2, "second"))) is None
    assert told(judged(INSTEAD, runs(("make test", 2, "second"), ("make test", 0, "")))) == ("A", True, OBSERVED)


def test_the_root_tells_folders_apart() -> None:
    serving = SHOWN._replace(key=key("npm test", "/w", "/w/web"), fixes=(("A", ("npm ci",)),))
    story = runs(("npm ci", 0, ""), ("npm test", 0, ""))
    assert judged(serving, [run._replace(cwd="/w/api") for run in story], "/w") is None
    assert told(judged(serving, [run._replace(cwd="/w/web") for run in story], "/w")) == ("A", True, OBSERVED)


COMMANDS = st.sampled_from(
    [
        "pip install x",
        "npm ci",
        "pytest a.py",
        "pytest a.py | tail",
        "pip install x && pytest a.py",
        "ls",
        "pytest b.py",
    ]
)
RUNS = st.lists(
    st.builds(
        lambda command, code, fingerprint, gap, interrupted: (command, code, fingerprint, gap, interrupted),
        COMMANDS,
        st.sampled_from([0, 0, 1, None]),
        st.sampled_from(["", "first", "second"]),
        st.sampled_from([0, 1, SECOND, SOON, WINDOW]),
        st.booleans(),
    ),
    max_size=8,
)


def _laid_out(story: list[tuple[str, int | None, str, int, bool]]) -> list[Run]:
    found, at = [], START
    for n, (command, code, fingerprint, gap, interrupted) in enumerate(story):
        at += gap
        found.append(Run(f"r{n}", at, command, code, fingerprint, interrupted))
    return found


@settings(max_examples=150, deadline=None)
@given(RUNS, st.randoms(use_true_random=False))
def test_the_first_verdict_stands_whatever_comes_and_in_whatever_order(
    story: list[tuple[str, int | None, str, int, bool]], shuffle: object
) -> None:
    laid = _laid_out(story)
    whole = judged(SHOWN, laid)
    assert judged(SHOWN, list(reversed(laid))) == whole
    for n in range(len(laid)):
        early = judged(SHOWN, laid[:n])
        assert early is None or early == whole
