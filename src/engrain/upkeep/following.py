"""Following: ticks for as long as somebody wants them, one whenever there is work.

For machines that serve a team, where no hook starts ticks. PostgreSQL tells when something was put in line; a file is
looked at. Whatever was not heard of is found a little later, and what the store refuses now it may take then.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from engrain.errors import HomeUnusable, StoreBusy, StoreFull, StoreUnreachable
from engrain.upkeep.tick import Ticked

PATIENCE = 5.0
"""Seconds after which a tick comes though nothing was heard."""


def follow(tick: Callable[[], Ticked], heard: Callable[[float], bool], wait: Callable[[float], object]) -> None:
    """Ticks until the process that started this one is gone, or this one is told to end."""
    parent = os.getppid()
    while os.getppid() == parent:
        try:
            heard(0)
            done = tick()
            if not done.ran or not (done.jobs_done or done.appended.new):
                heard(PATIENCE)
        except (StoreUnreachable, StoreBusy, StoreFull, HomeUnusable):
            wait(PATIENCE)
