"""Told: fixes → the few lines that stand beside an error.

What is recalled was written by somebody, maybe by whoever wants to be obeyed. So it is one line each, without control
characters, marked as Engrain's, with what it is based on. On the hook's path.
"""

from __future__ import annotations

from engrain.event import MARK
from engrain.model import EXACT, GENERALISED
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engrain.model import Fingerprint, Fix

MOST_LINES, WIDTH = 10, 160

CONTROLS = r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+"
"""Whatever could move the cursor, colour a screen or turn the reading order."""


def lines(found: Fingerprint, fixes: Sequence[Fix]) -> list[str]:
    """What a person reads after a command failed; nothing where nothing is known."""
    if not fixes:
        return []
    room = MOST_LINES - 2
    told = [f"{HEADS[fixes[0].match]}: {one_line(found.message, 100)}"]
    for number, fix in enumerate(fixes, start=1):
        said = _of_one(number, fix)
        if len(said) > room:
            break
        told += said
        room -= len(said)
    told.append(f"did it help? engrain rate {fixes[0].id} --worked | --failed")
    return [f"{MARK} {line}" for line in told]


HEADS = {EXACT: "known failure", GENERALISED: "known kind of failure"}
HEADS["similar"] = "not known, but similar to a failure that is"


def _of_one(number: int, fix: Fix) -> list[str]:
    steps = [step_line(step, WIDTH) for step in fix.steps[:3]]
    if len(fix.steps) > 3:
        steps[-1] += f"  (and {len(fix.steps) - 3} more: engrain show {fix.id})"
    told = [f"{number}. {steps[0]}", *(f"   {step}" for step in steps[1:])]
    if fix.cause:
        told.append(f"   because {one_line(fix.cause, WIDTH)}")
    return [*told, f"   {fix.id} · {record(fix)}"]


def record(fix: Fix) -> str:
    """What the fix has to show for itself."""
    tries = fix.worked + fix.failed
    seen = f"worked {fix.worked} of {tries}" if tries else "unconfirmed"
    kind = f" · {fix.match}" if fix.match and fix.match != EXACT else ""
    elsewhere = "" if fix.here or not (fix.taught or fix.mined) else " in another project"
    return f"{seen} · {source(fix)}{elsewhere}{kind}"


def source(fix: Fix) -> str:
    """Where the fix comes from, the strongest source first."""
    for name in ("taught", "mined", "imported"):
        if number := getattr(fix, name):
            return name if number == 1 else f"{name} {number} times"
    return "known"


def harmless(text: str) -> str:
    """A text that a terminal shows and does not obey."""
    return compiled(CONTROLS).sub(" ", text)


def many(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def one_line(text: str, most: int) -> str:
    """A text that can't be more than a piece of a line."""
    return _cut(" ".join(harmless(text).split()), most)


def step_line(text: str, most: int) -> str:
    """The same of what will be typed: its spaces mean something."""
    return _cut(harmless(text).strip(), most)


def _cut(flat: str, most: int) -> str:
    return flat if len(flat) <= most else flat[: most - 1] + "…"
