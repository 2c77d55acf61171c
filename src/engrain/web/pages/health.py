"""Health: whether everything works that the memory is made of."""

from __future__ import annotations

import os
import time
from typing import Any, NamedTuple

from engrain.capture import spool, took
from engrain.install import plan, wiring
from engrain.memory import Memory, looking
from engrain.upkeep import doctor
from engrain.upkeep.doctor import Finding, Patient
from engrain.web.asked import Asked, Page

CHECKS = ("disk", "modes", "spool", "jobs", "lessons", "backups")
"""Checks of the doctor that read little; the whole of it is `engrain doctor`."""


def show(asked: Asked) -> Page:
    """What there is, and how it does."""
    with asked.memory() as memory:
        kinds = looking.kinds(memory)
        values: dict[str, Any] = {
            "kinds": kinds, "events": sum(kinds.values()), "where": memory.store.where, "size": _size(memory),
            "findings": findings(memory), "hooks": hooks(memory),
            "redactions": looking.redactions(memory), "waiting": memory.jobs.waiting(), "dead": memory.jobs.dead(),
            "spooled": len(spool.waiting(memory.home.spool)), "paid": _paid(memory),
        }  # fmt: skip
    return Page("health.html", values)


def findings(memory: Memory) -> list[Finding]:
    """What the doctor says of what can be looked at quickly."""
    patient = Patient(
        memory.home, lambda: memory.store, reserve_mb=memory.config.number("disk.reserve_mb"), deep=False,
        now=time.time(), keep_days=memory.config.number("train.keep"),
    )  # fmt: skip
    return doctor.examine(patient, CHECKS)


class Hooks(NamedTuple):
    """An agent that is wired or was heard of: where its hooks are, when it was last heard of, how long its hooks took,
    and at most how long half of them."""

    name: str
    called: str
    files: list[str]
    heard: int
    runs: list[float]
    middle: float


def hooks(memory: Memory) -> list[Hooks]:
    """Agents by name."""
    heard = {str(agent): int(ended) for agent, ended in looking.agents(memory)}
    called, files = {of.name: of.called for of in wiring.AGENTS}, plan.running(memory.home)
    found = []
    for name in sorted({*heard, *called}):
        runs = sorted(took.runs(memory.home, name)) if name in called else []
        if name in heard or runs or name in files:
            middle = runs[len(runs) // 2] if runs else 0.0
            found.append(
                Hooks(name, called.get(name, name or "no name"), files.get(name, []), heard.get(name, 0), runs, middle)
            )
    return found


def _paid(memory: Memory) -> str:
    """Who is asked for vectors, where that is not this machine."""
    model, url = memory.config.text("embed.model"), memory.config.text("embed.url")
    return (url or model) if model.startswith("openai:") else ""


def _size(memory: Memory) -> int:
    """Bytes of a store that is a file; 0 of one on a server."""
    file = os.path.expanduser(memory.where)
    return sum(os.stat(each).st_size for each in (file, f"{file}-wal") if os.path.isfile(each))
