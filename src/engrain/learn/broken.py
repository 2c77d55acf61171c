"""Broken: whether a failure says that a file does not parse, whatever its language.

What helps then is the same everywhere: the last edit of that file is taken back, or done again. So it is kept under one
key for all projects, and names nothing of any of them. On the hook's path.
"""

from __future__ import annotations

from engrain.patterns import compiled

KEY = "kind:broken"

_TYPES = (
    r"(?i)(?:[\w.]+\.)?(?:(?:Syntax|Indentation|Tab|Parse|Parsing|Tokenize)[ _-]?Error|unterminated string|TS1\d{3})"
)


def broken(error_type: str) -> bool:
    """Whether this type of error says that the code can't even be read."""
    return compiled(_TYPES).fullmatch(error_type) is not None
