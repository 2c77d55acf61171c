"""The ledger: which files outside the home we wrote into, and where in them. Never what else stands in them.

A file that is as we left it loses exactly the bytes that we put in; one that somebody changed since loses our entries
by what they say. Whoever is killed in the middle leaves every file old or new: what a file is to become is written
down before it becomes that, beside what it was.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from engrain.errors import BadInput, HomeUnusable
from engrain.install import settings
from engrain.install.forms import FORMS, decoded, encoded, ready
from engrain.install.wiring import FILE, JSON, Part
from engrain.light import sha256
from engrain.paths import Home, reason, replace_file
from engrain.project import find_repository

NAME, LOCK = "installed.json", "installed.lock"
PARTIAL = ".engrain-partial"
MOST_BYTES = 16 * 1024 * 1024
PATIENCE = 20.0

Note = dict[str, Any]


class Change(NamedTuple):
    """What is to become of a file: its bytes before and after, None where it is not there. Without a note the ledger
    forgets it."""

    path: str
    before: bytes | None
    after: bytes | None
    note: Note | None
    executable: bool = False

    @property
    def changes(self) -> bool:
        """Whether it is anything."""
        return self.before != self.after


# What is to be done


def putting(home: Home, part: Part) -> Change:
    """The change that puts a part into its file."""
    path = real(part)
    before = _bytes(path)
    known = notes(home).get(path)
    base = _without(path, before, part.form, known, part)
    put = FORMS[part.form].put(base or "", part)
    after = encoded(put.text)
    if after == before and known is None:
        return Change(path, before, after, None)
    state = {"after": sha256(after), "spans": put.spans, "created": base is None}
    note = {"form": part.form, "root": part.root, "agent": part.agent, "text": part.text if part.form != FILE else ""}
    if after == before and known is not None:
        return Change(path, before, after, {**known, "root": part.root or known.get("root", "")})
    return Change(path, before, after, {**note, "states": [state], "folders": _made(home, path)}, part.executable)


def taking(home: Home, path: str, form: str = "", root: str = "") -> Change:
    """The change that takes back what was put into a file; `form` and `root` are asked where the ledger knows none."""
    path = os.path.realpath(path)
    before = _bytes(path)
    known = notes(home).get(path)
    form = known.get("form", JSON) if known else form
    if form not in FORMS:
        raise BadInput(f"{path}: what was put there is of a newer Engrain; it was left as it is")
    base = _without(path, before, form, known, None)
    if base is None and before is not None and _tracked(path, (known or {}).get("root", "") or root):
        base = FORMS[form].emptied
    return Change(path, before, None if base is None else encoded(base), None)


def _without(path: str, data: bytes | None, form: str, known: Note | None, part: Part | None) -> str | None:
    """The text of a file as if we had never been there; None where it would not be there. For a `part` that is put in,
    what is there as it should be stays."""
    if data is None:
        return None
    text = decoded(form, path, data)
    for state in known["states"] if known else ():
        if state["after"] == sha256(data):
            return None if state["created"] else settings.cut(text, state["spans"])
    if part is not None:
        return ready(text, part)
    if form == JSON:
        settings.checked(text, path)
    left = FORMS[form].without(text, known.get("text", "") if known else _ours(form))
    if form == FILE and known is not None and left == text and text:
        raise BadInput(f"{path}: somebody has changed it since; it was left as it is")
    gone = left != text and FORMS[form].bare(left) and (form == FILE or _created(known))
    return None if gone else left


def _created(known: Note | None) -> bool:
    return known is not None and any(state["created"] for state in known["states"])


def _ours(form: str) -> str:
    from engrain.install import texts

    return {"markdown": texts.GUIDE, "lines": texts.IGNORED, "toml": texts.SERVER_TOML}.get(form, "")


def real(part: Part) -> str:
    """Where the file of a part really is. A repository may not lead us out of itself."""
    path = os.path.realpath(part.path)
    if part.root:
        root = os.path.realpath(part.root)
        inside = os.path.relpath(path, root).split(os.sep)
        if inside[0] in ("..", ".git"):
            raise BadInput(f"{part.path} leads out of the repository, to {path}; it was left as it is")
    return path


def _tracked(path: str, root: str) -> bool:
    """Whether git has the file: it is not ours to remove then. Where that can't be told it is taken to have it."""
    repository = find_repository(root) if root else None
    if repository is None or not os.path.exists(os.path.join(repository.git, "index")):
        return False
    where = ["-C", repository.root, f"--git-dir={repository.git}", f"--work-tree={repository.root}"]
    command = ["git", *where, "-c", "core.fsmonitor=false", "ls-files", "-z", "--", path]
    try:
        done = subprocess.run(command, capture_output=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return True
    return bool(done.stdout)


def _bytes(path: str) -> bytes | None:
    try:
        seen = os.stat(path)
        if not stat.S_ISREG(seen.st_mode):
            raise BadInput(f"{path}: no plain file; it was left as it is")
        if seen.st_size > MOST_BYTES:
            raise BadInput(f"{path}: larger than {MOST_BYTES // 1024 // 1024} MiB; it was left as it is")
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise BadInput(f"can't read {path}: {reason(exc)}") from exc


# Doing it


@contextmanager
def locked(home: Home) -> Iterator[None]:
    """Nobody else of this home writes outside of it meanwhile."""
    home.ensure()
    fd = os.open(home.at(LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + PATIENCE
    try:
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise HomeUnusable(
                        "another `engrain init` or `clean` is still at work; nothing was changed"
                    ) from None
                time.sleep(0.02)
        yield
    finally:
        os.close(fd)


def apply(home: Home, changes: Sequence[Change]) -> list[str]:
    """The files are as the changes say, and the ledger knows it; what could not be written, each with the reason."""
    before = notes(home)
    _sweep([*before, *(change.path for change in changes)])
    meant = {change.path: _both(before.get(change.path), change.note) for change in changes if change.note}
    if {**before, **meant} != before:
        _keep(home, {**before, **meant})
    after, refused = dict(before), []
    for change in changes:
        try:
            write(change)
        except BadInput as exc:
            refused.append(str(exc))
            continue
        after.pop(change.path, None)
        if change.note is not None:
            after[change.path] = change.note
        elif change.path in before:
            _remove_folders(before[change.path]["folders"])
    if after != notes(home):
        _keep(home, after)
    return refused


def _both(known: Note | None, note: Note) -> Note:
    """What a file may be while it is written: as it was, or as it is to be."""
    states = [*(known["states"] if known else ()), *note["states"]]
    unique = [state for n, state in enumerate(states) if state not in states[:n]]
    folders = sorted({*(known["folders"] if known else ()), *note["folders"]}, key=len)
    return {**note, "states": unique, "folders": folders}


def notes(home: Home) -> dict[str, Note]:
    """What was written where."""
    try:
        with open(home.at(NAME), encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as exc:
        raise HomeUnusable(f"can't read {home.at(NAME)}: {exc}") from exc
    return {path: _current(note) for path, note in found.items()} if isinstance(found, dict) else {}


def _current(note: Note) -> Note:
    """A note in the form of this version."""
    if "states" in note:
        return note
    return {"form": JSON, "root": "", "agent": "", "text": "", "folders": note["folders"], "states": [
        {name: note[name] for name in ("after", "spans", "created")}
    ]}  # fmt: skip


def forgotten(home: Home, gone: Iterable[str]) -> None:
    """Files that are no more are not looked after any more."""
    before = notes(home)
    after = {path: note for path, note in before.items() if path not in set(gone)}
    if after != before:
        _keep(home, after)


def wired(home: Home, more: Iterable[str]) -> dict[str, set[str]]:
    """The files that run our hook, of those that we wrote and of others that may, and at which events."""
    found: dict[str, set[str]] = {}
    for path in sorted({*notes(home), *map(os.path.realpath, more)}):
        try:
            events = settings.wired(decoded(JSON, path, _bytes(path) or b""))
        except BadInput:
            continue
        if events:
            found[path] = events
    return found


def _keep(home: Home, all_of_them: dict[str, Note]) -> None:
    replace_file(home.at(NAME), json.dumps(all_of_them, indent=1, sort_keys=True).encode())


def _made(home: Home, path: str) -> list[str]:
    """Folders around this file that are there for our files alone, the outermost first."""
    before = {folder for note in notes(home).values() for folder in note["folders"]}
    folder, made = os.path.dirname(path), []
    while folder in before or not os.path.exists(folder):
        made.append(folder)
        folder = os.path.dirname(folder)
    return made[::-1]


def write(change: Change) -> None:
    """Whole or not at all, with the mode that the file had."""
    if not change.changes:
        return
    folder, name = os.path.split(change.path)
    try:
        if change.after is None:
            os.unlink(change.path)
            return
        os.makedirs(folder, exist_ok=True)
        partial = os.path.join(folder, f".{name}.{os.getpid()}{PARTIAL}")
        new = 0o777 if change.executable else 0o666
        mode = os.stat(change.path).st_mode & 0o7777 if change.before is not None else new
        fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with open(fd, "wb") as file:
            file.write(change.after)
            file.flush()
            os.fsync(fd)
        if change.before is not None:
            os.chmod(partial, mode)
        os.replace(partial, change.path)
    except OSError as exc:
        raise BadInput(f"can't write {change.path}: {reason(exc)}; it was left as it is") from exc


def _sweep(paths: Iterable[str]) -> None:
    """What somebody who was killed had half written beside these files is gone."""
    for folder in sorted({os.path.dirname(path) for path in paths}):
        try:
            names = [name for name in os.listdir(folder) if name.endswith(PARTIAL) and name.startswith(".")]
        except OSError:
            continue
        for name in names:
            number = name.removesuffix(PARTIAL).rpartition(".")[2]
            if number.isdigit() and not _alive(int(number)):
                _unlink(os.path.join(folder, name))


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _remove_folders(folders: Sequence[str]) -> None:
    """Folders that were made for a file go with it, if nothing else has come into them."""
    for folder in reversed(folders):
        try:
            os.rmdir(folder)
        except FileNotFoundError:
            continue
        except OSError:
            return
