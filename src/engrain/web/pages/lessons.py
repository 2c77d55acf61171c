"""Lessons: the rules, those that want a person's eye first; write one, try it on past calls, decide on it."""

from __future__ import annotations

from typing import Any

from engrain.errors import BadInput, EngrainError
from engrain.event import EVERYWHERE
from engrain.learn.trigger import PHASES, Trigger
from engrain.memory import lessons as rules
from engrain.memory import looking
from engrain.recall.lessons import SEVERITIES
from engrain.web.asked import Asked, Gone, Page

FIELDS = ("tool", "command", "path", "input", "output")
SHOWN, PAST = 25, 1000


def listed(asked: Asked) -> Page:
    """Every rule; what was only proposed stands above."""
    retired = bool(asked.text("retired"))
    with asked.memory() as memory:
        found = memory.lessons(everywhere=True, retired=retired)
        names = looking.names(memory)
    wanting = [each for each in found if each.says]
    values = {
        "proposed": [each for each in found if each.state == rules.PROPOSED],
        "wanting": [each for each in wanting if each.state != rules.PROPOSED],
        "rest": [each for each in found if not each.says and each.state != rules.PROPOSED],
        "names": names, "retired": retired, "number": len(found),
    }  # fmt: skip
    return Page("lessons.html", values)


def editing(asked: Asked, id: str = "") -> Page:  # noqa: A002 - the name that the address has
    """The form of a rule, filled with what it says, or with what is being tried."""
    with asked.memory() as memory:
        old = rules.one(memory, id) if id else None
        names = looking.names(memory)
    draft = _draft(asked, old)
    values = {
        "id": id, "old": old, "draft": draft, "names": names, "phases": PHASES, "severities": SEVERITIES,
        "would": None, "looked": 0, "wrong": "",
    }  # fmt: skip
    if asked.text("try"):
        values |= _tried(asked, draft)
    return Page("lesson.html", values)


def _draft(asked: Asked, old: rules.Kept | None) -> dict[str, str]:
    if old and not asked.text("try"):
        said = {"text": old.text, "severity": old.severity, "project": old.project, "why": old.why}
        return {**said, **old.trigger._asdict()}
    names = ("text", "severity", "project", "why", "phase", *FIELDS)
    return {name: asked.text(name, {"severity": "warning", "phase": "before"}.get(name, "")) for name in names}


def _tried(asked: Asked, draft: dict[str, str]) -> dict[str, Any]:
    """The past calls at which it would have fired."""
    trigger = _trigger(draft)
    place = draft["project"] if draft["project"] not in ("", EVERYWHERE) else ""
    with asked.memory(place) as memory:
        try:
            rules.check(memory, draft["text"] or "-", trigger, draft["severity"])
            would, looked = rules.would_fire(memory, trigger, everywhere=not place, limit=PAST)
        except EngrainError as exc:
            return {"wrong": str(exc)}
    return {"would": would[:SHOWN], "times": len(would), "looked": looked}


def _trigger(draft: dict[str, str]) -> Trigger:
    return Trigger(**{name: draft[name] for name in (*FIELDS, "phase")})


def add(asked: Asked) -> Gone:
    """The rule holds from now on."""
    return Gone(f"/lessons#l-{_learned(asked)}")


def replace(asked: Asked, id: str) -> Gone:  # noqa: A002
    """The rule says something else from now on."""
    made = _learned(asked)
    with asked.memory() as memory:
        old = rules.one(memory, id)
        if old.id != made:
            rules.decide(memory, old.id, rules.RETIRED, f"edited into {made}")
    return Gone(f"/lessons#l-{made}")


def _learned(asked: Asked) -> str:
    draft = {name: asked.said(name) for name in ("text", "severity", "project", "why", "phase", *FIELDS)}
    project = draft["project"]
    if not project:
        raise BadInput("say for which project it holds, or that it holds everywhere")
    everywhere = project == EVERYWHERE
    with asked.memory("" if everywhere else project) as memory:
        learned = rules.add(
            memory, draft["text"], _trigger(draft), severity=draft["severity"] or "warning", everywhere=everywhere,
            source="taught", why=draft["why"],
        )  # fmt: skip
    return learned.id


def decide(asked: Asked, id: str) -> Gone:  # noqa: A002
    """A proposed rule is accepted, or a rule retired."""
    state = asked.said("state")
    if state not in (rules.ACTIVE, rules.RETIRED):
        raise BadInput(f"a lesson is made {rules.ACTIVE} or {rules.RETIRED}")
    with asked.memory() as memory:
        rules.decide(memory, id, state, asked.said("why"))
    return Gone("/lessons")
