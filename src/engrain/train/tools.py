"""Tools: what each takes, as its calls show it. An agent's own list of tools is not in the journal; what all sessions
of an agent in a project called is, and each row gets the whole of it, never only the tool that is called next. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from engrain.train.trajectory import Call

RARE = 0.001
"""Tools with a smaller share of the calls are slips of a name or one-offs."""
ALWAYS = 0.995
"""An argument that stands in this share of a tool's calls is required."""

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}

Schemas = dict[str, dict[str, Any]]


def schemas(calls: Iterable[Call]) -> Schemas:
    """Name of a tool → its JSON schema, by name."""
    by_tool: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for call in calls:
        if call.tool and not call.facts & {"withheld", "expired"}:
            by_tool[call.tool].append(call.given)
    total = sum(map(len, by_tool.values()))
    return {tool: _schema(by_tool[tool]) for tool in sorted(by_tool) if len(by_tool[tool]) >= RARE * total}


def _schema(given: list[Mapping[str, Any]]) -> dict[str, Any]:
    names: Counter[str] = Counter(name for each in given for name in each)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for each in given:
        for name, value in each.items():
            kinds[name][_TYPES.get(type(value), "string")] += 1
    kept = sorted(name for name in names if names[name] >= max(1, 0.005 * len(given)))
    return {
        "type": "object",
        "properties": {name: {"type": kinds[name].most_common(1)[0][0]} for name in kept},
        "required": [name for name in kept if names[name] >= ALWAYS * len(given)],
    }


def required(found: Schemas, tool: str) -> frozenset[str]:
    """The arguments that a tool never goes without."""
    return frozenset(found.get(tool, {}).get("required", ()))


def listed(found: Schemas) -> list[dict[str, Any]]:
    """The tools as chat templates take them."""
    return [{"type": "function", "function": {"name": name, "description": "", "parameters": schema}}
            for name, schema in found.items()]  # fmt: skip


def signatures(tools: Iterable[Mapping[str, Any]]) -> list[str]:
    """Each tool in a line: `Read(file_path: string, limit?: integer)`."""
    lines = []
    for tool in tools:
        function = tool["function"]
        schema = function["parameters"]
        needed = set(schema.get("required", ()))
        given = sorted(schema["properties"].items(), key=lambda pair: (pair[0] not in needed, pair[0]))
        takes = ", ".join(f"{name}{'' if name in needed else '?'}: {about['type']}" for name, about in given)
        lines.append(f"{function['name']}({takes})")
    return lines
