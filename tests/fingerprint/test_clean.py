"""What is taken off before anybody reads: rows of (label, given, expected)."""

from __future__ import annotations

import pytest

from engrain.fingerprint.clean import cleaned

ROWS = (
    ("nothing to do", "error: x\n  at y\n", "error: x\n  at y\n"),
    ("colour", "\x1b[1;31merror\x1b[0m: x", "error: x"),
    ("links", "\x1b]8;;file:///a\x07a.c\x1b]8;;\x07: error", "a.c: error"),
    ("a charset", "\x1b(Berror", "error"),
    ("Windows", "a\r\nb\r\n", "a\nb\n"),
    ("a progress bar", "10%\r50%\r100%\ndone", "100%\ndone"),
    ("a bar that is wiped", "10%\r   \r\nerror: x", "10%\nerror: x"),
    ("GitHub", '2026-01-31T10:00:00.1234567Z   File "a.py"', '  File "a.py"'),
    ("GitHub, an error", "##[error]Process completed", "Process completed"),
    ("gh run view --log", "build\tRun checks\t2026-11-18T21:09:47.0000000Z error: x", "error: x"),
    ("a clock", "[10:00:00] error: x", "error: x"),
    ("seconds since the start", "[    3.141592] error: x", "error: x"),
    ("BuildKit", "#12 3.456 npm error code E404", "npm error code E404"),
    ("compose", "web-1  | error: x\nweb-1  | y", "error: x\ny"),
    ("xdist", "[gw0] error: x", "error: x"),
    ("an agent's first line", "Exit code 1\nerror: x", "error: x"),
    ("an agent's tags", "<returncode>1</returncode>\n<output>\nerror: x\n</output>", "error: x\n"),
    ("Engrain", "error: x\n[engrain] seen 3 times\n[engrain] fix: y", "error: x"),
    ("control signs", "err\x00or\x07: x", "error: x"),
    ("foreman", "10:00:00 web.1  | error: x\n10:00:01 web.1  | y", "error: x\ny"),
    ("compose, one service each", "web  | error: x\ndb   | y", "error: x\ny"),
    ("concurrently", "[web] error: x\n[web]\n[api] y", "error: x\n\ny"),
    ("kubectl logs --prefix", "[pod/web-5d/web] error: x\n[pod/web-5d/web] y", "error: x\ny"),
    ("pnpm -r", "packages/web test: error: x\npackages/web test: y", "error: x\ny"),
    ("Jenkins", "10:00:00  error: x\n10:00:01    y", "error: x\n  y"),
    ("Buildkite", "\x1b_bk;t=1700000000\x07error: x", "error: x"),
    ("indented by a task runner", "    error: x\n      at y\n", "error: x\n  at y\n"),
    ("a mark of byte order", "\ufefferror: x", "error: x"),
    # What only looks like a prefix stays.
    ("a frame", "#0 0x1 in f a.c:1", "#0 0x1 in f a.c:1"),
    ("a source line", " 3 | let x = 1;", " 3 | let x = 1;"),
    ("levels", "[error] a: x\n[error] b: y", "[error] a: x\n[error] b: y"),
    ("a table", "id | name\n---+-----\n 1 | x", "id | name\n---+-----\n 1 | x"),
    ("one line", "[web] error: x", "[web] error: x"),
    ("a list", "[1, 2] is wrong", "[1, 2] is wrong"),
)


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_cleaned(given: str, expected: str) -> None:
    assert cleaned(given) == expected


@pytest.mark.parametrize("given", [row[1] for row in ROWS], ids=[row[0] for row in ROWS])
def test_cleaning_twice_is_cleaning_once(given: str) -> None:
    assert cleaned(cleaned(given)) == cleaned(given)
