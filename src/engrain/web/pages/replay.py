"""Replay: what the memory would have answered on real history. Simulated, and labelled so."""

from __future__ import annotations

from engrain.memory import looking
from engrain.web.asked import Asked, Page


def show(asked: Asked) -> Page:
    """The last replays."""
    with asked.memory() as memory:
        return Page("replay.html", {"rows": [], "names": looking.names(memory)})
