"""Beside: the files that keep many vectors together, next to the database that they come from.

    engrain.db.vectors-1        the vectors of the first table, as `matrix` writes them
    engrain.db.vectors.lock     held by the one process that writes or removes such files

They are copies and can go at any time. On no path that needs NumPy.
"""

from __future__ import annotations

import fcntl
import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager

from engrain.paths import unlink_if_there


def path(database: str, number: int) -> str:
    """The file for a table of vectors."""
    return f"{database}.vectors-{number}"


def partial(path: str) -> str:
    """What a file is called until all of it is written; there is one at most, because one process writes."""
    return f"{path}.partial"


@contextmanager
def writing(database: str, *, wait: bool = False) -> Iterator[bool]:
    """Whether this process may write such files, for as long as the block lasts; not where the folder is read-only."""
    try:
        fd = os.open(_held(database), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield False
        return
    try:
        yield _lock(fd, wait)
    finally:
        os.close(fd)


def _held(database: str) -> str:
    return f"{database}.vectors.lock"


def _lock(fd: int, wait: bool) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def remove(database: str) -> None:
    """No such file is left, nor a part of one; whoever needs it makes it anew."""
    if not os.path.exists(_held(database)):
        return
    # Who is writing one now may have begun before something was erased.
    with writing(database, wait=True):
        for path in glob.glob(f"{glob.escape(database)}.vectors-*"):
            unlink_if_there(path)
