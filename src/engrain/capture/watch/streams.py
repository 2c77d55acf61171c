"""Streams: bytes from the command to our own stdout and stderr, untouched and in order.

Each stream has a thread with blocking writes, so that a reader who is slow on one of them holds up that
one alone, as without us. No flag of theirs is changed: they may be shared with whoever started us.
"""

from __future__ import annotations

import errno
import os
import select
from _thread import start_new_thread

from engrain.capture.watch.notices import wake

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from engrain.capture.watch.kept import Kept

CHUNK = 256 * 1024
BURST = 64
LEFT = 2 * 1024 * 1024
"""Bytes read after the command's end: more than a pipe or a pty holds, so that who still writes does not keep us."""

GONE = frozenset({errno.EPIPE, errno.EIO, errno.ECONNRESET})
"""Nobody reads on the other side any more: the command learns it as it would without us."""


class Stream:
    """From where the command writes to, to the descriptor that it would have written to."""

    def __init__(self, source: int, sink: int, *, closes: bool) -> None:
        self.source = source
        self.sink = sink
        self.done = False
        self.failed = ""
        """Why bytes of the command did not reach their place, when the place itself refused them."""
        self._closes = closes
        self._open = True

    def start(self, kept: Kept, ended: int) -> None:
        """Copies in a thread until the source ends, or until `ended` closes and what is there has been read."""
        start_new_thread(self._copy, (kept, ended))

    def _copy(self, kept: Kept, ended: int) -> None:
        try:
            self._copy_all(kept, ended)
        finally:
            self.done = True
            wake()

    def _copy_all(self, kept: Kept, ended: int) -> None:
        # Ours alone, this one: nobody else is surprised that it does not block.
        os.set_blocking(self.source, False)
        poll = select.poll()
        poll.register(self.source, select.POLLIN)
        poll.register(ended, select.POLLIN)
        left = LEFT
        while True:
            ready = [fd for fd, _ in poll.poll()]
            if self.source not in ready:
                return
            for piece in self._burst():
                if ended in ready:
                    left -= len(piece)
                kept.add(piece)
                if not piece or (self._open and not self._delivered(piece)) or left <= 0:
                    return

    def _burst(self) -> Iterator[bytes]:
        """What is there, piece by piece, but not for ever; an empty piece at the end of all."""
        for _ in range(BURST):
            try:
                piece = os.read(self.source, CHUNK)
            except BlockingIOError:
                return
            except OSError as exc:
                if exc.errno != errno.EIO:
                    raise
                piece = b""
            yield piece

    def _delivered(self, piece: bytes) -> bool:
        """Whether to go on after this piece."""
        try:
            write(self.sink, piece)
        except OSError as exc:
            self._open = False
            if exc.errno not in GONE:
                self.failed = (exc.strerror or str(exc)).lower()
            if self._closes:
                # The command's next write fails with EPIPE, which is how it would have learned it from its own reader.
                os.close(self.source)
                return False
        return True


def read(fd: int, size: int) -> bytes:
    """What is there; nothing when the other side has closed."""
    try:
        return os.read(fd, size)
    except BlockingIOError:
        _wait(fd, select.POLLIN)
        return read(fd, size)
    except OSError as exc:
        if exc.errno != errno.EIO:
            raise
        return b""


def write(fd: int, data: bytes) -> None:
    """Every byte, even where somebody else made the descriptor non-blocking."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except BlockingIOError:
            _wait(fd, select.POLLOUT)


def _wait(fd: int, event: int) -> None:
    poll = select.poll()
    poll.register(fd, event)
    poll.poll()
