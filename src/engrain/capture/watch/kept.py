"""Kept: the first and the last part of what went by, in bounded memory however much that is."""

from __future__ import annotations

from _thread import allocate_lock
from collections import deque

HEAD, TAIL = 64 * 1024, 448 * 1024
"""Bytes from the beginning, where a command says what it does, and from the end, where it says what went wrong."""

BLOCK = 16 * 1024


class Kept:
    """Takes pieces from several threads, in the order in which they come."""

    def __init__(self, head: int = HEAD, tail: int = TAIL) -> None:
        self.seen = 0
        self._sizes = head, tail
        self._head = bytearray()
        self._tail: deque[bytes | bytearray] = deque([bytearray()])
        self._held = 0
        self._lock = allocate_lock()

    def add(self, piece: bytes) -> None:
        """One more piece."""
        with self._lock:
            self.seen += len(piece)
            room = self._sizes[0] - len(self._head)
            self._head += piece[:room]
            self._append(piece[room:])

    def _append(self, piece: bytes) -> None:
        # Large pieces as they are; small ones together, or a command that writes byte by byte would fill memory.
        if len(piece) >= BLOCK:
            self._tail.append(piece)
        elif isinstance(last := self._tail[-1], bytearray) and len(last) < BLOCK:
            last += piece
        else:
            self._tail.append(bytearray(piece))
        self._held += len(piece)
        while self._held - len(self._tail[0]) >= self._sizes[1]:
            self._held -= len(self._tail.popleft())

    def whole(self) -> bytes:
        """What was kept; where something was left out, a line says how much."""
        with self._lock:
            tail = b"".join(self._tail)[-self._sizes[1] :]
            gone = self.seen - len(self._head) - len(tail)
            cut = b"\n[%d bytes left out]\n" % gone if gone else b""
            return bytes(self._head) + cut + tail
