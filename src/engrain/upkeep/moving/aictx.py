"""aictx: what it keeps of a repository, in `.aictx/` there.

    failure_memory/failure_patterns.jsonl   what failed; where somebody said what resolved it, a fix
    strategy_memory/strategies.jsonl        a task, what was done for it, and whether it went well
    continuity/handoffs.jsonl               the same in a sentence, of every task that ended, and what comes next
    continuity/decisions.jsonl              what was decided, and why
    tasks/threads/*.json                    tasks and where they stand

A row has no name of its own: it is known by what it says and when. That a later task went well is no proof that it
resolved a failure, so what aictx concludes from that is told, and no fix. Its indexes, maps, contracts and metrics, and
the preferences that it writes itself, are left.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.event import Event
from engrain.paths import reason
from engrain.redact.sensitive import sensitive
from engrain.upkeep.moving.making import Making, Recipe, stamped, texts, word

TOOL = "aictx"
FOLDER = ".aictx"
REGISTRY = os.path.join(FOLDER, "projects_registry.json")
MOST_LINE = 8 * 1024 * 1024

LINES = (
    os.path.join("failure_memory", "failure_patterns.jsonl"),
    os.path.join("strategy_memory", "strategies.jsonl"),
    os.path.join("continuity", "decisions.jsonl"),
    os.path.join("continuity", "handoffs.jsonl"),
)
THREADS = os.path.join("tasks", "threads")

Fields = Mapping[str, Any]


class Kept(NamedTuple):
    """The files of a repository that aictx keeps; `root` is the repository."""

    root: str
    files: tuple[str, ...]


def kept(path: str) -> Kept:
    """What aictx keeps of a repository, which is named by its own folder or by that of aictx."""
    path = os.path.abspath(path)
    folder = path if os.path.basename(path) == FOLDER else os.path.join(path, FOLDER)
    if not os.path.isdir(folder):
        raise BadInput(f"no folder {FOLDER} in {path}: aictx has kept nothing there")
    threads = os.path.join(folder, THREADS)
    names = sorted(name for name in os.listdir(threads) if name.endswith(".json")) if os.path.isdir(threads) else []
    files = [*(os.path.join(folder, name) for name in LINES), *(os.path.join(threads, name) for name in names)]
    return Kept(os.path.dirname(folder), tuple(file for file in files if os.path.isfile(file)))


def registered(home: str) -> list[str]:
    """The repositories that aictx knows on this machine, those that are still there."""
    try:
        with open(os.path.join(home, REGISTRY), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError, RecursionError):
        return []
    rows = found.get("projects") if isinstance(found, dict) else None
    paths = [word(row.get("repo_path")) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [path for path in paths if os.path.isdir(os.path.join(path, FOLDER))]


def size(found: Kept) -> int:
    """How many bytes there are to read."""
    return sum(os.path.getsize(file) for file in found.files)


def read(found: Kept, making: Making, project: str) -> Iterator[Event | int]:
    """Everything that is kept of a repository; how many bytes were read, after each piece."""
    for path in found.files:
        tell = _READERS.get(os.path.basename(path), _thread)
        try:
            for fields, length in _pieces(path, making):
                if fields:
                    yield from tell(fields, making, project)
                yield length
        except OSError as exc:
            making.leave(path, reason(exc))


def _pieces(path: str, making: Making) -> Iterator[tuple[Fields, int]]:
    """The objects of a file, each with its length; one that is torn is named, and the others come all the same."""
    with open(path, "rb") as file:
        whole = path.endswith(".json")
        for number, line in enumerate([file.read()] if whole else iter(lambda: file.readline(MOST_LINE), b""), start=1):
            fields = _object(line)
            if fields is None and line.strip():
                making.leave(path if whole else f"{path}:{number}", "not JSON, or no object")
            yield fields or {}, len(line)


def _object(line: bytes) -> Fields | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _failure(row: Fields, making: Making, project: str) -> Iterator[Event]:
    error, command = word(row.get("error_text")), word(row.get("failed_command"))
    time, about = stamped(row.get("timestamp")), word(row.get("attempted_fix_summary"))
    key = ("failure", project, word(row.get("failure_id")), time, error, command)
    if not error:
        making.leave(f"failure {row.get('failure_id')}", "it has no text")
    elif about and about == word(row.get("resolution_hint")) and row.get("status") == "resolved":
        # Only where it was said so is this what resolved it; else it is what was tried.
        given = Recipe(error, about.splitlines(), command, tags=_tags(row))
        yield from making.fix(given, *key, project=project, time=time)
    else:
        parts = (("Failed", error), ("Command", command), ("Tried", about), ("Files", row.get("files_involved")))
        yield from making.note(
            _text(parts), *key, tags=["failure", word(row.get("status")), *_tags(row)], project=project, time=time
        )


def _strategy(row: Fields, making: Making, project: str) -> Iterator[Event]:
    edited, tests = _files(row.get("files_edited")), texts(row.get("tests_executed"))
    said = {
        "type": _TYPES.get(word(row.get("task_type")), ""),
        "outcome": "failed" if row.get("is_failure") is True or row.get("success") is False else "success",
        "entry": _entry(row.get("primary_entry_point"), tests),
        "area": word(row.get("area_id")).replace("unknown", ""),
        # What was run for a test stands among the files there.
        "read": [path for path in _files(row.get("files_used")) if path not in (*edited, *tests)],
        "modified": edited,
        "commands": texts(row.get("commands_executed")),
        "tests": [{"command": test} for test in tests],
        "errors": [{"message": error} for error in texts(row.get("notable_errors"))],
    }
    yield from _task(row, word(row.get("task_text")), word(row.get("task_id")), said, making, project)


def _task(row: Fields, text: str, run: str, said: dict[str, Any], making: Making, project: str) -> Iterator[Event]:
    """A task that ended. Two files tell of most of them: by the run, its time and its end that is one."""
    time = stamped(row.get("timestamp"))
    if text:
        name = (project, run, time, text, said["outcome"])
        yield from making.task({"text": text, **said}, name, said["outcome"], project=project, time=time)


def _files(value: Any) -> list[str]:
    """Files, without those that nobody may know of."""
    return [path for path in texts(value) if not sensitive(path)]


def _entry(value: Any, tests: Sequence[str]) -> str:
    return word(value) if word(value) not in tests and not sensitive(word(value)) else ""


_TYPES = {
    "bug_fixing": "bugfix", "refactoring": "refactor", "testing": "test", "performance": "performance",
    "architecture": "architecture", "feature_work": "feature",
}  # fmt: skip
_WENT = {"resolved": "success", "failed": "failed"}


def _decision(row: Fields, making: Making, project: str) -> Iterator[Event]:
    parts = (
        ("Decided", ": ".join(filter(None, (word(row.get("title")), word(row.get("decision")))))),
        ("Because", row.get("rationale")), ("Instead of", row.get("alternatives")), ("Given", row.get("constraints")),
        ("Risks", row.get("risks")), ("Files", row.get("related_paths")),
    )  # fmt: skip
    time = stamped(row.get("timestamp"))
    key = ("decision", project, time, word(row.get("decision")))
    yield from making.note(_text(parts), *key, tags=["decision", *_tags(row)], project=project, time=time)


def _handoff(row: Fields, making: Making, project: str) -> Iterator[Event]:
    task, run, tests = word(row.get("reason")), word(row.get("execution_id")), texts(row.get("tests_observed"))
    if task:
        said = {
            "summary": word(row.get("summary")),
            "type": _TYPES.get(word(row.get("task_type")), ""),
            "outcome": _WENT.get(word(row.get("status")), "unknown"),
            "tests": [{"command": test} for test in tests],
        }
        yield from _task(row, task, run, said, making, project)
        if not any(texts(row.get(name)) for name in ("next_steps", "blocked", "risks")):
            return
    parts = (
        ("Task", task), ("Done", row.get("summary")), ("Next", row.get("next_steps")),
        ("Blocked", row.get("blocked")), ("Risks", row.get("risks")),
        ("Start at", row.get("recommended_starting_points")),
    )  # fmt: skip
    time = stamped(row.get("timestamp"))
    key = ("handoff", project, word(row.get("execution_id")), time, word(row.get("summary")))
    tags = ["handoff", word(row.get("status")), *_tags(row)]
    agent = word(row.get("agent_id"))
    yield from making.note(_text(parts), *key, tags=tags, project=project, time=time, agent=agent)


def _thread(row: Fields, making: Making, project: str) -> Iterator[Event]:
    parts = (
        ("Task", row.get("goal")), ("State", row.get("status")), ("Next", row.get("next_action")),
        ("Believed", row.get("current_hypothesis")), ("Verified", row.get("verified")),
        ("Not verified", row.get("unverified")), ("Risks", row.get("risks")), ("Files", row.get("active_files")),
    )  # fmt: skip
    time = stamped(row.get("updated_at"))
    if word(row.get("goal")):
        key = ("thread", project, word(row.get("task_id")), time)
        yield from making.note(_text(parts), *key, tags=["task", word(row.get("status"))], project=project, time=time)


_READERS = dict(zip(map(os.path.basename, LINES), (_failure, _strategy, _decision, _handoff), strict=True))


def _tags(row: Fields) -> list[str]:
    known = (word(row.get("task_type")), word(row.get("subsystem")))
    return [tag for tag in known if tag and tag != "unknown"]


def _text(parts: Sequence[tuple[str, Any]]) -> str:
    """What is said of something, a line each; a list on one line."""
    told = ((name, ", ".join(texts(value)) if isinstance(value, list) else word(value)) for name, value in parts)
    return "\n".join(f"{name}: {value}" for name, value in told if value)
