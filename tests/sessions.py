"""Sessions of an agent, as rows: what it ran and how that ended → the events that hooks would make of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from engrain.capture.session import Session
from engrain.event import BODIES, Event
from engrain.learn.deeds import Call, call_of
from engrain.upkeep.mining import told
from tests.making import START

CWD = "/home/someone/shop"


class Ran(NamedTuple):
    """A command, how it ended, what it said, and the folder in which it ran."""

    command: str
    exit: int | None = 0
    output: str = ""
    cwd: str = CWD


class Edited(NamedTuple):
    """A file that was changed."""

    file: str
    old: str
    new: str


Deed = Ran | Edited


def session(deeds: Iterable[Deed], *, name: str = "s", project: str = "p", start: int = START) -> list[Event]:
    """The events of a session in which these were done, a second apart."""
    who = Session("test", name, project=project, tenant="local")
    return [_event(who, start + number * 1_000_000, number, deed) for number, deed in enumerate(deeds)]


def _event(who: Session, time: int, number: int, deed: Deed) -> Event:
    call = f"{who.id}-{number:03d}"
    if isinstance(deed, Edited):
        given = {"file_path": f"{CWD}/{deed.file}", "old_string": deed.old, "new_string": deed.new}
        return who.called(time, call, "Edit", given, "done", failed=False, cwd=CWD)
    failed = bool(deed.exit)
    output = f"Exit code {deed.exit}\n{deed.output}" if failed else deed.output
    return who.called(
        time, call, "Bash", {"command": deed.command}, output, failed=failed, exit=deed.exit, cwd=deed.cwd
    )


def calls(deeds: Iterable[Deed], **where: Any) -> list[Call]:
    """The same as calls, as they are looked at when something is learned from them."""
    found = [call_of(event, event.body.get(BODIES, {})) for event in session(deeds, **where)]
    return [each._replace(failure=told(each).body) if each.failed and each.command else each for each in found]
