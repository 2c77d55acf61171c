"""The key is a function of the meaning: what may differ between two runs of one failure changes nothing."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from engrain.fingerprint import explain, fingerprint
from tests.recorded.corpus import Case, cases

PLAIN = [case for case in cases("a", "b") if fingerprint(case.text).known][::9]
some = st.sampled_from(PLAIN)
modestly = settings(max_examples=60, deadline=None)


def key(text: str) -> str:
    return fingerprint(text).fingerprint


@modestly
@given(
    some,
    st.sampled_from(
        ["\x1b[31m{}\x1b[0m", "\x1b[1m\x1b[38;5;9m{}\x1b[0m", "\x1b[2K{}", "\x1b]8;;http://x\x07{}\x1b]8;;\x07"]
    ),
)
def test_colour_changes_nothing(case: Case, form: str) -> None:
    assert key("\n".join(form.format(line) if line.strip() else line for line in case.text.split("\n"))) == key(
        case.text
    )


@modestly
@given(some)
def test_line_ends_change_nothing(case: Case) -> None:
    assert key(case.text.replace("\r\n", "\n").replace("\n", "\r\n")) == key(case.text)


@modestly
@given(
    some,
    st.sampled_from(
        ["2026-01-31T10:00:{:02d}.1234567Z ", "[10:00:{:02d}] ", "2026-01-31 10:00:{:02d},123 ", "#12 3.{:02d} "]
    ),
)
def test_the_prefix_of_a_ci_changes_nothing(case: Case, stamp: str) -> None:
    lines = case.text.split("\n")
    assert key("\n".join(stamp.format(n % 60) + line for n, line in enumerate(lines))) == key(case.text)


@modestly
@given(some, st.lists(st.sampled_from(["[engrain] a fix is known", "[engrain] tried twice"]), max_size=3))
def test_what_engrain_printed_changes_nothing(case: Case, said: list[str]) -> None:
    assert key("\n".join([*said[:1], case.text.rstrip("\n"), *said[1:]])) == key(case.text.rstrip("\n"))


@modestly
@given(some)
def test_a_wrapper_below_changes_nothing(case: Case) -> None:
    if fingerprint(case.text).root.rank == 0:
        assert key(case.text.rstrip("\n") + "\nmake: *** [Makefile:12: all] Error 2\n") == key(case.text)
        assert key(case.text.rstrip("\n") + "\nexit status 1\n") == key(case.text)


PATHS = st.from_regex(r"/[a-z]{2,8}/[a-z]{2,8}(/[a-z]{2,8})?", fullmatch=True)
NUMBERS = st.integers(1, 99_999)

FORMS = (
    (
        'Traceback (most recent call last):\n  File "{path}/app.py", line {n}, in <module>\n    import orjson\n'
        "ModuleNotFoundError: No module named 'orjson'\n"
    ),
    "{path}/main.c:{n}:20: error: ‘cnt’ undeclared (first use in this function)\n",
    "{path}/a.ts({n},5): error TS2304: Cannot find name 'foo'.\n",
    "error[E0425]: cannot find function `foo` in this scope\n --> {path}/main.rs:{n}:12\n",
    "./{n}/main.go:{n}:2: undefined: Foo\n",
    'Exception in thread "main" java.lang.IllegalStateException: port {n} is taken\n\tat Main.main(Main.java:{n})\n',
    "{path}/x.js:{n}\nfoo()\n^\n\nReferenceError: foo is not defined\n    at Object.<anonymous> ({path}/x.js:{n}:1)\n",
    "cp: cannot stat '{path}/a.bin': No such file or directory\n",
    "[{n}:{n}:ERROR] the worker {n} at {path}/w{n}.sock said: connection lost after {n} ms\n",
)


@modestly
@given(st.sampled_from(FORMS), PATHS, PATHS, NUMBERS, NUMBERS)
def test_paths_and_numbers_change_nothing(form: str, path: str, other: str, number: int, another: int) -> None:
    assert key(form.format(path=path, n=number)) == key(form.format(path=other, n=another))


NAMES = st.from_regex(r"[a-z]{3,9}", fullmatch=True)


@modestly
@given(NAMES, NAMES)
def test_another_missing_thing_is_another_fingerprint_of_one_family(one: str, other: str) -> None:
    form = "Traceback (most recent call last):\n  File 'a.py'\nModuleNotFoundError: No module named '{}'\n"
    first, second = fingerprint(form.format(one)), fingerprint(form.format(other))
    assert (first.fingerprint == second.fingerprint) == (one == other)
    assert first.family == second.family
    assert first.parameters == {"module": one}


TYPES = ["ValueError", "TypeError", "KeyError", "pkg.errors.Broken", "pkg.other.Broken", "OSError", "RuntimeError"]


@modestly
@given(st.sampled_from(TYPES), st.sampled_from(TYPES))
def test_another_error_type_is_another_failure(one: str, other: str) -> None:
    form = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\n{}: it is so\n'
    assert (key(form.format(one)) == key(form.format(other))) == (one == other)


@modestly
@given(st.integers(2300, 2399), st.integers(2300, 2399))
def test_another_code_is_another_failure(one: int, other: int) -> None:
    form = "a.ts(1,5): error TS{}: It is so.\n"
    first, second = fingerprint(form.format(one)), fingerprint(form.format(other))
    assert (first.fingerprint == second.fingerprint) == (one == other) == (first.family == second.family)


@modestly
@given(st.permutations(["a.c", "b.c", "d.c", "e.c"]))
def test_the_order_of_threads_changes_nothing(files: list[str]) -> None:
    said = {
        "a.c": "a.c:1:1: error: unknown type name ‘cart’",
        "b.c": "b.c:2:1: error: unknown type name ‘cart’",
        "d.c": "d.c:9:3: error: expected ‘;’ before ‘}’ token",
        "e.c": "e.c:4:1: error: unknown type name ‘cart’\ne.c:5:1: error: stray ‘@’ in program",
    }
    found = fingerprint("\n".join(said[name] for name in files))
    assert found.fingerprint == fingerprint("\n".join(said.values())).fingerprint
    assert found.parameters == {"name": "cart"}
    assert len(found.diagnostics) == 5


@modestly
@given(some)
def test_a_key_follows_from_its_explanation(case: Case) -> None:
    found = fingerprint(case.text)
    parts = explain(found)
    assert re.fullmatch(r"1:[0-9a-f]{20}", found.fingerprint)
    assert parts[0].value == found.toolchain
    assert parts[1].value == found.error_type
    deciding = {part.name: part.value for part in parts if part.why == "decides the fix"}
    assert deciding == found.parameters
    assert not {part.value for part in parts if part.enters == "neither"} & set(found.parameters.values())
