"""Matrix: many vectors, to be asked for the nearest; kept as a file that is mapped into memory.

Up to EXACT_MOST vectors lie there whole, and every one is compared. Of more there are only the signs of their numbers,
one bit each: how many differ tells which vectors are worth comparing, and these are asked for.

A file is written once and replaced as a whole; what came later lies behind it in memory. It says which state of which
table it is a copy of, and sums of all that is in it: one that is torn, altered or too old is as if it were not there.

    sections, each filled up to 64 bytes │ a line of JSON: what they are │ length and CRC of that line, MAGIC
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from engrain.embed import beside
from engrain.embed.vector import floats, whole
from engrain.paths import unlink_if_there

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engrain.embed.vector import Floats

    Ints = NDArray[np.int64]
    Codes = NDArray[np.uint32]
    Bits = NDArray[np.uint64]

MAGIC = b"ENGRAIN1"
EXACT_MOST = 200_000
"""Vectors that are all compared; of more, only those whose signs are nearest."""

CANDIDATES, CANDIDATES_EACH = 2000, 20
"""How many of those: so many, and so many for each one that is asked for."""

MOST_APART = 50_000
"""Vectors that lie apart from the others, whole, because they came later."""

_TRAILER = struct.Struct("<II8s")
_ALIGN = 64
_BLOCK = 1 << 15
"""Vectors whose signs are compared at once: what fits the caches of a processor."""
_FEW = 8
"""Where less than one in so many is asked about, only those are compared."""

Place = tuple[str, str, str]
"""Tenant, project and kind of the event that a vector is of."""
Ask = Callable[[list[int]], dict[int, bytes]]
"""The whole vectors of these rows."""


class Copied(NamedTuple):
    """Which state of which table a matrix is a copy of."""

    stamp: str
    erased: int
    dimension: int


class _Block(NamedTuple):
    """Vectors in the order of their rows: whole (a row of numbers each), or their signs (64 in a column)."""

    rows: Ints
    codes: Codes
    whole: Floats | None
    signs: Bits | None


class Matrix:
    """The vectors of one table."""

    def __init__(self, copied: Copied) -> None:
        self.copied = copied
        self._places: dict[Place, int] = {}
        self._body = _block([], [], np.zeros((0, copied.dimension), np.float32))
        self._tail: list[_Block] = []
        self._in_file = 0

    def __len__(self) -> int:
        return len(self._body.rows) + sum(len(block.rows) for block in self._tail)

    @property
    def behind(self) -> int:
        """How many vectors are not in the file."""
        return len(self) - self._in_file

    @property
    def last(self) -> int:
        """The last row."""
        last = (self._tail or [self._body])[-1].rows
        return int(last[-1]) if len(last) else 0

    @property
    def exact(self) -> bool:
        """Whether every vector is compared."""
        return self._body.whole is not None

    def add(self, rows: Sequence[int], places: Sequence[Place], halves: Sequence[bytes]) -> None:
        """Vectors behind those that are there."""
        codes = [self._places.setdefault(place, len(self._places)) for place in places]
        self._tail.append(_block(rows, codes, whole(halves, self.copied.dimension)))
        if sum(len(block.rows) for block in self._tail) > MOST_APART:
            self.settle()

    def settle(self) -> None:
        """What was added lies where the rest is, whole or as signs as is right for so many."""
        if len(self) > EXACT_MOST:
            self._body = _joined([_signed(block) for block in (self._body, *self._tail)])
        else:
            self._body = _joined([self._body, *self._tail])
        self._tail = []

    # Asking

    def nearest(self, vector: bytes, wanted: Callable[[Place], bool], limit: int, ask: Ask) -> list[tuple[int, float]]:
        """The rows of the nearest vectors whose place is wanted, with their similarity, best first."""
        at = floats(vector)
        fits = np.array([wanted(place) for place in self._places], dtype=bool)
        if not fits.any():
            return []
        found = [_nearest(block, at, None if fits.all() else fits[block.codes], limit) for block in self._tail]
        if self._body.signs is not None:
            rows = _likely(self._body, at, None if fits.all() else fits[self._body.codes], limit)
            found.append(_compared(ask(rows), at))
        else:
            found.append(_nearest(self._body, at, None if fits.all() else fits[self._body.codes], limit))
        return sorted((pair for pairs in found for pair in pairs), key=lambda pair: (-pair[1], pair[0]))[:limit]

    # Keeping

    def write(self, path: str) -> None:
        """Keeps all of it in a file that appears whole or not at all. One process at a time."""
        self.settle()
        partial = beside.partial(path)
        try:
            fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(fd, "wb") as file:
                self._write(file)
            os.replace(partial, path)
        finally:
            unlink_if_there(partial)

    def _write(self, file: BinaryIO) -> None:
        sections = {name: part for name, part in self._body._asdict().items() if part is not None}
        about: dict[str, Any] = {"places": list(self._places), **self.copied._asdict(), "sections": {}}
        for name, part in sections.items():
            file.write(b"\0" * (-file.tell() % _ALIGN))
            about["sections"][name] = [file.tell(), part.dtype.str, part.shape, _sum(part)]
            part.tofile(file)
        line = json.dumps(about, ensure_ascii=False).encode()
        file.write(line + _TRAILER.pack(len(line), zlib.crc32(line), MAGIC))


def opened(path: str, copied: Copied, last: int) -> Matrix | None:
    """The matrix of a file that is a whole copy of that state; None when there is none."""
    try:
        with open(path, "rb") as file:
            data = np.memmap(file, dtype=np.uint8, mode="r")
        about = _about(data)
        if Copied(about["stamp"], about["erased"], about["dimension"]) != copied:
            return None
        matrix = Matrix(copied)
        matrix._places = {(tenant, project, kind): n for n, (tenant, project, kind) in enumerate(about["places"])}
        parts = {name: _section(data, *section) for name, section in about["sections"].items()}
        matrix._body = _Block(parts["rows"], parts["codes"], parts.get("whole"), parts.get("signs"))
        matrix._in_file = len(matrix)
    except (OSError, ValueError, KeyError, TypeError, struct.error):
        return None
    return matrix if matrix.last <= last else None


def _about(data: NDArray[np.uint8]) -> dict[str, Any]:
    size, crc, magic = _TRAILER.unpack(data[-_TRAILER.size :].tobytes())
    line = data[-_TRAILER.size - size : -_TRAILER.size].tobytes()
    if magic != MAGIC or zlib.crc32(line) != crc:
        raise ValueError("no matrix, or a torn one")
    about: dict[str, Any] = json.loads(line)
    return about


def _section(data: NDArray[np.uint8], start: int, dtype: str, shape: list[int], total: int) -> Any:
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    part = data[start : start + size].view(dtype).reshape(shape)
    if _sum(part) != total:
        raise ValueError("altered")
    return part


def _sum(part: NDArray[Any]) -> int:
    """The sum of all bytes, eight at a time: as quick as memory, and changed by whatever changes."""
    data = part.reshape(-1).view(np.uint8)
    even = len(data) // 8 * 8
    rest = int.from_bytes(data[even:].tobytes(), "little")
    return (int(data[:even].view(np.uint64).sum(dtype=np.uint64)) + rest) % (1 << 64)


def _block(rows: Iterable[int], codes: Iterable[int], vectors: Floats) -> _Block:
    return _Block(np.array(list(rows), np.int64), np.array(list(codes), np.uint32), vectors, None)


def _joined(blocks: list[_Block]) -> _Block:
    def parts(name: str, axis: int = 0) -> Any:
        found = [getattr(block, name) for block in blocks]
        return None if any(each is None for each in found) else np.concatenate(found, axis=axis)

    return _Block(parts("rows"), parts("codes"), parts("whole"), parts("signs", 1))


def _signed(block: _Block) -> _Block:
    return block if block.whole is None else block._replace(whole=None, signs=_signs(block.whole))


def _signs(vectors: Floats) -> Bits:
    """The signs of vectors, 64 of them in a number; a column for each vector."""
    packed = np.packbits(vectors > 0, axis=1)
    packed = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
    return np.ascontiguousarray(packed.view(np.uint64).T)


# The nearest of a block


def _nearest(block: _Block, at: Floats, fits: NDArray[np.bool_] | None, limit: int) -> list[tuple[int, float]]:
    """By comparing every one that is asked about."""
    assert block.whole is not None
    if fits is None:
        return _best(block.rows, block.whole @ at, limit)
    chosen = np.flatnonzero(fits)
    few = len(chosen) * _FEW < len(block.rows)
    return _best(block.rows[chosen], block.whole[chosen] @ at if few else (block.whole @ at)[chosen], limit)


def _best(rows: Ints, scores: Floats, limit: int) -> list[tuple[int, float]]:
    if len(scores) > limit:
        best = np.argpartition(-scores, limit)[:limit]
        rows, scores = rows[best], scores[best]
    return list(zip(rows.tolist(), scores.tolist(), strict=True))


def _compared(vectors: dict[int, bytes], at: Floats) -> list[tuple[int, float]]:
    scores = whole(vectors.values(), len(at)) @ at
    return list(zip(vectors, scores.tolist(), strict=True))


def _likely(block: _Block, at: Floats, fits: NDArray[np.bool_] | None, limit: int) -> list[int]:
    """Rows whose signs differ least from those of a vector: so many that the nearest are among them."""
    assert block.signs is not None
    most = max(CANDIDATES, CANDIDATES_EACH * limit)
    chosen = None if fits is None else np.flatnonzero(fits)
    if chosen is not None and len(chosen) <= most:
        return [int(row) for row in block.rows[chosen]]
    differ = _differing(block.signs, _signs(at[None, :])[:, 0])
    if chosen is not None:
        differ = differ[chosen]
    if len(differ) > most:
        # By counting: there are only so many values.
        edge = int(np.searchsorted(np.cumsum(np.bincount(differ)), most))
        near, beside = np.flatnonzero(differ < edge), np.flatnonzero(differ == edge)
        best = np.concatenate([near, beside[: most - len(near)]])
        chosen = best if chosen is None else chosen[best]
    return [int(row) for row in (block.rows if chosen is None else block.rows[chosen])]


def _differing(signs: Bits, at: Bits) -> NDArray[np.uint16]:
    """In how many numbers the sign differs, for each vector."""
    words, number = signs.shape
    total = np.zeros(number, np.uint16)
    for start in range(0, number, _BLOCK):
        part = total[start : start + _BLOCK]
        for word in range(words):
            part += np.bitwise_count(signs[word, start : start + _BLOCK] ^ at[word])
    return total
