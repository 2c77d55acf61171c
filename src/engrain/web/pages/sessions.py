"""Sessions: as a list, and one of them as a timeline with its turns, each call below the prompt that it belongs to."""

from __future__ import annotations

from engrain.event import (
    COMMAND,
    LESSON_FIRED,
    MAX_TIME,
    NOTE,
    REPLY,
    SERVED,
    TOOL_CALL,
    Event,
)
from engrain.learn.turns import Turn, began
from engrain.memory import looking
from engrain.memory.history import Session, Wanted
from engrain.web.asked import Asked, Page
from engrain.web.drawing import Span
from engrain.web.telling import called, failed, said

EACH, TURNS = 30, 40
LANES = ("prompts", "tools", "failures", "answers")
SHOWN = (TOOL_CALL, REPLY, SERVED, LESSON_FIRED, NOTE, COMMAND)


def listed(asked: Asked) -> Page:
    """Sessions, the latest first."""
    wanted = Wanted(
        asked.text("project"), asked.text("agent"), 0, asked.number("before", MAX_TIME), bool(asked.text("failed"))
    )
    with asked.memory() as memory:
        found = memory.sessions(wanted, limit=EACH + 1)
        after = asked.with_(before=found[EACH - 1].started) if len(found) > EACH else ""
        values = {
            "rows": found[:EACH], "after": after, "wanted": wanted, "names": looking.names(memory),
            "first": wanted.before == MAX_TIME,
        }  # fmt: skip
    return Page("sessions.html", values)


def one(asked: Asked, name: str) -> Page:
    """A session with its turns; `from` and `to` say which part of it."""
    with asked.memory() as memory:
        told = memory.session(name)
        names = looking.names(memory)
    start, end = asked.number("from", told.started), asked.number("to", told.ended)
    if not start < end:
        start, end = told.started, max(told.ended, told.started + 1)
    page = asked.number("page", 1, 100_000)
    inside = [turn for turn in told.turns if _ended(turn) >= start and _began(turn) <= end]
    first = (max(page, 1) - 1) * TURNS
    values = {
        "told": told, "names": names, "spans": spans(told), "lanes": LANES, "start": start, "end": end,
        "turns": [_shown(turn, first + n) for n, turn in enumerate(inside[first : first + TURNS])],
        "number": len(inside), "all": len(told.turns), "whole": (start, end) == (told.started, max(told.ended, start)),
        "closer": _around(asked, start, end, 0.5), "wider": _around(asked, start, end, 2.0, told),
        "earlier": asked.with_(page=page - 1) if page > 1 else "",
        "later": asked.with_(page=page + 1) if first + TURNS < len(inside) else "",
        "calls": sum(len(turn.calls) for turn in told.turns),
        "failed": sum(call.body.get("failed") is True for turn in told.turns for call in turn.calls),
    }  # fmt: skip
    return Page("session.html", values)


def _shown(turn: Turn, place: int) -> dict[str, object]:
    return {
        "prompt": turn.prompt, "place": place, "began": _began(turn), "ended": _ended(turn),
        "followed": [event for event in turn.followed if event.kind in SHOWN],
    }  # fmt: skip


def _began(turn: Turn) -> int:
    return turn.prompt.time if turn.prompt else min((began(event) for event in turn.followed), default=0)


def _ended(turn: Turn) -> int:
    return max((event.time for event in turn.followed), default=_began(turn))


def _around(asked: Asked, start: int, end: int, by: float, told: Session | None = None) -> str:
    """The address that shows half of this part, or twice as much of the whole."""
    middle, half = (start + end) // 2, max(1, int((end - start) * by / 2))
    if told:
        low, high = max(told.started, middle - half), min(told.ended, middle + half)
        if (low, high) == (told.started, told.ended):
            return asked.with_(**{"from": "", "to": "", "page": ""})
        return asked.with_(**{"from": low, "to": high, "page": ""})
    return asked.with_(**{"from": middle - half, "to": middle + half, "page": ""})


def spans(told: Session) -> list[Span]:
    """What the timeline draws."""
    found = []
    for turn in told.turns:
        if turn.prompt:
            found.append(_span(turn.prompt, "prompts", "prompt"))
        for event in turn.followed:
            if event.kind in (TOOL_CALL, COMMAND):
                found.append(_span(event, *(("failures", "bad") if failed(event) else ("tools", "call"))))
            elif event.kind in (SERVED, LESSON_FIRED):
                found.append(_span(event, "answers", "answer"))
    return found


def _span(event: Event, lane: str, kind: str) -> Span:
    says = f"{called(event)}: {said(event)[:120]}"
    return Span(began(event), event.time, lane, kind, says, f"e-{event.id}")
