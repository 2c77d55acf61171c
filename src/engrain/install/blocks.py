"""A marked block at the end of a text file: put in whole, taken out whole, and everything around it as it was.

    markdown     <!-- engrain: begin --> … <!-- engrain: end -->
    lines, toml  # engrain: begin … # engrain: end

A file that somebody changed since loses the lines between the marks that are ours; a line that somebody else wrote
there stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engrain.install.settings import Put


class Marks(NamedTuple):
    """The first and the last line of a block."""

    begin: str
    end: str


MARKDOWN = Marks("<!-- engrain: begin -->", "<!-- engrain: end -->")
HASH = Marks("# engrain: begin", "# engrain: end")
ALL = (MARKDOWN, HASH)


def put(text: str, body: str, marks: Marks) -> Put:
    """The text with the block at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([marks.begin, *body.splitlines(), marks.end, ""])
    before = "" if not text.strip("\ufeff") else newline if text.endswith("\n") else newline * 2
    return Put(text + before + block, ((len(text), len(text + before + block)),))


def there(text: str, body: str, marks: Marks) -> bool:
    """Whether the text has this very block, once."""
    return [_bare(line) for line in _inside(text, marks)] == body.splitlines() and text.count(marks.begin) == 1


def without(text: str, ours: Iterable[str]) -> str:
    """The text without our blocks; lines in them that are none of ours stay."""
    known = {line.strip() for line in ours}
    lines = text.splitlines(keepends=True)
    for marks in ALL:
        while (span := _span(lines, marks)) is not None:
            begin, end = span
            kept = [line for line in lines[begin + 1 : end] if line.strip() not in known]
            # The empty line that we put before the block goes with it, where nothing of it stays.
            start = begin - 1 if begin and not kept and not lines[begin - 1].strip() else begin
            lines = lines[:start] + kept + lines[end + 1 :]
    return "".join(lines)


def has(text: str) -> bool:
    """Whether there is a block of ours."""
    lines = text.splitlines(keepends=True)
    return any(_span(lines, marks) is not None for marks in ALL)


def _inside(text: str, marks: Marks) -> list[str]:
    lines = text.splitlines(keepends=True)
    span = _span(lines, marks)
    return lines[span[0] + 1 : span[1]] if span else []


def _span(lines: list[str], marks: Marks) -> tuple[int, int] | None:
    """The first and the last line of a block. One whose end is gone is not known to be one."""
    for begin, line in enumerate(lines):
        if _bare(line) == marks.begin:
            for end in range(begin + 1, len(lines)):
                if _bare(lines[end]) == marks.end:
                    return begin, end
                if _bare(lines[end]) == marks.begin:
                    break
    return None


def _bare(line: str) -> str:
    return line.strip("\ufeff \t\r\n")
