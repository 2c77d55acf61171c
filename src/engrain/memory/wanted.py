"""Wanted: what a search may find, as a person or an agent narrows it down."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from engrain.event import LOCAL, MAX_TIME, Event
from engrain.learn import terms
from engrain.learn.direct import searchable
from engrain.store.words import Phrases, Where

if TYPE_CHECKING:
    from engrain.memory import Memory

MOST = 0.8
"""Of all events, the part from which on a project has most."""


class Wanted(NamedTuple):
    """What may be found: of these projects (none: of any), kinds, agents, tags; how it went; when; over which file."""

    projects: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    agent: str = ""
    tags: tuple[str, ...] = ()
    outcome: str = ""
    since: int = 0
    before: int = MAX_TIME
    file: str = ""

    @property
    def narrow(self) -> bool:
        """Whether more is asked than a vector knows of its event."""
        return self._replace(projects=(), kinds=()) != Wanted()


def where(memory: Memory, wanted: Wanted) -> Where:
    """The same as words that stand where an event says what it is."""
    groups = (
        [terms.of_project(each) for each in wanted.projects],
        [terms.of_kind(each) for each in wanted.kinds],
        [terms.of_agent(wanted.agent)] if wanted.agent else [],
        [terms.of_outcome(wanted.outcome)] if wanted.outcome else [],
        # In a store of one person every event would match.
        [terms.of_tenant(memory.tenant)] if memory.tenant != LOCAL else [],
        *([terms.of_tag(tag)] for tag in wanted.tags),
    )
    if wanted.projects and _most(memory, wanted.projects):
        groups = ([], *groups[1:])
    return Where(tuple(tuple(group) for group in groups if group), wanted.since, wanted.before)


def _most(memory: Memory, projects: Collection[str]) -> bool:
    """Whether most of what there is belongs to these projects: then it is quicker to leave out the others later."""
    counts = [(project in projects, number) for _, project, _, _, number in memory.store.projects()]
    return bool(sum(number for mine, number in counts if mine) >= MOST * sum(number for _, number in counts))


def needed(wanted: Wanted) -> list[Phrases] | None:
    """The path that must be named; None where it has no word to look for."""
    if not wanted.file:
        return []
    phrase = terms.parts(wanted.file)
    return [(phrase,)] if phrase else None


def fits(event: Event, wanted: Wanted) -> bool:
    """Whether an event is one that is asked about."""
    if wanted.kinds and event.kind not in wanted.kinds:
        return False
    said = set(terms.place(event).split())
    asked = [terms.of_tag(tag) for tag in wanted.tags]
    asked += [terms.of_agent(wanted.agent)] if wanted.agent else []
    asked += [terms.of_outcome(wanted.outcome)] if wanted.outcome else []
    over = not wanted.file or wanted.file.casefold() in searchable(event).casefold()
    return said.issuperset(asked) and wanted.since <= event.time < wanted.before and over
