"""How something is known: somebody said it, it was seen as it ran, it was inferred, or nobody can tell."""

from __future__ import annotations

PROVENANCES = EXPLICIT, OBSERVED, HEURISTIC, UNKNOWN = ("explicit", "runtime_observed", "heuristic", "unknown")
