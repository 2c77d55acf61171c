"""Beside: a folder is written next to where it will be, and gets its name when it is whole.

Killed at any moment, what was to be made is not there, and what was there is as it was; the next who makes the same
clears away what was begun. Only between the two renames that replace a folder there is a moment without either; the
next who comes brings the earlier one back.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from engrain.errors import BadInput, EngrainError, NoRoom
from engrain.paths import reason

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def beside(folder: str, *, replace: bool = False) -> Iterator[str]:
    """A folder to write in; when the block ends well it is the one that was asked for. `replace`: one that is there
    gives way at that moment, not before."""
    whole = os.path.abspath(os.path.expanduser(folder))
    partial, before = (os.path.join(os.path.dirname(whole), f".{os.path.basename(whole)}.{name}")
                       for name in ("partial", "before"))  # fmt: skip
    held = _held(partial)
    try:
        _brought_back(before, whole)
        if os.path.lexists(whole) and (not os.path.isdir(whole) or (os.listdir(whole) and not replace)):
            raise BadInput(f"{whole} is not empty: give a folder that is not there yet")
        yield partial
        _on_disk(partial)
        if replace and os.path.isdir(whole):
            os.rename(whole, before)
        os.rename(partial, whole)
        shutil.rmtree(before, ignore_errors=True)
    except BaseException as exc:
        shutil.rmtree(partial, ignore_errors=True)
        if isinstance(exc, OSError):
            raise unwritten(exc, whole) from exc
        raise
    finally:
        os.close(held)


def _brought_back(before: str, whole: str) -> None:
    """Who was killed between two names left the earlier folder under the other."""
    if os.path.isdir(before) and not os.path.lexists(whole):
        os.rename(before, whole)
    shutil.rmtree(before, ignore_errors=True)


def unwritten(exc: OSError, path: str) -> EngrainError:
    """What a failed write means."""
    if exc.errno in FULL:
        return NoRoom(f"no room for {path} ({reason(exc)}); nothing was written there")
    return BadInput(f"can't write {path}: {reason(exc)}")


def roomy(folder: str, needed: int) -> None:
    """NoRoom, unless the disk of a folder has so many bytes left."""
    while not os.path.isdir(folder):
        folder = os.path.dirname(os.path.abspath(folder))
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise NoRoom(f"{folder} has {size(free)} left and about {size(needed)} are needed; nothing was written")


def size(number: float) -> str:
    """Bytes for people."""
    power = min(3, max(0, len(str(int(number))) - 1) // 3)
    return f"{number / 1000**power:.3g} {('bytes', 'kB', 'MB', 'GB')[power]}"


def _held(partial: str) -> int:
    """The folder is there, empty and ours alone; what holds it."""
    try:
        os.makedirs(partial, mode=0o700, exist_ok=True)
        held = os.open(partial, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as exc:
        raise unwritten(exc, partial) from exc
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise BadInput(f"somebody else is writing {partial.removesuffix('.partial')} at this moment") from None
    for name in os.listdir(partial):
        path = os.path.join(partial, name)
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    return held


def _on_disk(folder: str) -> None:
    """All of it is on the disk, not only on its way there."""
    for place, _, names in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in names)):
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
