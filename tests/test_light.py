"""What stands in for the standard library says the same, and a kept pattern is the pattern itself."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engrain import light, patterns
from engrain.redact.providers import ANYWHERE, PROVIDERS
from engrain.redact.structure import STRUCTURE

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_json_is_the_json_of_the_standard_library(value: Any) -> None:
    for ordered in (True, False):
        said = json.dumps(value, ensure_ascii=False, sort_keys=ordered, separators=(",", ":"))
        assert light.dumps(value, ordered=ordered) == said
        assert light.loads(f" {said}\n") == json.loads(said)


@pytest.mark.parametrize("text", ["", " ", "{", "[1,]", "nul", "1 2", '{"a":1}x', '"\x01"', "{'a':1}", '{"a" 1}'])
def test_what_is_no_json_is_refused_as_there(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the standard library's words differ with its version
        json.loads(text)
    with pytest.raises(ValueError):  # noqa: PT011
        light.loads(text)


def test_what_json_can_t_say_is_refused() -> None:
    for value, kind in ((float("nan"), ValueError), ({"a": {1}}, TypeError), (b"x", TypeError)):
        with pytest.raises(kind):
            light.dumps(value)
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ValueError):  # noqa: PT011
        light.dumps(loop)


def test_a_hash_is_the_hash() -> None:
    assert light.sha256(b"engrain") == hashlib.sha256(b"engrain").hexdigest()


SOURCES = [rule.pattern for rule in (*PROVIDERS, *ANYWHERE, *STRUCTURE)]


def test_a_kept_pattern_is_the_compiled_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in (*SOURCES, r"(?im)^(?P<a>x)|\w{2,}(?<!y)"):
        monkeypatch.setattr(patterns, "_programs", {source: patterns.program(source)})
        recalled = patterns._recalled(source)
        assert recalled == re.compile(source)
        assert recalled is not None
        assert recalled.groupindex == re.compile(source).groupindex


def test_a_pattern_that_was_kept_wrong_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    flags, code, groups, names, numbers = patterns.program(r"a(b)c\d")
    for wrong in (code[:-4], code[:-3], b"\xff" * len(code), b""):
        monkeypatch.setattr(patterns, "_programs", {r"a(b)c\d": (flags, wrong, groups, names, numbers)})
        monkeypatch.setattr(patterns, "_ready", {})
        assert patterns.compiled(r"a(b)c\d").fullmatch("abc7")
