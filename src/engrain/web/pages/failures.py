"""Failures: as a list, and one of them whole, with what is known to help and a form to teach more."""

from __future__ import annotations

from urllib.parse import quote

from engrain.learn import belief
from engrain.memory import failures as told_of
from engrain.memory import looking
from engrain.memory.failures import MOST, WEEKS, Wanted
from engrain.model import Fix
from engrain.web.asked import Asked, Gone, Page, page_of
from engrain.web.drawing import Curve

EACH = 25


def listed(asked: Asked) -> Page:
    """Kinds of failure, the most frequent first, narrowed by what the address says."""
    wanted = Wanted(asked.text("project"), asked.text("tool"), asked.text("q"))
    with asked.memory() as memory:
        found = memory.failures(wanted, limit=min(EACH + 1, MOST), offset=asked.number("from", 0, 1_000_000))
        rows, before, after = page_of(found, asked, EACH)
        known = looking.known(memory, [key for each in rows for key in (each.fingerprint, each.family)])
        values = {
            "rows": [(each, known.get(each.fingerprint, 0) or known.get(each.family, 0)) for each in rows],
            "tools": told_of.toolchains(memory), "names": looking.names(memory), "wanted": wanted,
            "before": before, "after": after, "weeks": WEEKS,
        }  # fmt: skip
    return Page("failures.html", values)


def one(asked: Asked, key: str) -> Page:
    """One failure, whole."""
    with asked.memory() as memory:
        told = memory.failure(key)
        values = {
            "told": told, "names": looking.names(memory), "lived": looking.lived(memory, told),
            "fixes": [(fix, curve(fix)) for fix in told.fixes],
            "times": [(went.time, went.worked) for went in told.outcomes],
        }  # fmt: skip
    return Page("failure.html", values)


def teach(asked: Asked, key: str) -> Gone:
    """What helps is kept for this failure, in the project where it came last."""
    with asked.memory() as memory:
        told = memory.failure(key)
        project = told.times[0].project if told.times else ""
    with asked.memory(project) as memory:
        looking.teach(memory, key, asked.lines("steps"), cause=asked.said("cause"), example=asked.said("example"))
    return Gone(f"/failures/{quote(key)}#fixes")


def curve(fix: Fix) -> Curve:
    """What is believed of a fix, as it is drawn."""
    whole = belief.recovered(fix.belief, fix.low)
    return Curve(whole.alpha, whole.beta, fix.low, fix.high)
