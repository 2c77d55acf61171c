"""Wrong: what is wrong with a call, and what would be right, in one line that a model can act on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

Schemas = Mapping[str, Mapping[str, Any]]

MOST = 4
"""Complaints of one line."""


def no_such_tool(name: str, tools: Iterable[str]) -> str:
    """The name is none of ours."""
    return f"there is no tool {name[:60]!r}; there are {', '.join(tools)}"


def unknown_arguments(name: str, given: Iterable[str], schema: Mapping[str, Any]) -> str:
    """Arguments that the tool does not have: what they were meant to do would silently not be done."""
    unknown = [each for each in given if each not in schema["properties"]]
    if not unknown:
        return ""
    return f"{name} has no argument {', '.join(repr(each[:60]) for each in unknown[:MOST])}; {takes(name, schema)}"


def bad_arguments(name: str, exc: ValidationError, schema: Mapping[str, Any]) -> str:
    """Arguments that are missing, or not what they should be."""
    found = exc.errors(include_url=False, include_context=False, include_input=False)
    said = [f"{_place(each['loc'])}: {each['msg'][:1].lower()}{each['msg'][1:]}" for each in found[:MOST]]
    return f"{name}: {'; '.join(said)}. {takes(name, schema)}"


def takes(name: str, schema: Mapping[str, Any]) -> str:
    """What a tool takes, each with its type."""
    needed = schema.get("required", ())
    told = [f"{key} ({_type(each)}{', needed' if key in needed else ''})" for key, each in schema["properties"].items()]
    return f"{name} takes {', '.join(told) or 'nothing'}"


def _place(loc: tuple[int | str, ...]) -> str:
    return ".".join(str(each)[:60] for each in loc) or "arguments"


def _type(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"] if each.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    low, high = schema.get("minimum"), schema.get("maximum")
    bounds = f" {low}–{high}" if low is not None and high is not None else ""
    return f"{schema.get('type', 'any')}{bounds}"
