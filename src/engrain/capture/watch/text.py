"""Text: what a person would have read of the bytes that a terminal got.

Colours and cursor movements say nothing later, a progress bar is what it was last, and the painting of a full-screen
program is not output at all.
"""

from __future__ import annotations

import re
from functools import cache

_SCREEN = r"\x1b\[\?(?:1049|1047|47)"

RULES = (
    # Before the sequences are gone: what lies between two of them.
    (_SCREEN + r"h.*?(?:" + _SCREEN + r"l|\Z)", ""),
    # Strings for the terminal: titles, links. Bounded, because an unterminated one would be searched for to the end.
    (r"\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)", ""),
    (r"\x1b[PX^_][^\x1b]{0,4096}\x1b\\", ""),
    (r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]", ""),
    (r"\x1b[ -/]{0,8}[0-~]", ""),
    # Anchored, these two, or a long run would be tried from each of its letters. A line written over: the last stands.
    (r"(?<!\r)\r+\n", "\n"),
    (r"(?m)^[^\n]*\r(?=[^\n\r])", ""),
    (r"[\x00-\x08\x0b-\x1f\x7f]", ""),
)


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.DOTALL), by) for pattern, by in RULES)


def readable(output: bytes) -> str:
    """The output as text: invalid UTF-8 replaced, what only a terminal understands left out."""
    text = output.decode("utf-8", "replace")
    for pattern, by in _compiled():
        text = pattern.sub(by, text)
    return text
