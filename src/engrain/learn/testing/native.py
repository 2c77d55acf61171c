"""go test and cargo test."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engrain.learn.testing.result import ERROR, FAILED, PASSED, SKIPPED, Result, added, summed
from engrain.patterns import compiled

# go test

_GO_TEST = r"^ *--- (?P<how>PASS|FAIL|SKIP): (?P<name>\S+) \((?P<seconds>[\d.]+)s\)"
_GO_PACKAGE = (
    r"^(?P<how>ok|FAIL)\s+(?P<package>[^\s\[]\S*)(?:\s+(?P<seconds>[\d.]+)s\b|\s+\(cached\)|\s+\[(?P<why>[^\]]*)\])"
)
_GO = {"PASS": PASSED, "FAIL": FAILED, "SKIP": SKIPPED, "ok": PASSED}


def go(text: str) -> list[Result]:
    """Tests, each with its package; a package that names none of its tests is one result, for nobody counts them."""
    named = list(_go_json(text)) if '"Action":' in text else []
    return summed("go", named or _go(text), {})


def _go(text: str) -> Iterator[Result]:
    waiting: list[Result] = []
    for line in text.split("\n"):
        if test := compiled(_GO_TEST).match(line):
            waiting.append(Result(test["name"], _GO[test["how"]], "", float(test["seconds"])))
        elif package := compiled(_GO_PACKAGE).match(line):
            file, seconds = package["package"], package["seconds"]
            yield from (each._replace(file=file) for each in waiting or [_package(package["how"], seconds)])
            waiting = []
    yield from waiting


def _package(how: str, seconds: str | None) -> Result:
    """A package that names no test: it passed, or could not even run."""
    return Result("", PASSED if how == "ok" else ERROR, "", float(seconds) if seconds else None)


def _go_json(text: str) -> Iterator[Result]:
    """`go test -json`: one object a line."""
    named: set[str] = set()
    for line in text.split("\n"):
        said = _object(line)
        how, package, test = (str(said.get(key, "")) for key in ("Action", "Package", "Test"))
        outcome = _GO.get(how.upper())
        took = said.get("Elapsed")
        seconds = float(took) if isinstance(took, int | float) else None
        if outcome and test:
            named.add(package)
            yield Result(test, outcome, package, seconds)
        elif outcome and package and package not in named and outcome != SKIPPED:
            yield Result("", PASSED if outcome == PASSED else ERROR, package, seconds)


def _object(line: str) -> dict[str, object]:
    if not line.startswith("{"):
        return {}
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


# cargo test

_CARGO_SUMS = r"(?m)^test result: \w+\. ((?:\d+ [a-z]+(?: [a-z]+)?; ?)+)"
_CARGO_TEST = r"^test (?P<name>\S.*?)(?: - should panic)? \.\.\. (?P<how>ok|FAILED|ignored)\b"
_CARGO_QUIET = r"^(?P<name>\S.*?) --- FAILED$"
_CARGO_FILE = r"^ +(?:Running (?:unittests )?(?P<file>\S+) \(|Doc-tests (?P<crate>\S+))"
_CARGO = {
    "ok": PASSED, "FAILED": FAILED, "ignored": SKIPPED, "passed": PASSED, "failed": FAILED,
}  # fmt: skip


def cargo(text: str) -> list[Result]:
    """Tests, each with the target that has it."""
    totals: dict[str, int] = {}
    for summary in compiled(_CARGO_SUMS).finditer(text):
        added(totals, compiled(r"(\d+) ([a-z]+);").findall(summary[1]), _CARGO)
    return summed("cargo", _cargo(text), totals) if totals else []


def _cargo(text: str) -> Iterator[Result]:
    file = ""
    for line in text.split("\n"):
        if found := compiled(_CARGO_FILE).match(line):
            file = found["file"] or found["crate"]
        elif test := compiled(_CARGO_TEST).match(line) or compiled(_CARGO_QUIET).match(line):
            yield Result(test["name"], _CARGO[test.groupdict().get("how") or "FAILED"], file)
