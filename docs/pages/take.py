"""Takes the pictures of the pages from a memory that was made up: `make screenshots`.

python -m docs.pages.take [NAME…]
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import TYPE_CHECKING

from engrain.memory import Memory
from tests.browsing import browser
from tests.lived_in import live_in
from tests.served import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = os.path.dirname(os.path.abspath(__file__))
WIDE, NARROW = 1440, 360
MOST_HEIGHT = 940
MOST_BYTES = 200_000
SMALL = ("overview", "failure", "search", "lessons")
"""Pages that are also taken as a telephone shows them."""


def pages(home: str, folder: str) -> dict[str, str]:
    """The address of each page, with something on it."""
    with Memory.open(home, folder=os.path.join(folder, "shop")) as memory:
        failure = memory.failures()[0].fingerprint
        fix = memory.failure(failure).fixes[0].id
        session = max(memory.sessions(limit=30), key=lambda each: each.calls).session
    return {
        "overview": "/", "live": "/live", "failures": "/failures", "failure": f"/failures/{failure}", "fixes": "/fixes",
        "fix": f"/fixes/{fix}", "search": "/search?q=database", "sessions": "/sessions",
        "session": f"/sessions/{session}",
        "lessons": "/lessons", "lesson": "/lessons/new?try=1&text=fetch+before+a+push&command=git+push+*&project=*",
        "tasks": "/tasks", "patterns": "/patterns", "replay": "/replay", "training": "/training",
        "projects": "/projects", "health": "/status",
    }  # fmt: skip


def main(wanted: list[str]) -> None:
    """Every picture, or those that are named."""
    with tempfile.TemporaryDirectory() as scratch, browser() as opened:
        home, folder = os.path.join(scratch, "home"), os.path.join(scratch, "work")
        live_in(home, folder)
        with served(home, ENGRAIN_SERVER_READS="0") as one:
            places = {name: path for name, path in pages(home, folder).items() if not wanted or name in wanted}
            for scheme in ("light", "dark"):
                _taken(opened, one, places, scheme, WIDE)
                _taken(opened, one, {name: places[name] for name in SMALL if name in places}, scheme, NARROW)


def _taken(opened: Browser, one: Served, places: dict[str, str], scheme: str, width: int) -> None:
    narrow = "" if width == WIDE else f"-{width}"
    context = opened.new_context(
        color_scheme="dark" if scheme == "dark" else "light", viewport={"width": width, "height": 860},
        extra_http_headers={"Authorization": f"Bearer {one.token}"}, reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    for name, path in places.items():
        page.goto(one.url + path, wait_until="load")
        page.evaluate("document.fonts.ready.then(() => null)")
        tall = min(MOST_HEIGHT, max(860, int(page.evaluate("document.documentElement.scrollHeight"))))
        file = os.path.join(FOLDER, f"{name}{narrow}-{scheme}.png")
        page.screenshot(path=file, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": tall})
        size = os.path.getsize(file)
        sys.stdout.write(f"{os.path.relpath(file)}  {size // 1000} kB\n")
        assert size < MOST_BYTES, f"{file} is too large"
    context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
