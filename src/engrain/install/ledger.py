"""The ledger: which files outside the home we wrote into, and where in them. Never what else stands in them.

A file that is still as we left it loses exactly the bytes that we put in; one that somebody changed since loses our
entries by what they say.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engrain.errors import BadInput, HomeUnusable
from engrain.install import settings
from engrain.install.wiring import Wire
from engrain.light import sha256
from engrain.paths import Home, reason, replace_file

NAME = "installed.json"


class Change(NamedTuple):
    """What is to become of a file: its bytes before and after, None where it is not there."""

    path: str
    before: bytes | None
    after: bytes | None
    note: dict[str, Any] | None

    @property
    def changes(self) -> bool:
        """Whether it is anything."""
        return self.before != self.after


def putting(home: Home, path: str, wires: Sequence[Wire]) -> Change:
    """The change that wires a file."""
    path = os.path.realpath(path)
    before = _bytes(path)
    known = notes(home).get(path)
    base = _without(path, before, known)
    put = settings.put(base or "", wires)
    after = put.text.encode()
    note = {"created": base is None, "after": sha256(after), "spans": put.spans, "folders": _made(home, path)}
    return Change(path, before, after, note)


def taking(home: Home, path: str) -> Change:
    """The change that takes back what was put into a file."""
    path = os.path.realpath(path)
    before = _bytes(path)
    after = _without(path, before, notes(home).get(path))
    return Change(path, before, None if after is None else after.encode(), None)


def _without(path: str, data: bytes | None, known: dict[str, Any] | None) -> str | None:
    """The text of a file as if we had never been there; None where it would not be there."""
    if data is None:
        return None
    text = settings.checked(_text(path, data), path)
    if known is not None and known["after"] == sha256(data):
        return None if known["created"] else settings.cut(text, known["spans"])
    left = settings.without(text)
    return None if known is not None and known["created"] and left.strip() in ("", "{}") else left


def apply(home: Home, change: Change) -> None:
    """The file is as the change says, and the ledger knows it."""
    all_of_them = notes(home)
    known = all_of_them.pop(change.path, None)
    if change.note is not None:
        all_of_them[change.path] = change.note
        _keep(home, all_of_them)
    if change.changes:
        _write(change)
    if change.note is None and known is not None:
        _remove_folders(known["folders"])
        _keep(home, all_of_them)


def notes(home: Home) -> dict[str, dict[str, Any]]:
    """What was written where."""
    try:
        with open(home.at(NAME), encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as exc:
        raise HomeUnusable(f"can't read {home.at(NAME)}: {exc}") from exc
    return found if isinstance(found, dict) else {}


def wired(home: Home, more: Iterable[str]) -> dict[str, set[str]]:
    """The files that run our hook, of those that we wrote and of others that may, and at which events."""
    found: dict[str, set[str]] = {}
    for path in sorted({*notes(home), *map(os.path.realpath, more)}):
        try:
            events = settings.wired(_text(path, _bytes(path) or b""))
        except BadInput:
            continue
        if events:
            found[path] = events
    return found


def _keep(home: Home, all_of_them: dict[str, dict[str, Any]]) -> None:
    replace_file(home.at(NAME), json.dumps(all_of_them, indent=1, sort_keys=True).encode())


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise BadInput(f"can't read {path}: {reason(exc)}") from exc


def _text(path: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise BadInput(f"{path}: not UTF-8; it was left as it is") from exc


def _made(home: Home, path: str) -> list[str]:
    """Folders around this file that are there for our files alone, the outermost first."""
    before = {folder for note in notes(home).values() for folder in note["folders"]}
    folder, made = os.path.dirname(path), []
    while folder in before or not os.path.exists(folder):
        made.append(folder)
        folder = os.path.dirname(folder)
    return made[::-1]


def _write(change: Change) -> None:
    """Whole or not at all, with the mode that the file had."""
    try:
        if change.after is None:
            os.unlink(change.path)
            return
        os.makedirs(os.path.dirname(change.path), exist_ok=True)
        partial = f"{change.path}.{os.getpid()}.partial"
        mode = os.stat(change.path).st_mode & 0o7777 if change.before is not None else 0o666
        fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with open(fd, "wb") as file:
            file.write(change.after)
        if change.before is not None:
            os.chmod(partial, mode)
        os.replace(partial, change.path)
    except OSError as exc:
        raise BadInput(f"can't write {change.path}: {reason(exc)}; it was left as it is") from exc


def _remove_folders(folders: Sequence[str]) -> None:
    """Folders that were made for a file go with it, if nothing else has come into them."""
    for folder in reversed(folders):
        try:
            os.rmdir(folder)
        except OSError:
            return
