"""Bend: a plain mutator. The same seed bends the same inputs in the same way, on any machine."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

MOST = 50_000
_ODD = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\r\n", b"\x1b[31m", b"\xe2\x80\xae", b'"', b"\\", b"{", b"}]", b"\n\n",
    b"://", b"password=", b"Bearer ", b"null", b"-1", b"1e999", b"9" * 40, b"a" * 3000, b"(" * 200, b"[" * 2000,
    b"Error: ", b"Traceback (most recent call last):\n", b"Exit code 1\n", b"```", b"</engrain>",
)  # fmt: skip


def bent(seeds: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """Inputs without end: first the seeds themselves, then what becomes of them."""
    yield from seeds
    draw = random.Random(seed)
    while True:
        data = draw.choice(seeds)
        for _ in range(draw.randint(1, 6)):
            data = _once(data, seeds, draw)[:MOST]
        yield data


def _once(data: bytes, seeds: Sequence[bytes], draw: random.Random) -> bytes:
    at, to = sorted((draw.randint(0, len(data)), draw.randint(0, len(data))))
    way = draw.randrange(7)
    if way == 0:
        return data[:at] + data[to:]
    if way == 1:
        return data[:to] + data[at:to] * draw.randint(1, 4) + data[to:]
    if way == 2:
        return data[:at] + draw.choice(_ODD) + data[at:]
    if way == 3:
        return data[:at] + draw.choice(seeds)[:2000] + data[to:]
    if way == 4:
        return data[:at] + bytes(draw.randrange(256) for _ in range(min(to - at, 16))) + data[to:]
    if way == 5:
        return data.swapcase()
    lines = data.splitlines(keepends=True)
    draw.shuffle(lines)
    return b"".join(lines)
