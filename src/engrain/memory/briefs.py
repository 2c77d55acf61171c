"""Briefs: what sessions of a project are told at their start, kept as one small file each, ready for a hook to read.

Each tick makes those anew whose project has changed since: the first line of a file says how many events there were.
They are gone before anything that was forgotten, or a rule that was retired, could be told from them; the next tick
makes them anew.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engrain.errors import HomeUnusable
from engrain.event import EVERYWHERE
from engrain.memory import context
from engrain.paths import Home, reason, replace_file, unlink_if_there
from engrain.project import Project
from engrain.recall.context import told_at_start

if TYPE_CHECKING:
    from engrain.memory import Memory

MOST_MADE = 10
"""Projects of one tick, the latest first; of another the file is taken away, should it be old."""


def keep(memory: Memory) -> int:
    """What is kept says what is known now; how many were made. Call it with the tick's lock held."""
    rows = [row for row in memory.store.projects() if row[0] == memory.tenant]
    everywhere = next((row[4] for row in rows if row[1] == EVERYWHERE), 0)
    latest = sorted((row for row in rows if row[1] != EVERYWHERE), key=lambda row: (-row[3], row[1]))
    made = 0
    for _, project, _, _, number in latest:
        file, stamp = memory.home.brief(memory.tenant, project), f"{number} {everywhere}"
        if _stamp(file) == stamp:
            continue
        if made < MOST_MADE:
            made += 1
            text = told_at_start(context.start(memory.seen_from(memory.tenant, _project(memory, project))))
            try:
                replace_file(file, f"{stamp}\n{text}".encode("utf-8", "replace"))
            except HomeUnusable:
                # What can't be written is not told; what is old is told even less.
                unlink_if_there(file)
        else:
            unlink_if_there(file)
    return made


def drop(home: Home) -> None:
    """Nothing is kept any more, until a tick makes it anew."""
    try:
        for name in os.listdir(home.briefs) if os.path.isdir(home.briefs) else ():
            unlink_if_there(os.path.join(home.briefs, name))
    except OSError as exc:
        raise HomeUnusable(f"can't empty {home.briefs}: {reason(exc)}") from exc


def _stamp(file: str) -> str:
    try:
        with open(file, "rb") as opened:
            return opened.readline().rstrip(b"\n").decode("utf-8", "replace")
    except OSError:
        return ""


def _project(memory: Memory, id_: str) -> Project:
    """A project as the journal saw it last."""
    seen = [row for row in memory.store.places() if row[0] == memory.tenant and row[1] == id_]
    name, root, remote = max(seen, key=lambda row: (row[3], row[2]))[4:7] if seen else ("", "", "")
    return Project(id_, name, root, remote, "", "", "as it was seen last")
