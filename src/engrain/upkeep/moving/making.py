"""Making: events of what another tool kept.

An id follows from the tool and from what names the row there, so that what is brought twice is there once, and what
came since is added. A recipe is worth what it says about a failure; where that says too little to be known again, or a
step holds a secret and can't be run, it is kept as a note, to be found and read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import Any, NamedTuple

from engrain import event as events
from engrain.capture.session import Session
from engrain.errors import BadEvent, BadInput
from engrain.event import FIX, LESSON, LESSON_STATE, MAX_TIME, NOTE, OUTCOME, TASK, Event
from engrain.fingerprint import fingerprint
from engrain.learn import recipe
from engrain.learn.lessons import LONGEST_TEXT, id_of
from engrain.learn.tasks import id_of as task_of
from engrain.learn.trigger import Trigger
from engrain.recall.answer import answerable
from engrain.recall.near import wording_of
from engrain.recall.shown import described

MOST_TEXT = 20_000
MOST_RATED = 1000
"""Outcomes of one recipe that are brought: of more, belief would not change."""

_MARKED = "«redacted:"

Admit = Callable[[Event], Event]


class Left(NamedTuple):
    """What was not brought, and why."""

    what: str
    why: str


class Recipe(NamedTuple):
    """A fix as another tool has it: steps against the text of an error, and how often it went well and badly."""

    error: str
    steps: Sequence[str]
    command: str = ""
    tags: Sequence[str] = ()
    cause: str = ""
    worked: Sequence[int] = ()
    failed: Sequence[int] = ()


class Making:
    """Makes events of one tool's data. `told` counts what it says, `left` names what it says in vain."""

    def __init__(self, tool: str, *, tenant: str, admit: Admit) -> None:
        self.tool = tool
        self.tenant = tenant
        self.told: Counter[str] = Counter()
        self.left: list[Left] = []
        self._tasks: set[str] = set()
        self._admit = admit

    def leave(self, what: str, why: str) -> None:
        """This is not brought."""
        self.left.append(Left(what, why))

    def event(
        self, kind: str, body: dict[str, Any], *key: object, project: str, time: int, session: str = "", agent: str = ""
    ) -> Event:
        """An event as it may be written."""
        body = {name: value for name, value in body.items() if value not in (None, "", [], {})}
        return self._admit(events.make(
            kind, body, project=project, tenant=self.tenant, session=session, agent=agent, time=within(time),
            id=events.id_of("moved", self.tool, kind, *map(str, key)),
        ))  # fmt: skip

    def note(
        self, text: str, *key: object, tags: Sequence[str], project: str, time: int, session: str = "", agent: str = ""
    ) -> Iterator[Event]:
        """What somebody wanted to be remembered."""
        if not text.strip():
            return
        self.told["notes"] += 1
        body = {"text": text.strip()[:MOST_TEXT], "tags": sorted({self.tool, *filter(None, tags)})}
        yield self.event(NOTE, body, *key, project=project, time=time, session=session, agent=agent)

    def fix(self, given: Recipe, *key: object, project: str, time: int) -> Iterator[Event]:
        """A recipe with its outcomes; a note where it can't be one."""
        found = fingerprint(given.error, given.command, None)
        steps = [step[: recipe.LONGEST_STEP] for step in recipe.steps_of(given.steps)][: recipe.MOST_STEPS]
        if not steps:
            return
        body = {
            **described(found),
            "wording": wording_of(found)[:400],
            "steps": steps,
            "cause": given.cause.strip()[: recipe.MOST_TEXT],
            "example": given.error.strip()[: recipe.MOST_TEXT],
            "source": "imported",
        }
        made = self.event(FIX, body, *key, project=project, time=time)
        if not answerable(found) or any(_MARKED in step for step in made.body["steps"]):
            text = "\n".join([f"Fix for: {given.error}", *(f"- {step}" for step in steps)])
            yield from self.note(text, *key, tags=[*given.tags, "fix"], project=project, time=time)
            return
        self.told["fixes"] += 1
        yield made
        yield from self._outcomes(given, made, *key)

    def _outcomes(self, given: Recipe, made: Event, *key: object) -> Iterator[Event]:
        """Each time that the recipe is known to have been tried: the first, the second … of its kind."""
        all_of_it = recipe.recipes(
            made.body["steps"],
            fingerprint=made.body["fingerprint"],
            family=made.body["family"],
            through=made.body.get("through", ""),
            parameters=made.body.get("parameters", {}),
        )
        about = {"fix": all_of_it[0].id, "general": all_of_it[-1].id if all_of_it[-1].wide else ""}
        for worked, times in ((True, given.worked), (False, given.failed)):
            for number, time in enumerate(times[:MOST_RATED]):
                self.told["outcomes"] += 1
                body = {**about, "worked": worked, "provenance": "explicit"}
                named = (*key, "worked" if worked else "failed", number)
                yield self.event(OUTCOME, body, *named, project=made.project, time=max(time, made.time))

    def lesson(
        self, text: str, when: Trigger, *key: object, severity: str, active: bool, accepted: bool, why: str,
        project: str, time: int,
    ) -> Iterator[Event]:  # fmt: skip
        """A rule: active where a person made it, else proposed; one that was switched off is retired."""
        text = " ".join(text.split())
        text = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
        self.told["lessons"] += 1
        trigger = {name: value for name, value in when._asdict().items() if value}
        body = {
            "text": text, "severity": severity, "source": self.tool, "why": why, "trigger": trigger,
            "accepted": accepted,
        }  # fmt: skip
        made = self.event(LESSON, body, *key, project=project, time=time)
        yield made
        if not active:
            lesson = id_of(made.body["text"], Trigger(**made.body["trigger"]))
            state = {"lesson": lesson, "state": "retired", "why": f"switched off in {self.tool}"}
            yield self.event(LESSON_STATE, state, *key, project=project, time=made.time + 1)

    def task(
        self, said: dict[str, Any], name: Sequence[object], outcome: str, *, project: str, time: int
    ) -> Iterator[Event]:
        """A task that ended; what was said of it by whom there, nobody says."""
        id_ = task_of(events.id_of("moved", self.tool, *map(str, name)))
        self._tasks.add(id_)
        self.told["tasks"] = len(self._tasks)
        provenance = dict.fromkeys(said, "unknown") | {"text": "explicit", "outcome": "explicit"}
        body = {**said, "task": id_, "started": time, "source": "imported", "provenance": provenance}
        yield self.event(TASK, body, id_, *sorted(said), outcome, project=project, time=time)

    def session(self, agent: str, id_: str, project: str) -> Session:
        """A session of an agent, as hooks and transcripts tell of it."""
        return Session(agent, id_, project=project, tenant=self.tenant)

    def tried(self, made: Callable[[], Event], what: str) -> Iterator[Event]:
        """The event, or that it could not be made."""
        try:
            yield self._admit(made())
        except BadEvent as exc:
            self.leave(what, str(exc))


def within(time: int) -> int:
    """A time that an event can have."""
    return min(max(time, 0), MAX_TIME)


def seconds(value: Any) -> int:
    """Seconds since 1970 → microseconds; 0 where nobody knows."""
    return within(int(value * 1e6)) if isinstance(value, (int, float)) and isfinite(value) else 0


def stamped(value: Any) -> int:
    """An ISO 8601 time, or a datetime → microseconds; 0 where nobody knows."""
    text = value.isoformat() if hasattr(value, "isoformat") else value
    if not isinstance(text, str):
        return 0
    try:
        return within(events.microseconds(text if _zoned(text) else f"{text}Z"))
    except BadInput:
        return 0


def _zoned(text: str) -> bool:
    return text.endswith(("Z", "z")) or "+" in text[10:] or "-" in text[11:]


def texts(value: Any) -> list[str]:
    """The texts of a list."""
    return [each.strip() for each in value if isinstance(each, str) and each.strip()] if isinstance(value, list) else []


def word(value: Any) -> str:
    """A text, or nothing."""
    return value.strip() if isinstance(value, str) else ""
