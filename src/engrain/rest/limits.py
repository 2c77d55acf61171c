"""Limits: how often somebody may ask. A bucket fills by the minute and is forgotten when nobody draws from it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

MOST_BUCKETS = 10_000


class Limit:
    """So many a minute for each who asks, all of them at once if need be."""

    def __init__(self, a_minute: float, clock: Callable[[], float] = monotonic) -> None:
        self.a_minute = a_minute
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, who: str) -> float:
        """Seconds until it is their turn; 0 when it is, and that is counted. Without a limit it always is."""
        if self.a_minute <= 0:
            return 0.0
        now = self._clock()
        left, at = self._buckets.pop(who, (self.a_minute, now))
        left = min(self.a_minute, left + (now - at) * self.a_minute / 60)
        wait = 0.0 if left >= 1 else (1 - left) * 60 / self.a_minute
        self._buckets[who] = (left if wait else left - 1, now)
        self._forget(now)
        return wait

    def _forget(self, now: float) -> None:
        """Buckets that are full again say nothing; beyond a number of them the longest unused goes."""
        while self._buckets:
            who, (_, at) = next(iter(self._buckets.items()))
            if now - at < 60 and len(self._buckets) <= MOST_BUCKETS:
                return
            del self._buckets[who]
