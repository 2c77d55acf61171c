"""The report: the overview as one file that needs no server, fetches nothing and runs nothing."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from markupsafe import Markup

from engrain import event as events
from engrain.web import assets
from engrain.web.pages.overview import values
from engrain.web.rendering import rendered

if TYPE_CHECKING:
    from engrain.memory import Memory

FACES = (("Inter", "vendor/inter.woff2"), ("Source Serif", "vendor/serif.woff2"))


def html(memory: Memory) -> str:
    """The report, whole."""
    style = assets.text("engrain.css") + "".join(_face(name, file) for name, file in FACES)
    # The style sheet is our own.
    return rendered("report.html", {**values(memory), "style": Markup(style), "now": events.now()})  # noqa: S704


def _face(name: str, file: str) -> str:
    held = assets.held(file)
    if held is None:
        return ""
    data = base64.b64encode(held.data).decode()
    return f'@font-face {{ font-family: "{name}"; src: url(data:font/woff2;base64,{data}); font-weight: 100 900; }}\n'
