"""What the project promises about itself, held by tests: its rooms, its schema, its commands, its names."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator

import click
import psycopg
import pytest

import engrain
from bench.scratch import Postgres
from docs.reference.write import PAGES
from engrain import errors
from engrain.cli.catalog import BY_NAME, COMMANDS
from engrain.paths import Home
from engrain.store import migrate, queries
from engrain.store.postgres import PostgresDatabase
from engrain.store.sqlite import SqliteDatabase
from engrain.store.tables import DERIVED, FOLDED

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(TOP, "src", "engrain")

# Rooms from the ground up: a room may import what stands on a lower floor, and itself.
FLOORS = (
    ("light", "patterns"),
    ("errors", "event", "paths", "redact"),
    ("model", "config", "embed", "project"),
    ("fingerprint", "store", "capture"),
    ("learn", "recall", "install", "train"),
    ("upkeep",),
    ("memory",),
    ("hook", "mcp", "rest", "web", "wizard"),
    # The one surface that may start another.
    ("cli",),
)
SURFACES = {*FLOORS[-2], *FLOORS[-1]}
# Beside what a floor allows to itself: errors name nothing, an event knows its errors, and so on.
BESIDE = {("event", "errors"), ("paths", "errors"), ("redact", "errors"), ("redact", "paths"), ("recall", "learn")}
HOMES_OF_LIBRARIES = {
    "sqlite3": {"store.sqlite", "store.queries", "store.foreign"},
    "_sqlite3": {"store.reader"},
    "psycopg": {"store.postgres"},
    "click": {"cli"},
    "backports": {"capture.transcripts.files"},
    "numpy": {"embed"},
    "tokenizers": {"embed"},
    "fastapi": {"rest", "web"},
    "starlette": {"rest", "web"},
    "uvicorn": {"rest"},
    "prometheus_client": {"rest.metrics"},
    "jinja2": {"web", "train"},
    "markupsafe": {"web"},
    "mcp": {"mcp"},
    "mcp_types": {"mcp"},
    "anyio": {"mcp", "rest"},
    "pydantic": {"mcp", "rest"},
    "torch": {"train"},
    "transformers": {"train"},
    "peft": {"train"},
    "accelerate": {"train"},
    "safetensors": {"train"},
    "gguf": {"train.export"},
    "cyllama": {"train.export"},
    "xllamacpp": {"train.serving.engine"},
    "textual": {"wizard"},
    "rich": {"cli"},
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for place, _, names in os.walk(SOURCE):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(place, name)
                dotted = os.path.relpath(path, SOURCE)[:-3].replace(os.sep, ".").removesuffix(".__init__")
                with open(path, encoding="utf-8") as file:
                    yield dotted, ast.parse(file.read())


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def floor(room: str) -> int:
    return next(n for n, rooms in enumerate(FLOORS) if room in rooms)


def test_imports_go_down() -> None:
    for name, tree in modules():
        room = name.split(".")[0]
        if room in ("__init__", "__main__"):
            continue
        for target in imported(tree):
            other = target.removeprefix("engrain.").split(".")[0]
            if not target.startswith("engrain.") or other in (room, "__version__"):
                continue
            assert (room, other) in BESIDE or floor(other) < floor(room), f"{name} reaches up to {target}"
            assert other not in SURFACES or room == "cli", f"{name} knows the surface {other}"


def test_every_room_has_a_floor_and_opens_with_its_story() -> None:
    rooms = {name.split(".")[0] for name, _ in modules()} - {"__init__", "__main__"}
    for room in rooms:
        floor(room)
    for name, tree in modules():
        assert ast.get_docstring(tree), f"{name} does not say what it is"


def test_each_library_has_one_home() -> None:
    for name, tree in modules():
        for target in imported(tree):
            homes = HOMES_OF_LIBRARIES.get(target.split(".")[0])
            assert homes is None or any(name == home or name.startswith(f"{home}.") for home in homes), (name, target)


def test_async_lives_in_two_surfaces_alone() -> None:
    for name, tree in modules():
        if name.split(".")[0] not in ("mcp", "rest"):
            assert not [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)], name


def test_only_entry_points_read_the_environment() -> None:
    allowed = {"memory", "cli", "hook"}
    for name, tree in modules():
        if name.split(".")[0] in allowed:
            continue
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not names & {"environ", "getenv"}, f"{name} reads the environment"


def test_except_exception_has_one_home() -> None:
    for name, tree in modules():
        broad = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.ExceptHandler)
            and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
        ]
        assert not broad or name.startswith("hook"), f"{name} swallows everything"


# Names


def test_the_exported_names_are_the_namespace() -> None:
    for module in (engrain, errors):
        assert set(module.__all__) <= set(dir(module))
        for name in module.__all__:
            assert getattr(module, name) is not None
    defined = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert defined == set(errors.__all__)


def test_the_tree_of_errors_is_the_one_that_is_drawn() -> None:
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    assert ["EngrainError", *drawn] == errors.__all__
    rows = re.findall(r"^( *[│ ]*[├└]── )(\w+)", errors.__doc__ or "", re.MULTILINE)
    depth = {name: len(branch) for branch, name in rows}
    for name in drawn:
        kind = getattr(errors, name)
        parent = kind.__mro__[1].__name__
        assert depth.get(parent, 0) < depth[name], f"{name} is drawn below {parent}"


LIGHT = (
    "engrain.event", "engrain.capture.spool", "engrain.paths", "engrain.redact", "engrain.capture.admit",
    "engrain.fingerprint", "engrain.recall.answer", "engrain.recall.told", "engrain.store.reader",
    "engrain.learn.commands", "engrain.learn.outcomes", "engrain.recall.lessons",
    "engrain.hook.door", "engrain.hook.answering",
    "engrain.hook.ticking", "engrain.project", "engrain.capture.adapters.claude_code", "engrain.capture.adapters.codex",
    "engrain.capture.adapters.cursor", "engrain.capture.adapters.gemini", "engrain.capture.adapters.opencode",
    "engrain.capture.adapters.windsurf", "engrain.capture.adapters.cline", "engrain.hook.guessing",
    "engrain.hook.plugin",
    "engrain.capture.took",
)  # fmt: skip
HEAVY = ("dataclasses", "typing", "pathlib", "uuid", "sqlite3", "click", "rich", "numpy", "inspect", "tempfile")


def loaded(code: str) -> set[str]:
    script = f"import sys; sys.path.insert(0, {os.path.dirname(SOURCE)!r}); {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("module", LIGHT)
def test_the_hook_s_path_stays_light(module: str) -> None:
    assert loaded(f"import {module}") & set(HEAVY) == set()


def test_help_loads_neither_click_nor_sqlite() -> None:
    names = loaded("from engrain.cli import main; main(['--help'])")
    assert names & {"click", "rich", "numpy", "sqlite3", "_sqlite3", "engrain.memory", "engrain.store"} == set()


def test_a_bare_install_needs_click_alone() -> None:
    with open(os.path.join(TOP, "pyproject.toml"), encoding="utf-8") as file:
        needs = re.search(r"^dependencies = \[(.*)\]$", file.read(), re.MULTILINE)
    assert needs is not None
    assert re.findall(r'"(\w+)', needs[1]) == ["click"]


# Schema


def test_the_migrations_of_sqlite_reach_its_schema(home: Home) -> None:
    SqliteDatabase(home.at("fresh.db")).close()
    with sqlite3.connect(home.at("old.db")) as connection:
        for name in queries.migrations("sqlite"):
            for statement in queries.statements(queries.text("sqlite", "migrations", name)):
                connection.execute(statement)
    connection.close()

    def shape(path: str) -> list[tuple[str, ...]]:
        connection = sqlite3.connect(path)
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
        rows += connection.execute("SELECT k, v, '', '' FROM words_config ORDER BY k").fetchall()
        connection.close()
        return rows

    assert shape(home.at("old.db")) == shape(home.at("fresh.db"))


_SHAPE = """
SELECT table_name, column_name, ordinal_position, data_type, is_nullable, column_default, collation_name, is_identity,
  generation_expression FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 3
""", """
SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2
""", """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2
"""  # fmt: skip


def test_the_migrations_of_postgres_reach_its_schema(server: Postgres) -> None:
    fresh, old = server.database(), server.database()
    PostgresDatabase(fresh).close()
    with psycopg.connect(old, autocommit=True) as connection:
        for name in queries.migrations("postgres"):
            for statement in queries.statements(queries.text("postgres", "migrations", name)):
                connection.execute(statement.encode())

    def shape(url: str) -> list[list[tuple[object, ...]]]:
        with psycopg.connect(url) as connection:
            return [connection.execute(question.encode()).fetchall() for question in _SHAPE]

    assert shape(fresh) == shape(old)
    for url in (fresh, old):
        server.drop(url)


def test_an_old_store_is_migrated_and_keeps_its_events(home: Home) -> None:
    database = SqliteDatabase(home.database)
    database.execute("DROP TABLE jobs")
    database.execute("DELETE FROM migrations WHERE name = '0002_jobs.sql'")
    assert migrate.pending(database) == ["0002_jobs.sql"]
    database.close()
    database = SqliteDatabase(home.database)
    assert migrate.pending(database) == []
    assert database.all("count_jobs") == []
    database.close()


def test_both_dialects_have_the_same_queries_with_the_same_sentence() -> None:
    sqlite, postgres = queries.sentences("sqlite"), queries.sentences("postgres")
    assert list(sqlite) == list(postgres)
    differ = {name for name in sqlite if sqlite[name] != postgres[name]}
    assert differ <= {"search"}, "only how words are joined differs"
    assert queries.migrations("sqlite") == queries.migrations("postgres")


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_no_query_stands_twice(dialect: str) -> None:
    names = re.findall(r"^-- (\w+) --$", queries.text(dialect, "queries.sql"), re.MULTILINE)
    assert len(names) > 100
    assert sorted(names) == sorted(set(names))


def test_what_documents_name_as_a_command_is_there() -> None:
    """Benchmarks and tests that the README or a page of docs gives as proof."""
    for path in ("README.md", "docs/reference/promises.md", "docs/explanation/compared.md"):
        with open(os.path.join(TOP, path), encoding="utf-8") as file:
            text = file.read()
        for words in re.findall(r"`python -m bench ([\w ]+?)(?: --\w+)?`", text):
            for name in words.split():
                assert os.path.exists(os.path.join(TOP, "bench", f"{name}.py")), f"{path}: {name}"
        for name in re.findall(r"tests/\w+\.py", text):
            assert os.path.exists(os.path.join(TOP, name)), f"{path}: {name}"


def test_every_query_is_asked_by_somebody() -> None:
    text = ""
    for place, _, names in os.walk(SOURCE):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    text += file.read()
    patterned = {f"{verb}_{table}" for table in DERIVED for verb in ("insert", "erase", "clear", "dump")}
    patterned |= {f"{verb}_{table}" for table in FOLDED for verb in ("add", "fold", "unfold", "clear", "dump")}
    patterned |= {"erase_events", "erase_bodies"}
    unused = {name for name in queries.load("sqlite") if f'"{name}"' not in text} - patterned
    assert unused == set()


# Commands, settings and documents


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_command_has_help_with_examples_and_is_documented(name: str) -> None:
    command = importlib.import_module(f"engrain.cli.{BY_NAME[name].module}").command
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help
    assert "Examples:" in command.help
    assert f"engrain {name}" in command.help
    for option in command.params:
        assert not isinstance(option, click.Option) or option.help, f"{name} {option.name} has no help"


def test_every_module_of_the_cli_is_in_the_catalog() -> None:
    found = {module.name for module in pkgutil.iter_modules([os.path.join(SOURCE, "cli")])}
    beside = {
        "catalog",
        "group",
        "importing",
        "moment",
        "output",
        "playing",
        "replaying",
        "suggesting",
        "tasking",
        "telling",
        "text",
        "watching",
        "wiring",
    }
    assert found - beside == {entry.module for entry in COMMANDS}


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_reference_says_what_the_code_does(page: str) -> None:
    with open(os.path.join(TOP, "docs", "reference", page), encoding="utf-8") as file:
        assert file.read() == PAGES[page](), f"{page} is behind the code: `make docs` writes it anew"


def test_every_kind_of_event_is_in_the_reference() -> None:
    with open(os.path.join(TOP, "docs", "reference", "events.md"), encoding="utf-8") as file:
        told = file.read()
    with open(os.path.join(SOURCE, "event.py"), encoding="utf-8") as file:
        kinds = file.read().partition("concerns them all")[2].partition('"""Kinds')[0]
    assert [kind for kind in re.findall(r'"([a-z_.]+)"', kinds) if f"`{kind}`" not in told] == []


def test_every_room_is_on_the_map() -> None:
    with open(os.path.join(TOP, "AGENTS.md"), encoding="utf-8") as file:
        text = file.read()
    for name in sorted(os.listdir(SOURCE)):
        if name.startswith("_") or name == "py.typed":
            continue
        assert f"`{name}/`" in text or f"`{name}`" in text, f"{name} is not on the map in AGENTS.md"


def test_links_between_documents_lead_somewhere() -> None:
    for place, folders, names in os.walk(TOP):
        folders[:] = [folder for folder in folders if not folder.startswith(".") and folder != "node_modules"]
        for name in names:
            if not name.endswith(".md"):
                continue
            with open(os.path.join(place, name), encoding="utf-8") as file:
                text = file.read()
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                assert os.path.exists(os.path.join(place, target)), f"{name} links to {target}"


def test_the_version_is_in_the_changelog() -> None:
    with open(os.path.join(TOP, "CHANGELOG.md"), encoding="utf-8") as file:
        assert f"## {engrain.__version__}" in file.read()
