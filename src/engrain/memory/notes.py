"""Notes: what an observation may say beside its text, which say the same, and which were set right. Functions over a
Memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from engrain.errors import BadInput, StoreError
from engrain.event import LOCAL, NOTE, NOTE_AGAIN, Event
from engrain.learn import terms
from engrain.learn.noted import same
from engrain.store.words import Where

if TYPE_CHECKING:
    from engrain.memory import Memory

TYPES = ("decision", "bugfix", "feature", "refactor", "discovery", "change", "pattern", "gotcha")
"""What a note may be about."""

MOST_ALIKE, MOST_WORDS = 20, 12
"""Notes that are compared with a new one, and words of it that they must have."""
MOST_TIMES = 500
"""Times that notes were said again or set right which are looked at."""


def said(
    memory: Memory, type_: str, title: str, facts: Iterable[str], files: Iterable[str], supersedes: str
) -> dict[str, Any]:
    """The fields of a note's body beside its text; only those that say something."""
    if type_ and type_ not in TYPES:
        raise BadInput(f"a note is of type {', '.join(TYPES)}, not {type_!r}")
    if supersedes and not any(each.kind == NOTE for each in memory.get(supersedes)):
        raise BadInput(f"there is no note {supersedes!r} to supersede: `engrain search` names ids")
    fields = {
        "type": type_, "title": title.strip(), "facts": [fact for fact in facts if fact.strip()],
        "files": sorted(set(files)), "supersedes": supersedes,
    }  # fmt: skip
    return {name: value for name, value in fields.items() if value}


BESIDE = ("tags", "type", "title", "facts", "files")


def keep(memory: Memory, noted: Event) -> Event:
    """Records a note; or, where one that stands says the same, that it was said again. The note that stands then."""
    before = None
    if not noted.body.get("supersedes"):
        said = {name: noted.body[name] for name in BESIDE if name in noted.body}
        with suppress(StoreError):
            before = memory.noted_before(noted.body["text"], **said)
    if before is None or before.id == noted.id:
        memory.record(memory.sighting(), noted)
        return noted
    again = memory.event(NOTE_AGAIN, {"note": before.id}, session=noted.session, agent=noted.agent)
    memory.record(memory.sighting(), again._replace(project=before.project))
    return before


def before(memory: Memory, said: Mapping[str, Any]) -> Event | None:
    """The note of this project that says the same already and holds."""
    sought = [each.phrases for each in terms.typed(str(said["text"])).words[:MOST_WORDS]]
    if not sought or not memory.exists:
        return None
    projects = memory.store.same_project(memory.project.id)
    where = _where(memory, [terms.of_kind(NOTE)], [terms.of_project(each) for each in projects])
    found = memory.store.keyed([each.key for each in memory.store.words.all_of(sought, where, limit=MOST_ALIKE)])
    like = [each for each in found.values() if each.project in projects and same(said, each.body)]
    old = superseded(memory, like)
    standing = [each for each in like if each.tenant == memory.tenant and each.id not in old]
    return min(standing, key=lambda each: (each.time, each.id), default=None)


def superseded(memory: Memory, notes: Sequence[Event]) -> set[str]:
    """Which of these notes were set right by a later one."""
    later = _about(memory, [terms.of_superseded(each.id) for each in notes])
    return {str(each.body.get("supersedes")) for each in later if each.kind == NOTE}


def times(memory: Memory, notes: Sequence[Event]) -> Mapping[str, int]:
    """How often each of these notes was said, where that was more than once."""
    again = Counter(terms.said_again(each) for each in _about(memory, [terms.of_again(each.id) for each in notes]))
    return {note: 1 + number for note, number in again.items() if note}


def said_again(memory: Memory, id_: str) -> list[str]:
    """The events that say that a note was said again."""
    return [each.id for each in _about(memory, [terms.of_again(id_)])]


def _about(memory: Memory, named: Sequence[str]) -> list[Event]:
    """The events that name one of these."""
    if not named:
        return []
    found = memory.store.words.all_of([], _where(memory, named), limit=MOST_TIMES)
    return [each for each in memory.store.keyed([hit.key for hit in found]).values() if each.tenant == memory.tenant]


def _where(memory: Memory, *groups: Sequence[str]) -> Where:
    mine = [terms.of_tenant(memory.tenant)] if memory.tenant != LOCAL else []
    return Where(tuple(tuple(group) for group in (*groups, mine) if group))
