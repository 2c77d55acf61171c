"""Bring: what another tool kept → the journal, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from engrain.event import Event
from engrain.store import Store
from engrain.store.store import Appended
from engrain.upkeep.already import Already
from engrain.upkeep.moving.making import Left, Making

Progress = Callable[[int], None]


class Moved(NamedTuple):
    """What became of another tool's data: what it told, what is new of that, and what was left there."""

    told: Mapping[str, int]
    appended: Appended
    left: tuple[Left, ...]


def bring(store: Store, making: Making, told: Iterable[Event | None], progress: Progress | None = None) -> Moved:
    """Everything that was read is in the journal. A None among the events is a row that was read."""
    already = Already(store, unnamed=True)
    appended = store.append(already.without(_counted(told, progress)))
    return Moved(dict(making.told), appended + Appended(known=already.known), tuple(making.left))


def _counted(told: Iterable[Event | None], progress: Progress | None) -> Iterator[Event]:
    for each in told:
        if each is not None:
            yield each
        elif progress:
            progress(1)
