"""Cores: how much of a processor something took, which says more than a clock where a machine does other work, too."""

from __future__ import annotations

import os

CORES = 2
"""What the rows of the README speak of."""


def spent(pid: int) -> float:
    """Processor seconds of a process and of all that it started, so far."""
    return _own(pid) + sum(map(spent, _children(pid)))


def of_children() -> float:
    """Processor seconds of processes that this one started and that have ended, so far."""
    times = os.times()
    return times.children_user + times.children_system


def _own(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    # Its own, and of those that it started and that have ended.
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    """Those whose parent this is."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid:
            found.append(int(name))
    return found
