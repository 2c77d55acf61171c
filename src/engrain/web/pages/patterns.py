"""Patterns: how code and tests are written in each project."""

from __future__ import annotations

from engrain.memory import looking
from engrain.web.asked import Asked, Page


def listed(asked: Asked) -> Page:
    """Patterns, the most often seen first; those that fit a request where one is asked for."""
    project, form, words = asked.text("project"), asked.text("form"), asked.text("q")
    form = form if form in ("code", "test") else ""
    with asked.memory(project) as memory:
        if words:
            rows = memory.recall_similar_code(words, form=form, everywhere=not project, limit=20)
        else:
            rows = memory.patterns(form=form, everywhere=not project)
        values = {"rows": rows, "names": looking.names(memory), "project": project, "form": form, "q": words}
    return Page("patterns.html", values)
