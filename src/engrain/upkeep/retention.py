"""Retention: what was recorded and taught nothing goes when it is old, or when there is too much of it.

Nothing goes unless the settings say so, for each kind by itself: `retention.days` and `retention.mb`. Only what was
recorded can go, never what somebody taught or what was learned. Of that these stay whatever their age: a command that
failed, and everything in a session in which a failure was followed to its end, because fixes rest on it and a model
is trained from it. Nothing goes before it was learned from. What goes leaves no tombstone: brought again from where it
was recorded first, it is there again until the next time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engrain.config import Config
from engrain.errors import BadConfig
from engrain.event import COMMAND, PROMPT, REPLY, SESSION_END, SESSION_START, TOOL_CALL
from engrain.paths import Home, replace_file
from engrain.store import Store

KINDS = (TOOL_CALL, COMMAND, PROMPT, REPLY, SESSION_START, SESSION_END)
"""What may go. Everything else was taught, or learned."""

DAYS, MB = "retention.days", "retention.mb"
DAY = 86_400_000_000
PIECE = 5_000


class Limit(NamedTuple):
    """How long and how much of a kind is kept; 0 says nothing."""

    kind: str
    days: float = 0.0
    mb: float = 0.0


def limits(config: Config) -> list[Limit]:
    """What the settings say, or BadConfig."""
    days, most = _numbers(config, DAYS), _numbers(config, MB)
    return [Limit(kind, days.get(kind, 0), most.get(kind, 0)) for kind in KINDS if kind in days or kind in most]


def _numbers(config: Config, name: str) -> dict[str, float]:
    """`tool.call: 90, reply: 30` as numbers by kind."""
    found = {}
    for part in filter(None, (each.strip() for each in config.text(name).split(","))):
        kind, _, number = part.rpartition(":")
        if kind.strip() not in KINDS:
            raise BadConfig(f"{config.get(name).source}: {name}: {kind.strip()!r} is none of {', '.join(KINDS)}")
        try:
            found[kind.strip()] = float(number)
        except ValueError:
            raise BadConfig(f"{config.get(name).source}: {name}: {part!r} is no kind with a number") from None
        if not 0 < found[kind.strip()] < 1e9:
            raise BadConfig(f"{config.get(name).source}: {name}: {part!r} must be above 0")
    return found


def due(home: Home, now: int) -> bool:
    """Whether it was not done today."""
    try:
        with open(home.at("retained"), encoding="utf-8") as file:
            return file.read().strip() != str(now // DAY)
    except FileNotFoundError:
        return True


def done(home: Home, now: int) -> None:
    """It was done today."""
    replace_file(home.at("retained"), str(now // DAY).encode())


def expire(store: Store, wanted: list[Limit], now: int, more: Callable[[], bool]) -> tuple[int, bool]:
    """Takes away what is beyond these limits while there is time; how much, and whether nothing is left to."""
    gone = 0
    for limit in wanted:
        before = max(now - int(limit.days * DAY) if limit.days else 0, _cut(store, limit))
        while before and (keys := store.expiring(limit.kind, before, limit=PIECE)):
            if not more():
                return gone, False
            store.expire(keys)
            gone += len(keys)
    return gone, True


def _cut(store: Store, limit: Limit) -> int:
    """The time before which there is too much of a kind; 0 when there is not."""
    most = int(limit.mb * 1_000_000)
    return store.size_cut(limit.kind, most) if most and store.size_of(limit.kind) > most else 0
