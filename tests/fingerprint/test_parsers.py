"""The table that says when a parser is asked, and the rows that it asks."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable

import pytest

from engrain.fingerprint.parsers import PARSERS
from engrain.fingerprint.rows import COMMON, Table, trigger

NAMES = [parser.name for parser in PARSERS]
TABLES = {name: getattr(importlib.import_module(f"engrain.fingerprint.parsers.{name}"), "ROWS", None) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_parsers_words_cover_its_rows(name: str) -> None:
    table = TABLES[name]
    owned = set(next(parser.words for parser in PARSERS if parser.name == name))
    assert table is None or set(table.owners) - COMMON <= owned


def test_what_parsers_look_for_is_small() -> None:
    pieces = [piece for parser in PARSERS for piece in parser.pieces]
    assert len(pieces) < 400


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table])
def test_every_row_compiles_and_its_hint_is_whole_words(name: str) -> None:
    table = TABLES[name]
    assert isinstance(table, Table)
    for row in table.rows:
        re.compile(row.pattern)
        word = trigger(row.hint)
        assert word == "" or re.search(rf"(?<![a-z]){word}(?![a-z])", row.hint.lower()), row.hint


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table])
def test_the_word_that_calls_for_a_row_is_a_word_of_what_it_reads(name: str) -> None:
    """`compilation ab` reads `compilation aborted`, but no text with that has the word `ab`: the row would be dead."""
    table = TABLES[name]
    assert isinstance(table, Table)
    for row in table.rows:
        literal = set(re.findall("[a-z]+", re.sub(r"\\[a-zA-Z]|\w\?", " ", row.pattern.lower())))
        word = trigger(row.hint)
        assert not word or word in literal or not any(word in longer for longer in literal), row.hint


FILLERS = ("a", "a_", "1.", "a.", "$a/", "a ", " ", "(", "a(", "a: ", "'a' ")
MOST_SECONDS = 0.02
"""Of processor time for one line that is as long as any may be: three hundred of them are looked at."""


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table])
def test_no_line_makes_a_row_slow(name: str) -> None:
    from engrain.fingerprint.read import MAX_LINE

    table = TABLES[name]
    assert isinstance(table, Table)
    slow = set()
    for row in table.rows:
        search, half = re.compile(row.pattern).search, (MAX_LINE - len(row.hint)) // 2
        for filler in FILLERS:
            around = (filler * half)[:half]
            for line in (around + row.hint + around, row.hint + around + around):
                if all(_seconds(search, line) > MOST_SECONDS for _ in range(3)):
                    slow.add(row.pattern)
    assert not slow


def _seconds(search: Callable[[str], object], line: str) -> float:
    started = time.process_time()
    search(line)
    return time.process_time() - started


def test_a_parser_is_imported_when_it_is_first_asked() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from engrain.fingerprint import fingerprint; fingerprint('bash: line 1: jq: command not found');"
        "print(*[m for m in sys.modules if m.startswith('engrain.fingerprint.parsers.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert "shell" in loaded
    assert loaded.isdisjoint(("jvm", "rust", "dotnet", "scripting"))
    assert len(loaded) < 8
