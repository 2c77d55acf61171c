"""Verifying: the files of an export beside the merged model that they were made of: after each token of some texts, do
both find the same one likeliest?"""

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
from engrain.train.render import Renderer

LEAST = {FULL: 0.995, "Q8_0": 0.98}
"""What a file must agree with; of smaller ones it is only told."""

PLACES = 300


class Agreement(NamedTuple):
    """Of one file: at how many places it was asked, the share at which it agrees, and whether that will do."""

    file: str
    quant: str
    places: int
    share: float
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
    """Compares every file of an export with the merged model, at so many places of texts: those given, else the rows
    held out in the folder `data`, else general ones. `base`: it must be an export of this one."""
    began = time.monotonic()
    told = exported(folder)
    _whole(told)
    if base and told.base and bases.digest(base) != told.base:
        raise WrongBase(f"{told.folder} was not made of {base}")
    rows = _rows(os.path.join(told.folder, MERGED), data, texts, places)
    progress(f"{sum(map(len, rows)):,} places in {len(rows)} texts")
    wanted = merged(told.folder, rows)
    found = []
    for name in told.ggufs:
        each = agreement(name, wanted, native.likeliest(os.path.join(told.folder, name), rows))
        progress(f"{name}: the same token at {each.share:.2%} of {each.places:,} places")
        found.append(each)
    return Verified(told.folder, tuple(found), all(each.passed for each in found), round(time.monotonic() - began, 1))


def agreement(name: str, wanted: Sequence[Sequence[int]], found: Sequence[Sequence[int]]) -> Agreement:
    """How often two agree."""
    quant = name.removesuffix(".gguf").rpartition("-")[2]
    pairs = [pair for mine, theirs in zip(wanted, found, strict=True) for pair in zip(mine, theirs, strict=True)]
    same = sum(mine == theirs for mine, theirs in pairs)
    return Agreement(name, quant, len(pairs), same / max(1, len(pairs)), LEAST.get(quant, 0.0))


def merged(folder: str, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """What the merged model of an export finds likeliest after each token, computed in float32."""
    model = bases.model(os.path.join(folder, MERGED), torch.float32).eval()
    with torch.no_grad():
        return [_likeliest(model, row) for row in rows]


def _likeliest(model: Any, row: Sequence[int]) -> list[int]:
    found: list[int] = model(input_ids=torch.tensor([list(row)]), use_cache=False).logits[0].argmax(-1).tolist()
    return found


def _rows(folder: str, data: str, texts: Sequence[str], places: int) -> list[list[int]]:
    renderer = Renderer(bases.tokenizer(folder))
    rows_: Sequence[Any] = examples.read(data, examples.HELD) if data else general.rows()
    told = texts or [renderer.text(row["messages"], row["tools"]) for row in rows_]
    rows: list[list[int]] = []
    for text in told:
        left = places - sum(map(len, rows))
        if left <= 0:
            break
        if ids := renderer.ids(text)[:left]:
            rows.append(ids)
    if not rows:
        raise BadInput("there is no text to compare by")
    return rows


def _whole(told: Exported) -> None:
    """BadInput, unless every file is the one that the export speaks of."""
    for name, digest in told.files.items():
        path = os.path.join(told.folder, name)
        if not os.path.exists(path) or bases.file_digest(path) != digest:
            raise BadInput(f"{path} is not the file that was exported")
