"""Following: ticks for as long as somebody wants them, one whenever there is work.

For machines that serve a team, where no hook starts ticks. PostgreSQL tells when something was put in line; a file is
looked at. Whatever was not heard of is found a little later, and what the store refuses now it may take then.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from engrain.errors import HomeUnusable, StoreBusy, StoreForbidden, StoreFull, StoreUnreachable
from engrain.upkeep.tick import Ticked

PATIENCE = 5.0
"""Seconds after which a tick comes though nothing was heard."""


def while_wanted() -> Callable[[], bool]:
    """Whether the process that started this one is still there."""
    parent = os.getppid()
    return lambda: os.getppid() == parent


def follow(
    tick: Callable[[], Ticked], heard: Callable[[float], bool], wait: Callable[[float], object],
    wanted: Callable[[], bool],
) -> None:  # fmt: skip
    """Ticks as long as somebody wants that, or until it is ended."""
    while wanted():
        try:
            heard(0)
            done = tick()
            if not done.ran or not (done.jobs_done or done.appended.new):
                heard(PATIENCE)
        except (StoreUnreachable, StoreForbidden, StoreBusy, StoreFull, HomeUnusable):
            wait(PATIENCE)
