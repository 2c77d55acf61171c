"""Work: what a stage is given, how it tells of itself, and how it knows that it was done already."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.paths import owner_only, reason, replace_file
from engrain.wizard.config import Config
from engrain.wizard.state import Done

INPUTS = ".inputs"


class Told(NamedTuple):
    """Something that a stage tells: a line, a figure, how many seconds are left."""

    kind: str
    value: Any


SAY, FIGURE, LEFT = "say", "figure", "left"

Tell = Callable[[Told], None]


class Work(NamedTuple):
    """The config, what all is made of (`inputs`), what earlier stages came to, and who listens."""

    config: Config
    inputs: str
    before: Mapping[str, Done]
    tell: Tell

    def say(self, text: str) -> None:
        """A line of the log."""
        self.tell(Told(SAY, text))

    def figure(self, name: str, value: Any) -> None:
        """A number that is worth to be seen."""
        self.tell(Told(FIGURE, [name, value]))

    def left(self, seconds: float) -> None:
        """How long it will still take."""
        self.tell(Told(LEFT, round(seconds)))

    def at(self, *names: str) -> str:
        """A path in the wizard's folder."""
        return os.path.join(self.config.folder, *names)

    def own(self, name: str) -> str:
        """A folder for this stage alone. What lies there of other inputs goes: it would be gone on with otherwise."""
        folder = self.at(name)
        if _inputs(folder) != self.inputs:
            try:
                shutil.rmtree(folder, ignore_errors=not os.path.isdir(folder))
            except OSError as exc:
                raise BadInput(f"can't begin {folder} anew: {reason(exc)}") from exc
            owner_only(folder)
            replace_file(os.path.join(folder, INPUTS), self.inputs.encode())
        return folder


def _inputs(folder: str) -> str:
    try:
        with open(os.path.join(folder, INPUTS), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
