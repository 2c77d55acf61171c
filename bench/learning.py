"""Learning: what a memory that watched the first 70 % of real sessions says at the failures of the rest.

    python -m bench learning
    python -m bench.learning --sets swe/django,swe/sympy      others, and what each set alone gives

The history is laid out and the questions are judged by the metric that lies beside the data (`tools/replay.py`),
which is no part of this project; what a nearest neighbour and an oracle reach is measured in the same run. The memory
gets the history through `engrain import claude-code` and the questions through `engrain classify --jsonl`, as anybody
would.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from bench.figure import SHARED, Absent, Figure, shared
from engrain.event import FIX, TOOL_CALL, Event
from engrain.fingerprint import fingerprint
from engrain.learn.retyped import bare, tokens
from engrain.learn.steps import said
from engrain.memory import Memory
from engrain.redact import redacted

SETS = (
    "swe/django", "swe/sympy", "swe/sphinx-doc", "swe/scikit-learn", "swe/matplotlib", "swe/astropy", "swe/pydata",
    "claude-code/context-evaluator",
)  # fmt: skip

Question = dict[str, Any]


class Scored(NamedTuple):
    """What an answerer reached, as the metric counts it."""

    learnable: int
    answered: int
    useful: int
    share: float
    precision: float


class Played(NamedTuple):
    """A history that was learned from, and what was answered after it."""

    home: str
    metric: ModuleType
    questions: list[Question]
    answers: list[dict[str, Any]]
    took: float


def measure(full: bool) -> Iterator[Figure]:
    """The rows that mining is held to; `full` adds every set that is there."""
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        played = play(folder, SETS)
        yield from _useful(played, folder)
        yield from _silent(played, folder)
        yield from _unfit(played)
        yield from _kept(played)
    if full:
        with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
            yield from _useful(play(folder, _every_set()), folder, " of every set")


def play(folder: str, sets: Sequence[str]) -> Played:
    """Lays the history out, learns from it, asks the questions."""
    metric = laid_out(folder, sets)
    home, projects = os.path.join(folder, "home"), os.path.join(folder, ".claude", "projects")
    began = time.monotonic()
    brought = json.loads(engrain(home, "import", "claude-code", projects, "--json"))
    took = time.monotonic() - began
    assert brought["to_learn"] == len(brought["problems"]) == 0, brought
    with open(os.path.join(folder, "questions.jsonl"), encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
    asked = "".join(json.dumps({name: each[name] for name in ("text", "command", "cwd")}) + "\n" for each in questions)
    answers = [json.loads(line) for line in engrain(home, "classify", "--jsonl", given=asked).splitlines()]
    return Played(home, metric, questions, answers, took)


def laid_out(folder: str, sets: Sequence[str]) -> ModuleType:
    """The history of these sets as an agent keeps it, and the questions; the metric that made both."""
    metric = _metric()
    with contextlib.redirect_stdout(io.StringIO()):
        metric.split(shared("transcripts"), folder, list(sets))
    return metric


def _metric() -> ModuleType:
    path = os.path.join(os.path.dirname(SHARED), "tools", "replay.py")
    if not os.path.exists(path):
        raise Absent(
            "tools/replay.py, the metric, is not beside the data; set ENGRAIN_BENCH_DATA to the folder of both"
        )
    spec = importlib.util.spec_from_file_location("replay_metric", path)
    assert spec
    assert spec.loader
    metric = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(metric)
    return metric


def _every_set() -> list[str]:
    return [
        f"{kind}/{name}" for kind in ("claude-code", "swe") for name in sorted(os.listdir(shared("transcripts", kind)))
    ]


def engrain(home: str, *words: str, given: str = "") -> str:
    """What a command of Engrain says."""
    environ = {**os.environ, "ENGRAIN_HOME": home, "ENGRAIN_STORE": ""}
    ran = subprocess.run(
        [sys.executable, "-m", "engrain", *words], env=environ, input=given, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise RuntimeError(f"engrain {' '.join(words)}: {ran.stderr[-2000:]}")
    return ran.stdout


# Useful


def _useful(played: Played, folder: str, of: str = "") -> Iterator[Figure]:
    rivals = _rivals(played.metric, folder)
    ours = scored(played.metric, played.questions, steps_of(played))
    near, best = rivals["neighbour"], rivals["oracle"]
    note = (
        f"{ours.useful} of {ours.learnable} learnable, of {len(played.questions)} questions in all; "
        f"neighbour {100 * near.share:.1f} %, oracle {100 * best.share:.1f} %"
    )
    yield Figure(f"failures{of} that a useful step is shown for", 100 * ours.share, "%", note=note)
    yield Figure(f"the same{of} against a nearest neighbour", ours.useful / max(near.useful, 1), "×", least=2)
    yield Figure(f"the same{of} against an oracle", 100 * ours.useful / max(best.useful, 1), "%", least=40)
    note = f"{ours.useful} of {_judged(played)} answers; neighbour {100 * near.precision:.0f} %"
    yield Figure(f"answers{of} to learnable failures that are useful", 100 * ours.precision, "%", least=30, note=note)


def steps_of(played: Played) -> list[list[str]]:
    """The steps of each answer, best first."""
    return [[step for fix in answer["fixes"] for step in fix["steps"]] for answer in played.answers]


def scored(metric: ModuleType, questions: Sequence[Question], answers: Sequence[Sequence[str]]) -> Scored:
    """What the metric says of answers."""
    with contextlib.redirect_stdout(io.StringIO()):
        return _scored(metric.report("answers", questions, answers))


def _scored(line: dict[str, Any]) -> Scored:
    return Scored(*(line[name] for name in ("learnable", "answered", "useful", "useful_share", "precision_learnable")))


def _rivals(metric: ModuleType, folder: str) -> dict[str, Scored]:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        metric.baselines(folder)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    return {line["name"]: _scored(line) for line in lines}


def _judged(played: Played) -> int:
    pairs = zip(played.questions, steps_of(played), strict=True)
    return sum(bool(steps) and played.metric.learnable(question) for question, steps in pairs)


# Silent


def _silent(played: Played, folder: str) -> Iterator[Figure]:
    """What a project never saw is seldom known; whoever answers then makes it up."""
    with open(os.path.join(folder, "history.json"), encoding="utf-8") as file:
        history = json.load(file)["episodes"]
    seen = {(each["repo"], _key(each)) for each in history}
    new = [
        steps for q, steps in zip(played.questions, steps_of(played), strict=True) if (q["repo"], _key(q)) not in seen
    ]
    quiet = sum(not steps for steps in new)
    said_ = f"{quiet} of {len(new)}"
    yield Figure("failures whose fingerprint is new in the project, met with silence", 100 * quiet / len(new), "%",
                 least=85, note=said_)  # fmt: skip


def _key(each: Question) -> str:
    return fingerprint(each["text"], each["command"], None, each["cwd"]).fingerprint


# What nobody may be told


def _unfit(played: Played) -> Iterator[Figure]:
    """Served over all data: to the questions, and to every failure of the history itself."""
    shown = [(q["command"], steps) for q, steps in zip(played.questions, steps_of(played), strict=True)]
    with Memory.open(played.home, folder=played.home) as memory:
        failed = [event for event in memory.store.events() if event.kind == TOOL_CALL and event.body.get("failed")]
        for event in failed:
            output, command, cwd = (_text(event, name) for name in ("output", "command", "cwd"))
            fixes = memory.match(fingerprint(output, command, None, cwd), command, cwd=cwd).fixes if command else ()
            shown.append((command, [step for fix in fixes for step in fix.steps]))
        broken = _broken(list(memory.store.events()))
    steps = [(command, step) for command, all_ in shown for step in all_]
    note = f"{len(steps):,} steps shown at {len(shown):,} failures"
    same = sum(tokens(bare(step)) == tokens(bare(command)) for command, step in steps)
    yield Figure("steps shown that are the failing command itself", same, "", most=0, note=note)
    secret = sum(bool(redacted(step).found) for _, step in steps)
    yield Figure("steps shown that hold a secret", secret, "", most=0)
    yield Figure("mined steps that failed in the session that they are from", len(broken), "", most=0,
                 note="; ".join(broken[:3]))  # fmt: skip


def _text(event: Event, name: str) -> str:
    given = event.body.get("input")
    value = given.get("command") if name == "command" and isinstance(given, dict) else event.body.get(name)
    return value if isinstance(value, str) else ""


def _broken(events: Sequence[Event]) -> list[str]:
    """Mined steps, as they were typed, that ended with a failure between the failure and what passed."""
    calls = {event.id: event for event in events if event.kind == TOOL_CALL}
    by_session: dict[str, list[Event]] = {}
    for event in calls.values():
        by_session.setdefault(event.session, []).append(event)
    found = []
    for fix in (event for event in events if event.kind == FIX and event.body.get("source") == "mined"):
        first, last = calls.get(str(fix.body.get("of"))), calls.get(str(fix.body.get("by")))
        if first is None or last is None:
            continue
        between = (call for call in by_session[fix.session] if first.time < call.time <= last.time)
        failed = {step for call in between if call.body.get("failed") for step in said(_text(call, "command"))}
        found += [step for step in map(str, fix.body.get("steps", ())) if step in failed]
    return found


# Quick, and once


def _kept(played: Played) -> Iterator[Figure]:
    yield Figure("bringing and learning from all of it", played.took, "s", most=180)
    before = _dump(played.home)
    projects = os.path.join(os.path.dirname(played.home), ".claude", "projects")
    engrain(played.home, "import", "claude-code", projects)
    again = _dump(played.home)
    yield Figure("rows that differ after a second run", len(before ^ again), "", most=0, note=f"of {len(before):,}")
    engrain(played.home, "rebuild")
    yield Figure("rows that differ after a rebuild", len(before ^ _dump(played.home)), "", most=0)


def _dump(home: str) -> frozenset[str]:
    with Memory.open(home, folder=home) as memory:
        return frozenset(memory.dump())


def main() -> None:
    """Shows what each set alone gives."""
    parser = argparse.ArgumentParser(prog="python -m bench.learning", description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS), help="of the transcripts, with commas between")
    asked = parser.parse_args()
    sets = asked.sets.split(",")
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        played = play(folder, sets)
        for figure in _useful(played, folder):
            print(f"{figure.what}: {figure.value:,.4g} {figure.unit}  {figure.note}")
        for name in sets:
            rows = [(q, a) for q, a in zip(played.questions, steps_of(played), strict=True) if q["repo"] == name]
            ours = scored(played.metric, [q for q, _ in rows], [a for _, a in rows])
            counts = f"{ours.learnable:4} learnable {ours.answered:4} answered {ours.useful:4} useful"
            print(f"{name:40} {len(rows):4} asked {counts}")


if __name__ == "__main__":
    main()
