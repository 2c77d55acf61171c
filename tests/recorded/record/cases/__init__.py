"""The cases, a module for each group of toolchains; each has a list `CASES`."""

from __future__ import annotations
