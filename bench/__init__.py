"""Measurements that the README and the issues cite; `make bench` runs them."""

from __future__ import annotations
