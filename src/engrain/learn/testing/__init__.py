"""What a command said → the tests that it ran, and how each went.

    told = results("pytest -q", output)
    counts(told)                          passed, failed, errors, skipped

Which runner spoke is seen from what it wrote, for `make check` and `npm test` say nothing of it: a row of READERS for
each runner, with the text that only it writes. A runner names some tests and only counts the others; what is counted
and not named is one result without a name that stands for them all, so that counts are the runner's own. What a command
only shows (`cat test.log`) was not run by it, but for a report in JUnit's form, which runners write into a file.

    python        pytest, unittest and what is built on it       native   go test, cargo test
    javascript    jest, vitest, bun                              junit    reports in JUnit's form

Not read: runners that are in no row, and what the middle of a long output said, which was left out when it was kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from engrain.fingerprint.clean import cleaned
from engrain.learn.commands import only_looks
from engrain.learn.testing import javascript, junit, native, python
from engrain.learn.testing.result import ERROR, FAILED, OUTCOMES, PASSED, SKIPPED, Counts, Result

MOST = 1_000_000
"""Characters of an output that are read: its end, where runners sum up."""

READERS = (
    # (runner, texts of which one stands in what it writes, what reads it)
    ("pytest", (" in ",), python.pytest),
    ("unittest", ("Ran ",), python.unittest),
    ("jest", ("Tests: ",), javascript.jest),
    ("vitest", (" Test Files ", "Tests  "), javascript.vitest),
    ("bun", ("(pass) ", "(fail) ", " pass\n"), javascript.bun),
    ("go", ("ok  \t", "FAIL\t", "--- PASS", "--- FAIL", '"Action":'), native.go),
    ("cargo", ("test result: ",), native.cargo),
)


def results(command: str, output: str) -> list[Result]:
    """The tests that a command ran, as its output tells of them; none where it ran none."""
    text = cleaned(output[-MOST:])
    looks = bool(command) and only_looks(command)
    told = [] if looks else [each for _, tells, read in READERS if _tells(text, tells) for each in read(text)]
    return told or (junit.read(text) if "<testcase" in text else [])


def counts(told: Iterable[Result]) -> Counts:
    """How many tests went how."""
    sums = dict.fromkeys(OUTCOMES, 0)
    for each in told:
        sums[each.outcome] += each.number
    return Counts(*(sums[outcome] for outcome in OUTCOMES))


def _tells(text: str, tells: tuple[str, ...]) -> bool:
    return any(tell in text for tell in tells)


__all__ = ["ERROR", "FAILED", "OUTCOMES", "PASSED", "SKIPPED", "Counts", "Result", "counts", "results"]
