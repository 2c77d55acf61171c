"""Tasks and strategies: what agents were asked to do, and which ways of doing it worked."""

from __future__ import annotations

from engrain.memory import looking
from engrain.web.asked import Asked, Page


def listed(asked: Asked) -> Page:
    """What is known of tasks."""
    with asked.memory() as memory:
        return Page("tasks.html", {"names": looking.names(memory), "rows": []})
