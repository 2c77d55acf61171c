"""Engrain gives coding agents a memory that learns.

It records what agents do, finds out which fixes and ways of working really helped, hands them back at the moment they
are needed, and can train them into a local model. The way of the data:

    agents ──hooks──▶ capture ──▶ redact ──▶ spool ──▶ journal ──▶ learn ──▶ memory ──▶ recall ──▶ cli · mcp · rest ·
    web

Everything below this package is reached through `Memory`. Names are loaded when first used, because a hook that imports
`engrain` must not pay for what it does not need.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.errors import EngrainError
    from engrain.event import Event
    from engrain.memory import Memory

_HOMES = {"EngrainError": "engrain.errors", "Event": "engrain.event", "Memory": "engrain.memory"}

__all__ = ["EngrainError", "Event", "Memory", "__version__"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'engrain' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
