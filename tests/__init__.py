"""Tests prove behaviour on the real thing: real SQLite, a real PostgreSQL, real processes, real git."""

from __future__ import annotations
