"""Replay: what the memory would have said on a history that was played again. Simulated, and labelled so."""

from __future__ import annotations

from typing import Any

from engrain.memory import looking
from engrain.memory.replay import kept
from engrain.web.asked import Asked, Page

VERDICTS = (
    ("useful", "Useful", "A step that memory would have shown is among what was done until the command passed."),
    ("beside", "Beside", "Memory would have said something else than what was done. It may yet have been right."),
)


def show(asked: Asked) -> Page:
    """The last replay."""
    with asked.memory() as memory:
        told = kept(memory)
        names = looking.names(memory)
    shown = [(title, says, _moments(told, verdict)) for verdict, title, says in VERDICTS]
    return Page("replay.html", {"told": told, "shown": shown, "names": names})


def _moments(told: dict[str, Any], verdict: str) -> list[dict[str, Any]]:
    found = [each for each in told.get("examples", {}).get(verdict, []) if isinstance(each, dict)]
    return [{**each, "deeds": _deeds(each.get("done", {}))} for each in found]


def _deeds(done: dict[str, Any]) -> list[str]:
    retyped = [done["retyped"]] if done.get("retyped") else []
    return list(
        dict.fromkeys([*retyped, *done.get("commands", ()), *(f"edit {file}" for file in done.get("files", ()))])
    )
