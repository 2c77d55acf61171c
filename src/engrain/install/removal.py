"""Removal: which files of the home go when Engrain is uninstalled. Only those that are known to be ours, by name.

    made      what hooks run and leave behind, the ledger: made anew by `engrain install`
    memory    what was recorded and learned: only where somebody says so

A home may lie in a folder that has other things; whatever is not named here stays.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable

from engrain.install import ledger
from engrain.paths import Home, unlink_if_there

_MADE = ("bin", "hook", "hook.log", "tick.log", "scheduled", ledger.NAME, ledger.LOCK)
_MEMORY = (
    "engrain.db", "engrain.db-wal", "engrain.db-shm", "spool", "backups", "backups.jsonl", "forgotten.jsonl",
    "tick.lock", "briefs", "engrain.sock", "origin", "retained", "carried",
    "config.toml",
)  # fmt: skip


def made(home: Home) -> list[str]:
    """What was made for hooks, as far as it is there."""
    return _there(home.at(name) for name in _MADE)


def memory(home: Home) -> list[str]:
    """What is remembered, and the settings."""
    return _there([*(home.at(name) for name in _MEMORY), home.config])


def needed(home: Home, path: str) -> bool:
    """Whether it says what is still to be taken back."""
    return path == home.at(ledger.NAME)


def gone(home: Home, paths: Iterable[str]) -> None:
    """These are no more; a folder that nothing else is in goes with them."""
    for path in paths:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            unlink_if_there(path)
    for folder in (os.path.dirname(home.config), home.root):
        try:
            os.rmdir(folder)
        except OSError:
            continue


def _there(paths: Iterable[str]) -> list[str]:
    return [path for path in dict.fromkeys(paths) if os.path.lexists(path)]
