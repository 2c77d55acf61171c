"""The journal as JSONL: an event a line, by time and id; equal journals give equal bytes, whatever the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from engrain import event as events
from engrain.errors import BadEvent
from engrain.event import MAX_LINE, Event
from engrain.store import Store
from engrain.store.store import Appended
from engrain.upkeep.tick import Appends

Progress = Callable[[int], None]
Admit = Callable[[Event], Event]

_CHUNK = 1024 * 1024


class Refused(NamedTuple):
    """A line that is no event."""

    number: int
    why: str


class Imported(NamedTuple):
    """What became of the lines of an import."""

    appended: Appended
    refused: tuple[Refused, ...]


def export(store: Store, out: BinaryIO, admit: Admit, progress: Progress | None = None) -> int:
    """Writes the whole journal as of one moment, through the gate again: its rules may know more by now."""
    number = 0
    with store.snapshot():
        for event in store.events():
            out.write(events.line(admit(event)).encode() + b"\n")
            number += 1
            if progress and number % 1000 == 0:
                progress(1000)
    return number


def import_lines(store: Store, source: BinaryIO, admit: Admit, progress: Progress | None = None) -> Imported:
    """Appends every event of a journal; a line that is none is refused alone. `progress` counts bytes."""
    return import_with(store, source, events.parse, admit, progress)


def import_with(
    store: Appends, source: BinaryIO, parse: Callable[[bytes], Event], admit: Admit, progress: Progress | None = None
) -> Imported:
    """Appends the event that `parse` makes of each line, or names the line that it refuses."""
    refused: list[Refused] = []
    appended = store.append(admit(event) for event in _events(source, parse, refused, progress))
    return Imported(appended, tuple(refused))


def _events(
    source: BinaryIO, parse: Callable[[bytes], Event], refused: list[Refused], progress: Progress | None
) -> Iterator[Event]:
    for number, line in enumerate(_lines(source, progress), start=1):
        if line is None:
            refused.append(Refused(number, f"larger than {MAX_LINE // 1024 // 1024} MiB"))
        elif line.strip():
            try:
                yield parse(line)
            except BadEvent as exc:
                refused.append(Refused(number, str(exc)))


def _lines(source: BinaryIO, progress: Progress | None) -> Iterator[bytes | None]:
    """Each line; None in place of one that is too long to be an event, which is skipped without being held."""
    while line := source.readline(MAX_LINE + 2):
        if progress:
            progress(len(line))
        if line.endswith(b"\n") or len(line) <= MAX_LINE:
            yield line.rstrip(b"\r\n")
            continue
        while (rest := source.readline(_CHUNK)) and not rest.endswith(b"\n"):
            if progress:
                progress(len(rest))
        yield None
