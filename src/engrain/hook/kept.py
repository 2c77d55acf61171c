"""Kept: a value in a file of the home, written whole or not at all, that may be lost at any time.

What a hook finds there saves it the work of making it; what it does not find or can't read it makes.
"""

from __future__ import annotations

import marshal
import os
import sys

from engrain import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.paths import Home

MOST = 4 * 1024 * 1024
MOST_PATTERNS = 4000


def path(home: Home, name: str) -> str:
    """Where it lies: its form is the interpreter's own, so another one does not even see it."""
    return home.at("hook", f"{name}.{sys.hexversion:x}")


def read(file: str) -> Any:
    """The value; None where there is none."""
    try:
        fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return marshal.loads(_all(fd))  # noqa: S302 - a file of our own home, which only its owner writes
    except (OSError, EOFError, ValueError, TypeError):
        return None
    finally:
        os.close(fd)


def _all(fd: int) -> bytes:
    size = os.fstat(fd).st_size
    return os.read(fd, size) if size <= MOST else b""


def write(file: str, value: Any) -> None:
    """Keeps the value; where that can't be, the next one makes it again."""
    partial = f"{file}.{os.getpid()}.partial"
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            data = marshal.dumps(value)
            whole = os.write(fd, data) == len(data)
        finally:
            os.close(fd)
        os.rename(partial, file) if whole else os.unlink(partial)
    except OSError:
        return


def recall_patterns(home: Home) -> None:
    """Takes in the patterns that hooks before this one had compiled."""
    programs = read(path(home, "patterns"))
    if isinstance(programs, dict):
        patterns.read(programs)


def keep_patterns(home: Home) -> None:
    """Keeps those that this one had compiled."""
    if not patterns.made:
        return
    file = path(home, "patterns")
    before = read(file)
    programs = before if isinstance(before, dict) and len(before) < MOST_PATTERNS else {}
    for source in patterns.made:
        programs[source] = patterns.program(source)
    write(file, programs)
