"""Akin: whether what was made for one name may be made for another.

That `mkdir reproduce_app` helped where a module of that name was missing says nothing of a library that is missing:
that one is to be had elsewhere. So what makes a thing is told only of names that are like those for which it helped.
On the hook's path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LEAST_COMMON = 3
"""Letters that two names must have in common, at their beginning or their end."""

_MAKERS = ("mkdir ", "touch ", "cp ", "ln ", "mv ", "make ")
_PLACES = ("path", "folder", "file")
"""What a failure names as a place is the session's own to make."""


def made(steps: Sequence[str], names: Iterable[str]) -> list[str]:
    """The names that these steps make something of."""
    makers = [step for step in steps if step.rpartition(" && ")[2].startswith(_MAKERS)]
    return [name for name in names if name not in _PLACES and any(f"{{{name}}}" in step for step in makers)]


def akin(value: str, known: Iterable[str]) -> bool:
    """Whether a name is like one of these."""
    return any(
        value[:LEAST_COMMON] == each[:LEAST_COMMON] or value[-LEAST_COMMON:] == each[-LEAST_COMMON:] for each in known
    )


def fits(steps: Sequence[str], named: Mapping[str, str], known: Iterable[Mapping[str, str]]) -> bool:
    """Whether these steps may be told of a failure that names this, where they helped against failures that named
    `known`."""
    past = list(known)
    return all(
        akin(named.get(name, ""), [values[name] for values in past if values.get(name)]) for name in made(steps, named)
    )
