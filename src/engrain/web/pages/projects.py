"""Projects: where agents worked."""

from __future__ import annotations

from engrain.memory import looking
from engrain.web.asked import Asked, Page


def listed(asked: Asked) -> Page:
    """Every project, the busiest first."""
    with asked.memory() as memory:
        return Page("projects.html", {"rows": looking.projects(memory)})
