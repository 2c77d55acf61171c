"""Tasks: is the strategy that is suggested the right one, silent where none is, and quick among many?

    python -m bench tasks [--full]

The strategies and the requests were written before there was a ranker, by somebody who had not seen it. Real tasks are
the first prompts of the sessions in `transcripts/swe`: a suggestion is right when it shares a changed file or a test
command with what the session then did; strategies of the session itself are left out. It is held against whoever
always names the one strategy that fits most sessions. Cold figures are processes of their own; aictx runs beside them,
in turns, with the same tasks in its own form, and of each the quickest run counts, because other work shares the
machine.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.beside import environment
from bench.figure import Absent, Figure, shared
from engrain import event as events
from engrain.event import TASK
from engrain.learn.tasks import SUCCESS, Task, id_of, tested_by
from engrain.memory import Memory, tasks
from engrain.memory.tasks import Asked
from engrain.project import Project
from engrain.recall.tasks import suggested

AICTX = "aictx==7.0.1"
STRATEGIES = os.path.join(os.path.dirname(__file__), "strategies.jsonl")
QUERY = "listing somebody's past purchases takes five seconds, make it quicker"
FEW, MANY = 10, 50_000
ROUNDS, AT_ONCE = 7, 40
QUICK, REPOSITORIES = 60, ("django", "sympy", "sphinx-doc", "scikit-learn")

Row = dict[str, Any]


def measure(full: bool) -> Iterator[Figure]:
    """The rows of tasks and strategies."""
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        yield from _written(os.path.join(folder, "written"))
        yield from _at_once(os.path.join(folder, "at-once"))
        yield from _cold(os.path.join(folder, "cold"))
        yield from _real(os.path.join(folder, "real"), full)


# Strategies and requests that were written before


def _rows(kind: str) -> list[Row]:
    with open(STRATEGIES, encoding="utf-8") as file:
        return [row for row in map(json.loads, file) if row["kind"] == kind]


def _fields(row: Row) -> Row:
    names = {
        "type": "type",
        "files": "modified",
        "entry_point": "entry",
        "commands": "commands",
        "tests": "tests_added",
    }
    return {**{ours: row[theirs] for theirs, ours in names.items()}, "summary": row["summary"]}


def _written(folder: str) -> Iterator[Figure]:
    os.makedirs(folder)
    with Memory.open(os.path.join(folder, "home"), folder=folder) as memory:
        ids = [memory.remember_task(row["task"], **_fields(row)).task.id for row in _rows("strategy")]
        queries, unrelated = _rows("query"), _rows("unrelated")
        config = memory.config
        for name, meant in (("by words alone", False), ("", True)):
            memory.config = config if meant else config.having("embed.model", "none")
            if meant and _embedded(memory):
                raise Absent("nothing can be embedded here, so meaning is not measured")
            found = [memory.suggest(row["text"], record=False) for row in queries]
            right = sum(
                each.hint is not None and each.hint.task.id == ids[row["expect"]]
                for each, row in zip(found, queries, strict=True)
            )
            silent = sum(memory.suggest(row["text"], record=False).hint is None for row in unrelated)
            note = f"of {len(ids)} over 5 topics, {len(queries)} requests in other words"
            least = (8, 4) if meant else (None, 4)
            yield Figure(f"strategies, the right one first {name}".strip(), right, "", least=least[0], note=note)
            yield Figure(
                f"strategies, silent at what is unrelated {name}".strip(), silent, "", least=least[1],
                note=f"of {len(unrelated)}",
            )  # fmt: skip


def _embedded(memory: Memory) -> str:
    from engrain.errors import EmbedderUnavailable

    try:
        memory.embed()
    except EmbedderUnavailable as exc:
        return str(exc)
    return ""


# Many at once


def _at_once(folder: str) -> Iterator[Figure]:
    os.makedirs(folder)
    words = [sys.executable, "-m", "engrain", "finalize", "--outcome", "success", "--file", "src/a.py", "--text"]
    environ = {**os.environ, "ENGRAIN_HOME": os.path.join(folder, "home")}
    quiet: dict[str, Any] = {"cwd": folder, "env": environ, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    several = [subprocess.Popen([*words, f"task {number}"], **quiet) for number in range(AT_ONCE)]
    said = [each.communicate()[1] for each in several]
    broken = [text.decode()[-200:] for text, each in zip(said, several, strict=True) if each.returncode]
    with Memory.open(os.path.join(folder, "home"), folder=folder) as memory:
        records = len({task.text for task in memory.tasks(limit=1000)})
    with open(os.path.join(folder, ".engrain", "executions.jsonl"), encoding="utf-8") as file:
        lines = len({json.loads(line)["text"] for line in file})
    note = broken[0] if broken else ""
    yield Figure(f"{AT_ONCE} times finalize at once, records", records, "", least=AT_ONCE, most=AT_ONCE, note=note)
    yield Figure(f"{AT_ONCE} times finalize at once, lines", lines, "", least=AT_ONCE, most=AT_ONCE)


# How long one asks


class Place(NamedTuple):
    """A repository, and the home that remembers it."""

    repository: str
    home: str


def _cold(folder: str) -> Iterator[Figure]:
    few, many = (_filled(os.path.join(folder, str(number)), number) for number in (FEW, MANY))
    try:
        aictx = _aictx(os.path.join(folder, "aictx"))
    except (OSError, subprocess.SubprocessError):
        aictx = None
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, place in (("few", few), ("many", many)):
            best[name] = min(best.get(name, 1e9), _asked(place))
        if aictx is not None:
            best["aictx"] = min(best.get("aictx", 1e9), _took(*aictx))
    note = f"{1000 * best['few']:.0f} ms with {FEW}; by meaning, a process of its own"
    yield Figure(f"suggest, cold, {MANY:,} tasks", 1000 * best["many"], "ms", note=note)
    yield Figure(f"suggest, cold, {MANY:,} tasks against {FEW}", best["many"] / best["few"], "×", most=5)
    if aictx is None:
        raise Absent(f"{AICTX} can't be installed here, so the time is not compared")
    yield Figure(f"{AICTX.replace('==', ' ')} in the same run", 1000 * best["aictx"], "ms")
    yield Figure("times as quick as aictx 7.0.1", best["aictx"] / best["many"], "×", least=10)


def _filled(folder: str, number: int) -> Place:
    """A home that has so many tasks and their vectors; equal texts share one, which changes nothing for who asks."""
    place = Place(os.path.join(folder, "repository"), os.path.join(folder, "home"))
    os.makedirs(place.repository)
    with Memory.open(place.home, folder=place.repository) as memory:
        memory.store.append([memory.sighting()])
        memory.store.append(_many(memory, number))
        if why := _embedded(memory):
            raise Absent(why)
    return place


def _many(memory: Memory, number: int) -> Iterator[events.Event]:
    rows = _rows("strategy")
    for at in range(number):
        row, id_ = rows[at % len(rows)], f"bench-{at:06d}"
        said = {**_fields(row), "text": f"{row['task']} (ticket {at})", "outcome": SUCCESS}
        about = {"task": id_of(id_), "started": 10**15 + at, "source": "finalized"}
        yield memory.event(
            TASK, {**said, **about, "provenance": dict.fromkeys(said, "explicit")}, time=10**15 + at, id=id_
        )


def _asked(place: Place) -> float:
    words = [sys.executable, "-m", "engrain", "suggest", QUERY]
    return _took(words, {**os.environ, "ENGRAIN_HOME": place.home}, place.repository)


def _took(words: Sequence[str], environ: Mapping[str, str], folder: str) -> float:
    """Seconds until it has answered."""
    started = time.perf_counter()
    done = subprocess.run(words, env=dict(environ), cwd=folder, capture_output=True, check=False)
    took = time.perf_counter() - started
    if done.returncode or not done.stdout.strip():
        raise Absent(f"{words[0]} did not answer: {done.stderr.decode()[-300:]}")
    return took


_THEIRS = """
import json, os, sys
from aictx.strategy_memory import build_strategy_entry
rows, number = json.load(sys.stdin), int(sys.argv[1])
made = []
for row in rows:
    about = {"envelope": {"user_request": row["task"]}, "effective_task_type": row["type"]}
    log = {"files_opened": row["files"], "files_edited": row["files"], "commands_executed": row["commands"],
           "tests_executed": row["tests"], "notable_errors": []}
    made.append(build_strategy_entry(about, log, "2026-11-01T00:00:00Z", False))
os.makedirs(".aictx/strategy_memory")
with open(".aictx/strategy_memory/strategies.jsonl", "w") as file:
    for at in range(number):
        row = made[at % len(made)]
        file.write(json.dumps({**row, "task_id": f"t{at}", "task_text": f"{row['task_text']} (ticket {at})"}) + "\\n")
"""


def _aictx(folder: str) -> tuple[list[str], dict[str, str], str]:
    """How aictx is asked the same, in a repository where it has as many tasks."""
    home = environment(AICTX)
    python = os.path.join(home, "bin", "python")
    os.makedirs(folder)
    rows = json.dumps(_rows("strategy"))
    subprocess.run(
        [python, "-c", _THEIRS, str(MANY)], input=rows, cwd=folder, check=True, capture_output=True, text=True
    )
    words = [os.path.join(home, "bin", "aictx"), "suggest", "--repo", folder, "--request", QUERY]
    return words, {**os.environ, "HOME": folder}, folder


# Real tasks


class Session(NamedTuple):
    """What was asked first in a session, what it changed and how it tested, and which tasks are its own."""

    project: str
    asked: str
    files: frozenset[str]
    tests: frozenset[str]
    own: frozenset[str]

    def fits(self, task: Task) -> bool:
        """Whether somebody who did that task did some of what was done here."""
        return task.id not in self.own and bool(self.files & set(task.modified) or self.tests & tested_by(task))


def _real(folder: str, full: bool) -> Iterator[Figure]:
    """Suggestions for real requests, from what other sessions of the same repository did."""
    with Memory.open(os.path.join(folder, "home"), folder=folder) as memory:
        number = 0
        for name in REPOSITORIES if full else REPOSITORIES[:1]:
            number += _imported(memory, os.path.join(folder, "transcripts", name), name, None if full else QUICK)
        memory.learn()
        if why := _embedded(memory):
            raise Absent(why)
        sessions = list(_sessions(memory))
        strategies = [task for task in memory.tasks(everywhere=True, limit=100_000) if task.outcome == SUCCESS]
        usual = _usual(sessions, strategies)
        hints = [(each, _hint(memory, each)) for each in sessions]
    right = sum(task is not None and each.fits(task) for each, task in hints)
    said = sum(task is not None for _, task in hints)
    note = f"{number} sessions, {len(sessions)} that changed or tested something, {said} times a suggestion"
    yield Figure("real tasks, suggestion shares a file or a test", 100 * right / len(sessions), "%", note=note)
    yield Figure("real tasks, the most frequent strategy does", 100 * usual / len(sessions), "%")
    yield Figure("real tasks, against the most frequent strategy", right / max(usual, 1), "×", least=1.5)


def _imported(memory: Memory, folder: str, name: str, most: int | None) -> int:
    """Brings the sessions of a repository, unpacked: so many."""
    packed = shared("transcripts", "swe", name)
    os.makedirs(folder)
    names = sorted(os.listdir(packed))[:most]
    for each in names:
        target = os.path.join(folder, each.removesuffix(".gz"))
        with gzip.open(os.path.join(packed, each), "rb") as source, open(target, "wb") as file:
            shutil.copyfileobj(source, file)
    memory.import_transcripts("claude-code", memory.transcripts("claude-code", [folder]))
    return len(names)


def _sessions(memory: Memory) -> Iterator[Session]:
    found: dict[tuple[str, str], list[Task]] = {}
    for task in memory.tasks(everywhere=True, limit=100_000):
        found.setdefault((task.project, task.session), []).append(task)
    for (project, _), own in sorted(found.items()):
        first = min(own, key=lambda task: (task.started, task.id))
        files = frozenset(path for task in own for path in task.modified)
        tests = frozenset(command for task in own for command in tested_by(task))
        if files or tests:
            yield Session(project, first.text, files, tests, frozenset(task.id for task in own))


def _usual(sessions: Sequence[Session], strategies: Iterable[Task]) -> int:
    """How many sessions the one strategy of each repository fits that fits most of them."""
    best: dict[str, int] = {}
    for task in strategies:
        fits = sum(each.fits(task) for each in sessions if each.project == task.project)
        best[task.project] = max(best.get(task.project, 0), fits)
    return sum(best.values())


def _hint(memory: Memory, session: Session) -> Task | None:
    here = memory.seen_from(memory.tenant, Project(session.project, "", "", "", "", "", ""))
    found = [each for each in tasks.similar(here, Asked(session.asked)) if each.task.id not in session.own]
    hint = suggested(found, 1).hint
    return hint.task if hint else None
