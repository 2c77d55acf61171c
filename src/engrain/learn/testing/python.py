"""pytest and unittest (Django's runner, nose and trial write as unittest does)."""

from __future__ import annotations

from collections.abc import Iterator

from engrain.learn.testing.result import ERROR, FAILED, PASSED, SKIPPED, Result, added, summed
from engrain.patterns import compiled

# pytest

_HOW = r"(?P<how>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)"
_FILE = r"(?P<file>[^\s:\[][^:\n]{0,300}?\.\w{1,10})"
_SUMMARY = (
    r"(?m)^=* ?(?P<counts>\d+ [a-z]+(?: [a-z]+)?(?:, \d+ [a-z]+(?: [a-z]+)?)*) in [\d.]+ ?s(?: \([\d:, a-z]+\))? ?=*$"
)
_NAMED = (
    # tests/test_a.py::test_x PASSED [ 14%]
    rf"(?m)^{_FILE}::(?P<name>\S[^\n]{{0,400}}?) {_HOW}(?: \([^\n]*\))?(?:\s+\[[ \d/%]+\])?[^\S\n]*$",
    # [gw0] [ 14%] PASSED tests/test_a.py::test_x
    rf"(?m)^\[gw\d+\] \[[ \d/%]+\] {_HOW} {_FILE}::(?P<name>\S[^\n]{{0,400}}?)[^\S\n]*$",
    # FAILED tests/test_a.py::test_x - why
    rf"(?m)^{_HOW} {_FILE}(?:::(?P<name>\S[^\n]{{0,400}}?))?(?: - [^\n]*)?$",
)
_TOOK = rf"(?m)^(?P<seconds>[\d.]+)s call +{_FILE}::(?P<name>\S[^\n]{{0,400}})$"

_PYTEST = {
    "PASSED": PASSED, "XPASS": PASSED, "FAILED": FAILED, "ERROR": ERROR, "SKIPPED": SKIPPED, "XFAIL": SKIPPED,
    "passed": PASSED, "xpassed": PASSED, "failed": FAILED, "error": ERROR, "errors": ERROR, "skipped": SKIPPED,
    "xfailed": SKIPPED,
}  # fmt: skip


def pytest(text: str) -> list[Result]:
    """What pytest names, and what its last line counts."""
    totals: dict[str, int] = {}
    for summary in compiled(_SUMMARY).finditer(text):
        added(totals, compiled(r"(\d+) ([a-z]+)(?=,|$)").findall(summary["counts"]), _PYTEST)
    if not totals and "::" not in text:
        return []
    took = {(found["file"], found["name"]): float(found["seconds"]) for found in compiled(_TOOK).finditer(text)}
    return summed("pytest", _named(text, took), totals)


def _named(text: str, took: dict[tuple[str, str], float]) -> Iterator[Result]:
    for pattern in _NAMED:
        for found in compiled(pattern).finditer(text):
            file, name = found["file"], found["name"] or ""
            yield Result(name, _PYTEST[found["how"]], file, took.get((file, name)))


# unittest

_RAN = r"(?m)^Ran (?P<ran>\d+) tests? in [\d.]+s\s*\n+(?:OK|FAILED)(?: \((?P<counts>[^)\n]*)\))?"
_CASE = r"(?P<name>\w+) \((?P<where>[\w.<>]+)\)"
_LINE = (
    rf"(?m)^{_CASE}(?:\n[^\n]{{0,300}}?)? \.\.\. "
    r"(?:[^\n]{0,300}\n){0,3}?(?P<how>ok|FAIL|ERROR|skipped|expected failure|unexpected success)\b"
)
_HEADING = rf"(?m)^(?P<how>FAIL|ERROR): {_CASE}"
_UNITTEST = {
    "ok": PASSED, "FAIL": FAILED, "ERROR": ERROR, "skipped": SKIPPED, "expected failure": SKIPPED,
    "unexpected success": FAILED,
    "failures": FAILED, "errors": ERROR, "expected failures": SKIPPED, "unexpected successes": FAILED,
}  # fmt: skip
_NO_TESTS = ("setUpClass", "tearDownClass", "setUpModule", "tearDownModule")
"""What fails around tests: an error that is none of those that ran."""


def unittest(text: str) -> list[Result]:
    """What unittest names, and what its last line counts; tests that passed are those that are left."""
    ran = list(compiled(_RAN).finditer(text))
    if not ran:
        return []
    totals: dict[str, int] = {}
    for each in ran:
        pairs = compiled(r"([a-z ]+)=(\d+)").findall(each["counts"] or "")
        added(totals, ((number, word.strip()) for word, number in pairs), _UNITTEST)
    named = [*_cases(_LINE, text), *_cases(_HEADING, text)]
    around = sum(1 for each in named if each.name.rpartition(".")[2] in _NO_TESTS)
    totals[PASSED] = max(0, sum(int(each["ran"]) for each in ran) - sum(totals.values()) + around)
    return summed("unittest", named, totals)


def _cases(pattern: str, text: str) -> Iterator[Result]:
    for found in compiled(pattern).finditer(text):
        name, where = found["name"], found["where"]
        yield Result(where if where.endswith(f".{name}") else f"{where}.{name}", _UNITTEST[found["how"]])
