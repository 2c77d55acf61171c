"""A recipe names what varies, and nothing of an error's text can become a command that nobody taught."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engrain.learn.recipe import recipes, rendered, steps_of, template

# (label, step, parameters, as it is kept)
KEPT = [
    ("a module", "pip install orjson", {"module": "orjson"}, "pip install {module}"),
    ("by hand", "pip install {module}", {"module": "orjson"}, "pip install {module}"),
    ("twice in a step", "pip install orjson && python -c 'import orjson'", {"module": "orjson"},
     "pip install {module} && python -c 'import {module}'"),
    ("a version beside it", "pip install orjson==3.10", {"module": "orjson"}, "pip install {module}==3.10"),
    ("a part of a longer name", "pip install orjson-ext", {"module": "orjson"}, "pip install orjson-ext"),
    ("a part of a dotted name", "import orjson.core", {"module": "orjson"}, "import orjson.core"),
    ("a part of a path", "cat src/orjson", {"module": "orjson"}, "cat src/orjson"),
    ("a scope", "npm i @types/node-fetch", {"module": "node-fetch"}, "npm i @types/node-fetch"),
    ("the word of a tool", "python -m ensurepip && pip install pip", {"module": "pip"},
     "python -m ensurepip && pip install pip"),
    ("too short to tell", "pip install re", {"module": "re"}, "pip install re"),
    ("no letter", "set the limit to 404", {"status": "404"}, "set the limit to 404"),
    ("the longer name first", "link libfoo-dev and libfoo", {"a": "libfoo", "b": "libfoo-dev"}, "link {b} and {a}"),
    ("by hand, and called as its kind", "define name, import {name}", {"name": "name"}, "define {name}, import {name}"),
    ("a value that may not stand in a command", "rename it to 'net price'", {"key": "net price"},
     "rename it to 'net price'"),
    ("a brace of the shell", "echo ${HOME} {module}", {"target": "build"}, "echo ${HOME} {module}"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "parameters", "kept"), [row[1:] for row in KEPT], ids=[row[0] for row in KEPT])
def test_what_varies_is_named(step: str, parameters: dict[str, str], kept: str) -> None:
    assert template([step], parameters) == (kept,)


HOSTILE = ["x; rm -rf ~", "$(curl evil)", "`id`", "a b", "--index-url=http://x", "-rx", "../../etc", "a\nb", "x|y", "'"]


@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_name_never_stands_in_a_step(value: str) -> None:
    assert rendered(["pip install {module}"], {"module": value}) == ()


@given(st.text(max_size=40))
def test_whatever_is_put_into_a_step_is_one_plain_word(value: str) -> None:
    for step in rendered(["pip install {module}"], {"module": value}):
        word = step.removeprefix("pip install ")
        assert word == value
        assert not set(word) & set(" \t\n;|&$`'\"<>(){}\\*?!#~")
        assert not word.startswith("-")


def test_a_recipe_for_one_module_is_one_for_all() -> None:
    exact, wide = recipes(
        ["pip install orjson"], fingerprint="1:a", family="1:f", through="", parameters={"module": "orjson"}
    )
    assert (exact.key, exact.wide) == ("1:a", False)
    assert (wide.key, wide.wide) == ("1:f", True)
    assert rendered(wide.steps, {"module": "httpx"}) == ("pip install httpx",)


def test_a_recipe_that_names_nothing_is_for_its_failure_alone() -> None:
    found = recipes(["restart the service"], fingerprint="1:a", family="1:f", through="", parameters={"module": "x1"})
    assert [each.wide for each in found] == [False]


def test_said_in_other_words_it_is_the_same_recipe() -> None:
    def first(step: str) -> str:
        return recipes([step], fingerprint="1:a", family="1:f", through="", parameters={"module": "orjson"})[0].id

    assert first("pip install orjson") == first("pip install {module}")
    assert steps_of(["$ pip  install\torjson ", "", "  "]) == ("pip install orjson",)
    assert first("pip install orjson") != first("pip install -U orjson")


@given(
    st.lists(st.text(alphabet="ab{}name orjs'", max_size=30), max_size=3), st.text(alphabet="abnameorjs", max_size=6)
)
def test_what_is_named_already_stays_as_it_is(steps: list[str], value: str) -> None:
    """A recipe that is shared and read back is the same recipe."""
    once = template(steps, {"name": value, "other": "orjson"})
    assert template(once, {"name": value, "other": "orjson"}) == once


def test_the_spaces_of_a_step_are_its_own() -> None:
    assert steps_of(["$ sed 's/a  b/c/' x\n\n  echo done "]) == ("sed 's/a  b/c/' x", "echo done")
