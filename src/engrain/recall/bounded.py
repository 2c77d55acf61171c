"""Bounded: an expression is searched for, but for no longer than it is worth.

Somebody's expression can take longer than the universe has. Python looks for signals while it matches, so a timer ends
it: in the main thread alone, because signals come there. Elsewhere an expression that might never end is not tried.
On the hook's path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

SECONDS = 0.003
"""Of processor time, for one expression: a hundred times what a sound one needs."""


class _Over(Exception):  # noqa: N818 - a signal, not an error
    """The time is over."""


class Clock:
    """Searches under a timer, while it is entered; whoever used the timer before has it back afterwards."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._before: Any = None
        self._rest = 0.0
        self._began = 0.0
        self._ends_at = 0.0
        self._searching = False
        self.works = False
        """Whether an endless expression can be stopped here."""

    def __enter__(self) -> Clock:
        import signal
        import time

        self._began = time.monotonic()
        try:
            self._before = signal.signal(signal.SIGALRM, self._ring)
        except ValueError:
            return self
        self._rest = signal.setitimer(signal.ITIMER_REAL, 0)[0]
        self.works = True
        return self

    def __exit__(self, *_: object) -> None:
        import signal
        import time

        if self.works:
            self.works = False
            signal.signal(signal.SIGALRM, self._before or signal.SIG_DFL)
            if self._rest:
                left = self._rest - (time.monotonic() - self._began)
                signal.setitimer(signal.ITIMER_REAL, max(left, 0.000_1))

    def found(self, pattern: str, text: str) -> bool | None:
        """Whether the expression is somewhere in the text; None where that could not be told, or not in time."""
        import re

        try:
            return self._searched(pattern, text) if self.works else re.search(pattern, text) is not None
        except (re.error, RecursionError, OverflowError):
            return None

    def _searched(self, pattern: str, text: str) -> bool | None:
        import re
        import signal
        import time

        try:
            self._ends_at = time.thread_time() + self._seconds
            self._searching = True
            signal.setitimer(signal.ITIMER_REAL, self._seconds)
            try:
                return re.search(pattern, text) is not None
            finally:
                # First, or a signal that came just now would set the timer again, for nobody to hear it.
                self._searching = False
                signal.setitimer(signal.ITIMER_REAL, 0)
        except _Over:
            return None

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        """A process that had to wait is not an expression that takes long."""
        import signal
        import time

        if not self._searching:
            return
        left = self._ends_at - time.thread_time()
        if left > 0.000_2:
            signal.setitimer(signal.ITIMER_REAL, left)
        else:
            raise _Over
