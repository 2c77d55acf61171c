"""Records: tasks as lines of JSON in a repository, to be read, searched and set right with any editor.

    .engrain/executions.jsonl   every task that was finalized, with all its fields
    .engrain/strategies.jsonl   those that went well, as far as they help with the next one
    .engrain/failures.jsonl     those that did not, with what went wrong
    .engrain/areas.jsonl        which part of the repository each was about, and how it went there
    .engrain/feedback.jsonl     whether a strategy that was shown was followed

The folder has its own .gitignore: what is shared lies in `shared/`. Each line has a sum of itself: where that is wrong,
somebody set the line right by hand. `events` are the events that it tells of; what of them was forgotten is taken out.
A line that can't be understood costs itself alone.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from engrain.errors import BadInput, HomeUnusable
from engrain.event import timestamp
from engrain.learn.tasks import FAILED, FIELDS, SUCCESS, Task, said_in
from engrain.light import sha256
from engrain.paths import Home, reason, replace_file, write_all

FOLDER, LOCK, IGNORES = ".engrain", ".lock", ".gitignore"
IGNORED = "/*\n!/.gitattributes\n!/shared/\n"
SUM, EVENTS = "sum", "events"
MOST_LINE = 256 * 1024

EXECUTIONS, STRATEGIES, FAILURES, AREAS, FEEDBACK = NAMES = (
    "executions", "strategies", "failures", "areas", "feedback",
)  # fmt: skip
CORRECTED = (EXECUTIONS, STRATEGIES, FAILURES)
"""Files whose lines tell fields of a task: a hand that changes them sets the task right."""

_OF_STRATEGIES = ("text", "type", "entry", "area", "modified", "commands", "tests", "summary")
_OF_FAILURES = ("text", "type", "area", "modified", "errors", "summary")

Fields = Mapping[str, Any]


class Line(NamedTuple):
    """A line that could be read: where it stands, its fields, and whether somebody changed it."""

    file: str
    number: int
    fields: Fields
    edited: bool


class Damaged(NamedTuple):
    """A line that could not, and why."""

    file: str
    number: int
    why: str


def lines_of(task: Task) -> dict[str, list[str]]:
    """The lines that tell of a task, by file."""
    fields = {name: getattr(task, name) for name in FIELDS if getattr(task, name) not in ("", None, ())}
    about = {"task": task.id, "time": timestamp(task.time), EVENTS: list(task.events)}
    whole = {
        **about, **fields, "started": timestamp(task.started), "session": task.session, "agent": task.agent,
        "followed": list(task.followed), "provenance": dict(task.provenance),
    }  # fmt: skip
    found = {EXECUTIONS: [whole]}
    for name, outcome, kept in ((STRATEGIES, SUCCESS, _OF_STRATEGIES), (FAILURES, FAILED, _OF_FAILURES)):
        if task.outcome == outcome:
            found[name] = [{**about, **{each: fields[each] for each in kept if each in fields}}]
    if task.area:
        found[AREAS] = [{**about, "area": task.area, "outcome": task.outcome, "modified": list(task.modified)}]
    found[FEEDBACK] = [{**about, "strategy": each, "followed": True, "outcome": task.outcome} for each in task.followed]
    return {name: [_line(each) for each in rows] for name, rows in found.items() if rows}


def _line(fields: Fields) -> str:
    kept = {name: value for name, value in fields.items() if value not in ("", (), [])}
    return _text({**kept, SUM: sum_of(kept)})


def sum_of(fields: Fields) -> str:
    """What a line says, in a word."""
    rest = {name: value for name, value in fields.items() if name != SUM}
    return sha256(_text(rest).encode("utf-8", "replace"))[:16]


def _text(fields: Fields) -> str:
    return json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def said(fields: Fields, file: str) -> dict[str, Any]:
    """The fields of a task that a line tells."""
    known = {EXECUTIONS: FIELDS, STRATEGIES: _OF_STRATEGIES, FAILURES: _OF_FAILURES}[file]
    return said_in({name: value for name, value in fields.items() if name in known})


# Files


def place(root: str, name: str = "") -> str:
    """A file of the folder. A repository may not lead us out of itself."""
    found = os.path.join(root, FOLDER, *([f"{name}.jsonl"] if name else []))
    inside = os.path.relpath(os.path.realpath(found), os.path.realpath(root)).split(os.sep)
    if inside[0] in ("..", ".git"):
        raise BadInput(f"{found} leads out of the repository; it was left as it is")
    return found


def append(root: str, lines: Mapping[str, list[str]]) -> None:
    """These lines stand at the end of their files."""
    with held(root):
        for name, rows in lines.items():
            _append(place(root, name), "".join(f"{row}\n" for row in rows).encode("utf-8", "replace"))


def replace(root: str, tasks: Mapping[str, Mapping[str, list[str]]]) -> None:
    """These lines stand in the place of all that told of the same tasks; every other line stays as it is."""
    with held(root):
        for name in NAMES:
            path = place(root, name)
            rows = list(_rows(path))
            kept = [row for row in rows if not _is_of(row, tasks)]
            fresh = [f"{line}\n".encode("utf-8", "replace") for lines in tasks.values() for line in lines.get(name, ())]
            if fresh or len(kept) < len(rows):
                torn = [b"\n"] if kept and kept[-1][-1:] != b"\n" else []
                replace_file(path, b"".join([*kept, *torn, *fresh]))


def _is_of(row: bytes, tasks: Collection[str]) -> bool:
    fields = _fields(row)
    return isinstance(fields, dict) and fields.get("task") in tasks


def _append(path: str, data: bytes) -> None:
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            end = os.lseek(fd, 0, os.SEEK_END)
            # What was torn before keeps its line to itself.
            torn = end > 0 and os.pread(fd, 1, end - 1) != b"\n"
            write_all(fd, (b"\n" if torn else b"") + data)
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as exc:
        raise HomeUnusable(f"can't write {path}: {reason(exc)}") from exc


@contextmanager
def held(root: str) -> Iterator[None]:
    """Nobody else changes these files meanwhile; the folder is there, and git ignores it."""
    folder = place(root)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        ignores = os.path.join(folder, IGNORES)
        if not os.path.lexists(ignores):
            with open(ignores, "x", encoding="utf-8") as file:
                file.write(IGNORED)
    except FileExistsError:
        # Somebody made it at the same moment.
        pass
    except OSError as exc:
        raise HomeUnusable(f"can't use {folder}: {reason(exc)}") from exc
    try:
        fd = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as exc:
        raise HomeUnusable(f"can't use {folder}: {reason(exc)}") from exc
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def read(root: str, names: Collection[str] = CORRECTED) -> tuple[list[Line], list[Damaged]]:
    """The lines of these files, and those that can't be understood."""
    found: list[Line] = []
    damaged: list[Damaged] = []
    for name in names:
        for number, row in enumerate(_rows(place(root, name)), start=1):
            fields = _fields(row)
            if isinstance(fields, str):
                damaged.append(Damaged(f"{name}.jsonl", number, fields))
            elif fields:
                found.append(Line(name, number, fields, fields.get(SUM) != sum_of(fields)))
    return found, damaged


def _rows(path: str) -> Iterator[bytes]:
    try:
        with open(path, "rb") as file:
            yield from file
    except FileNotFoundError:
        return
    except OSError as exc:
        raise BadInput(f"can't read {path}: {reason(exc)}") from exc


def _fields(row: bytes) -> dict[str, Any] | str:
    """What a line says, or what is wrong with it."""
    if not row.strip():
        return {}
    if len(row) > MOST_LINE:
        return f"longer than {MOST_LINE // 1024} KiB"
    try:
        fields = json.loads(row.decode("utf-8"))
    except (ValueError, RecursionError):
        return "not JSON"
    if not isinstance(fields, dict) or not isinstance(fields.get("task"), str):
        return "not of a task"
    return fields


def without(root: str, ids: Collection[str]) -> int:
    """What tells of these events is gone from the files; how many lines that were. What can't be read goes with them
    where one of the ids stands in it, whole and as a value."""
    if not os.path.isdir(place(root)):
        return 0
    needles = [json.dumps(id_, ensure_ascii=False).encode("utf-8", "replace") for id_ in ids]
    gone = 0
    with held(root):
        for name in NAMES:
            path = place(root, name)
            rows = list(_rows(path))
            kept = [row for row in rows if not any(_says(row, needle) for needle in needles)]
            if len(kept) < len(rows):
                gone += len(rows) - len(kept)
                replace_file(path, b"".join(kept))
    return gone


def _says(row: bytes, value: bytes) -> bool:
    """Whether this is one of the values of a line; its field names are not."""
    at = row.find(value)
    while at >= 0:
        if row[at + len(value) :].lstrip()[:1] != b":":
            return True
        at = row.find(value, at + 1)
    return False


def stamp(root: str) -> str:
    """What tells whether anybody changed the files since."""
    found = []
    for name in CORRECTED:
        try:
            seen = os.stat(place(root, name))
            found.append(f"{seen.st_size} {seen.st_mtime_ns} {seen.st_ino}")
        except FileNotFoundError:
            found.append("-")
        except OSError as exc:
            raise BadInput(f"can't read {place(root, name)}: {reason(exc)}") from exc
    return "\n".join(found)


def stamp_file(home: Home, tenant: str, root: str) -> str:
    """The file that holds the stamp of when a home looked at them last."""
    return home.at("records", sha256(f"{tenant}\0{root}".encode("utf-8", "replace"))[:32])


def looked_at(home: Home, tenant: str, root: str) -> bool:
    """Whether nobody changed the files since a home looked at them; there may be none."""
    now = stamp(root)
    return now == "\n".join("-" * len(CORRECTED)) or now == _seen_before(stamp_file(home, tenant, root))


def _seen_before(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except OSError:
        return ""


def look(home: Home, tenant: str, root: str) -> None:
    """What stands there now was looked at."""
    replace_file(stamp_file(home, tenant, root), stamp(root).encode())
