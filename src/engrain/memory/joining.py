"""Joining: what was remembered in a checkout before it had a commit, or a remote, is found under what it is now.

The id of a project follows from the strongest that is known of it, so the first commit and the first remote change it.
Whoever looks at the checkout then records that it is what it was, as an event that says why, and that can be forgotten:

    the folder      → what it is now   this home saw the folder, and later the history was begun in it, and not cloned
    a first commit  → what it is now   it is, or was before it was amended, the first commit of this very repository

Nothing else is taken for the same: a remote that took another's place may be a move or another project, and only
somebody can say which. The files of this machine are looked at, so nobody does this for who visits.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain import event as events
from engrain import project as projects
from engrain.event import JOINED, Event
from engrain.model import merged, within
from engrain.redact.home import homeless
from engrain.store.rows import event_of

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.project import Begun, Repository
    from engrain.upkeep.tick import Appends

MOST_PLACES = 50
"""Places that a tick looks at, those first that were seen last."""


class Joined(NamedTuple):
    """What a project was, why it is taken for the same, and the event that says so."""

    project: str
    because: str
    id: str


class Apart(NamedTuple):
    """Another project that was seen in the same folder, and is not joined with what the folder is now."""

    project: str
    name: str
    remote: str


class _Place(NamedTuple):
    """A row of places."""

    tenant: str
    project: str
    id: str
    time: int
    name: str
    root: str
    remote: str


def join(memory: Memory, journal: Appends, folders: Iterable[str]) -> int:
    """Records of each of these checkouts what it was; how much was new."""
    found = [memory.admitted(event) for folder in folders for event in joins(memory, folder)]
    return journal.append(found).new if found else 0


def joins(memory: Memory, folder: str) -> list[Event]:
    """The events that join what this checkout was with what it is; none where nothing is known of what it was."""
    repository = projects.find_repository(os.path.realpath(folder))
    known = [place for place in _places(memory) if not place.remote] if repository else []
    if repository is None or not known:
        return []
    merges = _merges(memory)
    was = _was(memory, repository, known, merges)
    waiting = {place.project for place in known} & was.keys() - _settled(repository, merges)
    now = projects.identify(repository.root).id if waiting else ""
    if now == projects.id_by("folder", projects.home_of(repository)):
        # Git could not be asked.
        return []
    parted = {now, *_parted(memory, was, now)} if waiting else set()
    found: list[Event] = []
    for project in (each for each in was if each in waiting - parted):
        if project not in within(now, merges):
            found.append(events.join(project, now, was[project], tenant=memory.tenant))
            merges = [*merges, (memory.tenant, project, found[-1].id, 0, now)]
    return found


def _was(
    memory: Memory, repository: Repository, known: Sequence[_Place], merges: Sequence[Sequence[Any]]
) -> dict[str, str]:
    """What a checkout may have been before, and why."""
    begun = projects.begun(repository)
    commits = begun.commits or _first_commits(memory, repository, known, merges)
    was = {projects.id_by("commit", each): f"the root commit {each[:12]} is of this repository" for each in commits}
    if begun.commits and _seen_before(memory, known, repository, begun):
        folder = projects.id_by("folder", projects.home_of(repository))
        was[folder] = "this folder was seen before the history was begun in it"
    return was


def _first_commits(
    memory: Memory, repository: Repository, known: Sequence[_Place], merges: Sequence[Sequence[Any]]
) -> tuple[str, ...]:
    """The first commit of what was not begun here. Git is asked where something is known of this folder that may be of
    the same history; without a remote that commit is what the checkout is, and not what it was."""
    if not projects.remote_of(repository):
        return ()
    root = homeless(repository.root, memory.gate.home)
    joined = within(projects.identify(repository.root).id, merges)
    if all(place.project in joined for place in known if place.root == root):
        return ()
    return tuple(filter(None, [projects.first_commit(repository)]))


def _settled(repository: Repository, merges: Sequence[Sequence[Any]]) -> set[str]:
    """What needs no second look where there is no remote, and git would be asked for each: what was joined already,
    and the first commit, which is what the checkout is now."""
    if projects.remote_of(repository):
        return set()
    last = [projects.id_by("commit", each) for each in projects.begun(repository).commits[-1:]]
    return {*last, *(str(row[1]) for row in merges if str(row[2]).startswith(JOINED))}


def _seen_before(memory: Memory, known: Iterable[_Place], repository: Repository, begun: Begun) -> bool:
    """Whether this home saw the folder before the history was begun in it."""
    home = projects.home_of(repository)
    project, root = projects.id_by("folder", home), homeless(home, memory.gate.home)
    # Git's log tells seconds.
    seen = [p.id for p in known if (p.project, p.root) == (project, root) and p.time < (begun.time + 1) * 1_000_000]
    return bool(_ours(memory, seen))


def _parted(memory: Memory, was: Iterable[str], now: str) -> set[str]:
    """Which of them somebody has parted from what this checkout was or is."""
    ids = {events.join_id(each, other): each for each in was for other in (*was, now)}
    gone = memory.look()("tombstones_of", {"ids": sorted(ids)})
    return {ids[target] for tenant, target in gone if tenant == memory.tenant}


def places(memory: Memory) -> Iterator[str]:
    """The folders of this machine where this home saw projects, the latest first."""
    latest = sorted(_places(memory), key=lambda place: (-place.time, place.id))
    ours = _ours(memory, [place.id for place in latest[: MOST_PLACES * 2]])
    roots = dict.fromkeys(place.root for place in latest if place.id in ours)
    for root in list(roots)[:MOST_PLACES]:
        yield memory.gate.home + root[1:] if root == "~" or root.startswith("~/") else root


def _ours(memory: Memory, ids: Sequence[str]) -> set[str]:
    """Which of these sightings this home made."""
    rows = memory.look()("events_by_ids", {"ids": sorted(ids)}) if ids else []
    found = [event_of(row, memory.where) for row in rows]
    return {each.id for each in found if each.tenant == memory.tenant and each.body.get("home") == memory.home.mark}


def joined(memory: Memory) -> list[Joined]:
    """What this project was, as far as that was seen."""
    merges = _merges(memory)
    here = within(memory.project.id, merges)
    ids = [row[2] for row in merges if str(row[2]).startswith(JOINED) and row[1] in here and row[4] in here]
    found = [event_of(row, memory.where) for row in memory.look()("events_by_ids", {"ids": ids})] if ids else []
    return [Joined(each.project, str(each.body.get("because", "")), each.id) for each in found]


def apart(memory: Memory) -> list[Apart]:
    """What else was seen in this folder, and is not joined with what it is now."""
    root, same = homeless(memory.project.root, memory.gate.home), merged(memory.project.id, _merges(memory))
    return sorted(
        {Apart(p.project, p.name, p.remote) for p in _places(memory) if p.root == root and p.project not in same}
    )


def _places(memory: Memory) -> list[_Place]:
    return [_Place(*row) for row in memory.look()("dump_places", {}) if row[0] == memory.tenant]


def _merges(memory: Memory) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in memory.look()("dump_merges", {}) if row[0] == memory.tenant]
