"""Proof: what the memory did for whoever uses it, counted from events; nothing in it is estimated from nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engrain import event as events
from engrain.event import HELD
from engrain.learn.belief import Sources
from engrain.learn.calibration import Calibration, Outcome, calibration, gain
from engrain.learn.commands import is_step_of, key
from engrain.memory.fixes import listed_by_id
from engrain.model import Fix
from engrain.upkeep.observe import as_told, instead, runs_after

if TYPE_CHECKING:
    from engrain.memory import Memory

MONTHS = 90 * 86_400_000_000
HOUR = 3_600_000_000
MOST_COMPARED = 5000


class Common(NamedTuple):
    """A failure that comes again and again."""

    fingerprint: str
    toolchain: str
    error_type: str
    message: str
    times: int
    first: int
    last: int


class Gain(NamedTuple):
    """How often a failure was gone within an hour, with a fix shown and with it held back; `gain` with its interval."""

    shown: int
    resolved: int
    held: int
    held_resolved: int
    gain: tuple[float, float, float] | None


class Proof(NamedTuple):
    """What is known of how it went."""

    failures: int
    answered: int
    common: list[Common]
    tried: list[Fix]
    calibration: Calibration
    compared: Gain


def proof(memory: Memory, *, limit: int = 10) -> Proof:
    """What the memory did so far."""
    ask, tenant = memory.store.database.all, memory.tenant
    failures, answered = ask("count_failures", {"tenant": tenant})[0]
    common = [Common(*row) for row in ask("common_failures", {"tenant": tenant, "limit": limit}) if row[4] > 1]
    tried = [row[0] for row in ask("tried_fixes", {"tenant": tenant, "limit": limit})]
    return Proof(failures, answered, common, listed_by_id(memory, tried), _calibrated(memory), compared(memory))


def _calibrated(memory: Memory) -> Calibration:
    ask, tenant = memory.store.database.all, {"tenant": memory.tenant}
    sources = {row[0]: Sources(*row[1:]) for row in ask("sources_of", tenant)}
    outcomes = (
        Outcome(fix, time, how, bool(worked), where) for fix, time, how, worked, where in ask("all_outcomes", tenant)
    )
    return calibration(outcomes, sources, bins=5)


def compared(memory: Memory) -> Gain:
    """Both arms are counted alike: the next time that the command ran within the hour, as it was or as the fix has it,
    it passed."""
    since = events.now() - MONTHS
    rows = memory.store.database.all(
        "servings_since", {"tenant": memory.tenant, "since": since, "limit": MOST_COMPARED}
    )
    if not any(held for _, _, held in rows):
        # Nothing to compare with, so nothing is looked up.
        return Gain(len(rows), 0, 0, 0, None)
    counts = {True: [0, 0], False: [0, 0]}
    servings = memory.store.get([id_ for _, id_, _ in rows])
    changes = instead(memory.store, servings)
    for serving in servings:
        arm = counts[serving.kind == HELD]
        arm[1] += 1
        root, asked = str(serving.body.get("root", "")), serving.body.get("command")
        forms = as_told(serving, changes)
        again = [
            run
            for run in runs_after(memory.store, serving, HOUR)
            if key(run.command, root, run.cwd) == asked or any(is_step_of(form, run.command) for form in forms)
        ]
        arm[0] += bool(again) and again[0].exit == 0
    shown, held = counts[False], counts[True]
    return Gain(shown[1], shown[0], held[1], held[0], gain((shown[0], shown[1]), (held[0], held[1])))
