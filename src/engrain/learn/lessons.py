"""What follows from teaching a lesson, from deciding on it, from its firing and from being heeded: rows of one event.

A lesson's id follows from what it says and when it fires, so that whoever teaches it again means the same one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from engrain.event import LESSON_FIRED, Event
from engrain.learn.fixes import PROVENANCES
from engrain.learn.reading import items, text
from engrain.learn.trigger import EXPRESSIONS, LONGEST, Trigger, flaw, keys, risky, trigger_of
from engrain.store.tables import Row

LONGEST_TEXT = 600
NAME = 200
STATES = ("proposed", "active", "retired", "stopped")
SEVERITIES = ("info", "warning", "danger")

UNKNOWN_SEVERITY = "warning"


def taught(event: Event) -> list[Row]:
    """A lesson, the keys under which it waits, and that it is active, or only proposed."""
    said = text(event, "text", LONGEST_TEXT).strip()
    if not said:
        return []
    given = event.body.get("trigger")
    trigger = trigger_of(given if isinstance(given, dict) else {})
    problem = flaw(trigger)
    cut = _bounded(trigger)
    lesson = id_of(said, cut)
    source = text(event, "source", NAME) or "taught"
    severity = text(event, "severity")
    values = {
        "lesson": lesson, "time": event.time, "text": said, **cut._asdict(), "source": source,
        "severity": severity if severity in SEVERITIES else UNKNOWN_SEVERITY,
        "why": text(event, "why", NAME), "risky": 0 if problem else int(risky(trigger)),
    }  # fmt: skip
    state = (
        "stopped" if problem else "active" if source == "taught" or event.body.get("accepted") is True else "proposed"
    )
    mark = {"lesson": lesson, "time": event.time, "state": state, "why": problem[:NAME]}
    waits = [] if problem else [Row("lesson_keys", {"key": key}) for key in keys(trigger)]
    return [Row("lessons", values), Row("lesson_marks", mark), *waits]


def id_of(said: str, trigger: Trigger) -> str:
    """The id of a lesson: what it says, and when."""
    words = json.dumps([said, *trigger], ensure_ascii=False)
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:12]


def _bounded(trigger: Trigger) -> Trigger:
    return trigger._replace(
        **{name: getattr(trigger, name)[:LONGEST] for name in (*EXPRESSIONS, "path", "tool")},
        phase=trigger.phase[:NAME],
    )


def decided(event: Event) -> list[Row]:
    """What was decided of a lesson: accepted, retired, stopped."""
    lesson, state = text(event, "lesson", NAME), text(event, "state")
    if not lesson or state not in STATES:
        return []
    mark = {"lesson": lesson, "time": event.time, "state": state, "why": text(event, "why", NAME)}
    return [Row("lesson_marks", mark)]


def fired(event: Event) -> list[Row]:
    """That lessons fired at a call, or that one was heeded or not."""
    if event.kind == LESSON_FIRED:
        ids = dict.fromkeys(id_[:NAME] for id_ in items(event, "lessons")[:1000] if isinstance(id_, str) and id_)
        counts = {"fired": 1, "heeded": 0, "ignored": 0}
    else:
        ids = dict.fromkeys([text(event, "lesson", NAME)] if text(event, "lesson") else [])
        heeded = event.body.get("heeded")
        if not isinstance(heeded, bool):
            return []
        counts = {"fired": 0, "heeded": int(heeded), "ignored": int(not heeded)}
    provenance = text(event, "provenance")
    said = {
        "time": event.time, "session": event.session, **counts,
        "provenance": provenance if provenance in PROVENANCES else "unknown",
    }  # fmt: skip
    return [Row("firings", {"lesson": lesson, **said}) for lesson in ids]


# What it is worth by now


class Past(NamedTuple):
    """What a lesson has behind it: its state, when it was taught, decided on and fired last, and counts by week:
    (time, fired, heeded, ignored)."""

    state: str
    first: int
    since: int
    last: int
    weeks: tuple[tuple[int, int, int, int], ...]


DAY = 86_400_000_000
HALF_LIFE = 90 * DAY
SILENT = 180 * DAY
"""A rule that fired on nothing for so long guards nothing."""

LEAST_TRIED, LEAST_WORTH = 5, 0.2


def standing(past: Past, now: int) -> tuple[float, str]:
    """How often a lesson is heeded, as far as that is remembered, and what a person should look at."""
    heeded, ignored = 1.0, 1.0
    for time, _, yes, no in past.weeks:
        faded = 0.5 ** (max(now - time, 0) / HALF_LIFE)
        heeded, ignored = heeded + yes * faded, ignored + no * faded
    worth = heeded / (heeded + ignored)
    tried = heeded + ignored - 2
    if past.state in ("proposed", "stopped"):
        return worth, {"proposed": "waits to be accepted", "stopped": "was stopped"}[past.state]
    if past.state == "retired":
        return worth, ""
    if tried >= LEAST_TRIED and worth < LEAST_WORTH:
        return worth, "fires, but is not heeded"
    if now - max(past.last, past.since) > SILENT:
        return worth, f"has not fired for {(now - max(past.last, past.since)) // DAY} days"
    return worth, ""


# Whether it was heeded


class Firing(NamedTuple):
    """That a lesson fired in a session."""

    id: str
    project: str
    lesson: str
    time: int
    session: str


AGAIN = 30 * 60 * 1_000_000
"""A lesson that fires again so soon was not heeded; one that does not was."""


def verdicts(firings: Sequence[Firing], now: int) -> list[tuple[Firing, bool, int]]:
    """Whether each firing was heeded, and when that could be told, where it can be by now."""
    found: list[tuple[Firing, bool, int]] = []
    following: dict[tuple[str, str], int] = {}
    for firing in sorted(firings, key=lambda each: (-each.time, each.id)):
        named = firing.lesson, firing.session
        again = following.get(named)
        if again is not None and again - firing.time <= AGAIN:
            found.append((firing, False, again))
        elif now - firing.time > AGAIN:
            found.append((firing, True, firing.time + AGAIN))
        following[named] = firing.time
    return found[::-1]
