"""Scrub: what the stage could not hide of the machine that records, and what is too long to keep."""

from __future__ import annotations

import os
import re

from .case import Take

MOST = 7_600
"""Characters of one recording: an agent is shown the two ends of a longer one as well."""


def scrubbed(text: str, take: Take) -> str:
    """The text with the tools where a user would have them."""
    home = f"/home/{take.scene.user}"
    for pattern, there in (
        (r"/opt/venv/py3\d+", f"{take.scene.place}/.venv"),
        (r"/opt/venv/(\w+)", f"{home}/.venvs/\\1"),
        (r"/opt/node/\w+/node_modules", "/usr/local/lib/node_modules"),
        (r"/opt/new\b", f"{home}/.rustup/toolchains/stable-x86_64-unknown-linux-gnu"),
        (r"/opt/old\b", f"{home}/.rustup/toolchains/nightly-x86_64-unknown-linux-gnu"),
        (r"/opt/cache/", f"{home}/.cache/"),
        (re.escape(os.path.expanduser("~/.cargo")), f"{home}/.cargo"),
    ):
        text = re.sub(pattern, there, text)
    return cut(text)


def cut(text: str) -> str:
    """At most `MOST` characters: the head and the tail, whole lines of both where there are any."""
    if len(text) <= MOST:
        return text
    head, tail = text[: MOST // 2], text[-MOST // 2 :]
    head = head[: head.rfind("\n") + 1] or head
    tail = tail[tail.find("\n") + 1 :] or tail
    gone = text.count("\n") - head.count("\n") - tail.count("\n")
    return f"{head}... [{gone} lines cut] ...\n{tail}"
