"""Reports in JUnit's form, which pytest, jest, vitest, bun, Maven, Gradle, PHPUnit and many others can write.

An output may be cut anywhere, so it is read as text: each `testcase` that is whole, and what stands in it.
"""

from __future__ import annotations

from html import unescape
from re import Match

from engrain.learn.testing.result import ERROR, FAILED, PASSED, SKIPPED, Result, summed
from engrain.patterns import compiled

_CASE = r"<testcase((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>"
_ATTRIBUTE = r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')"
_CDATA = r"(?s)<!\[CDATA\[.*?\]\]>"
_INSIDE = (("<error", ERROR), ("<failure", FAILED), ("<skipped", SKIPPED))
_END = "</testcase>"


def read(text: str) -> list[Result]:
    """Every test case of a report."""
    text = compiled(_CDATA).sub("", text)
    cases = (_case(text, found) for found in compiled(_CASE).finditer(text))
    return summed("junit", (case for case in cases if case), {})


def _case(text: str, found: Match[str]) -> Result | None:
    at = found.end()
    end = at if found[2] else text.find(_END, at)
    if end < 0:
        return None
    said = {name: unescape(one or other) for name, one, other in compiled(_ATTRIBUTE).findall(found[1])}
    inside = text[at:end]
    outcome = next((outcome for tag, outcome in _INSIDE if tag in inside), PASSED)
    file = said.get("file", "")
    where = said.get("classname", "")
    name = said.get("name", "")
    if (not file and "/" in where) or where.endswith((".js", ".ts", ".jsx", ".tsx")):
        file, where = file or where, ""
    return Result(f"{where}.{name}" if where else name, outcome, file, _seconds(said.get("time", "")))


def _seconds(said: str) -> float | None:
    try:
        return round(float(said.replace(",", "")), 6)
    except ValueError:
        return None
