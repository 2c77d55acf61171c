"""Words that parsers and wordings know, kept as lines of text."""

from __future__ import annotations


def words(*lines: str) -> frozenset[str]:
    """The words of the lines."""
    return frozenset(word for line in lines for word in line.split())
