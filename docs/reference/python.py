"""The reference page of Python: what Memory can be asked, and the values that go in and come back."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

from engrain import memory
from engrain.memory.remote.verbs import HERE, VERBS

SECTION = re.compile(r"    # ([A-Z].*)")
FIRST = "Opening it"
NAME = re.compile(r"[A-Za-z_][\w.]*")


def python() -> str:
    """Every public method of Memory with its arguments, and the fields of what goes in and comes back."""
    source = inspect.getsource(memory)
    lines = [
        "# Python",
        "",
        "`from engrain import Memory` gives a program what every surface has. `Memory.open()` is this user's memory,",
        'seen from the folder that one is in; `Memory("https://…")` is one on a server. The last column says what a',
        "server is asked for and with which scope, and what is done on this machine; the rest is upkeep of a store",
        "at hand, and refused with a word on where it is done. What goes wrong is an exception of",
        "[`engrain.errors`](errors.md).",
        "",
        "This page is written by `make docs` from `memory/__init__.py`.",
    ]
    values: dict[str, Any] = {}
    for section, methods in _sections(source).items():
        lines += ["", f"## {section}", "", "| method | gives | does | on a server |", "|---|---|---|---|"]
        for method in methods:
            lines.append(_row(method))
            values |= _values(method)
    lines += ["", "## Values", "", "| value | is | fields |", "|---|---|---|"]
    lines += [_fields(name, values[name]) for name in sorted(values)]
    return "\n".join(lines) + "\n"


def _sections(source: str) -> dict[str, list[ast.FunctionDef]]:
    """The public methods in the order of the code, below the headings that stand there."""
    (held,) = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == "Memory")
    headings = {
        number: found[1] for number, line in enumerate(source.splitlines(), 1) if (found := SECTION.fullmatch(line))
    }
    sections: dict[str, list[ast.FunctionDef]] = {}
    for node in held.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            above = [name for number, name in headings.items() if number < node.lineno]
            sections.setdefault(above[-1] if above else FIRST, []).append(node)
    return sections


def _row(method: ast.FunctionDef) -> str:
    arguments = ast.unparse(method.args).partition(", ")[2]
    decorated = {ast.unparse(each) for each in method.decorator_list}
    asked = method.name if "property" in decorated else f"{method.name}({arguments})"
    gives = ast.unparse(method.returns) if method.returns else ""
    does = " ".join((ast.get_docstring(method) or "").split())
    return f"| {_code(asked)} | {_code(gives)} | {_cell(does)} | {_where(method.name)} |"


def _where(name: str) -> str:
    if name in VERBS:
        return f"asked, `{VERBS[name]}`"
    return "here" if name in HERE else "–"


def _values(method: ast.FunctionDef) -> dict[str, Any]:
    """The named values that a method takes or gives back."""
    names = NAME.findall(f"{ast.unparse(method.args)} {ast.unparse(method.returns) if method.returns else ''}")
    found = {name: _value(name) for name in names}
    return {name.rpartition(".")[2]: kind for name, kind in found.items() if hasattr(kind, "_fields")}


def _value(name: str) -> Any:
    value: Any = memory
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def _fields(name: str, kind: Any) -> str:
    told = " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())
    told = "" if told.startswith(f"{kind.__name__}(") else told
    return f"| `{name}` | {_cell(told)} | {', '.join(f'`{field}`' for field in kind._fields)} |"


def _code(text: str) -> str:
    return f"`{_cell(text)}`" if text else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
