"""Training: what became of the model that learns from the journal."""

from __future__ import annotations

from engrain.web.asked import Asked, Page


def show(asked: Asked) -> Page:
    """The runs, the latest first."""
    with asked.memory() as memory:
        return Page("training.html", {"rows": [], "events": memory.store.last_arrived()})
