"""What other tools keep, made by hand in the shape that they have it: fixcache 0.4.7, aictx 7.0.1, agent-memory."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

WHEN = 1_795_000_000.5
"""When things happened there, in seconds."""

FIXCACHE = """
CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, memory_type TEXT, source_format TEXT,
  created_at REAL NOT NULL, last_accessed REAL, access_count INTEGER DEFAULT 0, decay_score REAL DEFAULT 1.0,
  drawer_id INTEGER, chunk_index INTEGER, parent_id TEXT, metadata TEXT);
CREATE TABLE darwin_journal (id TEXT PRIMARY KEY, query TEXT NOT NULL, result_ids TEXT, outcome TEXT, correction TEXT,
  timestamp REAL, metadata TEXT);
CREATE TABLE darwin_patterns (id TEXT PRIMARY KEY, pattern_type TEXT, description TEXT, rule TEXT,
  frequency INTEGER DEFAULT 1, confidence REAL DEFAULT 0.5, created_at REAL, last_triggered REAL, metadata TEXT);
CREATE TABLE reflections (id TEXT PRIMARY KEY, reflection_type TEXT, content TEXT NOT NULL, source_memory_ids TEXT,
  created_at REAL, confidence REAL DEFAULT 0.5);
CREATE TABLE identity (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at REAL);
"""


class Fixcache:
    """A store of fixcache that is being written."""

    def __init__(self, path: str) -> None:
        self.path = path
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self._connection = sqlite3.connect(path)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.executescript(FIXCACHE)

    def taught(self, name: str, error: str, *steps: str, outcome: str = "success", **about: Any) -> None:
        """What `fixcache fix` keeps: the recipe, the whole text of its error, and the same again as a memory."""
        more = json.dumps({"tags": [], "recipe_id": f"r-{name}", **about})
        rule = json.dumps(steps)
        described = f"Fix for: {error[:120]}"
        self._add("darwin_journal", f"r-{name}", error, f"r-{name}", outcome, rule, WHEN, more)
        self._add("darwin_patterns", name, "error_recipe", described, rule, 1, 0.5, WHEN, WHEN + 60, more)
        again = json.dumps({"pattern_id": name, "recipe_id": f"r-{name}"})
        self.remembered(f"m-{name}", f"ERROR FIX: {error}\nSOLUTION:\n1. {steps[0]}", metadata=again)

    def rated(self, name: str, number: int, outcome: str) -> None:
        """What its server keeps of an outcome."""
        self._add("darwin_journal", f"j-{name}-{number}", f"rate_fix:{name}", name, outcome, None, WHEN + number, "{}")

    def believed(self, name: str, alpha: float, beta: float) -> None:
        """What its command line keeps of outcomes: sums alone."""
        path = "json_set(metadata, '$.beta_alpha', ?, '$.beta_beta', ?)"
        self._connection.execute(f"UPDATE darwin_patterns SET metadata = {path} WHERE id = ?", (alpha, beta, name))
        self._connection.commit()

    def remembered(self, name: str, text: str, *, score: float = 1.0, metadata: str | None = None) -> None:
        """A memory."""
        self._add("memories", name, text, "fact", None, WHEN, None, 0, score, None, None, None, metadata)

    def add(self, table: str, *values: object) -> None:
        """Any row."""
        self._add(table, *values)

    def _add(self, table: str, *values: object) -> None:
        self._connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)
        self._connection.commit()

    def close(self) -> None:
        self._connection.close()


def aictx(root: str, **files: Sequence[Mapping[str, Any]]) -> str:
    """A repository that aictx keeps; the names of its files with `__` for a slash."""
    for name, rows in files.items():
        path = os.path.join(root, ".aictx", *name.split("__")) + ".jsonl"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="utf-8") as file:
            file.write("".join(json.dumps(row) + "\n" for row in rows))
    return root


FAILED = {
    "failure_id": "failure::bug_fixing_no_module", "task_type": "bug_fixing", "subsystem": "src", "status": "open",
    "error_text": "ModuleNotFoundError: No module named 'orjson'", "failed_command": "pytest -q",
    "attempted_fix_summary": "pytest failed", "files_involved": ["src/app.py"], "occurrences": 1,
    "resolution_hint": "Inspect the failure symptoms and affected paths before rerunning the ineffective command.",
    "timestamp": "2026-03-01T10:00:00Z",
}  # fmt: skip

LATEST = """
CREATE TABLE mem_projects (id SERIAL PRIMARY KEY, name TEXT NOT NULL, full_path TEXT NOT NULL UNIQUE, git_remote TEXT,
  canonical_root_path TEXT, created_at TIMESTAMPTZ NOT NULL DEFAULT now());
CREATE TABLE mem_sessions (id SERIAL PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, project_id INTEGER NOT NULL,
  agent_type TEXT NOT NULL DEFAULT 'claude-code', status TEXT NOT NULL DEFAULT 'active',
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), completed_at TIMESTAMPTZ, summary TEXT, prompt_count INTEGER);
CREATE TABLE mem_user_prompts (id SERIAL PRIMARY KEY, session_id INTEGER NOT NULL, prompt_number INTEGER NOT NULL,
  prompt_text TEXT NOT NULL, created_at TIMESTAMPTZ NOT NULL DEFAULT now());
CREATE TABLE mem_tool_calls (id SERIAL PRIMARY KEY, session_id INTEGER NOT NULL, project_id INTEGER NOT NULL,
  tool_name TEXT, tool_input JSONB, tool_response_preview TEXT, tool_success BOOLEAN, tool_error TEXT, cwd TEXT,
  prev_user_prompt_id BIGINT, git_branch TEXT, created_at TIMESTAMPTZ NOT NULL DEFAULT now());
CREATE TABLE mem_observations (id SERIAL PRIMARY KEY, session_id INTEGER NOT NULL, project_id INTEGER NOT NULL,
  title TEXT NOT NULL, subtitle TEXT, type TEXT NOT NULL, narrative TEXT, facts JSONB DEFAULT '[]',
  concepts JSONB DEFAULT '[]', files_modified JSONB DEFAULT '[]', raw_text TEXT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now());
CREATE TABLE mem_lessons (id SERIAL PRIMARY KEY, project_id INTEGER, title TEXT NOT NULL, rule TEXT NOT NULL,
  severity TEXT NOT NULL DEFAULT 'warning', trigger_tool TEXT, trigger_pattern TEXT, active BOOLEAN DEFAULT true,
  trigger_on TEXT NOT NULL DEFAULT 'input', trigger_output_pattern TEXT, trigger_phase TEXT, trigger_files TEXT[],
  synthesized_by TEXT, detail TEXT, created_at TIMESTAMPTZ DEFAULT now());
"""

FIRST = """
CREATE TABLE mem_projects (id SERIAL PRIMARY KEY, name TEXT NOT NULL UNIQUE, full_path TEXT);
CREATE TABLE mem_sessions (id SERIAL PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, project_id INTEGER NOT NULL,
  agent_type TEXT NOT NULL DEFAULT 'claude-code', status TEXT NOT NULL DEFAULT 'active',
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), completed_at TIMESTAMPTZ, summary TEXT);
CREATE TABLE mem_observation_queue (id SERIAL PRIMARY KEY, session_id INTEGER NOT NULL, tool_name TEXT,
  tool_input JSONB, tool_response_preview TEXT, cwd TEXT, status TEXT NOT NULL DEFAULT 'pending',
  created_at TIMESTAMPTZ NOT NULL DEFAULT now());
"""
"""agent-memory as it began: calls wait in a queue, and that is all that is known of them."""


class Tables:
    """Rows of another tool's database, without one."""

    def __init__(self, **tables: list[dict[str, Any]]) -> None:
        self.where = "memory"
        self._tables = tables

    def columns(self, table: str) -> frozenset[str]:
        return frozenset(name for row in self._tables.get(table, []) for name in row)

    def size(self, table: str) -> int:
        return len(self._tables.get(table, []))

    def rows(self, table: str, wanted: Sequence[str], order: str = "id") -> Iterator[dict[str, Any]]:
        rows = self._tables.get(table, [])
        for row in sorted(rows, key=lambda row: str(row.get(order))):
            yield {name: row.get(name) for name in wanted}

    def close(self) -> None:
        self._tables.clear()
