"""The privacy rooms."""

from __future__ import annotations
