"""What Memory does with what somebody kept in another tool: finds it, and brings it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from engrain import event as events
from engrain import project as projects
from engrain.errors import BadInput
from engrain.event import Event
from engrain.project import Project

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.upkeep.moving.bring import Moved
    from engrain.upkeep.moving.making import Making

Start = Callable[[int], Callable[[int], None] | None]
"""Told how much there is to read, says how to tell of what was read."""

TOOLS = ("fixcache", "aictx", "agent-memory")


def moved(memory: Memory, tool: str, where: Sequence[str], start: Start) -> Moved:
    """What this tool keeps there, or where it keeps it of itself, is in the journal."""
    from engrain.upkeep.moving.making import Making

    memory.catch_up()
    making = Making(tool, tenant=memory.tenant, admit=memory.admitted)
    return {"fixcache": _fixcache, "aictx": _aictx, "agent-memory": _agent_memory}[tool](memory, making, where, start)


def _fixcache(memory: Memory, making: Making, where: Sequence[str], start: Start) -> Moved:
    from engrain.store import foreign
    from engrain.upkeep.moving import fixcache
    from engrain.upkeep.moving.bring import bring

    own = os.path.join(os.path.expanduser("~"), fixcache.PLACE)
    if not where and not os.path.exists(own):
        raise BadInput(f"no store of fixcache on this machine: there is no {own}; name one")
    path = os.path.expanduser(_only("fixcache", where, "PATH") or own)
    path = os.path.join(path, os.path.basename(fixcache.PLACE)) if os.path.isdir(path) else path
    with foreign.opened(path) as database:
        fixcache.checked(database)
        return bring(memory.store, making, fixcache.read(database, making), start(fixcache.size(database)))


def _aictx(memory: Memory, making: Making, where: Sequence[str], start: Start) -> Moved:
    from engrain.upkeep.moving import aictx
    from engrain.upkeep.moving.bring import bring

    roots = [os.path.expanduser(path) for path in where] or aictx.registered(os.path.expanduser("~"))
    if not roots:
        roots = [memory.project.root]
    found = [aictx.kept(path) for path in roots]
    progress = start(sum(map(aictx.size, found)))

    def told() -> Iterator[Event]:
        for each in found:
            place = projects.identify(each.root)
            yield memory.admitted(projects.sighting(place, memory.tenant, events.now(), memory.home.mark))
            yield from _read(aictx.read(each, making, place.id), progress)

    return bring(memory.store, making, told())


def _read(told: Iterable[Event | int], progress: Callable[[int], None] | None) -> Iterator[Event]:
    for each in told:
        if not isinstance(each, int):
            yield each
        elif progress:
            progress(each)


def _agent_memory(memory: Memory, making: Making, where: Sequence[str], start: Start) -> Moved:
    from engrain.store import foreign
    from engrain.upkeep.moving import agent_memory
    from engrain.upkeep.moving.bring import bring

    url = _only("agent-memory", where, "postgresql://USER@HOST/DATABASE")
    if not url.startswith(("postgresql://", "postgres://")):
        raise BadInput("agent-memory is kept by a PostgreSQL server: name it, as postgresql://USER@HOST/DATABASE")
    with foreign.opened(url) as database:
        agent_memory.checked(database)
        told = agent_memory.read(database, making, place=_place)
        return bring(memory.store, making, told, start(agent_memory.size(database)))


def _place(folder: str, remote: str) -> Project:
    """The project of a folder; of one that is gone, or was elsewhere, by the remote that it had."""
    if remote and not os.path.isdir(folder):
        return projects.of_remote(remote, folder)
    return projects.identify(folder if os.path.isabs(folder) else os.path.join(os.sep, folder))


def _only(tool: str, where: Sequence[str], what: str) -> str:
    if len(where) > 1:
        raise BadInput(f"{tool} is brought from one place at a time: engrain import {tool} {what}")
    return where[0] if where else ""
