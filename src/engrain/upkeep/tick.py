"""The tick: one detached, locked, bounded process that moves the spool into the journal, works the jobs and exits.

There is no daemon. A hook, a command or the server starts a tick when there may be something to do; who finds the lock
taken leaves at once, because the holder will see the same work. Killed at any moment, the next tick goes on: a segment
is removed only after its events are committed, and an event that is committed twice is stored once.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from engrain import event as events
from engrain.capture import spool
from engrain.errors import (
    BadEvent,
    EmbedderUnavailable,
    EngrainError,
    HomeUnusable,
    StoreBusy,
    StoreRefused,
    TheseRefused,
)
from engrain.event import Event
from engrain.paths import Home, reason
from engrain.store import Store
from engrain.store.jobs import Job, Jobs
from engrain.store.store import Appended

Handler = Callable[[Job], None]


class Appends(Protocol):
    """A journal: a store's own, or one behind a server."""

    def append(self, events: Iterable[Event], /) -> Appended: ...


NEWER = "newer Engrain"

DUE_AFTER, DUE_SIZE = 600.0, 4 * 1024 * 1024
"""Seconds since the last tick, and bytes of the spool, from which on one is due."""


class Ticked(NamedTuple):
    """What a tick did."""

    ran: bool
    appended: Appended = Appended()
    aside: int = 0
    jobs_done: int = 0
    jobs_failed: int = 0
    expired: int = 0


@contextmanager
def locked(home: Home, *, wait: float = 0.0) -> Iterator[bool]:
    """Whether this process is the one that may drain the spool, for as long as the block lasts."""
    home.ensure()
    try:
        fd = os.open(home.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as exc:
        raise HomeUnusable(f"can't use {home.lock}: {reason(exc)}") from exc
    try:
        mine = _lock(fd, time.monotonic() + wait)
        if mine:
            os.utime(fd)
        yield mine
    finally:
        os.close(fd)


def due(home: Home) -> bool:
    """Whether something waits in the spool, and it is much, or nobody has come for it for long."""
    if not spool.waiting(home.spool):
        return False
    try:
        last = os.stat(home.lock).st_mtime
    except FileNotFoundError:
        # The clock begins with the first record.
        os.close(os.open(home.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        return False
    return time.time() - last > DUE_AFTER or spool.size(home.spool) > DUE_SIZE


def _lock(fd: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
        else:
            return True


def tick(
    home: Home, store: Store, handlers: Mapping[str, Handler], *, seconds: float, prepare: Callable[[], object] = tuple,
    last: Callable[[], object] = tuple,
) -> Ticked:  # fmt: skip
    """Ingests, has work put in line, works for at most that long, and does what comes last while nobody else ingests;
    `ran` is False when another tick is at it."""
    deadline = time.monotonic() + seconds
    with locked(home) as mine:
        if not mine:
            return Ticked(ran=False)
        appended, aside = drain(home, store, deadline=deadline)
        prepare()
        done, failed = work(Jobs(store.database), handlers, deadline=deadline)
        last()
        return Ticked(True, appended, aside, done, failed)


def drained(home: Home, store: Appends, *, wait: float = 10.0) -> Appended:
    """Everything that was in the spool is in the journal, before something that must see it."""
    if not spool.waiting(home.spool):
        return Appended()
    with locked(home, wait=wait) as mine:
        if not mine:
            raise StoreBusy(f"another process is still ingesting {home.spool}; nothing was changed")
        return drain(home, store)[0]


def drain(home: Home, store: Appends, *, deadline: float = float("inf")) -> tuple[Appended, int]:
    """Moves what is in the spool into the journal, segment by segment; call it with the lock held.

    What is written meanwhile waits for the next one: while writers are quick, there is no end to wait for.
    """
    spool.sweep(home.spool)
    appended, aside = _retry_aside(home, store), 0
    for path in (piece for sealed in spool.seal(home.spool) for piece in spool.pieces(sealed)):
        if time.monotonic() >= deadline:
            break
        with spool.Segment(path) as segment:
            more, bad = _ingest(segment, store)
            segment.remove()
        appended, aside = appended + more, aside + bad
    return appended, aside


def _ingest(segment: spool.Segment, store: Appends) -> tuple[Appended, int]:
    """Every record of the segment is in the journal, or aside with the reason."""
    bad: list[str] = []
    try:
        return store.append(_events(segment, bad)), len(bad)
    except TheseRefused as exc:
        for event in _events(segment, []):
            if event.id in exc.why:
                segment.set_aside(events.line(event).encode(), exc.why[event.id])
        return exc.stored, len(bad) + len(exc.why)
    except StoreRefused:
        return _ingest_one_by_one(segment, store)


def _ingest_one_by_one(segment: spool.Segment, store: Appends) -> tuple[Appended, int]:
    """One event that the store can't hold must not keep the others waiting for ever."""
    bad: list[str] = []
    appended = Appended()
    for event in _events(segment, bad):
        try:
            appended += store.append([event])
        except StoreRefused as exc:
            segment.set_aside(events.line(event).encode(), str(exc))
            bad.append(str(exc))
    return appended, len(bad)


def _events(segment: spool.Segment, bad: list[str]) -> Iterator[Event]:
    for record in segment.records():
        try:
            yield events.parse(record)
        except BadEvent as exc:
            segment.set_aside(record, str(exc))
            bad.append(str(exc))


def _retry_aside(home: Home, store: Appends) -> Appended:
    """Takes up what an older Engrain could not read and this one can."""
    appended = Appended()
    for path, why in spool.aside(home.spool):
        if NEWER not in why:
            continue
        event = _readable(spool.aside_record(path))
        if event is not None:
            appended += store.append([event])
            spool.drop_aside(path)
    return appended


def _readable(record: bytes) -> Event | None:
    try:
        return events.parse(record)
    except BadEvent:
        return None


def work(jobs: Jobs, handlers: Mapping[str, Handler], *, deadline: float) -> tuple[int, int]:
    """Works jobs one by one until none is due or the time is over; how many were done and how many failed."""
    done = failed = 0
    holder = f"{os.uname().nodename}:{os.getpid()}:{os.urandom(4).hex()}"
    kinds = set(handlers)
    while kinds and time.monotonic() < deadline:
        leased = jobs.lease(holder, sorted(kinds))
        if not leased:
            break
        for job in leased:
            try:
                handlers[job.kind](job)
            except EngrainError as exc:
                jobs.fail(job, str(exc))
                failed += 1
                if isinstance(exc, EmbedderUnavailable):
                    # The next one would wait for the same model as long, and in vain.
                    kinds.discard(job.kind)
            else:
                jobs.finish(job)
                done += 1
    return done, failed


def free_abandoned(jobs: Jobs, kind: str) -> None:
    """What a process of this machine held that was killed is anybody's at once, not when its lease ends."""
    for holder in jobs.holders(kind):
        node, _, rest = holder.partition(":")
        pid = rest.partition(":")[0]
        if node == os.uname().nodename and pid.isdecimal() and not _alive(int(pid)):
            jobs.free(holder)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


_PATHS = ("ENGRAIN_HOME", "ENGRAIN_STORE", "ENGRAIN_BACKUP_FOLDER")


def _absolute(path: str) -> str:
    return path if not path or "://" in path else os.path.abspath(os.path.expanduser(path))


def start(home: Home, environ: Mapping[str, str] | None = None) -> None:
    """Starts a tick that outlives this process and is nobody's child: no terminal, no signal of ours reaches it.

    It runs in the home, so that no file of the folder we are in is taken for a module; paths are made to mean the same.
    """
    command = [sys.executable, "-m", "engrain", "tick", "--quiet"]
    log = os.open(home.ensure().at("tick.log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd=home.root,
            env=environ and {name: _absolute(value) if name in _PATHS else value for name, value in environ.items()},
            close_fds=True,
        )
    finally:
        os.close(log)
