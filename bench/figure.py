"""Figure: one measured number, the bound it is held to, and how it was measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

SHARED = os.path.abspath(os.environ.get("ENGRAIN_BENCH_DATA", os.path.join(os.getcwd(), "..", "shared", "data")))
"""Real data that is not part of the project; where it is absent, the figures that need it say so."""


class Figure(NamedTuple):
    """`value` in `unit`; reached when it is at least `least`, or at most `most`. With neither it is only reported."""

    what: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None
    note: str = ""

    @property
    def reached(self) -> bool:
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def bound(self) -> str:
        parts = [f"≥ {self.least:,g}"] if self.least is not None else []
        parts += [f"≤ {self.most:,g}"] if self.most is not None else []
        return " and ".join(parts)


class Absent(Exception):  # noqa: N818 - a message, not an error
    """Data that this benchmark needs is not here."""


Measure = Callable[[bool], Iterator[Figure]]


def shared(*path: str) -> str:
    """A file of the shared data, or Absent."""
    found = os.path.join(SHARED, *path)
    if not os.path.exists(found):
        raise Absent(f"{os.path.join(*path)} is not here; set ENGRAIN_BENCH_DATA to the folder that has it")
    return found
