"""Pack: texts beside each other in one row, so that no place is padding, and blind to each other.

Positions begin anew with each text and the mask lets it see itself alone, so a packed row costs what its texts would
cost apart, to rounding. Which texts lie together follows from the seed and the epoch. Pure, but for `batch`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engrain.train.render import NONE, Rendered

Pack = tuple[int, ...]
"""Which texts lie in a row, by their places."""


class Batch(NamedTuple):
    """Tensors of some rows; `mask` is None where each row has one text, `weights` where all that is asked counts the
    same."""

    ids: Any
    positions: Any
    mask: Any
    labels: Any
    weights: Any = None

    def to(self, device: Any) -> Batch:
        return Batch(*(None if each is None else each.to(device) for each in self))


def packs(lengths: Sequence[int], most: int, order: Sequence[int]) -> list[Pack]:
    """Rows of at most `most` tokens: each text goes into the fullest of the open rows that has room for it."""
    open_rows: list[tuple[list[int], int]] = []
    done: list[Pack] = []
    for place in order:
        size = min(lengths[place], most)
        fits = [row for row in open_rows if row[1] + size <= most]
        if fits:
            row = max(fits, key=lambda row: row[1])
            open_rows.remove(row)
            open_rows.append(([*row[0], place], row[1] + size))
        else:
            open_rows.append(([place], size))
        if len(open_rows) > 32:
            fullest = max(open_rows, key=lambda row: row[1])
            open_rows.remove(fullest)
            done.append(tuple(fullest[0]))
    return done + [tuple(row) for row, _ in open_rows]


def epochs(texts: Sequence[Rendered], times: Sequence[int], most: int, seed: int) -> Iterator[Pack]:
    """Packed rows for ever, epoch after epoch, each in an order of its own."""
    lengths = [len(text.ids) for text in texts]
    shown = [place for place, number in enumerate(times) for _ in range(number)]
    epoch = 0
    while shown:
        draw = random.Random(f"{seed}:{epoch}")  # noqa: S311 - an order, no secret
        order = list(shown)
        draw.shuffle(order)
        found = packs(lengths, most, order)
        draw.shuffle(found)
        yield from found
        epoch += 1


def rows_of(texts: Sequence[Rendered], times: Sequence[int], most: int, seed: int) -> int:
    """How many packed rows the first epoch has."""
    shown = [place for place, number in enumerate(times) for _ in range(number)]
    order = list(shown)
    random.Random(f"{seed}:0").shuffle(order)  # noqa: S311
    return len(packs([len(text.ids) for text in texts], most, order))


def batch(
    rows: Sequence[Pack], texts: Sequence[Rendered], most: int, *, fixed: bool, fill: int = 0, decision: float = 1.0
) -> Batch:
    """The tensors of packed rows; `fixed`: always as long as can be, so that shapes never change; `decision`: how many
    times what decides what is done counts."""
    import torch

    sizes = [sum(min(len(texts[place].ids), most) for place in row) for row in rows]
    length = most if fixed else max(sizes)
    ids = torch.full((len(rows), length), fill, dtype=torch.long)
    labels = torch.full((len(rows), length), NONE, dtype=torch.long)
    positions = torch.zeros((len(rows), length), dtype=torch.long)
    texts_of = torch.full((len(rows), length), -1, dtype=torch.long)
    weights = torch.ones((len(rows), length))
    for number, row in enumerate(rows):
        at = 0
        for text_number, place in enumerate(row):
            text = texts[place]
            size = min(len(text.ids), most)
            here = slice(at, at + size)
            ids[number, here] = torch.tensor(text.ids[:size])
            labels[number, here] = torch.tensor(text.labels[:size])
            # Nobody is asked for the first token of a text: it would follow from another one.
            labels[number, at] = NONE
            positions[number, here] = torch.arange(size)
            texts_of[number, here] = text_number
            weights[number, [at + each for each in text.decides if each < size]] = decision
            at += size
    # Padding behind a text that lies alone is never seen by it: nothing looks ahead.
    alone = all(len(row) == 1 for row in rows)
    return Batch(ids, positions, None if alone else _mask(texts_of), labels, None if decision == 1 else weights)


def _mask(texts_of: Any) -> Any:
    """Who sees whom: within a text, what came before; padding sees itself, so that no row of it is empty."""
    import torch

    length = texts_of.shape[1]
    same = texts_of[:, :, None] == texts_of[:, None, :]
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (same & causal)[:, None]
