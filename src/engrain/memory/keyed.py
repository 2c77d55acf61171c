"""Keyed: a failure, typed as it was seen or by its fingerprint → what is remembered of this very one.

An error text has a key of its own, the same on every machine, so no ranker need guess: what helps against it stands
first, then the latest times that it came, then what helps against others of its kind. Functions over a Memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from engrain.fingerprint import fingerprint
from engrain.patterns import compiled
from engrain.store.rows import Key

if TYPE_CHECKING:
    from engrain.memory import Memory

MOST_TYPED = 10_000
MOST_OF_EACH = 5
"""Fixes, failures, and fixes of the kind."""

HELPS, CAME, HELPS_KIN = "helps against this failure", "this very failure", "helps against failures of this kind"

_KEY = r"\s*(?:(\d+):)?([0-9a-f]{8,20})\s*"


class Keys(NamedTuple):
    """The keys of a failure: of this one, and of its kind; empty where a text is none."""

    fingerprint: str = ""
    family: str = ""


def keys_of(memory: Memory, typed: str) -> Keys:
    """Which failure is meant: by its fingerprint or the beginning of that, or as its output is."""
    if named := compiled(_KEY).fullmatch(typed[:64]) if len(typed) <= 64 else None:
        return _named(memory, f"{named[1] or 1}:{named[2]}")
    found = fingerprint(typed[:MOST_TYPED])
    return Keys(found.fingerprint, found.family) if found.known else Keys()


def _named(memory: Memory, key: str) -> Keys:
    args = {"tenant": memory.tenant, "start": key, "beyond": f"{key}~", "limit": 2}
    rows = memory.store.database.all("failures_begin", args)
    one = len({row[0] for row in rows}) == 1
    return Keys(str(rows[0][0]), str(rows[0][1])) if one else Keys(key)


def remembered(memory: Memory, keys: Keys, projects: tuple[str, ...]) -> dict[Key, str]:
    """The events that these keys name, of these projects (none: of all), and what each has to do with the failure."""
    found: dict[Key, str] = {}
    for query, key, because in _asked(keys):
        args = {
            "tenant": memory.tenant, "key": key, "projects": list(projects), "anywhere": not projects,
            "limit": MOST_OF_EACH,
        }  # fmt: skip
        for project, id_ in memory.store.database.all(query, args) if key else ():
            found.setdefault((memory.tenant, str(project), str(id_)), because)
    return found


def _asked(keys: Keys) -> Iterator[tuple[str, str, str]]:
    yield "recipes_keyed", keys.fingerprint, HELPS
    yield "failures_keyed", keys.fingerprint, CAME
    if keys.family != keys.fingerprint:
        yield "recipes_keyed", keys.family, HELPS_KIN
