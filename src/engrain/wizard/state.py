"""State: what was done in a folder, in one file that is written whole after each stage; and the lock of the folder.

folder/WIZARD.json    the results of stages that are done, and the gates that a person approved
folder/wizard.lock    held while a wizard is at work there, and by the stage that it does
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Mapping
from typing import IO, Any, NamedTuple

from engrain.errors import BadInput
from engrain.paths import owner_only, reason, replace_file

FILE, LOCK = "WIZARD.json", "wizard.lock"
VERSION = 1
_PATIENCE = 10.0


class Done(NamedTuple):
    """How a stage went: of what it was made (`inputs`), what came of it (`digest`), why one may go on or not, what was
    measured, each check, its files with their hashes, the words of its gate."""

    inputs: str
    digest: str
    passed: bool
    because: str
    figures: Mapping[str, Any] = {}
    gates: tuple[Mapping[str, Any], ...] = ()
    beside: Mapping[str, Mapping[str, float]] = {}
    files: Mapping[str, str] = {}
    seconds: float = 0.0


class State(NamedTuple):
    """What a folder knows of its walk."""

    done: dict[str, Done]
    approved: dict[str, str]


def load(folder: str) -> State:
    """The state of a folder; a new one where there is none."""
    path = os.path.join(folder, FILE)
    try:
        with open(path, encoding="utf-8") as file:
            told = json.load(file)
        if told.get("version") != VERSION:
            raise BadInput(f"{path} was written by another version of the wizard; give another folder")
        done = {name: Done(**{**one, "gates": tuple(one["gates"])}) for name, one in told["done"].items()}
        return State(done, dict(told["approved"]))
    except FileNotFoundError:
        return State({}, {})
    except OSError as exc:
        raise BadInput(f"can't read {path}: {reason(exc)}") from exc
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise BadInput(f"{path} is damaged; give another folder") from exc


def save(folder: str, state: State) -> None:
    """The state is on the disk, whole or as it was."""
    told = {
        "version": VERSION, "done": {name: one._asdict() for name, one in state.done.items()},
        "approved": state.approved,
    }  # fmt: skip
    replace_file(os.path.join(folder, FILE), json.dumps(told, indent=2, ensure_ascii=False).encode())


def digest(*parts: Any) -> str:
    """One short hash of values."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def file_digest(path: str) -> str:
    """The hash of a file; empty where there is none."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def locked(folder: str) -> IO[str]:
    """The open lock of a folder, this process's alone until it is closed. What ends is waited for a little."""
    owner_only(folder)
    path = os.path.join(folder, LOCK)
    try:
        file = open(path, "a", encoding="utf-8")  # noqa: SIM115 - open as long as the walk
    except OSError as exc:
        raise BadInput(f"can't write {path}: {reason(exc)}") from exc
    ends = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            if time.monotonic() < ends:
                time.sleep(0.1)
                continue
            file.close()
            raise BadInput(f"another wizard is at work in {folder}") from exc
        return file
