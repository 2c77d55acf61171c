"""Output that nobody would write: far too much, no text at all, made to make a pattern explode, one secret."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from engrain.fingerprint import fingerprint
from engrain.fingerprint.parsers.python import CAUSED
from engrain.fingerprint.read import HEAD, TAIL, bounded, bounded_stream

SECRET = "ghp_" + "".join(chr(97 + i * 7 % 26) + str(i % 10) for i in range(18))
MISSING = "ModuleNotFoundError: No module named 'orjson'"

HOSTILE = {
    "quotes": "error: " + "'" * 200_000,
    "open quotes": "error: " + "'a " * 60_000,
    "slashes": "/" * 300_000,
    "a path without end": "a/" * 150_000 + ": error: x",
    "brackets": "[" * 100_000 + "]" * 100_000,
    "dots": "a." * 150_000 + "Error: x",
    "digits": "1" * 300_000,
    "spaces": "error:" + " " * 300_000 + "x",
    "tabs and bars": " | " * 100_000,
    "escapes": "\x1b[" * 100_000,
    "titles": "\x1b]8;;" * 50_000,
    "carriage returns": "x\r" * 150_000,
    "carets": "^" * 200_000 + "\n--> " * 20_000,
    "headers": "Traceback (most recent call last):\n" * 10_000,
    "chained": f"\n{CAUSED}:\n\nTraceback (most recent call last):\n" * 3_000,
    "frames": "#0 0x1 in f\n" * 20_000,
    "errors": "\n".join(f"a{n}.c:{n}:1: error: ‘x{n}’ undeclared" for n in range(9_000)),
    "tests": "\n".join(f"FAILED a_{n}.py::test_{n} - assert {n} == 1" for n in range(9_000)),
    "rules": "=" * 70 + "\n" + ("=" * 70 + "\nFAIL: t (m.C)\n") * 2_000,
    "words": "error failed cannot not found " * 10_000,
    "npm": "npm error code E404\n" * 10_000,
    "boxes": "-- [E007] Type Mismatch Error: a.scala:1:1 ---\n1 |x\n  |^\n  |found\n" * 3_000,
    "tags": "<output>" * 40_000,
    "uuids": "0a1b2c3d-" * 40_000,
    "underscores": "_a" * 150_000,
    "camels": "aA" * 150_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_line_costs_no_more_than_a_long_one(name: str) -> None:
    started = time.process_time()
    found = fingerprint(HOSTILE[name])
    assert time.process_time() - started < 5
    assert found.fingerprint.startswith("1:")


@pytest.mark.parametrize(
    "output", ["", b"", "\n\n", " ", "\x00\x00", "…", b"\xff\xfe", bytes(range(256)) * 400, "\ud800"]
)
def test_garbage_has_a_fingerprint_and_says_that_nobody_knows_it(output: str | bytes) -> None:
    found = fingerprint(output)
    assert not found.known
    assert found.toolchain == "unknown"
    assert found.fingerprint == fingerprint(output).fingerprint


def test_the_command_speaks_where_the_output_does_not() -> None:
    assert fingerprint("", "grep -r foo src", 1).error_type == "no match"
    assert fingerprint("", "make && diff a b", 1).toolchain == "diff"
    assert fingerprint("", "./server", 137).error_type == "killed"
    assert fingerprint("", "terraform plan", 3).toolchain == "terraform"


def test_a_text_that_is_one_secret_shows_none_of_it() -> None:
    found = fingerprint(SECRET)
    assert not found.known
    assert SECRET not in "".join(found.parameters.values())
    assert found.fingerprint == fingerprint(SECRET.replace("a", "z")).fingerprint


def test_of_an_output_without_end_both_ends_are_read() -> None:
    noise = "building part of it\n" * 20_000
    assert fingerprint(f"{MISSING}\n{noise * 3}").parameters == {"module": "orjson"}
    assert fingerprint(f"{noise * 3}{MISSING}\n").parameters == {"module": "orjson"}
    assert len(bounded("x" * 10_000_000)) < HEAD + TAIL + 100


def test_a_stream_is_read_like_a_text() -> None:
    data = b"first\n" + b"middle\n" * 400_000 + b"last\n"
    parts = iter([data[i : i + 70_000] for i in range(0, len(data), 70_000)])
    read = bounded_stream(lambda _: next(parts, b""))
    assert read.startswith(b"first\n")
    assert read.endswith(b"last\n")
    assert len(read) < HEAD + TAIL + 100


LARGE = """
import resource, sys, time
from engrain.fingerprint import fingerprint
fingerprint("warm")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
text = ("compiling a part of it\\n" * 1_100_000)[:25_000_000] + "a.c:1:1: error: ‘x’ undeclared\\n"
text += "more of it\\n" * 2_270_000
held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
started = time.process_time()
found = fingerprint(text)
print(len(text), time.process_time() - started, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) / 1024)
"""


def test_fifty_megabytes_in_bounded_time_and_memory() -> None:
    done = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, check=True)
    size, seconds, megabytes = map(float, done.stdout.split())
    assert size > 49_000_000
    assert seconds < 2
    assert megabytes < 100
