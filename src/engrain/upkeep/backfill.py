"""Back-fill: transcripts of sessions that nobody recorded → the journal, as if hooks had been there.

    a session's files → its reader → the failure of a command gets its fingerprint → the gate → what is new → journal

What hooks recorded of a session, or an import before, is there already and stays: calls are known by their own names,
what was said and the start by their words and their time (`already`). A file that can't be read is named; the others go
on. Killed at any moment, what was brought stays, and the next import brings the rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engrain import event as events
from engrain import project as projects
from engrain.capture.admit import Gate, admitted
from engrain.capture.session import SHELLS
from engrain.capture.transcripts import claude_code, codex, files
from engrain.capture.transcripts.files import Unit
from engrain.capture.transcripts.records import Unread
from engrain.errors import EngrainError
from engrain.event import FAILURE, PROJECT_SEEN, PROMPT, REPLY, TOOL_CALL, Event
from engrain.fingerprint import fingerprint
from engrain.paths import reason
from engrain.project import Project
from engrain.recall.shown import described
from engrain.store import Store
from engrain.store.store import Appended
from engrain.upkeep import workers
from engrain.upkeep.already import Already

READERS = {claude_code.AGENT: claude_code.read, codex.AGENT: codex.read}

SETTLED = 86_400_000_000
"""Microseconds after which a call without an answer gets none any more."""

Progress = Callable[[int], None]


class Problem(NamedTuple):
    """A file that could not be read."""

    path: str
    why: str


class Counts(NamedTuple):
    """What transcripts tell."""

    files: int = 0
    empty: int = 0
    prompts: int = 0
    calls: int = 0
    failures: int = 0
    replies: int = 0
    unread: int = 0
    waiting: int = 0

    def __add__(self, other: object) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


class Brought(NamedTuple):
    """What became of transcripts."""

    told: Counts
    sessions: int
    appended: Appended
    problems: tuple[Problem, ...]


class Reading:
    """Reads transcripts of one agent into events that may be written."""

    def __init__(self, agent: str, gate: Gate, *, tenant: str, now: int, home: str = "") -> None:
        """`home` is the mark of the home that looks."""
        self._read = READERS[agent]
        self._gate = gate
        self._tenant = tenant
        self._home = home
        self._settled = now - SETTLED
        self._places: dict[str, Project] = {}
        self._last: Project | None = None
        self._sightings: set[tuple[Project, int]] = set()
        self.told = Counts()
        self.problems: list[Problem] = []

    def taken(self) -> Any:
        """What was found beside events since the last time, as plain values."""
        found = tuple(self.told), [tuple(problem) for problem in self.problems]
        self.told, self.problems = Counts(), []
        return found

    def unit(self, unit: Unit) -> Iterator[Event]:
        """Every event of a session's files, once."""
        seen: set[str] = set()
        for path in unit.paths:
            try:
                for event in self._file(path):
                    if event.id not in seen:
                        seen.add(event.id)
                        yield event
            except OSError as exc:
                self.problems.append(Problem(path, reason(exc)))
            except EngrainError as exc:
                self.problems.append(Problem(path, str(exc)))

    def _file(self, path: str) -> Iterator[Event]:
        session, subagent = files.named(path)
        unread, number = Unread(), 0
        found = self._read(
            files.lines(path, unread),
            project=lambda folder: self._place(folder or os.path.dirname(os.path.abspath(path))).id,
            tenant=self._tenant,
            name=session,
            subagent=subagent,
            settled=self._settled,
            unread=unread,
        )
        for number, event in enumerate(found, start=1):
            if number == 1:
                yield from self._sighted(_month(event.time))
            self.told += Counts(**_counted(event))
            yield self._admitted(event)
        self.told += Counts(files=1, empty=number == 0, unread=unread.number, waiting=unread.waiting)

    def _place(self, folder: str) -> Project:
        if folder not in self._places:
            self._places[folder] = projects.identify(folder)
        self._last = self._places[folder]
        return self._last

    def _sighted(self, month: int) -> Iterator[Event]:
        """Where the project of a file was seen."""
        if self._last is not None and (self._last, month) not in self._sightings:
            self._sightings.add((self._last, month))
            yield admitted(projects.sighting(self._last, self._tenant, month, self._home), self._gate)

    def _admitted(self, event: Event) -> Event:
        """The event as it may be written, with the fingerprint of what failed."""
        return admitted(with_failure(event), self._gate)


def with_failure(event: Event) -> Event:
    """The event of a call, with the fingerprint of what failed."""
    body = event.body
    command = _command(body) if body.get("failed") is True and not body.get("interrupted") else ""
    if not command:
        return event
    found = fingerprint(str(body.get("output", "")), command, body.get("exit"))
    return event._replace(body={**body, FAILURE: described(found)})


def _command(body: Mapping[str, Any]) -> str:
    """The command line whose end a call tells of: its own, or that of the call that it continues."""
    given = body.get("continues") if "continues" in body else body.get("input") if body.get("tool") in SHELLS else None
    line = given.get("command") if isinstance(given, dict) else ""
    return line if isinstance(line, str) else ""


def _month(time: int) -> int:
    """When a month began: told from any session of it, where a project was seen is the same event."""
    return events.microseconds(f"{events.timestamp(time)[:7]}-01T00:00:00Z")


def _counted(event: Event) -> dict[str, int]:
    if event.kind == TOOL_CALL:
        return {"calls": 1, "failures": int(event.body.get("failed") is True)}
    return {PROMPT: {"prompts": 1}, REPLY: {"replies": 1}}.get(event.kind, {})


def bring(store: Store, reading: Reading, units: Sequence[Unit], progress: Progress | None = None) -> Brought:
    """Everything that these sessions tell is in the journal."""
    already = Already(store)
    total = _Total(reading, units, progress)
    appended = store.append(already.without(total.events()))
    appended += Appended(known=already.known)
    return Brought(total.told, already.sessions, appended, tuple(sorted(total.problems)))


class _Total:
    """What all readings found, whoever read."""

    def __init__(self, reading: Reading, units: Sequence[Unit], progress: Progress | None) -> None:
        self._reading = reading
        self._units = units
        self._progress = progress
        self._places: set[str] = set()
        self.told = Counts()
        self.problems: list[Problem] = []

    def events(self) -> Iterator[Event]:
        """Everything that is told."""
        for piece in workers.pieces(self._units, self._reading.unit, self._reading.taken):
            yield from filter(self._new, piece.events)
            if piece.more is not None:
                self._finished(piece.number, *piece.more)

    def _new(self, event: Event) -> bool:
        """Each worker tells of a place that it comes to; that is one."""
        if event.kind != PROJECT_SEEN:
            return True
        known = len(self._places)
        self._places.add(event.id)
        return len(self._places) > known

    def _finished(self, number: int, told: Sequence[int], problems: Sequence[Sequence[str]]) -> None:
        self.told += Counts(*told)
        self.problems += [Problem(*each) for each in problems]
        if self._progress:
            self._progress(self._units[number].size)
