"""The tests, a folder for each room."""

from __future__ import annotations
