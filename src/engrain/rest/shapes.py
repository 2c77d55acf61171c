"""Shapes: what goes in and out over HTTP, each with an example. Fields that are not known are refused on the way in."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from engrain import event as events
from engrain.event import MAX_TIME, Event, timestamp
from engrain.learn.direct import gist
from engrain.learn.recipe import LONGEST_STEP, MOST_STEPS
from engrain.memory.fixes import Match
from engrain.memory.history import Listed
from engrain.memory.lessons import Kept
from engrain.memory.search import Hit
from engrain.model import Fingerprint, Fix
from engrain.project import Project
from engrain.recall.lessons import Lesson
from engrain.recall.told import record, source
from engrain.store.tokens import Change, Token

Name = Annotated[str, Field(max_length=512, pattern=r"^[^\x00-\x1f\x7f]*$")]
Text = Annotated[str, Field(max_length=1_000_000)]
Fields = dict[str, Any]


class In(BaseModel):
    """What comes in."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Place(In):
    """A project as the client sees it: the id that `engrain project` prints, and where it was seen."""

    id: Annotated[
        str, Field(min_length=1, max_length=512, pattern=r"^[^\x00-\x1f\x7f]+$", examples=["0f3a9c1b2d4e5f60"])
    ]
    name: Name = ""
    root: Name = ""
    remote: Name = ""
    branch: Name = ""
    worktree: Name = ""

    def project(self) -> Project:
        """The same for the rooms below."""
        return Project(self.id, self.name, self.root, self.remote, self.branch, self.worktree, "as the client says")


class Said(In):
    """What every change says: of which project, in which session, by whom."""

    project: Place
    session: Name = ""
    agent: Name = ""


class NewEvent(In):
    """One thing that happened. Without an id it gets one; with one it can be sent again and is there once."""

    kind: Annotated[str, Field(min_length=1, max_length=512, examples=["tool.call"])]
    body: Annotated[Fields, Field(examples=[{"tool": "Bash", "input": {"command": "make test"}, "output": "ok"}])]
    project: Annotated[str, Field(min_length=1, max_length=512)]
    id: Annotated[str, Field(max_length=512)] | None = None
    time: Annotated[
        str | Annotated[int, Field(ge=0, le=MAX_TIME)] | None,
        Field(description="ISO 8601 with its zone, or µs since 1970"),
    ] = None
    session: str = ""
    agent: str = ""
    v: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    tenant: str | None = None


class NewNote(Said):
    """A note."""

    text: Annotated[str, Field(min_length=1, max_length=100_000, examples=["run the migrations before the seed"])]
    tags: Annotated[list[Name], Field(max_length=50)] = []


class NewFix(Said):
    """What helped against a failure."""

    error: Annotated[Text, Field(min_length=1, examples=["ModuleNotFoundError: No module named 'orjson'"])]
    steps: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_STEP, pattern=r"\S")]],
        Field(min_length=1, max_length=MOST_STEPS, examples=[["pip install orjson"]]),
    ]
    cause: Annotated[str, Field(max_length=10_000)] = ""
    example: Annotated[str, Field(max_length=10_000)] = ""
    command: Text = ""
    exit_code: int | None = None


class Failed(In):
    """The output of a failed command."""

    text: Annotated[Text, Field(examples=["ModuleNotFoundError: No module named 'orjson'"])]
    command: Text = ""
    exit_code: int | None = None
    cwd: Annotated[str, Field(max_length=4096)] = ""
    project: Place
    limit: Annotated[int, Field(ge=1, le=20)] = 3


class NewOutcome(Said):
    """How a fix went."""

    worked: bool
    of: Annotated[Name, Field(description="the event that says it was shown")] = ""
    provenance: Literal["explicit", "runtime_observed", "heuristic", "unknown"] = "explicit"


_WHEN: list[Any] = [
    *(
        {"required": [name], "properties": {name: {"minLength": 1}}}
        for name in ("tool", "command", "path", "input", "output")
    ),
    {"required": ["phase"], "properties": {"phase": {"enum": ["prompt", "start"]}}},
]
"""What says when a lesson fires: any of these."""


class When(In):
    """When a lesson fires: at least one of these says it."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"anyOf": _WHEN},
    )
    tool: Annotated[str, Field(max_length=1000)] = ""
    command: Annotated[str, Field(max_length=1000)] = ""
    path: Annotated[str, Field(max_length=1000)] = ""
    input: Annotated[str, Field(max_length=1000)] = ""
    output: Annotated[str, Field(max_length=1000)] = ""
    phase: Literal["", "before", "after", "prompt", "start"] = ""


class NewLesson(Said):
    """A rule that fires at a call."""

    text: Annotated[
        str, Field(min_length=1, max_length=1000, examples=["never force-push to main: releases are built from it"])
    ]
    when: When
    severity: Literal["info", "warning", "danger"] = "warning"
    everywhere: bool = False


class Called(In):
    """A call, before or after it was made."""

    project: Place
    tool: Annotated[str, Field(max_length=512, examples=["Bash"])] = ""
    input: Annotated[Fields, Field(examples=[{"command": "git push --force origin main"}])] = {}
    output: Text = ""
    phase: Literal["before", "after", "start", "prompt"] = "before"


_Paths = Annotated[list[Annotated[str, Field(max_length=1000)]], Field(max_length=200)]
_Words = Annotated[
    str, Field(min_length=1, max_length=4000, pattern=r"\S", examples=["stop password guessing at login"])
]


class NewPrompt(Said):
    """What a person asked."""

    text: Annotated[Text, Field(min_length=1, examples=["make the export stream its rows"])]
    cwd: Annotated[str, Field(max_length=4096)] = ""


class NewCall(Said):
    """A call of a tool."""

    tool: Annotated[str, Field(min_length=1, max_length=512, examples=["Bash"])]
    input: Annotated[Fields, Field(examples=[{"command": "pytest -x"}])] = {}
    output: Text = ""
    exit: Annotated[int, Field(ge=-(2**31), le=2**31)] | None = None
    failed: Annotated[bool | None, Field(description="where it is not said, a call failed that ended with no 0")] = None
    cwd: Annotated[str, Field(max_length=4096)] = ""


class NewTask(Said):
    """A task that begins."""

    text: _Words
    files: _Paths = []


class Ended(Said):
    """How a task went."""

    outcome: Literal["success", "failed", "cancelled", "unknown"]
    summary: Annotated[str, Field(max_length=1000)] = ""
    modified: _Paths = []
    commands: _Paths = []

    def fields(self) -> Fields:
        """What is said of it."""
        named = ("outcome", "summary", "modified", "commands")
        return {name: getattr(self, name) for name in named}


class Similar(In):
    """What is asked for: the same kind of work, or of code."""

    project: Place
    text: _Words
    files: _Paths = []
    everywhere: bool = False
    limit: Annotated[int, Field(ge=1, le=50)] = 5


class Task(In):
    """A task, to be told what is known of it."""

    project: Place
    text: _Words
    files: _Paths = []
    limit: Annotated[int, Field(ge=1, le=50)] = 5
    tokens: Annotated[int, Field(ge=50, le=20_000)] = 1500


class NewPattern(Said):
    """How code or a test is written here."""

    name: Annotated[str, Field(min_length=1, max_length=120, pattern=r"\S", examples=["repository"])]
    description: Annotated[str, Field(max_length=4000)] = ""
    example: Annotated[str, Field(max_length=4000)] = ""
    uses: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=20)] = []
    avoid: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=20)] = []
    area: Annotated[str, Field(max_length=300)] = ""
    form: Literal["code", "test"] = "code"
    everywhere: bool = False


class NewState(Said):
    """What is decided of a lesson."""

    state: Literal["accepted", "retired"]
    why: Annotated[str, Field(max_length=1000)] = ""


class Erase(In):
    """Which events are erased for good."""

    ids: Annotated[list[Name], Field(min_length=1, max_length=1000)]


class NewToken(In):
    """A token to make."""

    name: Annotated[str, Field(min_length=1, max_length=100, examples=["laptop of dana"])]
    scopes: Annotated[list[Literal["read", "write", "admin"]], Field(min_length=1)] = ["read", "write"]
    agent: Name = ""
    days: Annotated[float, Field(ge=0, le=36_500)] = 0


# On the way out


def event_out(event: Event) -> Fields:
    """An event as its line has it."""
    fields: Fields = json.loads(events.line(event))
    return fields


def hit_out(hit: Hit) -> Fields:
    """An event in a list of hits: enough to choose by, and why it was found."""
    why = {"because": hit.because, "alike": hit.alike, "times": hit.times}
    return {**line_out(hit.event), "score": round(hit.score, 6), **why}


def line_out(event: Event) -> Fields:
    """An event in a line."""
    return {
        "id": event.id, "kind": event.kind, "time": timestamp(event.time), "project": event.project,
        "session": event.session, "agent": event.agent, "text": gist(event)[:400],
    }  # fmt: skip


def failure_out(found: Fingerprint) -> Fields:
    """A failure."""
    return {
        "fingerprint": found.fingerprint, "family": found.family, "toolchain": found.toolchain,
        "error_type": found.error_type, "message": found.message, "known": found.known,
    }  # fmt: skip


def fix_out(fix: Fix) -> Fields:
    """A fix with what is believed of it."""
    return {
        "id": fix.id, "steps": list(fix.steps), "cause": fix.cause, "example": fix.example, "failure": fix.failure,
        "belief": round(fix.belief, 4), "interval": [round(fix.low, 4), round(fix.high, 4)],
        "worked": fix.worked, "failed": fix.failed, "source": source(fix).split()[0], "record": record(fix),
        "match": fix.match, "because": fix.because,
    }  # fmt: skip


def match_out(found: Match) -> Fields:
    """A failure with its fixes."""
    return {"failure": failure_out(found.fingerprint), "fixes": [fix_out(fix) for fix in found.fixes]}


def lesson_out(lesson: Kept) -> Fields:
    """A lesson, what was decided of it and how it went."""
    return {
        "id": lesson.id, "project": lesson.project, "text": lesson.text, "when": lesson.trigger._asdict(),
        "severity": lesson.severity, "source": lesson.source, "state": lesson.state, "why": lesson.why,
        "fired": lesson.fired, "heeded": lesson.heeded, "ignored": lesson.ignored,
    }  # fmt: skip


def fired_out(lesson: Lesson) -> Fields:
    """A lesson that fires at a call."""
    return {
        "id": lesson.id, "text": lesson.text, "severity": lesson.severity, "source": lesson.source,
        "because": lesson.because,
    }  # fmt: skip


def session_out(listed: Listed) -> Fields:
    """A session in a list."""
    return {**listed._asdict(), "started": timestamp(listed.started), "ended": timestamp(listed.ended)}


def token_out(token: Token, now: int) -> Fields:
    """A token without its secret."""
    times = {name: timestamp(value) if value else None for name, value in (
        ("created", token.created), ("expires", token.expires), ("used", token.used),
    )}  # fmt: skip
    named = {"id": token.id, "name": token.name, "agent": token.agent, "scopes": list(token.scopes)}
    return {**named, **times, "state": token.state(now)}


def change_out(change: Change) -> Fields:
    """A line of the audit log."""
    return {**change._asdict(), "time": timestamp(change.time)}
