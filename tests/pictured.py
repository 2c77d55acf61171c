"""What a person sees on a Textual screen, as text: each letter at its place. Snapshots are compared line by line."""

from __future__ import annotations

import html
import os
import re
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
_TEXT = re.compile(r'<text class="[^"]*" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)
_WIDE, _HIGH = 12.2, 24.4
WRITE = os.environ.get("ENGRAIN_SNAPSHOTS") == "write"


def seen(app: Any) -> str:
    """The screen of an app."""
    lines: dict[int, list[str]] = {}
    body = app.export_screenshot().partition('-matrix">')[2]
    for x, y, text in _TEXT.findall(body):
        row = lines.setdefault(round(float(y) / _HIGH), [])
        place = round(float(x) / _WIDE)
        row.extend(" " * (place - len(row)))
        row[place:] = html.unescape(text).replace("\xa0", " ")
    height = max(lines, default=0)
    return "\n".join("".join(lines.get(number, [])).rstrip() for number in range(height + 1)).strip("\n") + "\n"


def compared(name: str, text: str) -> None:
    """Holds a text against the one that is kept; `ENGRAIN_SNAPSHOTS=write` keeps it."""
    path = os.path.join(HERE, "snapshots", f"{name}.txt")
    if WRITE:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    with open(path, encoding="utf-8") as file:
        assert text == file.read(), f"{path} differs; ENGRAIN_SNAPSHOTS=write keeps what is seen now"
