"""Test runners of JavaScript: Jest, Vitest, Mocha, node:test, Bun, Playwright, Cypress, AVA, TAP.

As with pytest: what a test's code throws is read as the runtime's but is the runner's, because the runner resolves
modules and transforms code in its own way; of a failed expectation the test decides.
"""

from __future__ import annotations

from engrain.fingerprint.parsers import node
from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.model import ROOT, SECOND, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set
    from re import Match

    from engrain.model import Diagnostic

_JEST = r"(?m)^ {2}● (?P<test>\S.*)$"
_VITEST = r"(?m)^ *FAIL +(?:\|[\w-]+\| )?(?P<file>\S+\.\w+)(?: > (?P<test>.+?))?(?: \[.*\])?$"
_MOCHA = r"(?m)^ {2}\d{1,4}\) (?P<test>\S.*)$"
_MOCHA_BELOW = r"(?:\n {5,}\S.*){0,8}\n {5,}(?P<test>\S.*):\n\n"
"""Mocha names the suite beside the number and the test below it."""

_BUN = r"(?m)^\(fail\) (?P<test>.*?)(?: \[[\d.]+ ?m?s\])?$"
_TAP = r"(?m)^ {0,12}not ok \d+ (?:- )?(?P<test>.*?)(?: # time.*)?$"
_PLAYWRIGHT = r"(?m)^ {2,4}\d{1,4}\) (?:\[[\w -]+\] › )?(?P<file>\S+?):\d+:\d+ › (?P<test>.*?) ─*$"
_ERROR = (
    r"(?m)^[ \t]{0,10}(?:→ )?(?P<type>[A-Z]?\w{0,60}(?:Error|Exception)|[A-Z]\w+)(?: "
    r"\[(?P<code>[A-Z_]+)\])?: (?P<message>.+)$"
)
_EXPECT = r"(?m)^\s{0,12}(?:error: |Error: |AssertionError: |→ )?(?P<message>expect\(.*|expected .*|Expected .*)$"

ROWS = table(
    row("jest", "No tests found", r"^No tests found(?P<message>.*)", "no tests"),
    row("jest", "Test suite failed to run", r"(?P<message>Test suite failed to run)", "suite failed", SECOND),
    row(
        "jest",
        "Cannot find module",
        r"Cannot find module '(?P<module>[^']+)' from '",
        "Cannot find module",
        says="Cannot find module <name>",
    ),
    row(
        "jest",
        "Jest encountered an unexpected token",
        r"(?P<message>Jest encountered an unexpected token)",
        "unexpected token",
    ),
    row("jest", "coverage threshold", r"Jest: \"\S+\" (?P<message>coverage threshold) for", "coverage"),
    row("jest", "› ", r"(?P<message>› \d+ snapshots? (?:failed|obsolete))", "snapshot", SECOND, says=""),
    row("vitest", "No test files found", r"^(?P<message>No test files found)", "no tests"),
    row("vitest", "Test Files ", r"^ *Test Files +\d+ failed.*", "FAIL", WRAPPER, says=""),
    row("jest", "Tests: ", r"^Tests: +\d+ failed.*", "FAIL", WRAPPER, says=""),
    row("playwright", "Executable doesn't exist at", r"(?P<message>Executable doesn't exist at)", "no browser"),
    row("cypress", "Cypress", r"(?P<message>Cypress could not verify that this server is running)", "no server"),
    row("mocha", "No test files found", r"(?P<message>Error: No test files found)", "no tests"),
)

_RUNNERS = (
    # (runner, text that tells it, pattern of its failing tests)
    ("playwright", " › ", _PLAYWRIGHT),
    ("jest", "● ", _JEST),
    ("vitest", " FAIL ", _VITEST),
    ("mocha", " failing", _MOCHA),
    ("bun", "(fail) ", _BUN),
    ("tap", "not ok ", _TAP),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of test runners."""
    yield from scan(ROWS, text, words)
    for runner, tell, pattern in _RUNNERS:
        if tell not in text and text[: len(tell)] != tell:
            continue
        heads = [head for head in pattern_of(pattern).finditer(text) if "Console" not in head.group()][:200]
        if not heads:
            continue
        for head, after in zip(heads, [*heads[1:], None], strict=False):
            yield _failed(runner, head, text[head.end() : after.start() if after else head.end() + 6000])
        return


def _failed(runner: str, head: Match[str], body: str) -> Diagnostic:
    file = head.groupdict().get("file") or ""
    test = pattern_of(r" › | > ").split((head["test"] or "").strip())[-1].rstrip(" :").strip()
    if runner == "mocha" and (below := pattern_of(_MOCHA_BELOW).match(body)):
        test = below["test"]
    if runner == "bun":
        body = _above(head)
    elif test == "Test suite failed to run":
        return _suite(runner, body, file, head.start())
    if said := _said(body):
        name, code, message = said
        if not (
            name.startswith("Assertion")
            or message.startswith(("expect", "Expect"))
            or "expect(" in message[:60]
            or code == "ERR_ASSERTION"
        ):
            thrown = node.of(name, code, message, head.start())
            return thrown._replace(toolchain=runner, file=file)
        return _expected(runner, test, message, file, head.start())
    if found := pattern_of(_EXPECT).search(body):
        return _expected(runner, test, found["message"], file, head.start())
    if tap := pattern_of(r"(?m)^ *error: (?:\|-\n +)?['\"]?(?P<message>[^'\"\n]+)").search(body):
        return _expected(runner, test, tap["message"], file, head.start())
    return diagnostic(
        runner, "FAIL", "", (("test", test),) if test else (), file=file, rank=ROOT if test else SECOND, at=head.start()
    )


def _suite(runner: str, body: str, file: str, at: int) -> Diagnostic:
    """No test ran: what stands below says why."""
    if said := _said(body):
        return node.of(*said, at)._replace(toolchain=runner, file=file)
    words = next((line.strip() for line in body.split("\n") if line.strip()), "")
    return diagnostic(runner, "suite failed", words, file=file, at=at)


def _expected(runner: str, test: str, message: str, file: str, at: int) -> Diagnostic:
    return diagnostic(runner, "expectation", message, (("test", test),) if test else (), file=file, at=at)


def _said(body: str) -> tuple[str, str, str] | None:
    for found in pattern_of(_ERROR).finditer(body[:6000]):
        if found["type"].endswith(("Error", "Exception")) and not found["message"].startswith("Command failed"):
            return found["type"], found["code"] or "", found["message"].strip()
    return None


def _above(head: Match[str]) -> str:
    """Bun prints what was thrown above the name of the test."""
    text = head.string[max(0, head.start() - 4000) : head.start()]
    previous = max(text.rfind("\n(fail)"), text.rfind("\n(pass)"), text.rfind("\n✗"), text.rfind("\n✓"))
    return text[previous + 1 :].replace("error: expect(", "AssertionError: expect(")
