"""Workers: transcripts are read by several processes, and what they tell is written by one.

Reading and redacting take most of the time, and a database has one writer. Each worker is a fork of this process that
takes numbers of units from one pipe and answers in another; a thread for each takes in what comes, so that nobody waits
while the database commits, and only so much that memory stays bounded.

No worker outlives this process: it ends when a pipe of its own does, and Ctrl-C is for this process alone. A unit whose
worker died is read here, so that whatever killed it is seen.
"""

from __future__ import annotations

import gc
import marshal
import os
import queue
import signal
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

from engrain.capture.transcripts.files import Unit
from engrain.event import Event

MOST_WORKERS = 4
SMALL = 4 * 1024 * 1024
"""Bytes of transcripts below which one process is as quick."""
AHEAD = 2
"""Units that a worker has before it: it never waits for the next one."""
FRAME_EVENTS, FRAME_CHARACTERS = 200, 500_000
FRAMES = 24
_HEAD = struct.Struct("<I")


class Piece(NamedTuple):
    """What came of a unit: some of its events; with the last of them, what its reading found besides."""

    number: int
    events: list[Event]
    more: Any | None


Read = Callable[[Unit], Iterator[Event]]
"""Reads a unit."""
Finish = Callable[[], Any]
"""What the reading of the last unit found besides, as plain values."""


def pieces(units: Sequence[Unit], read: Read, finish: Finish) -> Iterator[Piece]:
    """What all units tell; those of one unit in their order."""
    number = _workers(units)
    if number < 2:
        for each in range(len(units)):
            yield from _here(each, units[each], read, finish)
        return
    crew = _Crew(units, read, finish, number)
    left = set(range(len(units)))
    try:
        for piece in crew.pieces():
            if piece.more is not None:
                left.discard(piece.number)
            yield piece
    finally:
        crew.end()
    for each in sorted(left):
        yield from _here(each, units[each], read, finish)


def _workers(units: Sequence[Unit]) -> int:
    if len(units) < 2 or sum(unit.size for unit in units) < SMALL or threading.active_count() > 1:
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_WORKERS, len(units))


def _here(number: int, unit: Unit, read: Read, finish: Finish) -> Iterator[Piece]:
    held: list[Event] = []
    size = 0
    for event in read(unit):
        held.append(event)
        size += _length(event)
        if len(held) >= FRAME_EVENTS or size > FRAME_CHARACTERS:
            yield Piece(number, held, None)
            held, size = [], 0
    yield Piece(number, held, finish())


def _length(event: Event) -> int:
    """About how long an event is."""
    return sum(len(value) for value in event.body.values() if isinstance(value, str))


class _Crew:
    """The workers, and the threads that take in what they tell."""

    def __init__(self, units: Sequence[Unit], read: Read, finish: Finish, number: int) -> None:
        self._units = units
        self._came: queue.Queue[tuple[int, bytes]] = queue.Queue(FRAMES)
        self._next = 0
        self._ended = False
        self._asks: list[int] = []
        self._tells: list[BinaryIO] = []
        self._pids: list[int] = []
        # What is there already is no garbage, and not to be copied page by page because somebody looked at it.
        gc.freeze()
        for _ in range(number):
            self._start(read, finish)
        self._threads = [threading.Thread(target=self._take_in, args=(place,), daemon=True) for place in range(number)]

    def _start(self, read: Read, finish: Finish) -> None:
        asked, ask = os.pipe()
        tell, told = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                for fd in (ask, tell, *self._asks, *(file.fileno() for file in self._tells)):
                    os.close(fd)
                _work(self._units, read, finish, asked, told)
            finally:
                os._exit(0)
        os.close(asked)
        os.close(told)
        self._pids.append(pid)
        self._asks.append(ask)
        self._tells.append(os.fdopen(tell, "rb", buffering=1024 * 1024))

    def pieces(self) -> Iterator[Piece]:
        """What the workers tell, until all have ended."""
        for thread in self._threads:
            thread.start()
        for _ in range(AHEAD):
            for place in range(len(self._asks)):
                self._ask(place)
        working = len(self._threads)
        while working:
            place, data = self._came.get()
            if not data:
                working -= 1
                continue
            number, found, more = marshal.loads(data)  # noqa: S302 - from a fork of our own
            if more is not None:
                self._ask(place)
            yield Piece(number, [Event(*fields) for fields in found], more)

    def _ask(self, place: int) -> None:
        """The next unit is for this worker; when there is none, it may go."""
        if self._asks[place] < 0:
            return
        try:
            if self._next < len(self._units):
                os.write(self._asks[place], _HEAD.pack(self._next))
                self._next += 1
                return
        except BrokenPipeError:
            # It died. What it had before it is read here.
            pass
        os.close(self._asks[place])
        self._asks[place] = -1

    def _take_in(self, place: int) -> None:
        file = self._tells[place]
        while not self._ended and len(head := file.read(_HEAD.size)) == _HEAD.size:
            size = _HEAD.unpack(head)[0]
            data = file.read(size)
            if len(data) < size:
                break
            self._put(place, data)
        self._put(place, b"")

    def _put(self, place: int, data: bytes) -> None:
        while not self._ended:
            try:
                self._came.put((place, data), timeout=0.2)
            except queue.Full:
                continue
            return

    def end(self) -> None:
        """No worker is left, and no thread."""
        self._ended = True
        for pid in self._pids:
            os.kill(pid, signal.SIGKILL)
        for pid in self._pids:
            os.waitpid(pid, 0)
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        for file in self._tells:
            file.close()
        for fd in self._asks:
            if fd >= 0:
                os.close(fd)
        gc.unfreeze()


def _work(units: Sequence[Unit], read: Read, finish: Finish, asked: int, told: int) -> None:
    """A worker: ends when nobody asks or nobody listens."""
    while len(head := os.read(asked, _HEAD.size)) == _HEAD.size:
        number = _HEAD.unpack(head)[0]
        for piece in _here(number, units[number], read, finish):
            data = marshal.dumps((piece.number, [tuple(event) for event in piece.events], piece.more))
            view = memoryview(_HEAD.pack(len(data)) + data)
            while view:
                view = view[os.write(told, view) :]
