"""Vectors as bytes: 32-bit floats, little-endian, of length one; kept in half of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


def unit(vectors: Floats) -> Floats:
    """The same directions, each of length one; one without a direction stays zero."""
    lengths = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    found: Floats = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return found


def packed(vectors: Floats) -> list[bytes]:
    """Each row as bytes."""
    return [row.astype("<f4").tobytes() for row in vectors]


def floats(vector: bytes) -> Floats:
    """The numbers of a vector."""
    return np.frombuffer(vector, dtype="<f4").astype(np.float32, copy=False)


def halved(vector: bytes) -> bytes:
    """The vector in half the bytes, as it is kept: good to three digits, which is more than meaning has."""
    return floats(vector).astype("<f2").tobytes()


def whole(halves: Iterable[bytes], dimension: int) -> Floats:
    """Kept vectors as rows."""
    return np.frombuffer(b"".join(halves), dtype="<f2").reshape(-1, dimension).astype(np.float32)


def similarity(one: bytes, other: bytes) -> float:
    """The cosine between two unit vectors: 1 for the same direction, 0 for nothing in common."""
    return float(floats(one) @ floats(other))


def near_halves(one: bytes, halves: Sequence[bytes]) -> list[float]:
    """The cosine of a vector with each of some kept ones."""
    at = floats(one)
    return [float(each) for each in whole(halves, len(at)) @ at] if halves else []


def similarities(one: bytes, others: Sequence[bytes]) -> list[float]:
    """The cosine of one vector with each of the others."""
    if not others:
        return []
    rows = np.frombuffer(b"".join(others), dtype="<f4").reshape(len(others), -1)
    return [float(each) for each in rows @ floats(one)]
