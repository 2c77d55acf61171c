"""What Memory does with sessions: brings those that an agent wrote down."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from engrain import event as events
from engrain.capture.admit import Gate
from engrain.errors import BadInput

if TYPE_CHECKING:
    from engrain.capture.transcripts.files import Unit
    from engrain.memory import Memory
    from engrain.upkeep.backfill import Brought

Progress = Callable[[int], None]


def transcripts(agent: str, paths: Sequence[str]) -> list[Unit]:
    """The sessions in these files and folders, or where the agent itself keeps them."""
    from engrain.capture.transcripts import files

    if paths:
        return files.units([os.path.expanduser(path) for path in paths])
    own = files.folders(agent, os.environ)
    there = [folder for folder in own if os.path.isdir(folder)]
    if not there:
        raise BadInput(f"no sessions of {agent} on this machine: there is no folder {own[0]}; name one")
    return files.units(there)


def bring(memory: Memory, agent: str, units: Iterable[Unit], progress: Progress | None) -> Brought:
    """What these sessions tell is in the journal."""
    from engrain.upkeep import backfill

    memory.catch_up()
    # The same gate as ever, but nobody is taken to make work trees meanwhile.
    gate = Gate(os.path.expanduser("~"), os.environ.get("XDG_CONFIG_HOME", ""), still=True)
    reading = backfill.Reading(agent, gate, tenant=memory.tenant, now=events.now())
    return backfill.bring(memory.store, reading, units, progress)
