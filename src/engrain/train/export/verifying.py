"""Verifying: the files of an export beside the merged model that they were made of: given the same words, do both find
the same token likeliest?

What counts is where the model speaks. After the tokens of a prompt it is asked for nothing, many continuations are
about as likely there, and whichever way weights are rounded, the first of them changes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from engrain.errors import BadInput, WrongBase
from engrain.train import base as bases
from engrain.train import examples, general
from engrain.train.export import native
from engrain.train.export.files import MERGED
from engrain.train.export.made import Exported, exported
from engrain.train.export.plan import FULL
from engrain.train.render import NONE, Rendered, Renderer

LEAST = {FULL: 0.995, "Q8_0": 0.98}
"""What a file must agree with; of smaller ones it is only told."""

PLACES = 300
PIECE = 512


class Asked(NamedTuple):
    """Tokens, and the places after which the model is asked what comes next."""

    ids: tuple[int, ...]
    places: tuple[int, ...]


class Agreement(NamedTuple):
    """Of one file: at how many places it was asked, the share at which it agrees there, the share at which it agrees
    after every token (of prompts as well, where nobody asks it), and what the first must reach."""

    file: str
    quant: str
    places: int
    share: float
    everywhere: float
    least: float

    @property
    def passed(self) -> bool:
        return self.share >= self.least


class Verified(NamedTuple):
    """Of an export: whether every file is the one that was written and agrees as it must."""

    folder: str
    agreements: tuple[Agreement, ...]
    passed: bool
    seconds: float


def verify(
    folder: str, base: str = "", *, data: str = "", texts: Sequence[str] = (), places: int = PLACES,
    progress: Callable[[str], None],
) -> Verified:  # fmt: skip
    """Compares every file of an export with the merged model, at so many places where it speaks: in the rows held out
    in the folder `data`, else in short general exchanges; in `texts`, after every token. `base`: it must be an export
    of this one."""
    began = time.monotonic()
    told = exported(folder)
    _whole(told)
    if base and bases.digest(base) != told.base:
        raise WrongBase(f"{told.folder} was not made of {base}")
    renderer = Renderer(bases.tokenizer(os.path.join(told.folder, MERGED)))
    asked = enough(of_texts(texts, renderer) if texts else of_rows(data, renderer), places)
    progress(f"{sum(len(each.places) for each in asked):,} places in {len(asked)} texts")
    rows = [each.ids for each in asked]
    wanted = merged(told.folder, rows)
    found = []
    for name in told.ggufs:
        each = agreement(name, asked, wanted, native.likeliest(os.path.join(told.folder, name), rows))
        progress(
            f"{name}: the same token at {each.share:.2%} of {each.places:,} places, {each.everywhere:.2%} everywhere"
        )
        found.append(each)
    return Verified(told.folder, tuple(found), all(each.passed for each in found), round(time.monotonic() - began, 1))


def of_rows(data: str, renderer: Renderer) -> list[Asked]:
    """Rows, asked where the model speaks."""
    rows: Sequence[Any] = examples.read(data, examples.HELD) if data else general.rows()
    return [_asked(renderer.row(row)) for row in rows]


def _asked(row: Rendered) -> Asked:
    return Asked(row.ids, tuple(place - 1 for place, label in enumerate(row.labels) if label != NONE and place))


def of_texts(texts: Sequence[str], renderer: Renderer) -> list[Asked]:
    """Texts in pieces, asked after every token."""
    pieces = (renderer.ids(text)[at : at + PIECE] for text in texts for at in range(0, len(renderer.ids(text)), PIECE))
    return [Asked(tuple(ids), tuple(range(len(ids)))) for ids in pieces]


def enough(asked: Sequence[Asked], places: int) -> list[Asked]:
    """As many of them as have so many places."""
    found: list[Asked] = []
    for each in asked:
        if each.places and sum(len(one.places) for one in found) < places:
            found.append(each)
    if not found:
        raise BadInput("there is no text to compare by")
    return found


def agreement(
    name: str, asked: Sequence[Asked], wanted: Sequence[Sequence[int]], found: Sequence[Sequence[int]]
) -> Agreement:
    """How often two agree."""
    quant = name.removesuffix(".gguf").rpartition("-")[2]
    same = [[mine == theirs for mine, theirs in zip(*both, strict=True)] for both in zip(wanted, found, strict=True)]
    there = [row[place] for row, each in zip(same, asked, strict=True) for place in each.places]
    everywhere = [each for row in same for each in row]
    return Agreement(name, quant, len(there), sum(there) / len(there), sum(everywhere) / len(everywhere),
                     LEAST.get(quant, 0.0))  # fmt: skip


def merged(folder: str, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """What the merged model of an export finds likeliest after each token, computed in float32."""
    model = bases.model(os.path.join(folder, MERGED), torch.float32).eval()
    with torch.no_grad():
        return [_likeliest(model, row) for row in rows]


def _likeliest(model: Any, row: Sequence[int]) -> list[int]:
    found: list[int] = model(input_ids=torch.tensor([list(row)]), use_cache=False).logits[0].argmax(-1).tolist()
    return found


def _whole(told: Exported) -> None:
    """BadInput, unless every file is the one that the export speaks of."""
    for name, digest in told.files.items():
        path = os.path.join(told.folder, name)
        if not os.path.exists(path) or bases.file_digest(path) != digest:
            raise BadInput(f"{path} is not the file that was exported")
