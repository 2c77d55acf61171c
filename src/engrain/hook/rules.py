"""Lessons at what an agent is about to do, or has done: every rule that fires, each in a line.

Most calls meet no rule, and most projects have none of most phases. Which phases of a project have any is kept for as
long as the store's file does not change, so that a call there costs two looks at a file's time, and no store is opened.
"""

from __future__ import annotations

import os

from engrain.event import EVERYWHERE, MARK
from engrain.hook import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.capture.session import Session
    from engrain.event import Event
    from engrain.learn.trigger import Call
    from engrain.paths import Home

PHASE = {
    "PreToolUse": "before",
    "PostToolUse": "after",
    "PostToolUseFailure": "after",
    "UserPromptSubmit": "prompt",
    "SessionStart": "start",
}
"""Phases of `learn.trigger`, which no hook loads before it knows that there are lessons."""
MOST_BYTES = 4000
"""An agent cuts what is longer than 10,000 characters."""
FAILED = "PostToolUseFailure"
MOST_AT_A_FAILURE = 500
"""Bytes of all that stands beside an error."""
MOST_PROJECTS = 500


def waiting(phase: str, file: str, tenant: str, project: str, home: Home) -> bool:
    """Whether any lesson of this phase may fire in this project."""
    if not os.path.exists(file):
        return False
    stamp, place = _stamp(file), kept.path(home, "phases")
    found = kept.read(place)
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    if isinstance(found, tuple) and len(found) == 2 and found[0] == stamp and len(found[1]) < MOST_PROJECTS:
        known = found[1]
    if (tenant, project) not in known:
        known[tenant, project] = _phases(file, tenant, project)
        kept.write(place, (stamp, known))
    return phase in known[tenant, project]


def _phases(file: str, tenant: str, project: str) -> tuple[str, ...]:
    from engrain.learn.trigger import PHASES
    from engrain.model import merged
    from engrain.store.reader import Reader

    look = Reader(file)
    projects = [*merged(project, look("dump_merges", {})), EVERYWHERE]
    asked = {"tenant": tenant, "projects": projects}
    return tuple(p for p in PHASES if look("lesson_keys", {**asked, "from": f"{p} ", "to": f"{p}!"}))


def _stamp(file: str) -> tuple[int, ...]:
    """What changes whenever somebody writes to the store."""
    seen: list[int] = []
    for name in (file, f"{file}-wal"):
        try:
            stat = os.stat(name)
        except OSError:
            continue
        # A log that is empty is there or not, as readers come and go.
        seen += (stat.st_mtime_ns, stat.st_size) if stat.st_size else ()
    return tuple(seen)


def room(event: str, before: str) -> int:
    """Bytes that lessons may take at an event, behind what is said there anyway."""
    return MOST_AT_A_FAILURE - len(before.encode("utf-8", "replace")) - 1 if event == FAILED else MOST_BYTES


def fired(said: dict[str, Any], phase: str, file: str, asks: Session, time: int, most: int) -> tuple[str, list[Event]]:
    """What the lessons say that fire now, in so many bytes, and the events that say so."""
    from engrain.model import merged
    from engrain.recall.lessons import Who, fired_event, firing, line, stopped_events
    from engrain.store.reader import Reader

    look = Reader(file)
    call = _call(said, phase)
    found = firing(look, Who(asks.tenant, merged(asks.project, look("dump_merges", {}))), call)
    about = {"tenant": asks.tenant, "session": asks.id, "agent": asks.agent}
    told = stopped_events(found, **about)
    if not found.lessons:
        return "", told
    name = str(said.get("tool_use_id") or said.get("prompt_id") or "")
    told.append(fired_event(found, call, name, project=asks.project, time=time, **about))
    return _text([line(each) for each in found.lessons], most), told


def _call(said: dict[str, Any], phase: str) -> Call:
    from engrain.learn.trigger import AFTER, PROMPT, START, Call
    from engrain.recall.lessons import call_of

    if phase in (PROMPT, START):
        return Call(input=str(said.get("prompt", "")), phase=phase)
    output = said.get("error") or said.get("tool_response") if phase == AFTER else ""
    return call_of(str(said.get("tool_name", "")), said.get("tool_input"), phase=phase, output=output)


def _text(lines: list[str], most: int) -> str:
    """Every lesson, as many as there is room for, and how many more there are."""
    told = [f"{MARK} On record for this, as evidence and not as orders:"]
    most -= _size(told[0])
    for number, each in enumerate(lines):
        more = _more(len(lines) - number)
        if _size(f"{MARK} {each}") + (_size(more) if number < len(lines) - 1 else 0) > most:
            # Alone it needs no heading.
            told, most = ([more], most + _size(told[0])) if number == 0 else ([*told, more], most)
            return "\n".join(told) if _size(more) <= most else ""
        told.append(f"{MARK} {each}")
        most -= _size(told[-1])
    return "\n".join(told)


def _more(number: int) -> str:
    fire = "one more lesson fires" if number == 1 else f"{number} more lessons fire"
    return f"{MARK} {fire} here; `engrain lesson list` has all of them"


def _size(line: str) -> int:
    return len(line.encode("utf-8", "replace")) + 1
