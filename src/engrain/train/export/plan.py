"""Plan: what was asked and the shape of a model → which files, how long a context, and why. Pure.

A file that nobody's machine can hold helps nobody: a model of more than 6 GB at Q4_K_M is refused unless it is wanted
all the same. A context beyond the one that was trained is reached by YaRN, which costs a little at short lengths, so it
is stretched only as far as was asked, and only when it was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engrain.errors import BadInput
from engrain.train.export.beside import size

FULL = "f16"
BITS = {FULL: 16.0, "Q8_0": 8.5, "Q6_K": 6.56, "Q5_K_M": 5.7, "Q4_K_M": 4.85}
"""The quantisations, and about how many bits a weight has in each."""

SMALLEST = "Q4_K_M"
MOST_BYTES = 6e9
TESTED, MOST_FACTOR = 4.0, 32.0
"""YaRN was shown to hold up to four times the context; beyond thirty-two nothing is left to hope for."""

BLOCK = 256


class Shape(NamedTuple):
    """A model by its numbers."""

    arch: str
    layers: int
    width: int
    inner: int
    heads: int
    kv_heads: int
    head: int
    words: int
    tied: bool
    epsilon: float
    theta: float
    rope: str
    most: int
    trained: int


class Stretch(NamedTuple):
    """YaRN: from the context that was trained, by a factor."""

    trained: int
    factor: float


class Plan(NamedTuple):
    """The files that are made, the context, how it is reached, and the reasons."""

    quants: tuple[str, ...]
    context: int
    stretch: Stretch | None
    why: tuple[str, ...]


def plan(shape: Shape, quants: Sequence[str], context: int, *, large: bool) -> Plan:
    """What is made of a model of this shape."""
    chosen = quants_of(quants)
    length, stretch, why = reach(shape, context)
    reasons = [fits(parameters(shape), large=large), why, cache(shape, length)]
    rows = {shape.width, shape.inner, shape.heads * shape.head}
    if any(row % BLOCK for row in rows) and any(each.endswith(("_K", "_K_M")) for each in chosen):
        reasons.append(f"rows of {min(row for row in rows if row % BLOCK)} weights are no multiple of {BLOCK}:"
                       " K-quants keep those at more bits, so the file is larger than usual")  # fmt: skip
    return Plan(chosen, length, stretch, tuple(reasons))


def quants_of(asked: Sequence[str]) -> tuple[str, ...]:
    """The quantisations by their names, each once, the largest first."""
    known = {name.lower(): name for name in BITS}
    for name in asked:
        if name.lower() not in known:
            raise BadInput(f"there is no quantisation {name!r} here: {', '.join(BITS)}")
    wanted = {known[name.lower()] for name in asked}
    if not wanted:
        raise BadInput(f"say at least one of {', '.join(BITS)}")
    return tuple(name for name in BITS if name in wanted)


def parameters(shape: Shape) -> int:
    """How many weights a model of this shape has."""
    heads = shape.head * (2 * shape.heads + 2 * shape.kv_heads)
    layer = shape.width * heads + 3 * shape.width * shape.inner + 2 * shape.width
    return shape.layers * layer + shape.words * shape.width * (1 if shape.tied else 2) + shape.width


def estimate(number: int, quant: str) -> int:
    """About how large a file of so many weights becomes."""
    return round(number * BITS[quant] / 8)


def fits(number: int, *, large: bool) -> str:
    """Why a model of so many weights may be exported; BadInput where it may not."""
    whole = estimate(number, SMALLEST)
    told, bound = f"{number:,} weights are about {size(whole)} at {SMALLEST}", f"the {size(MOST_BYTES)} that is held to"
    if whole <= MOST_BYTES:
        return f"{told}, within {bound}"
    if not large:
        raise BadInput(f"{told}, more than {bound}; choose a smaller base, or say that it may be large")
    return f"{told}, more than {bound}: asked for all the same"


def reach(shape: Shape, context: int) -> tuple[int, Stretch | None, str]:
    """The context of the file, how it is reached, and why so."""
    if context < 0:
        raise BadInput("a context is a number of tokens")
    if context <= shape.most:
        asked = f"; {context:,} were asked for" if context else ""
        return shape.most, None, f"a context of {shape.most:,} as the base has it{asked}"
    if shape.rope != "default":
        raise BadInput(f"the base reaches {shape.most:,} tokens by {shape.rope} already; it can't be stretched to"
                       f" {context:,}")  # fmt: skip
    factor = context / shape.trained
    if factor > MOST_FACTOR:
        raise BadInput(f"a context of {context:,} is {factor:.0f} times what the base was trained for; at most"
                       f" {MOST_FACTOR:g} times ({round(MOST_FACTOR * shape.trained):,}) is tried")  # fmt: skip
    why = f"a context of {context:,} by YaRN, {factor:g} times the {shape.trained:,} that the base was trained for"
    if factor > TESTED:
        why += f"; more than {TESTED:g} times is untested, look at what it does with long texts"
    return context, Stretch(shape.trained, factor), why


def cache(shape: Shape, context: int) -> str:
    """What a whole context costs beside the file."""
    whole = 2 * shape.layers * shape.kv_heads * shape.head * context * 2
    return f"a full context of {context:,} takes {size(whole)} of memory beside the file, half of it at Q8_0"
