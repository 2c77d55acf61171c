"""Which attention kernel is the quickest on this device: tried, not guessed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel


class Way(NamedTuple):
    """A backend, and whether it takes keys that several heads share as they are."""

    name: str
    backend: Any
    grouped: bool


WAYS = (
    Way("cudnn", SDPBackend.CUDNN_ATTENTION, True),
    Way("flash", SDPBackend.FLASH_ATTENTION, True),
    Way("cudnn, keys repeated", SDPBackend.CUDNN_ATTENTION, False),
    Way("flash, keys repeated", SDPBackend.FLASH_ATTENTION, False),
)
DEFAULT = Way("as torch chooses", None, True)


class Tried(NamedTuple):
    """The way that won, and the milliseconds of each that works here."""

    way: Way
    took: dict[str, float]


def quickest(heads: int, shared: int, size: int, *, rows: int, length: int, device: Any, dtype: Any) -> Tried:
    """Forward and back once for each way, at the sizes that will be asked for."""
    if device.type != "cuda":
        return Tried(DEFAULT, {})
    took: dict[str, float] = {}
    for way in WAYS:
        try:
            took[way.name] = _took(way, heads, shared, size, rows, length, device, dtype)
        except RuntimeError:
            # No kernel of this way for these sizes on this device.
            continue
    best = min(took, key=lambda name: took[name], default="")
    return Tried(next((way for way in WAYS if way.name == best), DEFAULT), took)


@contextmanager
def through(way: Way) -> Iterator[None]:
    """Attention goes this way, where it can."""
    if way.backend is None:
        yield
        return
    others = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
    with sdpa_kernel([way.backend, *(each for each in others if each != way.backend)], set_priority=True):
        yield


def _took(way: Way, heads: int, shared: int, size: int, rows: int, length: int, device: Any, dtype: Any) -> float:
    def made(number: int) -> Any:
        # Laid out as in a layer: heads beside each other in one row.
        found = torch.randn(rows, length, number, size, device=device, dtype=dtype).transpose(1, 2)
        return found.detach().requires_grad_(True)

    query, key, value = made(heads), made(shared if way.grouped else heads), made(shared if way.grouped else heads)
    slope = torch.randn_like(query)
    best = float("inf")
    with sdpa_kernel([way.backend]):
        for _ in range(4):
            torch.cuda.synchronize()
            start = time.perf_counter()
            seen = functional.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=way.grouped)
            torch.autograd.grad(seen, (query, key, value), slope)
            torch.cuda.synchronize()
            best = min(best, (time.perf_counter() - start) * 1e3)
    return best
