"""Health: whether everything works that the memory is made of."""

from __future__ import annotations

import os
import time
from typing import Any

from engrain.capture import spool, took
from engrain.install import wiring
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


def hooks(memory: Memory) -> list[tuple[str, str, int, list[float], float]]:
    """Each agent that was heard of: its name, what it is called, when that was last, how long its hooks took,
    and at most how long half of them."""
    heard = {str(agent): int(ended) for agent, ended in looking.agents(memory)}
    called = {of.name: of.called for of in wiring.AGENTS}
    found = []
    for name in sorted({*heard, *called}):
        runs = sorted(took.runs(memory.home, name)) if name in called else []
        if name in heard or runs:
            found.append(
                (
                    name,
                    called.get(name, name or "no name"),
                    heard.get(name, 0),
                    runs,
                    runs[len(runs) // 2] if runs else 0.0,
                )
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
