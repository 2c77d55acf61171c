"""Calls: what a model wrote → what it thought, said and calls, in whichever form it writes calls. Pure.

Between marks, as Qwen, Hermes and templates that know no tools have it: <tool_call>{"name": …, "arguments": {…}}
</tool_call>. Behind a tag (<|python_tag|>), by name (<function=Read>{…}</function>), or as the whole of a reply: an
object with `parameters`, or `[Read(file_path="a")]` (Llama 3 and 4). Without marks only what names a tool that is
there is taken for a call: a reply may be JSON for other reasons.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

THINK, THOUGHT = "<think>", "</think>"


class Call(NamedTuple):
    """A tool and what it is given."""

    tool: str
    given: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Equal calls have equal keys, however their arguments are written; space behind a text makes no other call."""
        return f"{self.tool} {json.dumps(_trimmed(self.given), sort_keys=True, ensure_ascii=False)}"


def _trimmed(value: Any) -> Any:
    if isinstance(value, str):
        return value.rstrip()
    if isinstance(value, Mapping):
        return {name: _trimmed(each) for name, each in value.items()}
    return [_trimmed(each) for each in value] if isinstance(value, (list, tuple)) else value


class Said(NamedTuple):
    """What a model said. `sound`: nothing in it is half of a call."""

    thought: str
    text: str
    calls: tuple[Call, ...]
    sound: bool


class Form(NamedTuple):
    """How a call begins and ends (at the end of the text where it has no mark of its own), and what is in it."""

    opens: str
    closes: str
    read: Callable[[str], list[Call]]


class Parts(NamedTuple):
    """A text that is still written: what was thought, what is said, and whether it is still thinking."""

    thought: str
    body: str
    thinking: bool


def parts(text: str) -> Parts:
    """What was thought before anything was said, and the rest."""
    begun = text.lstrip()
    if len(begun) < len(THINK) and THINK.startswith(begun):
        return Parts("", "", True)
    if not begun.startswith(THINK):
        return Parts("", text, False)
    thought, done, rest = begun.removeprefix(THINK).partition(THOUGHT)
    whole = thought if done else thought[: len(thought) - _begun(thought, THOUGHT)]
    return Parts(whole.strip(), rest, not done)


def said(text: str, tools: Collection[str]) -> Said:
    """What a text says and calls; `tools` are those that are there."""
    thought, body, thinking = parts(text)
    rest = text if thinking and not thought else body
    first = _first(rest)
    if first >= 0:
        marked = _marked(rest[first:])
        return Said(thought, (rest[:first] if marked.calls else rest).strip(), marked.calls, marked.sound)
    bare = _bare(rest.strip(), tools)
    return Said(thought, "" if bare else rest.strip(), tuple(bare), True)


def shown(body: str, tools: Collection[str]) -> int:
    """How much of what is said is text for certain, whatever follows."""
    begins = body.lstrip()
    if not begins or (tools and begins[0] in "{["):
        return 0
    ends = len(body)
    for form in FORMS:
        place = body.find(form.opens)
        ends = min(ends, place if place >= 0 else len(body) - _begun(body, form.opens))
    return len(body[:ends].rstrip())


def closed(text: str) -> int:
    """How many calls between marks are complete in a text."""
    return sum(text.count(form.closes) for form in FORMS if form.closes)


def goes_on(body: str) -> bool:
    """Whether something else than a call follows a call: its result, made up."""
    first = _first(body)
    found = _marked(body[first:]) if first >= 0 else Marked((), True, "")
    begins = [form.opens for form in FORMS if form.opens.startswith(found.rest[: len(form.opens)])]
    return bool(found.calls and found.rest and not begins)


def _first(text: str) -> int:
    """Where the first call between marks begins."""
    return min((place for form in FORMS if (place := text.find(form.opens)) >= 0), default=-1)


def _begun(text: str, mark: str) -> int:
    """How many characters at the end of a text may be the beginning of a mark."""
    return next((size for size in range(min(len(mark) - 1, len(text)), 0, -1) if text.endswith(mark[:size])), 0)


class Marked(NamedTuple):
    """Calls that follow each other, whether all of them are whole, and what stands behind them."""

    calls: tuple[Call, ...]
    sound: bool
    rest: str


def _marked(text: str) -> Marked:
    """The calls from here on."""
    calls: list[Call] = []
    while form := next((form for form in FORMS if text.startswith(form.opens)), None):
        found, rest = _one(text[len(form.opens) :], form)
        if not found:
            return Marked(tuple(calls), False, text)
        calls += found
        text = rest.lstrip(" \n;")
    return Marked(tuple(calls), True, text)


def _one(text: str, form: Form) -> tuple[list[Call], str]:
    """What is called between marks, and what follows; the closing mark may stand in an argument, too."""
    if not form.closes:
        return form.read(text), ""
    at = text.find(form.closes)
    while at >= 0:
        if found := form.read(text[:at]):
            return found, text[at + len(form.closes) :]
        at = text.find(form.closes, at + 1)
    return [], ""


def _objects(text: str) -> list[Call]:
    """One object after another; nothing where one is no call."""
    found: list[Call] = []
    at, text = 0, text.strip()
    while at < len(text):
        try:
            value, at = _STRICT.raw_decode(text, at)
        except (ValueError, RecursionError):
            return _coder(text) if not found else []
        for each in value if isinstance(value, list) else [value]:
            call = _call(each)
            if call is None:
                return []
            found.append(call)
        at += len(text[at:]) - len(text[at:].lstrip(" \n;,"))
    return found


def _call(value: Any) -> Call | None:
    """The call that an object is."""
    if not isinstance(value, dict):
        return None
    value = value.get("function", value) if isinstance(value.get("function"), dict) else value
    name, given = value.get("name"), value.get("arguments", value.get("parameters", {}))
    if isinstance(given, str):
        given = _json(given)
    return Call(name, given) if isinstance(name, str) and name and isinstance(given, dict) else None


def _json(text: str) -> Any:
    try:
        return _STRICT.decode(text)
    except (ValueError, RecursionError):
        return None


def _no_number(name: str) -> None:
    raise ValueError(name)


_STRICT = json.JSONDecoder(parse_constant=_no_number)
"""NaN and Infinity are no JSON, whatever Python says."""


_PARAMETER = re.compile(r"<parameter=([^>\n]{1,80})>\n?(.*?)\n?</parameter>", re.DOTALL)


def _function(text: str) -> list[Call]:
    """`Read>{"file_path": "a"}`, or with parameters between marks of their own."""
    name, _, rest = text.partition(">")
    rest = rest.strip()
    given = _json(rest) if rest.startswith("{") else _parameters(rest)
    return [Call(name.strip(), given)] if name.strip() and isinstance(given, dict) else []


def _parameters(text: str) -> dict[str, Any] | None:
    if text and not _PARAMETER.search(text):
        return None
    found = {name: _json(value) for name, value in _PARAMETER.findall(text)}
    return {name: value if found[name] is None else found[name] for name, value in _PARAMETER.findall(text)}


def _coder(text: str) -> list[Call]:
    """A call by name that stands between the other marks."""
    if not text.startswith("<function=") or "</function>" not in text:
        return []
    return _function(text.removeprefix("<function=").partition("</function>")[0])


def _bare(text: str, tools: Collection[str]) -> list[Call]:
    """A whole reply that is nothing but calls of tools that are there."""
    if not tools or text[:1] not in ("{", "["):
        return []
    found = _objects(text) or _pythonic(text)
    return found if all(call.tool in tools for call in found) else []


def _pythonic(text: str) -> list[Call]:
    """`[Read(file_path="a"), List()]`."""
    try:
        tree = ast.parse(text, mode="eval").body
        calls = tree.elts if isinstance(tree, ast.List) else []
        return (
            [
                Call(each.func.id, {str(word.arg): ast.literal_eval(word.value) for word in each.keywords})
                for each in calls
                if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and not each.args
            ]
            if all(isinstance(each, ast.Call) for each in calls)
            else []
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


FORMS = (
    Form("<tool_call>", "</tool_call>", _objects),
    Form("<|python_tag|>", "", _objects),
    Form("<function=", "</function>", _function),
)
MARKS = (*(mark for form in FORMS for mark in (form.opens, form.closes) if mark.endswith(">")), THINK, THOUGHT)
"""What the engine must write out even where it is one token of its own meaning."""
