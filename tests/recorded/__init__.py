"""Recorded: real failures of real tools, for the tests of the fingerprint room. See README.md."""

from __future__ import annotations
