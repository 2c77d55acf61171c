"""The reference pages of what is inside: tables, MCP's tools, HTTP's routes."""

from __future__ import annotations

import inspect
import os
import re
import tempfile
from collections.abc import Iterator
from typing import Any

from engrain.mcp.catalog import TOOLS
from engrain.memory import Memory
from engrain.rest.app import Service, application
from engrain.rest.guard import Rules
from engrain.rest.who import OPEN, scope_of
from engrain.store import queries


def tables() -> str:
    """Every table with what it holds and its columns, as a new SQLite store has them."""
    lines = [
        "# Tables",
        "",
        "`events` is the truth. What is derived from it is made anew by `engrain rebuild`; jobs, bodies, tokens and",
        "vectors are no part of a dump. On PostgreSQL the names begin with `mem_`, and every key begins with",
        "`tenant, project`. The SQL is in `src/engrain/store/sql/`.",
        "",
        "This page is written by `make docs` from the schema.",
        "",
        "| table | holds | columns |",
        "|---|---|---|",
        *_tables(queries.text("sqlite", "schema.sql")),
    ]
    return "\n".join(lines) + "\n"


def _tables(schema: str) -> Iterator[str]:
    """A row for each table: the comment before it, and the names at the beginning of its lines."""
    said: list[str] = []
    columns: list[str] = []
    name = ""
    for line in schema.splitlines():
        if started := re.match(r"CREATE TABLE (\w+)", line):
            name, columns = started[1], []
        elif name and line.startswith(")"):
            yield f"| `{name}` | {' '.join(said)} | {', '.join(columns)} |"
            name, said = "", []
        elif column := re.match(r"  ([a-z_]+) +(?:TEXT|INTEGER|REAL|BLOB)", line):
            columns.append(column[1])
        elif line.startswith("--"):
            said.append(line.removeprefix("--").strip())
        elif not name:
            said = []


def tools() -> str:
    """Every tool with its arguments, as an agent sees them."""
    lines = [
        "# Tools of MCP",
        "",
        "What `engrain mcp` serves on standard input and output, and `engrain serve` at `/mcp`. Each answers with the",
        "fields named here and a short text that says the same; what was remembered is quoted in it as evidence.",
        "",
        "This page is written by `make docs` from `mcp/catalog.py`.",
    ]
    for entry in TOOLS:
        told = inspect.cleandoc(entry.function.__doc__ or "")
        given = [name for name, each in inspect.signature(entry.function).parameters.items() if _asked(name, each)]
        lines += ["", f"## `{entry.name}`", "", f"{entry.title}. It {entry.does}.", "", told, ""]
        lines += [f"- takes: {', '.join(f'`{name}`' for name in given) or 'nothing'}"]
        lines += [f"- answers: {', '.join(f'`{name}` ({kind})' for name, kind in entry.answers.items())}"]
    return "\n".join(lines) + "\n"


def _asked(name: str, parameter: inspect.Parameter) -> bool:
    return name != "desk" and "Desk" not in str(parameter.annotation) and "Context" not in str(parameter.annotation)


def routes() -> str:
    """Every route of the server with what it needs of a token."""
    lines = [
        "# Routes",
        "",
        "What `engrain serve` answers. `/openapi.json` describes the same with shapes and examples. A token is sent as",
        "`Authorization: Bearer …`; errors are `application/problem+json`.",
        "",
        "This page is written by `make docs` from the server itself.",
        "",
        "| route | scope | does |",
        "|---|---|---|",
        *_routes(_document()),
    ]
    return "\n".join(lines) + "\n"


def _document() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        service = Service(lambda: Memory.open(home, store=os.path.join(home, "store.db")), Rules("local"))
        try:
            app: Any = application(service)._app
            return dict(app.openapi())
        finally:
            service.close()


def _routes(document: dict[str, Any]) -> Iterator[str]:
    for path, ways in document["paths"].items():
        for method, about in ways.items():
            free = path in OPEN or about.get("security") == []
            told = " ".join(str(about.get("description") or about.get("summary", "")).split("\n\n")[0].split())
            yield f"| `{method.upper()} {path}` | {'none' if free else scope_of(method.upper(), path)} | {told} |"
