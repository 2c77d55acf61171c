"""Assets: the files that pages load, each under a name that changes with its content: a browser keeps it.

Some are our own; `vendor/` is packed into the wheel when it is built (`make web-assets` in a checkout). Where it is
missing, pages read and work without.
"""

from __future__ import annotations

import os
from functools import cache
from hashlib import sha256
from typing import NamedTuple

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "static")
KINDS = {
    ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
}  # fmt: skip


FONTS = ("vendor/inter.woff2", "vendor/serif.woff2", "vendor/mono.woff2")


class Asset(NamedTuple):
    """A file as it is sent."""

    data: bytes
    kind: str


@cache
def held(name: str) -> Asset | None:
    """The file of this name, if there is one."""
    kind = KINDS.get(os.path.splitext(name)[1])
    place = os.path.normpath(os.path.join(FOLDER, name))
    if kind is None or not place.startswith(FOLDER + os.sep) or not os.path.isfile(place):
        return None
    with open(place, "rb") as file:
        data = file.read()
    if name == "fonts.css":
        # It names files by where they are for good.
        for font in FONTS:
            data = data.replace(f"url({font})".encode(), f"url({address(font)})".encode())
    return Asset(data, kind)


@cache
def address(name: str) -> str:
    """Where a file is; empty where it is not."""
    asset = held(name)
    return f"/assets/{sha256(asset.data).hexdigest()[:12]}/{name}" if asset else ""


def text(name: str) -> str:
    """A file as text; empty where it is not."""
    asset = held(name)
    return asset.data.decode() if asset else ""
