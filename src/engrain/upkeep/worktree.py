"""Worktree: what changed in a checkout between two moments, as git sees it; nothing in it is touched.

    before = taken(folder)
    …
    changed(before, taken(folder))

git keeps a moment as a commit that no branch has (`git stash create`). Files that git does not know yet are told by
their size and time; what it ignores is not looked at. Where there is no git, or it takes too long, nothing is known.
"""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

SECONDS = 10
MOST_UNKNOWN, MOST_BYTES = 5000, 1_000_000
OWN = ".engrain/"


class Moment(NamedTuple):
    """A checkout at one moment: a commit that has it, and the files that git does not know: size, time and lines."""

    root: str
    commit: str
    others: dict[str, tuple[int, int, int]]


class Changed(NamedTuple):
    """The files that changed, and how many lines came and went."""

    files: tuple[str, ...] = ()
    added: int | None = None
    removed: int | None = None


def taken(folder: str) -> Moment | None:
    """This moment of the checkout around a folder; None where that can't be had."""
    root = _git(folder, "rev-parse", "--show-toplevel").strip()
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD").strip() if root else ""
    if not head:
        return None
    commit = _git(root, "stash", "create").strip() or head
    names = _git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")[:MOST_UNKNOWN]
    return Moment(root, commit, {name: _seen(root, name) for name in names if name and not name.startswith(OWN)})


def changed(before: Moment | None, after: Moment | None) -> Changed:
    """What became of one moment until another."""
    if before is None or after is None or before.root != after.root:
        return Changed()
    told = _git(after.root, "diff", "--numstat", "--no-renames", "-z", before.commit, after.commit).split("\0")
    files: list[str] = []
    added = removed = 0
    for row in told:
        # A file that is no text has `-` for its lines.
        plus, _, rest = row.partition("\t")
        minus, _, name = rest.partition("\t")
        if name and not name.startswith(OWN) and name not in before.others:
            files.append(name)
            added, removed = added + _number(plus), removed + _number(minus)
    for name in sorted(after.others.keys() | before.others.keys()):
        was, now = before.others.get(name), after.others.get(name)
        if was != now:
            files.append(name)
            added, removed = added + (now[2] if now and not was else 0), removed + (was[2] if was and not now else 0)
    return Changed(tuple(dict.fromkeys(files)), added, removed)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _seen(root: str, name: str) -> tuple[int, int, int]:
    path = os.path.join(root, name)
    try:
        found = os.lstat(path)
        if found.st_size > MOST_BYTES or not os.path.isfile(path):
            return found.st_size, found.st_mtime_ns, 0
        with open(path, "rb") as file:
            return found.st_size, found.st_mtime_ns, file.read().count(b"\n")
    except OSError:
        return 0, 0, 0


def _git(folder: str, *words: str) -> str:
    """What git says; nothing where it can't."""
    command = ["git", "-C", folder, "-c", "core.fsmonitor=false", *words]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
