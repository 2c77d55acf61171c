"""Secrets under another writing: coloured in the midst, or wrapped in base64.

What is beneath is read as any text is.
"""

from __future__ import annotations

import binascii

from engrain.patterns import compiled
from engrain.redact.rule import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    _Look = Callable[[str], list[Span]]

_COLOUR = r"(?:\x1b|\\(?:u001[bB]|x1[bB]|033|e))\[[\d;]{0,24}[mK]"
_WRAPPED = r"[A-Za-z0-9+/]{24,}={0,2}"
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BEFORE, _MOST, _LONGEST = 128, 400, 16_384
_READABLE = frozenset(b"\t\n\r" + bytes(range(32, 127)))


def coloured(text: str, look: _Look) -> Iterator[Span]:
    """What stands there once colours are gone: a search for `ghp_` colours it apart from the rest of its token."""
    if "[" not in text or ("\x1b" not in text and "\\" not in text):
        return
    pieces = list(_plain_pieces(text))
    if pieces:
        for span in look("".join([text[start:end] for start, end in pieces])):
            yield from _over(pieces, span)


def _plain_pieces(text: str) -> Iterator[tuple[int, int]]:
    """What stands beside colours in the lines that have some."""
    at = 0
    for colour in compiled(_COLOUR).finditer(text):
        begin, end = colour.span()
        if not at or text.find("\n", at, begin) >= 0:
            if at:
                yield at, _line_end(text, at)
            at = max(at, text.rfind("\n", at, begin) + 1)
        if begin > at:
            yield at, begin
        at = end
    if at:
        yield at, _line_end(text, at)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _over(pieces: list[tuple[int, int]], span: Span) -> Iterator[Span]:
    """The span of the text with its colours that a span of the text without them is."""
    at, first = 0, -1
    for start, end in pieces:
        size = end - start
        if first < 0 and at + size > span.start:
            first = start + span.start - at
        if at + size >= span.end:
            yield span._replace(start=first, end=start + span.end - at)
            return
        at += size


def wrapped(text: str, runs: list[tuple[int, int]], look: _Look) -> Iterator[Span]:
    """Base64 of a readable text in which there is a secret: the whole of it."""
    done = read = 0
    for start, end in runs:
        if start < done or end - start < 16:
            continue
        begin = _begin(text, start, max(done, start - _BEFORE))
        found = compiled(_WRAPPED).match(text, begin)
        if not found:
            continue
        done = found.end()
        beneath = _unwrapped(found[0])
        if len(beneath) < 12:
            continue
        read += 1
        if read > _MOST:
            return
        if spans := look(beneath):
            yield Span(found.start(), found.end(), spans[0].rule)


def _begin(text: str, at: int, least: int) -> int:
    """Where base64 begins: a run of word characters ends at its `+` and `/`."""
    head = text[least:at]
    return at - (len(head) - len(head.rstrip(_ALPHABET)))


def _unwrapped(given: str) -> str:
    """The readable text that this is base64 of, or nothing."""
    try:
        if not _READABLE.issuperset(binascii.a2b_base64(given[:16])):
            return ""
        body = given[:_LONGEST].rstrip("=")
        plain = binascii.a2b_base64(body[: len(body) // 4 * 4] + _rest(body))
    except ValueError:
        return ""
    return plain.decode("ascii") if _READABLE.issuperset(plain) else ""


def _rest(body: str) -> str:
    """The last letters, filled up, where they stand for a whole byte."""
    rest = body[len(body) // 4 * 4 :]
    return rest.ljust(4, "=") if len(rest) > 1 else ""
