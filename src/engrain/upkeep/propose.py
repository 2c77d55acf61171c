"""Propose: a command that fails again and again in one way, though another form of it passes, becomes a lesson.

Only proposed: it never fires before somebody accepts it (`engrain lesson review`). A command is proposed about when the
same correction helped in LEAST sessions of a project; what is said, and the id, follow from the session in which that
was reached, so whoever looks again, here or elsewhere, says the same once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engrain import event as events
from engrain.event import FIX, LESSON, Event
from engrain.learn.deeds import said
from engrain.learn.recipe import rendered
from engrain.learn.retyped import applied, bare, is_rule, tokens
from engrain.redact.engine import OPEN
from engrain.store import Store

LEAST = 3
"""Sessions in which the same correction must have helped."""

LONGEST, MOST_WORDS = 160, 8
MOST = 1000

_STARTS = (r"(?:^|[\n;&|(]\s*)", r"^\s*")
_ENDS = (r"(?=\s|$)", r"\s*(?:$|[\n;&|])")


def proposals(store: Store, *, tenant: str) -> list[Event]:
    """The lessons that follow from what returned, and that nobody has proposed yet."""
    rows = store.database.all("corrections", {"tenant": tenant, "least": LEAST, "limit": MOST})
    found = [made for project, fix in rows for made in _proposed(store, tenant, str(project), str(fix))]
    known = {event.id for event in store.get([made.id for made in found])}
    return [made for made in found if made.id not in known]


def _proposed(store: Store, tenant: str, project: str, fix: str) -> Iterator[Event]:
    ids = [str(row[0]) for row in store.database.all("events_of_fixes", {"tenant": tenant, "fixes": [fix]})]
    mined = (each for each in store.get(ids) if each.kind == FIX and each.body.get("source") == "mined")
    told = sorted((each for each in mined if each.project == project), key=lambda each: (each.time, each.id))
    if len(told) < LEAST or len(told[LEAST - 1].body.get("steps", ())) != 1:
        return
    last = told[LEAST - 1]
    failed, passed = _forms(store, last)
    pattern = expression(failed, passed) if failed else ""
    if not pattern:
        return
    message = " ".join(str(last.body.get("message", "")).split())[:120]
    body = {
        "text": f"`{failed}` keeps failing here ({message}); what passed in its place: `{passed}`",
        "trigger": {"command": pattern}, "severity": "warning", "source": "mined",
        "why": f"it failed so in {LEAST} sessions, and that helped in each",
    }  # fmt: skip
    yield events.make(
        LESSON, body, project=project, tenant=tenant, session=last.session, agent=last.agent, time=last.time,
        id=events.id_of("proposed", LESSON, project, fix),
    )  # fmt: skip


def _forms(store: Store, fix: Event) -> tuple[str, str]:
    """The command as it failed, and as it passes; nothing where that can't be told in a line."""
    calls = store.get([str(fix.body.get("of", ""))])
    given = calls[0].body.get("input") if calls else None
    failed = bare(said(given)) if isinstance(given, dict) else ""
    steps = rendered((str(fix.body["steps"][0]),), _texts(fix.body.get("parameters")))
    if not steps or not is_rule(steps[0]) or "\n" in failed or not 0 < len(failed) <= LONGEST or "`" in failed:
        return "", ""
    passed = applied(steps[0], failed)
    return (failed, passed) if passed and _holds_next_time(fix, failed, passed) else ("", "")


def _holds_next_time(fix: Event, failed: str, passed: str) -> bool:
    """Whether what is typed in place holds the next time, too: no branch of that day, no secret that is not kept."""
    brought = [value for value in _texts(fix.body.get("parameters")).values() if value in passed]
    return OPEN not in passed and all(value in failed for value in brought)


def _texts(value: object) -> dict[str, str]:
    found = value if isinstance(value, dict) else {}
    return {name: text for name, text in found.items() if isinstance(text, str)}


def expression(failed: str, passed: str) -> str:
    """What the form that fails is known by, and the one that passes is not; empty where nothing tells them apart."""
    words: Sequence[str] = tokens(failed)
    if not words or len(words) > MOST_WORDS:
        return ""
    core = r"\s+".join(map(re.escape, words))
    for start in _STARTS:
        for end in _ENDS:
            pattern = start + core + end
            if re.search(pattern, failed) and not re.search(pattern, passed):
                return pattern
    return ""
