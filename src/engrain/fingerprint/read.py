"""Output of any size, from anywhere → text of a bounded size.

Of a long output the head and the tail are kept: tools say what went wrong when they meet it or when they end.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HEAD, TAIL = 192 * 1024, 320 * 1024
"""Characters kept of the beginning and of the end."""

GAP = "\n[…]\n"
"""Stands where the middle was."""

MAX_LINE = 4000
"""Characters of a line that any pattern gets to see."""


def bounded(output: str | bytes) -> str:
    """At most HEAD + TAIL characters, cut between lines where there are any."""
    if isinstance(output, str):
        return output if len(output) <= HEAD + TAIL else _ends(output[:HEAD], output[-TAIL:])
    if output[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return bounded(output[: 2 * (HEAD + TAIL)].decode("utf-16", "replace"))
    if len(output) <= HEAD + TAIL:
        return output.decode("utf-8", "replace")
    return _ends(output[:HEAD].decode("utf-8", "replace"), output[-TAIL:].decode("utf-8", "replace"))


def bounded_stream(read: Callable[[int], bytes]) -> bytes:
    """The same of a stream, without ever holding more than that of it."""
    head = _up_to(read, HEAD + TAIL)
    tail, longer = head[HEAD:], False
    while chunk := read(TAIL):
        tail, longer = (tail + chunk)[-TAIL:], True
    return head[:HEAD] + (GAP.encode() if longer else b"") + tail


def _up_to(read: Callable[[int], bytes], size: int) -> bytes:
    parts, left = [], size
    while left > 0 and (chunk := read(left)):
        parts.append(chunk)
        left -= len(chunk)
    return b"".join(parts)


def _ends(head: str, tail: str) -> str:
    end, start = head.rfind("\n"), tail.find("\n", 0, MAX_LINE)
    return head[: end if end > HEAD // 2 else len(head)] + GAP + tail[start + 1 :]
