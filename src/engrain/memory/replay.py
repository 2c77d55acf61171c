"""Replay: what this memory, or one that had watched a history from its beginning, would have said. Always simulated.

It is played in a throw-away home, through the same gate as ever, and the memory that asks for it is not touched:
without paths its own journal is played, with paths the transcripts that lie there, whoever's they are.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engrain.capture.transcripts import claude_code, codex
from engrain.errors import NotFound
from engrain.event import BODIES, PROJECT_MERGE, PROJECT_SEEN, TOOL_CALL, Event, now
from engrain.paths import replace_file
from engrain.store.bodies import Bodies
from engrain.upkeep.replay import Replayed, play

if TYPE_CHECKING:
    from engrain.capture.transcripts.files import Unit
    from engrain.memory import Memory
    from engrain.store.store import Progress

_PLAYED = frozenset({TOOL_CALL, PROJECT_SEEN, PROJECT_MERGE})
_AT_ONCE = 500
KEPT = "replay.json"


def replay(
    memory: Memory, paths: Sequence[str] = (), *, bring: Progress | None = None, progress: Progress | None = None
) -> Replayed:
    """Plays a history in the order of its time; `bring` and `progress` are told of bytes read and sessions played."""
    from engrain.memory import Memory

    with (
        tempfile.TemporaryDirectory(prefix="engrain-replay-") as folder,
        Memory.open(folder, store="", folder=memory.folder) as other,
    ):
        if paths:
            _brought(other, paths, bring)
        else:
            other.store.append(_own(memory))
        if not other.to_learn():
            raise NotFound("there is no session in which a tool was called")
        return play(other.store, other.tenant, other.admitted, progress)


def keep(memory: Memory, told: Mapping[str, Any], paths: Sequence[str]) -> None:
    """What the last replay said is there to be looked at, until something is forgotten."""
    kept = {**told, "time": now(), "of": len(paths)}
    memory.home.ensure()
    replace_file(memory.home.at(KEPT), json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace"))


def kept(memory: Memory) -> dict[str, Any]:
    """What the last replay said; empty where none is kept."""
    try:
        with open(memory.home.at(KEPT), encoding="utf-8") as file:
            told = json.load(file)
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def size_of(memory: Memory, paths: Sequence[str]) -> int:
    """How many bytes there are to read."""
    return sum(unit.size for unit in memory.transcripts(claude_code.AGENT, paths)) if paths else 0


def sessions_in(memory: Memory, paths: Sequence[str]) -> int:
    """About how many sessions are to be played."""
    return len(memory.transcripts(claude_code.AGENT, paths)) if paths else len(memory.store.sessions())


def units_of(memory: Memory, paths: Sequence[str]) -> dict[str, list[Unit]]:
    """The sessions in these files and folders, by the agent whose they are."""
    found: dict[str, list[Unit]] = {}
    for unit in memory.transcripts(claude_code.AGENT, paths):
        found.setdefault(codex.AGENT if codex.wrote(unit.paths[0]) else claude_code.AGENT, []).append(unit)
    return found


def _brought(other: Memory, paths: Sequence[str], bring: Progress | None) -> None:
    for agent, units in units_of(other, paths).items():
        other.import_transcripts(agent, units, bring)


def _own(memory: Memory) -> Iterator[Event]:
    """What this memory saw agents do, with what edits carried as far as that is still kept."""
    bodies, waiting = Bodies(memory.store.database), []
    for event in memory.store.events():
        if event.tenant == memory.tenant and event.kind in _PLAYED:
            waiting.append(event)
        if len(waiting) >= _AT_ONCE:
            yield from _carrying(bodies, waiting)
            waiting = []
    yield from _carrying(bodies, waiting)


def _carrying(bodies: Bodies, events: Sequence[Event]) -> Iterator[Event]:
    carried = bodies.get(event.id for event in events)
    for event in events:
        more = {BODIES: carried[event.id]} if event.id in carried else {}
        yield event._replace(body={**event.body, **more}, tenant=event.tenant)
