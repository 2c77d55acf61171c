"""Engrain gives coding agents a memory that learns."""

from __future__ import annotations

__version__ = "0.1.0"
