"""Rendering: a page and its values → HTML. Every value is text unless a drawing made it."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from engrain import __version__
from engrain.web import assets, drawing, telling, words


class Place:
    """A page in the list that stands beside every page."""

    def __init__(self, path: str, name: str, group: str) -> None:
        self.path, self.name, self.group = path, name, group


PLACES = (
    Place("/", "Overview", "Watch"),
    Place("/live", "Live", "Watch"),
    Place("/failures", "Failures & fixes", "Watch"),
    Place("/search", "Search", "Watch"),
    Place("/sessions", "Sessions", "Watch"),
    Place("/lessons", "Lessons", "Teach"),
    Place("/tasks", "Tasks & strategies", "Teach"),
    Place("/patterns", "Patterns", "Teach"),
    Place("/replay", "Replay", "Improve"),
    Place("/training", "Training", "Improve"),
    Place("/projects", "Projects", "Keep"),
    Place("/status", "Health", "Keep"),
)


@cache
def environment() -> Environment:
    """The templates, compiled when first used."""
    made = Environment(
        loader=PackageLoader("engrain.web", "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    made.filters.update(words.FILTERS)
    made.filters.update(said=telling.said, called=telling.called, offered=telling.offered, failed=telling.failed)
    made.globals.update(asset=assets.address, places=PLACES, version=__version__, **drawing.DRAWINGS)
    return made


def rendered(template: str, values: dict[str, Any]) -> str:
    """The page."""
    return environment().get_template(template).render(values)
