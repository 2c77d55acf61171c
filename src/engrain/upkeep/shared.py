"""Shared: the files of a team's memory in a repository, a record a line.

    .engrain/shared/<name>.jsonl
    {"engrain":"fix","v":1,…,"by":"4f1c…"}

`by` is the memory that says so: a random word of that home and project, nobody's name. Lines are sorted and each is
whole, so git joins two branches line by line (`merge=union`), and a line that it then has twice counts once. Of one
record that several memories share, each says how often it saw it work; a later count of the same memory takes the place
of an earlier one, and those of different ones add up. So whoever merges loses nothing and counts nothing twice.

A line that can't be understood is left where it is: it may be of a newer Engrain.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.light import sha256
from engrain.paths import reason

FOLDER = os.path.join(".engrain", "shared")
VERSION = 1
MOST_BYTES = 8 * 1024 * 1024
MOST_LINE = 32 * 1024
MOST_RECORDS = 5000
COUNTS = ("worked", "failed")
_CONFLICT = (b"<<<<<<< ", b">>>>>>> ", b"=======")


class Line(NamedTuple):
    """A line that holds a record: where it stands, its fields, and who says so."""

    number: int
    fields: Mapping[str, Any]
    by: str


class Refusal(NamedTuple):
    """A line that is left out, and why."""

    file: str
    number: int
    why: str


def path(root: str, name: str) -> str:
    """The file of a kind of records. A repository may not lead us out of itself."""
    place = os.path.join(root, FOLDER, f"{name}.jsonl")
    inside = os.path.relpath(os.path.realpath(place), os.path.realpath(root)).split(os.sep)
    if inside[0] in ("..", ".git"):
        raise BadInput(f"{place} leads out of the repository; it was left as it is")
    return place


def lines(place: str) -> list[bytes]:
    """The lines of such a file, without their ends; none where there is no file."""
    try:
        with open(place, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return []
    except OSError as exc:
        raise BadInput(f"can't read {place}: {reason(exc)}") from exc
    if len(data) > MOST_BYTES:
        raise BadInput(f"{place}: larger than {MOST_BYTES // 1024 // 1024} MiB; it was not read")
    found = [line.rstrip(b"\r") for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    if any(line.startswith(_CONFLICT) for line in found):
        raise BadInput(f"{place} holds a conflict of git: resolve it first")
    return [line for line in found if line.strip()]


def read(name: str, mark: str, found: Iterable[bytes]) -> tuple[list[Line], list[Refusal]]:
    """The records in these lines, each once, and what is left out."""
    records: dict[bytes, Line] = {}
    refused = []
    for number, line in enumerate(found, start=1):
        try:
            if line not in records and len(records) >= MOST_RECORDS:
                raise BadInput(f"more than {MOST_RECORDS:,} records")
            records.setdefault(line, Line(number, *_fields(mark, line)))
        except BadInput as exc:
            refused.append(Refusal(f"{name}.jsonl", number, str(exc)))
    return list(records.values()), refused


def _fields(mark: str, line: bytes) -> tuple[dict[str, Any], str]:
    if len(line) > MOST_LINE:
        raise BadInput(f"longer than {MOST_LINE // 1024} KiB")
    try:
        fields = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise BadInput("not JSON") from None
    if not isinstance(fields, dict) or fields.get("engrain") != mark:
        raise BadInput(f"not a {mark}")
    if fields.get("v") != VERSION:
        raise BadInput("of another version: written by a newer Engrain?")
    return fields, str(fields.get("by", ""))[:64]


def line(mark: str, fields: Mapping[str, Any], by: str) -> bytes:
    """A record as its line."""
    kept = {name: value for name, value in fields.items() if value}
    told = {"engrain": mark, "v": VERSION, **kept, "by": by}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def merged(found: Iterable[bytes], mark: str, own: Iterable[bytes], by: str) -> bytes:
    """The file with these lines in place of those that the same memory wrote before; all others stay."""
    others = {each for each in found if not _said_by(mark, each, by)}
    return b"".join(each + b"\n" for each in sorted(others | set(own)))


def _said_by(mark: str, line: bytes, by: str) -> bool:
    try:
        return _fields(mark, line)[1] == by
    except BadInput:
        return False


def content(files: Mapping[str, Iterable[Line]]) -> str:
    """The hash of what others say, whatever the order of their lines."""
    told = sorted(
        json.dumps([name, each.fields], ensure_ascii=False, sort_keys=True)
        for name, rows in files.items()
        for each in rows
    )
    return sha256("\n".join(dict.fromkeys(told)).encode("utf-8", "replace"))[:32] if told else ""


def united(rows: Iterable[Line]) -> dict[str, int]:
    """How often a record was seen to work and to fail: of each memory what it said last, of all of them the sum."""
    most: dict[str, dict[str, int]] = {}
    for row in rows:
        counts = most.setdefault(row.by, dict.fromkeys(COUNTS, 0))
        for name in COUNTS:
            value = row.fields.get(name)
            counts[name] = max(counts[name], value if type(value) is int else 0)
    return {name: sum(counts[name] for counts in most.values()) for name in COUNTS}
