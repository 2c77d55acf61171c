"""docs/reference/fingerprints.md names every parser and every toolchain that a row can give."""

from __future__ import annotations

import importlib
import os
import re

import pytest

from engrain.fingerprint.parsers import PARSERS

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "reference", "fingerprints.md")


def table() -> dict[str, set[str]]:
    with open(PAGE, encoding="utf-8") as file:
        rows = re.findall(r"(?m)^\| `(\w+)` \| (.*) \|$", file.read())
    return {name: set(toolchains.split(", ")) for name, toolchains in rows if name not in ("fingerprint", "family")}


def test_the_page_lists_the_parsers() -> None:
    assert list(table()) == [parser.name for parser in PARSERS]


@pytest.mark.parametrize("name", [parser.name for parser in PARSERS])
def test_the_page_lists_the_toolchains_of_a_parser(name: str) -> None:
    rows = getattr(importlib.import_module(f"engrain.fingerprint.parsers.{name}"), "ROWS", None)
    assert {row.toolchain for row in rows.rows} <= table()[name] if rows else table()[name]
