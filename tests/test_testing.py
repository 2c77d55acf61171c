"""What a command said → the tests that it ran: what real runners wrote, and a few extracts of what others do."""

from __future__ import annotations

import os
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engrain.learn.testing import OUTCOMES, Counts, counts, results
from tests import reported

FOLDER = os.path.dirname(reported.__file__)
ALL = Counts(passed=4, failed=1, errors=0, skipped=2)

RECORDED = {
    # recording: (how the runner counts them, tests that it names)
    "pytest/plain": (Counts(3, 1, 1, 2), 2),
    "pytest/verbose": (Counts(3, 1, 1, 2), 7),
    "pytest/quiet": (Counts(3, 1, 1, 2), 2),
    "pytest/all": (Counts(3, 1, 1, 2), 6),
    "pytest/spread": (Counts(3, 1, 1, 2), 7),
    "pytest/passed": (Counts(3), 0),
    "pytest/none": (Counts(), 0),
    "unittest/plain": (Counts(1, 1, 1, 2), 2),
    "unittest/verbose": (Counts(1, 1, 1, 2), 5),
    "unittest/passed": (Counts(1), 0),
    "jest/plain": (ALL, 1),
    "jest/verbose": (ALL, 7),
    "jest/passed": (Counts(1), 1),
    "vitest/plain": (ALL, 6),
    "vitest/verbose": (ALL, 7),
    "vitest/passed": (Counts(1), 0),
    "bun/plain": (ALL, 7),
    "bun/passed": (Counts(1), 1),
    "go/plain": (Counts(1, 2), 2),
    "go/verbose": (Counts(3, 2, 0, 1), 6),
    "go/json": (Counts(3, 2, 0, 1), 6),
    "go/passed": (Counts(1), 0),
    "cargo/plain": (Counts(3, 1, 0, 1), 5),
    "cargo/quiet": (Counts(3, 1, 0, 1), 1),
    "cargo/passed": (Counts(1), 1),
    "junit/pytest": (Counts(3, 1, 1, 2), 7),
    "junit/vitest": (ALL, 7),
    "junit/bun": (ALL, 7),
}

# Short extracts of documented forms, written by hand: other versions, and what goes wrong around tests.
EXTRACTS = {
    "unittest before 3.11": (
        (
            "test_adds (shop.PriceTest) ... ok\ntest_pays (shop.PriceTest) ... FAIL\n\nRan 2 tests in 0.001s\n\n"
            "FAILED (failures=1)\n"
        ),
        [("shop.PriceTest.test_adds", "passed", ""), ("shop.PriceTest.test_pays", "failed", "")],
    ),
    "unittest, a class that can't be set up": (
        "E\n======\nERROR: setUpClass (shop.PriceTest)\n------\nRan 0 tests in 0.001s\n\nFAILED (errors=1)\n",
        [("shop.PriceTest.setUpClass", "error", "")],
    ),
    "pytest, a file that can't be collected": (
        "=== short test summary info ===\nERROR tests/test_a.py - ImportError: no\n=== 1 error in 0.05s ===\n",
        [("", "error", "tests/test_a.py")],
    ),
    "pytest, a name with spaces": (
        "tests/test_a.py::test_b[one two] PASSED [100%]\n===== 1 passed in 61.20s (0:01:01) =====\n",
        [("test_b[one two]", "passed", "tests/test_a.py")],
    ),
    "jest, a suite that does not run": (
        (
            "FAIL unit src/a.test.ts\n  ● Test suite failed to run\n\n    Cannot find module 'x'\n\n"
            "Test Suites: 1 failed, 1 total\nTests:       0 total\n"
        ),
        [("", "error", "src/a.test.ts")],
    ),
    "vitest, a suite that does not run": (
        (
            " FAIL  src/a.test.ts [ src/a.test.ts ]\nError: Failed to resolve import\n\n Test Files  1 failed (1)\n"
            "      Tests  no tests\n"
        ),
        [("", "error", "src/a.test.ts")],
    ),
    "go, a package that does not build": (
        "# shop/cart\n./a.go:3:1: undefined: x\nFAIL\tshop/cart [build failed]\nok  \tshop/price\t(cached)\nFAIL\n",
        [("", "error", "shop/cart"), ("", "passed", "shop/price")],
    ),
    "junit, as Maven writes it": (
        (
            '<testsuite tests="2"><testcase name="adds" classname="shop.PriceTest" time="1,204.5"/>'
            '<testcase name="pays" classname="shop.PriceTest"><failure message="a &lt; b"><![CDATA[<error/>]]>'
            "</failure></testcase><testcase name='cut off'>"
        ),
        [("shop.PriceTest.adds", "passed", ""), ("shop.PriceTest.pays", "failed", "")],
    ),
}


def recording(name: str) -> tuple[str, str]:
    with open(os.path.join(FOLDER, f"{name}.txt"), encoding="utf-8") as file:
        command, _, said = file.read().partition("\n")
    return command.removeprefix("$ "), said


@pytest.mark.parametrize("name", RECORDED)
def test_what_runners_said_is_read(name: str) -> None:
    expected, named = RECORDED[name]
    told = results(*recording(name))
    assert counts(told) == expected
    assert sum(1 for each in told if each.name) == named
    assert {each.tool for each in told} <= {name.partition("/")[0]}
    if expected.failed:
        assert [each for each in told if each.outcome == "failed" and "efunds" in each.name]


def test_every_recording_is_asked_of() -> None:
    there = {
        f"{place}/{name.removesuffix('.txt')}"
        for place in os.listdir(FOLDER)
        if os.path.isdir(os.path.join(FOLDER, place))
        for name in os.listdir(os.path.join(FOLDER, place))
        if name.endswith(".txt")
    }
    assert there == set(RECORDED)


@pytest.mark.parametrize("name", EXTRACTS)
def test_other_forms_are_read(name: str) -> None:
    said, expected = EXTRACTS[name]
    assert [(each.name, each.outcome, each.file) for each in results("make check", said)] == expected


def test_a_listing_tells_the_whole_name_the_file_and_how_long_it_took() -> None:
    told = {each.name: each for each in results(*recording("jest/verbose"))}
    assert told["cart › with a voucher › is cheaper"].file == "cart.test.js"
    assert told["cart › adds"].seconds == 0.002
    assert told["stands alone"].seconds is None


def test_what_is_only_shown_was_not_run() -> None:
    _, said = recording("pytest/verbose")
    assert results("cat test.log", said) == []
    assert results("grep -n PASSED test.log | head", said) == []
    assert results("make check", said) == results("", said) != []


def test_a_report_that_a_runner_wrote_into_a_file_is_read_when_it_is_shown() -> None:
    command, said = recording("junit/bun")
    assert counts(results("cat r.xml", said)) == counts(results(command, said)) == ALL


def test_a_report_beside_what_the_runner_said_is_the_same_run() -> None:
    said = recording("pytest/plain")[1] + recording("junit/pytest")[1]
    assert counts(results("pytest --junit-xml=r.xml; cat r.xml", said)) == Counts(3, 1, 1, 2)


def test_two_runners_in_one_command_are_both_read() -> None:
    said = recording("pytest/quiet")[1] + recording("jest/plain")[1]
    told = results("make check", said)
    assert {each.tool for each in told} == {"pytest", "jest"}
    assert counts(told) == Counts(7, 2, 1, 4)


def test_colour_and_the_prefix_of_a_job_do_not_matter() -> None:
    _, said = recording("vitest/plain")
    coloured = said.replace("×", "\x1b[31m×\x1b[39m").replace("Tests ", "\x1b[2mTests \x1b[22m")
    assert results("npm test", coloured) == results("npm test", said)
    _, said = recording("cargo/plain")
    stamped = "\n".join(f"2026-11-18T10:00:00.1234567Z {line}" for line in said.split("\n"))
    assert counts(results("cargo test", stamped)) == counts(results("cargo test", said))


WORDS = (
    "3 passed in 0.1s", "tests/a.py::t PASSED", "Ran 2 tests in 0.1s", "OK", "FAILED (failures=9)", "Tests: 1 failed",
    "PASS a.test.js", "  ✓ x (1 ms)", "  ● x", " Test Files  1", "      Tests  1 failed (1)", "(pass) x", " 3 pass",
    "--- FAIL: X (0.00s)", "ok  \tp\t0.1s", "test result: ok. 1 passed; 0 failed;", "test a ... ok",
    "<testcase name='a'>", "</testcase>", '{"Action":"pass","Test":"A"}', "", "\x1b[0m", "é",
)  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=12)), max_size=14))
@settings(max_examples=150, deadline=None)
def test_whatever_was_said_it_is_read_and_outcomes_are_known(lines: list[str]) -> None:
    told = results("make check", "\n".join(lines))
    assert all(each.outcome in OUTCOMES and each.number > 0 for each in told)
    assert all(number >= 0 for number in counts(told))


@pytest.mark.parametrize(
    "line", ["a" * 5000, "tests/a.py::" + "x " * 3000, "test (" * 3000, " ✓ " + "> " * 3000, "1 a, " * 2000]
)
def test_what_no_runner_writes_takes_no_longer_for_it(line: str) -> None:
    said = f" in Ran Tests:  Test Files  (pass) ok  \t test result: <testcase {line}\n" * 3 + f"{line}\n" * 10
    began = time.process_time()
    results("make check", said)
    assert time.process_time() - began < 2
