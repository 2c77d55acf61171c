"""The documents; the reference pages are written from the code."""

from __future__ import annotations
