"""jest, vitest and bun: their listings are read line by line, because a test's groups stand above it."""

from __future__ import annotations

from collections.abc import Iterator

from engrain.learn.testing.result import ERROR, FAILED, PASSED, SKIPPED, Result, added, summed
from engrain.patterns import compiled

_SIGNS = {
    "✓": PASSED, "√": PASSED, "✔": PASSED, "✕": FAILED, "×": FAILED, "✗": FAILED, "○": SKIPPED, "✎": SKIPPED,
    "↓": SKIPPED, "□": SKIPPED,
}  # fmt: skip
_WORDS = {
    "passed": PASSED, "failed": FAILED, "skipped": SKIPPED, "todo": SKIPPED, "pass": PASSED, "fail": FAILED,
    "skip": SKIPPED,
}  # fmt: skip
_TOOK = r"(?: [(\[]?(?P<took>\d+(?:\.\d+)?) ?(?P<unit>m?s)[)\]]?)?"


def _seconds(took: str | None, unit: str | None) -> float | None:
    return None if took is None else round(float(took) / (1000 if unit == "ms" else 1), 6)


def _totals(pattern: str, text: str) -> dict[str, int]:
    totals: dict[str, int] = {}
    for found in compiled(pattern).finditer(text):
        added(totals, compiled(r"(\d+) ([a-z]+)").findall(found[1]), _WORDS)
    return totals


# jest

_JEST_SUMS = r"(?m)^Tests: +(\d[^\n]*), \d+ total$"
_JEST_FILE = r"^(?:PASS|FAIL) (?:[^\n]{1,80} )?(?P<file>\S+\.\w{1,8})(?: \([\d.]+ m?s\))?$"
_JEST_TEST = rf"^(?P<indent> {{2,60}})(?P<sign>[✓√✕×○✎]) (?:skipped |todo )?(?P<name>.+?){_TOOK}$"
_JEST_GROUP = r"^(?P<indent> {2,60})(?P<name>[^\s●].*)$"
_JEST_FAILED = r"^ {2}● (?P<name>\S.*)$"
_NO_SUITE = "Test suite failed to run"


def jest(text: str) -> list[Result]:
    """Tests under their file, with the groups that they stand in."""
    totals = _totals(_JEST_SUMS, text)
    return summed("jest", _jest(text), totals) if totals or "Test Suites: " in text else []


def _jest(text: str) -> Iterator[Result]:
    file = ""
    groups: list[tuple[int, str]] = []
    listing = False
    for line in text.split("\n"):
        if found := compiled(_JEST_FILE).match(line):
            file, groups, listing = found["file"].removeprefix("./"), [], True
        elif not file:
            continue
        elif failed := compiled(_JEST_FAILED).match(line):
            listing = False
            yield from _jest_failed(failed["name"], file)
        elif not line.strip():
            listing = False
        elif listing and (test := compiled(_JEST_TEST).match(line)):
            groups = [group for group in groups if group[0] < len(test["indent"])]
            name = " › ".join([*(group for _, group in groups), test["name"]])
            yield Result(name, _SIGNS[test["sign"]], file, _seconds(test["took"], test["unit"]))
        elif listing and (group := compiled(_JEST_GROUP).match(line)):
            groups = [each for each in groups if each[0] < len(group["indent"])]
            groups.append((len(group["indent"]), group["name"]))


def _jest_failed(name: str, file: str) -> Iterator[Result]:
    if name == _NO_SUITE:
        yield Result("", ERROR, file)
    elif not name.startswith(("Console", "Cannot log after")):
        yield Result(name, FAILED, file)


# vitest

_VITEST_SUMS = r"(?m)^ +Tests +(\d[^\n]*) \(\d+\)$"
_VITEST_FILE = r"^ [✓❯×↓] (?:\|[^|\n]+\| )?(?P<file>\S+\.\w{1,8}) \(\d+ tests?\b"
_VITEST_TEST = rf"^ +(?P<sign>[✓×↓□✗]) (?P<name>\S.*?)(?: \[skipped\])?{_TOOK}$"
_VITEST_FAILED = r"^ FAIL +(?:\|[^|\n]+\| )?(?P<file>\S+\.\w{1,8})(?: > (?P<name>.+?))?(?: \[ .* \])?$"
_VITEST_PATH = r"(?:\|[^|\n]+\| )?(?P<file>[^\s>]+\.\w{1,8}) > (?P<name>.+)$"


def vitest(text: str) -> list[Result]:
    """Tests under their file; of those that failed the heading has the whole name."""
    if not compiled(r"(?m)^ Test Files {2}").search(text):
        return []
    named = list(_vitest(text))
    headed = [each for each, heads in named if heads]
    listed = [each for each, heads in named if not heads and not (headed and each.outcome == FAILED)]
    return summed("vitest", [*listed, *headed], _totals(_VITEST_SUMS, text))


def _vitest(text: str) -> Iterator[tuple[Result, bool]]:
    file = ""
    for line in text.split("\n"):
        if found := compiled(_VITEST_FILE).match(line):
            file = found["file"]
        elif failed := compiled(_VITEST_FAILED).match(line):
            yield Result(failed["name"] or "", FAILED if failed["name"] else ERROR, failed["file"]), True
        elif test := compiled(_VITEST_TEST).match(line):
            path = compiled(_VITEST_PATH).match(test["name"])
            where, name = (path["file"], path["name"]) if path else (file, test["name"])
            yield Result(name, _SIGNS[test["sign"]], where, _seconds(test["took"], test["unit"])), False


# bun

_BUN_SUMS = r"(?m)^ +(\d+ (?:pass|fail|skip|todo))$"
_BUN_TEST = rf"^\((?P<how>pass|fail|skip|todo)\) (?P<name>.+?){_TOOK}$"
_BUN_FILE = r"^(?P<file>\S+\.\w{1,8}):$"


def bun(text: str) -> list[Result]:
    """Tests under their file."""
    totals = _totals(_BUN_SUMS, text)
    return summed("bun", _bun(text), totals) if totals else []


def _bun(text: str) -> Iterator[Result]:
    file = ""
    for line in text.split("\n"):
        if found := compiled(_BUN_FILE).match(line):
            file = found["file"]
        elif test := compiled(_BUN_TEST).match(line):
            yield Result(test["name"], _WORDS[test["how"]], file, _seconds(test["took"], test["unit"]))
