"""The spool: where an event waits between the moment it happened and its place in the journal.

    <home>/spool/
      current                    every writer appends here, one write a record
      00001763459999-4242.seg    sealed by the tick: renamed, then read, committed, removed
      aside/                     records that could not be read, kept for a person or a newer Engrain

A record is one line. It is written with its own line end *before* and after it, so that a record torn by a full disk
spoils itself alone. Writers hold a shared lock while they write; who drains holds the exclusive one from the last read
to the removal. A writer that finds its file locked or already removed opens the new `current` and tries again: it never
waits for the store, and nothing is ever appended to a file that is about to vanish.

On the hook's path: os and fcntl alone.
"""

from __future__ import annotations

import fcntl
import os
import time

from engrain.errors import SpoolUnwritable
from engrain.paths import owner_only, reason, unlink_if_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CURRENT = "current"
SEALED = ".seg"
ASIDE = "aside"
CHUNK = 1024 * 1024
PIECE = 4 * 1024 * 1024
"""Bytes of a segment that are ingested at one go, so that a tick ends about when it should."""
MAX_RECORD = 16 * 1024 * 1024
"""Bytes of a record that are held in memory; a longer one goes aside without being read whole."""

_TRIES = 1000


def append(folder: str, record: bytes) -> None:
    """The record is in the spool when this returns; SpoolUnwritable if it is not."""
    if b"\n" in record:
        raise ValueError("a record is one line")
    data = b"\n" + record + b"\n"
    try:
        for _ in range(_TRIES):
            fd = _open_current(folder)
            try:
                if _mine(fd) and os.write(fd, data) == len(data):
                    return
            finally:
                os.close(fd)
    except OSError as exc:
        raise SpoolUnwritable(f"can't write to the spool {folder}: {reason(exc)}; the event was not recorded") from exc
    raise SpoolUnwritable(f"can't write to the spool {folder}: it never came free; the event was not recorded")


def _open_current(folder: str) -> int:
    path = os.path.join(folder, CURRENT)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        owner_only(folder)
        return os.open(path, flags, 0o600)


def _mine(fd: int) -> bool:
    """Whether this file takes records: not being drained, not removed."""
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(fd).st_nlink > 0


def waiting(folder: str) -> list[str]:
    """The paths of the segments with records in them, oldest first, `current` last."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as exc:
        raise SpoolUnwritable(f"can't read the spool {folder}: {reason(exc)}") from exc
    segments = [os.path.join(folder, name) for name in sorted(names) if name.endswith(SEALED)]
    current = os.path.join(folder, CURRENT)
    if CURRENT in names and _size(current):
        segments.append(current)
    return segments


def seal(folder: str) -> list[str]:
    """Closes `current` to new writers; the paths of all sealed segments, oldest first."""
    current = os.path.join(folder, CURRENT)
    if _size(current):
        try:
            os.rename(current, os.path.join(folder, f"{time.time_ns():020d}-{os.getpid()}{SEALED}"))
        except OSError as exc:
            raise SpoolUnwritable(f"can't move a segment of the spool {folder}: {reason(exc)}") from exc
    return [path for path in waiting(folder) if path.endswith(SEALED)]


def pieces(path: str) -> list[str]:
    """The paths of a sealed segment's pieces, in order: itself, or where it is long, files that are quickly ingested.

    Killed in the middle, records lie in two segments; stored twice is stored once.
    """
    if _size(path) <= PIECE:
        return [path]
    stem = path.removesuffix(SEALED)
    found: list[str] = []
    with Segment(path) as segment, open(path, "rb") as file:
        while line := file.readline(CHUNK):
            found.append(f"{stem}.{len(found):06d}{SEALED}")
            partial = f"{found[-1]}.partial"
            with open(partial, "wb", opener=lambda p, f: os.open(p, f, 0o600)) as piece:
                while line:
                    piece.write(line)
                    if piece.tell() >= PIECE and line.endswith(b"\n"):
                        break
                    line = file.readline(CHUNK)
            os.rename(partial, found[-1])
        segment.remove()
    return found


class Segment:
    """A sealed segment, held alone from opening to closing."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        # Waits only for writers that opened the file before it was sealed: a write each.
        fcntl.flock(self._fd, fcntl.LOCK_EX)

    def __enter__(self) -> Segment:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)

    def records(self) -> Iterator[bytes]:
        """Each record, torn ones included; one longer than MAX_RECORD goes aside and is not returned."""
        os.lseek(self._fd, 0, os.SEEK_SET)
        rest = b""
        while chunk := os.read(self._fd, CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from filter(None, lines)
            if len(rest) > MAX_RECORD:
                rest = self._skip_long(rest)
        yield from filter(None, rest.split(b"\n"))

    def _skip_long(self, start: bytes) -> bytes:
        """Copies an endless record aside, piece by piece; what follows its line end."""
        with _Aside(self.path, "longer than a record may be") as aside:
            aside.write(start)
            while chunk := os.read(self._fd, CHUNK):
                piece, end, rest = chunk.partition(b"\n")
                aside.write(piece)
                if end:
                    return rest
        return b""

    def set_aside(self, record: bytes, why: str) -> None:
        """Keeps a record that can't become an event, with the reason."""
        with _Aside(self.path, why) as aside:
            aside.write(record)

    def remove(self) -> None:
        """The segment is gone: all it held is committed or aside."""
        os.unlink(self.path)


def keep_aside(folder: str, record: bytes, why: str) -> None:
    """Keeps a record that a journal refuses, with the reason, for a person."""
    with _Aside(os.path.join(folder, CURRENT), why) as aside:
        aside.write(record)


class _Aside:
    """A file beside the spool that is named by its content, so that draining a segment again does not double it."""

    def __init__(self, segment: str, why: str) -> None:
        import hashlib

        self._folder = owner_only(os.path.join(os.path.dirname(segment), ASIDE))
        self._partial = os.path.join(self._folder, f"{os.getpid()}.partial")
        self._digest = hashlib.sha256()
        self._file = open(self._partial, "wb", opener=lambda p, f: os.open(p, f, 0o600))  # noqa: SIM115
        self._file.write(why.replace("\n", " ").encode("utf-8", "replace") + b"\n")

    def __enter__(self) -> _Aside:
        return self

    def write(self, piece: bytes) -> None:
        self._digest.update(piece)
        self._file.write(piece)

    def __exit__(self, kind: object, *_: object) -> None:
        self._file.close()
        if kind is None:
            os.replace(self._partial, os.path.join(self._folder, f"{self._digest.hexdigest()[:32]}.record"))


def sweep(folder: str) -> None:
    """Removes what a drain that was killed had half written: the segment still has it. Call it as the one drain."""
    for place in (folder, os.path.join(folder, ASIDE)):
        try:
            names = os.listdir(place)
        except FileNotFoundError:
            return
        for name in names:
            if name.endswith(".partial"):
                unlink_if_there(os.path.join(place, name))


def aside(folder: str) -> list[tuple[str, str]]:
    """What was kept aside: (path, reason)."""
    place = os.path.join(folder, ASIDE)
    try:
        names = sorted(name for name in os.listdir(place) if name.endswith(".record"))
    except FileNotFoundError:
        return []
    found = []
    for name in names:
        path = os.path.join(place, name)
        with open(path, "rb") as file:
            found.append((path, file.readline(500).decode("utf-8", "replace").strip()))
    return found


def aside_record(path: str) -> bytes:
    """The record that was kept aside under this path, without its reason."""
    with open(path, "rb") as file:
        file.readline()
        return file.read(MAX_RECORD + 1)


def drop_aside(path: str) -> None:
    """Forgets one record that was kept aside."""
    unlink_if_there(path)


def oldest(folder: str) -> float | None:
    """When the oldest waiting segment was begun, in seconds since 1970; None when nothing waits."""
    times = [t for t in (_begun(path) for path in waiting(folder)) if t is not None]
    return min(times, default=None)


def size(folder: str) -> int:
    """Bytes that wait."""
    return sum(_size(path) for path in waiting(folder))


def _begun(path: str) -> float | None:
    try:
        return os.stat(path).st_mtime
    except FileNotFoundError:
        return None


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0
    except OSError as exc:
        raise SpoolUnwritable(f"can't read the spool {os.path.dirname(path)}: {reason(exc)}") from exc
