"""Private keys between their BEGIN and END lines: whole, cut short, or with something put before each line.

The lines of PuTTY, OpenVPN and Ansible Vault, too.

In one piece when nothing but base64, headers and line ends stands between; otherwise line by line, so that the quotes,
plus signs and log prefixes around the lines stay where they are.
"""

from __future__ import annotations

from engrain.patterns import compiled
from engrain.redact.rule import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "private-key"
WHAT = "private key (PEM, OpenSSH, PGP, PuTTY, OpenVPN, Ansible Vault), whole or cut short"

_BEGIN = r"-{4,5}\s?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?(?:-{2,5})?"
_WHOLE = (
    r"(?:\s|\\+[nrt]|[A-Za-z0-9+/=]|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):"
    r" ?[^\n\\\"]{0,80}){0,20000}?"
    r"-{1,5}\s?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-{0,5}"
)
_END = r"-{1,5}\s?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-{0,5}"
_LONG = r"[A-Za-z0-9+/]{32,}={0,2}"
_PIECE = r"[A-Za-z0-9+/]{8,}={0,2}|(?<![A-Za-z0-9])[A-Za-z0-9+/]{1,63}={1,2}(?!=)"
_BREAK = r"\n|\\+n|\\+r|,"
_COUNTED = r"(?i)private-lines:[ \t]{0,8}\d{0,3}(?:[ \t]{0,8}\r?\n|\\+r?\\*n)"
_BLOCK = (
    r"(?:BEGIN OpenVPN Static key V\d-----|\$ANSIBLE_VAULT;[\w.;-]{1,80})"
    r"(?:\s|\\+[nrt]|[+-]){1,80}([0-9a-fA-F]{16,128}(?:(?:\s|\\+[nrt]|[+-]){1,80}[0-9a-fA-F]{2,128}(?![0-9A-Za-z])){0,4000})"
)
_REACH = 16_384


def private_keys(text: str, low: bytes) -> Iterator[Span]:
    """The spans of every private key."""
    at = low.find(b"private key")
    done = 0
    while at >= 0:
        begin = compiled(_BEGIN).search(text, max(done, at - 60), at + 24)
        done = at + 11
        if begin:
            for span in _one(text, begin.start(), begin.end()):
                yield span
                done = span.end
        at = low.find(b"private key", done)
    for count in compiled(_COUNTED).finditer(text) if b"private-lines:" in low else ():
        yield from _cut_short(text, count.end(), count.end() + _REACH)
    for block in compiled(_BLOCK).finditer(text) if b"static key" in low or b"$ansible_vault" in low else ():
        yield Span(block.start(1), block.end(1), NAME)


def _one(text: str, start: int, after: int) -> Iterator[Span]:
    whole = compiled(_WHOLE).match(text, after, after + _REACH)
    if whole:
        yield Span(start, whole.end(), NAME)
        return
    following = text.find("BEGIN ", after, after + _REACH)
    stop = following if following >= 0 else min(len(text), after + _REACH)
    end = compiled(_END).search(text, after, stop)
    pieces = list(_bounded(text, after, end.start()) if end else _cut_short(text, after, stop))
    if pieces:
        yield Span(start, after, NAME)
        yield from pieces
        if end:
            yield Span(end.start(), end.end(), NAME)


def _bounded(text: str, at: int, stop: int) -> Iterator[Span]:
    """Everything like base64 in front of the END line."""
    for piece in compiled(_PIECE).finditer(text, at, stop):
        yield Span(piece.start(), piece.end(), NAME)


def _cut_short(text: str, at: int, stop: int) -> Iterator[Span]:
    """The base64 of the lines that follow, up to a line that has none."""
    begun = False
    while at < stop:
        line = compiled(_BREAK).search(text, at, stop)
        close = line.start() if line else stop
        pieces = [(m.start(), m.end()) for m in compiled(_LONG if not begun else _PIECE).finditer(text, at, close)]
        rest = text[at:close].strip(" \t\r\"'`+\\,;#*|>")
        if rest and (not pieces or len(rest) > 2 * sum(end - start for start, end in pieces) + 24):
            return
        for start, end in pieces:
            begun = True
            yield Span(start, end, NAME)
        at = line.end() if line else stop
