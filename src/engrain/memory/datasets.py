"""Datasets: the latest sessions as rows for whoever trains something elsewhere, in the forms of `train.formats`.

Made as `engrain train data` makes them, but without a model: how long a text is in tokens is guessed, rather too much
than too little, and what looks like the mark of any chat template is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engrain.memory import training
from engrain.train import examples, formats
from engrain.train.examples import Reader
from engrain.train.recipe import Recipe

if TYPE_CHECKING:
    from engrain.memory import Memory

FORMS = tuple(formats.FORMATS)
PARTS = (examples.TRAIN, examples.HELD)
CHARACTERS = 3
"""Of a token, at least."""

_MARK = re.compile(r"<\|[a-z_ ]{2,40}\|>|\[/?INST\]|<</?SYS>>")


def lines(memory: Memory, *, form: str, part: str, everywhere: bool, sessions: int) -> Iterator[str]:
    """The rows of one part, a line each, of so many sessions of this project or of all."""
    told = training.trajectories(memory, everywhere=everywhere, latest=sessions)
    made = examples.make(told, Recipe(), Reader(_count, _clean, "any"))
    return formats.lines(made.rows[part], form)


def _count(messages: Sequence[dict[str, Any]]) -> int:
    return len(json.dumps(messages, ensure_ascii=False)) // CHARACTERS + 1


def _clean(messages: Sequence[dict[str, Any]]) -> bool:
    return not _MARK.search(json.dumps(messages, ensure_ascii=False))
