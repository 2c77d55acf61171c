"""Notes: what an observation may say beside its text. Functions over a Memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from engrain.errors import BadInput
from engrain.event import NOTE

if TYPE_CHECKING:
    from engrain.memory import Memory

TYPES = ("decision", "bugfix", "feature", "refactor", "discovery", "change", "pattern", "gotcha")
"""What a note may be about."""


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
