"""Intake: events of many requests, written together. One commit serves everybody who waited for it, so a hundred
clients cost little more than one; who is answered has what they sent in the journal, or in the server's own spool.

More than it can hold is not taken: the client is told when to come again, and keeps what it has.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import NamedTuple

from engrain.errors import EngrainError, StoreError, StoreUnreachable
from engrain.event import Event
from engrain.memory import Memory
from engrain.rest import metrics
from engrain.rest.pool import ANYWHERE
from engrain.rest.problems import BROKE, Problem, of_error

MOST_WAITING = 20_000
MOST_AT_ONCE = 2_000
PATIENCE, AGAIN = 5.0, 0.2
"""Seconds that a store which can't be reached is waited for, and between two tries."""
GATHERED = 0.1
"""Seconds in which notes are gathered: a commit for each would cost as much as one that somebody waits for."""


FLAWS = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What a mistake of ours ends in, somewhere below."""


class Sent(NamedTuple):
    """The events of one request, and where its answer goes."""

    events: Sequence[Event]
    done: Callable[[Problem | None], None]


class Intake:
    """One thread that writes."""

    def __init__(self, memory: Memory, most: int = MOST_WAITING) -> None:
        self._memory, self._most = memory, most
        self._waiting: deque[Sent] = deque()
        self._number = 0
        self._notes: list[Callable[[], None]] = []
        self._noted_from = 0.0
        self._wake = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._work, name="intake")
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many events wait to be written."""
        return self._number

    async def put(self, events: Sequence[Event]) -> None:
        """The events are safe when this returns; a Problem says why they are not."""
        if not events:
            return
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Problem | None] = loop.create_future()

        def told(problem: Problem | None) -> None:
            if not answer.done():
                answer.set_result(problem)

        def done(problem: Problem | None) -> None:
            loop.call_soon_threadsafe(told, problem)

        self._take(Sent(events, done))
        if problem := await answer:
            raise problem

    def later(self, note: Callable[[], None]) -> None:
        """Does this in a moment, with others like it: what must be written, and nobody waits for."""
        with self._wake:
            if not self._notes:
                self._noted_from = monotonic()
                self._wake.notify()
            self._notes.append(note)

    def _take(self, sent: Sent) -> None:
        with self._wake:
            if self._ended:
                raise Problem(503, "the server is closing; nothing was stored", later=5)
            if self._number and self._number + len(sent.events) > self._most:
                raise Problem(503, f"{self._number:,} events wait already; nothing of this was stored", later=1)
            self._waiting.append(sent)
            self._number += len(sent.events)
            metrics.WAITING.set(self._number)
            self._wake.notify()

    def close(self) -> None:
        """Writes what it took, and ends."""
        with self._wake:
            self._ended = True
            self._wake.notify()
        self._thread.join()
        self._memory.close()

    def _work(self) -> None:
        while True:
            with self._wake:
                while not (self._waiting or self._ended or self._left() == 0):
                    self._wake.wait(self._left())
                if self._ended and not self._waiting and not self._notes:
                    return
                batch, notes = self._next(), self._gathered()
            for of_one in _by_tenant(batch):
                self._write(of_one)
            if notes:
                self._note(notes)

    def _next(self) -> list[Sent]:
        """Whoever waits, until it is enough for one commit. Called with the lock held."""
        batch: list[Sent] = []
        number = 0
        while self._waiting and (not batch or number + len(self._waiting[0].events) <= MOST_AT_ONCE):
            batch.append(self._waiting.popleft())
            number += len(batch[-1].events)
        return batch

    def _left(self) -> float | None:
        """Seconds until notes are written; None while there are none. Called with the lock held, as what follows."""
        return max(0.0, self._noted_from + GATHERED - monotonic()) if self._notes else None

    def _gathered(self) -> list[Callable[[], None]]:
        if not self._ended and self._left() != 0:
            return []
        notes, self._notes = self._notes, []
        return notes

    def _write(self, batch: Sequence[Sent]) -> None:
        try:
            seen = self._memory.confined_to(batch[0].events[0].tenant, ANYWHERE)
            self._record(seen, [event for sent in batch for event in sent.events])
            problem = None
        except EngrainError as exc:
            problem = of_error(exc)
        except FLAWS as exc:
            # This thread serves everybody: a flaw that one event meets may not end it. Told is where that was, and not
            # what it says, which may quote an event.
            where = "".join(traceback.format_tb(exc.__traceback__))
            print(f"engrain: {type(exc).__name__} in the intake\n{where}", file=sys.stderr, flush=True)
            problem = Problem(500, BROKE)
        if problem and len(batch) > 1 and problem.status <= 500:
            # One of them can't be stored; the others shall not pay for it.
            for sent in batch:
                self._write([sent])
            return
        number = sum(len(sent.events) for sent in batch)
        if not problem:
            metrics.EVENTS.inc(number)
        with self._wake:
            self._number -= number
            metrics.WAITING.set(self._number)
        for sent in batch:
            sent.done(problem)

    def _note(self, notes: list[Callable[[], None]]) -> None:
        """Does them all in one commit; where the store can't take them now, they wait with those that come."""
        try:
            with self._memory.store.database.transaction():
                for note in notes:
                    note()
        except StoreError:
            with self._wake:
                self._notes = [] if self._ended else [*notes, *self._notes][-MOST_WAITING:]
                self._noted_from = monotonic() + PATIENCE

    def _record(self, seen: Memory, events: Sequence[Event]) -> None:
        """Has them recorded; a server that is started anew is waited for, so that nobody need send them again."""
        deadline = monotonic() + PATIENCE
        while True:
            try:
                seen.record(*events)
            except StoreUnreachable:
                if self._ended or monotonic() > deadline:
                    raise
                sleep(AGAIN)
            else:
                return


def _by_tenant(batch: Sequence[Sent]) -> list[list[Sent]]:
    """The same in one piece for each tenant: what is written for one can touch nothing of another."""
    found: dict[str, list[Sent]] = {}
    for sent in batch:
        found.setdefault(sent.events[0].tenant, []).append(sent)
    return list(found.values())
