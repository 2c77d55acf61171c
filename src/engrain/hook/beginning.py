"""The beginning of a session: what earlier ones left open and what recurs here, as the last tick has kept it.

Said once a session, when it begins with nothing in it: on `startup`, and on `clear`, after which nothing is left of
what was said. A session that is resumed or forked has it in its transcript. One that was compacted is in the midst of
its own task, and what the one before had left open would only lead it away.

A hook reads one small file; no store is opened. What was forgotten is gone from the file before forgetting returns.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.paths import Home

SOURCES = frozenset(("startup", "clear", ""))
"""Where a session comes from; an agent that does not say so begins one."""

MOST = 4096


def kept(home: Home, tenant: str, project: str) -> str:
    """What a session of this project is told, empty where that is nothing; the file's first line is the tick's own."""
    try:
        fd = os.open(home.brief(tenant, project), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(fd, MOST).partition(b"\n")[2].decode("utf-8", "replace")
    finally:
        os.close(fd)
