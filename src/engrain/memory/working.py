"""What Memory knows of a session that goes on, or of the one before. Functions over a Memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engrain.errors import NotFound
from engrain.event import Event
from engrain.learn.working import Working, in_hand, left
from engrain.memory.history import Wanted, listed, named

if TYPE_CHECKING:
    from engrain.memory import Memory


def working(memory: Memory, name: str = "") -> tuple[str, Working]:
    """A session, this project's latest unless it is named, and what it has in hand."""
    session, told = events(memory, name)
    return session, in_hand(told)


def events(memory: Memory, name: str = "") -> tuple[str, list[Event]]:
    """A session, this project's latest unless it is named, and everything of it in order."""
    session, agent = _meant(memory, name)
    return session, list(memory.store.events_of_session(memory.tenant, session, agent))


def left_by(memory: Memory, session: str, agent: str) -> Working:
    """What a session had in hand when it ended, or has now."""
    return left(memory.store.events_of_session(memory.tenant, session, agent))


def _meant(memory: Memory, name: str) -> tuple[str, str]:
    if name:
        return named(memory, name)
    found = listed(memory, Wanted(project=memory.project.id), 1)
    if not found:
        raise NotFound("no session in this project yet; `engrain sessions --everywhere` lists all")
    return found[0].session, found[0].agent
