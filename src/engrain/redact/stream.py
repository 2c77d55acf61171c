"""Text that arrives in pieces: a secret split over two of them is found as if it had come whole.

What has arrived is held back until enough has followed it; what is given out ends before a line that could still
belong to a secret. At most HELD characters wait, whatever arrives: a line longer than that is cut where no secret was
seen, and one secret longer than that is swallowed to its end.
"""

from __future__ import annotations

from engrain.redact.engine import Marks, clean, spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TAIL = 16 * 1024
"""Characters that wait for what may follow: longer than a private key, its header and a long line."""

HELD = 8 * TAIL

_TOKEN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-.%~")


class Stream:
    """Feed pieces, take text without secrets. `found` counts them by rule, as `redacted` does."""

    __slots__ = ("_inside", "_marks", "_parts", "_size")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._marks = Marks()
        self._inside = False

    @property
    def found(self) -> dict[str, int]:
        return dict(sorted(self._marks.found.items()))

    def feed(self, piece: str) -> str:
        """What can be given out now."""
        if self._inside:
            piece = self._swallowed(piece)
        self._parts.append(piece)
        self._size += len(piece)
        return self._out(TAIL) if self._size >= HELD else ""

    def close(self) -> str:
        """The rest."""
        return self._out(0)

    def _out(self, tail: int) -> str:
        text = "".join(self._parts)
        cut = _cut(text, len(text) - tail) if tail else len(text)
        self._parts = [text[cut:]]
        self._size = len(text) - cut
        if tail and self._size > HELD - TAIL:
            cut = len(text)
            self._parts, self._size, self._inside = [], 0, True
        return clean(text[:cut], self._marks)

    def _swallowed(self, piece: str) -> str:
        """The piece without the rest of a secret that was too long to wait for."""
        for at, char in enumerate(piece):
            if char not in _TOKEN:
                self._inside = False
                return piece[at:]
        return ""


def stream(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces without secrets, cut elsewhere."""
    redactor = Stream()
    for piece in pieces:
        if out := redactor.feed(piece):
            yield out
    if out := redactor.close():
        yield out


def _cut(text: str, at: int) -> int:
    """Where to cut, not after `at`: at a line's end, or at a space, and never within a secret."""
    cut = text.rfind("\n", at - TAIL, at) + 1 or text.rfind(" ", at - TAIL, at) + 1 or at
    for span in reversed(spans(text)):
        if span.start < cut < span.end:
            cut = text.rfind("\n", 0, span.start) + 1 or span.start
    return cut
