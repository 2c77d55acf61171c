"""Event: one thing that happened.

Everything that Engrain knows follows from events: a tool call, a prompt, a failure, and also what a person or an agent
teaches (a note, a fix, a rating, a forget). An event is written once, as one line of JSON, and that line is the same in
the spool, in an export and between two stores:

    {"id":…,"time":"2026-11-18T09:30:00.000000Z","tenant":…,"project":…,"session":…,"agent":…,"kind":…,"v":1,"body":{…}}

The same id in the same project twice is one event. Should two lines with one id differ, a forget holds over anything
else, then the earlier one (by time, then by text), so that a set of events means the same in whatever order it arrives.

This module is on the hook's path: it may not import dataclasses, typing, pathlib or uuid.
"""

from __future__ import annotations

import os
import time as clock
from collections import namedtuple

from engrain import light
from engrain.errors import BadEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    class Event(NamedTuple):
        """What happened (`kind`, `body`), when (µs since 1970, UTC), where (`tenant`, `project`) and who did it."""

        id: str
        time: int
        tenant: str
        project: str
        session: str
        agent: str
        kind: str
        v: int
        body: Mapping[str, Any]
else:
    Event = namedtuple("Event", "id time tenant project session agent kind v body")
    Event.__doc__ = "What happened (`kind`, `body`), when (µs since 1970, UTC), where and who did it."

LOCAL = "local"
"""The tenant of a store that only one person uses."""

EVERYWHERE = "*"
"""The project of what concerns them all."""

NOTE, FORGET, PROJECT_SEEN, PROJECT_MERGE = "note", "forget", "project.seen", "project.merge"
TOOL_CALL, COMMAND = "tool.call", "command"
SESSION_START, SESSION_END, PROMPT, REPLY = "session.start", "session.end", "prompt", "reply"
FIX, OUTCOME, SERVED, HELD = "fix", "fix.outcome", "fix.served", "fix.held"
LESSON, LESSON_STATE, LESSON_FIRED, LESSON_HEEDED = "lesson", "lesson.state", "lesson.fired", "lesson.heeded"
EPISODE = "episode"
NOTE_AGAIN = "note.again"
PATTERN, PATTERN_USED = "pattern", "pattern.used"
TASK, TASK_SHOWN = "task", "task.shown"
TRUST = "trust"
TRAIN_RUN = "train.run"
"""Kinds that the house itself gives a meaning; an unknown kind is stored, found and exported all the same."""

JOINED = "seen-"
"""What the id of a PROJECT_MERGE begins with that nobody said: a checkout was seen to be what it was, and more."""

MARK = "[engrain]"
"""Every line that Engrain says beside a command's output begins with this, so that it never reads itself."""

BODIES = "bodies"
"""The key of a body for what a read, a write or an edit carried: kept beside the journal, and only for a while."""

FAILURE = "failure"
"""The key of a body for the fingerprint of a command that failed, taken when it was recorded."""

REDACTED = "redacted"
"""The key of a body for how often which rule took something out of it before it was written."""

MAX_LINE = 8 * 1024 * 1024
"""Bytes of one event's line. Larger things are not memories; who records them keeps the part that matters."""

MAX_NAME = 512
"""Bytes of an id, a project, a session, an agent or a kind: four of them fit into one key of PostgreSQL's indexes."""

MAX_DEPTH = 100
"""Levels of a body. Whatever walks it later has room on the stack, however deep it is called."""

MAX_TIME = 253_402_300_799_999_999
"""The last microsecond of the year 9999."""

_NAMES = ("id", "tenant", "project", "session", "agent", "kind")
_FIELDS = frozenset(Event._fields)


def now() -> int:
    """Microseconds since 1970 by the wall clock. It may run backwards; nothing in Engrain relies on it."""
    return clock.time_ns() // 1000


def new_id(time: int) -> str:
    """A random id that sorts by time, so that the index of a growing journal grows at its end."""
    return f"{time // 1000:012x}{os.urandom(10).hex()}"


def id_of(*parts: str) -> str:
    """The id of what has a name of its own elsewhere (a tool call, a transcript's line): seen twice, stored once."""
    return light.sha256("\0".join(parts).encode("utf-8", "replace"))[:32]


def make(
    kind: str,
    body: Mapping[str, Any],
    *,
    project: str,
    tenant: str = LOCAL,
    session: str = "",
    agent: str = "",
    v: int = 1,
    time: int | None = None,
    id: str | None = None,  # noqa: A002 - the field's own name
) -> Event:
    """A well-formed event, or BadEvent."""
    when = now() if time is None else time
    event, text = _checked(Event(id or new_id(when), when, tenant, project, session, agent, kind, v, body))
    # What JSON would make of it (tuples, keys that are numbers): what is recorded now must equal what is read back.
    return event._replace(body=light.loads(text))


def checked(event: Event) -> Event:
    """The same event with text that every store can hold, or BadEvent: this is the one door into the journal."""
    return _checked(event)[0]


def _checked(event: Event) -> tuple[Event, str]:
    """The event, and its body as text."""
    for name in _NAMES:
        value = getattr(event, name)
        if not isinstance(value, str) or not value.isprintable() or len(value.encode()) > MAX_NAME:
            raise BadEvent(f"{name} must be printable text of at most {MAX_NAME} bytes")
        if not value and name not in ("session", "agent"):
            raise BadEvent(f"{name} is missing")
    if type(event.time) is not int or not 0 <= event.time <= MAX_TIME:
        raise BadEvent("time must lie between the years 1970 and 9999")
    if type(event.v) is not int or not 1 <= event.v <= 1_000_000:
        raise BadEvent("v must be a whole number from 1")
    if not isinstance(event.body, dict):
        raise BadEvent("body must be a JSON object")
    if event.kind == FORGET:
        _check_forget(event)
    return _with_storable_text(event)


def forget(ids: list[str], *, tenant: str = LOCAL, time: int | None = None) -> Event:
    """The event that erases others. Its own id follows from theirs, so that two versions of one forget can't differ."""
    targets = sorted(set(ids))
    return make(FORGET, {"ids": targets}, project=EVERYWHERE, tenant=tenant, time=time, id=_forget_id(targets))


def join(source: str, into: str, because: str, *, tenant: str = LOCAL) -> Event:
    """The event that joins what a checkout was to what it is. Its id follows from both: forgotten, it stays away."""
    body = {"into": into, "source": "seen", "because": because}
    return make(PROJECT_MERGE, body, project=source, tenant=tenant, id=join_id(source, into))


def join_id(source: str, into: str) -> str:
    """The id of the event that joins these two."""
    return JOINED + id_of(PROJECT_MERGE, source, into)[: 32 - len(JOINED)]


def targets(event: Event) -> list[str]:
    """The ids that a forget erases."""
    return list(event.body["ids"]) if event.kind == FORGET else []


def _forget_id(ids: list[str]) -> str:
    return id_of(FORGET, *ids)


def _check_forget(event: Event) -> None:
    ids = event.body.get("ids")
    if not isinstance(ids, list) or not all(isinstance(target, str) for target in ids):
        raise BadEvent("a forget names the ids that it erases")
    if event.project != EVERYWHERE or event.id != _forget_id(ids):
        raise BadEvent("a forget has the id that follows from what it erases")


def without_bodies(event: Event) -> tuple[Event, str]:
    """The event as the journal keeps it, and what it carried as JSON; empty when it carried nothing."""
    if BODIES not in event.body:
        return event, ""
    rest = {key: value for key, value in event.body.items() if key != BODIES}
    return event._replace(body=rest), light.dumps(event.body[BODIES], ordered=True) if event.body[BODIES] else ""


def body_text(event: Event) -> str:
    """The body as canonical JSON: sorted keys, no spaces, so that equal bodies are equal bytes."""
    return light.dumps(event.body, ordered=True)


def line(event: Event) -> str:
    """The event as its one line of JSON, without the line's end."""
    head = light.dumps(
        {
            "id": event.id,
            "time": timestamp(event.time),
            "tenant": event.tenant,
            "project": event.project,
            "session": event.session,
            "agent": event.agent,
            "kind": event.kind,
            "v": event.v,
        }
    )
    return f'{head[:-1]},"body":{body_text(event)}}}'


def parse(text: str | bytes) -> Event:
    """The event of a line, or BadEvent that says in one line what is wrong with it."""
    if len(text) > MAX_LINE:
        raise BadEvent(f"larger than {MAX_LINE // 1024 // 1024} MiB")
    try:
        fields = light.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except UnicodeDecodeError as exc:
        raise BadEvent("not UTF-8") from exc
    except (ValueError, RecursionError) as exc:
        raise BadEvent(f"not JSON: {str(exc)[:80]}") from exc
    if not isinstance(fields, dict):
        raise BadEvent("not a JSON object")
    if unknown := sorted(fields.keys() - _FIELDS):
        raise BadEvent(f"unknown field {unknown[0][:40]!r}: written by a newer Engrain?")
    if missing := sorted(_FIELDS - fields.keys()):
        raise BadEvent(f"{missing[0]} is missing")
    return checked(Event(**{**fields, "time": microseconds(fields["time"])}))


def timestamp(time: int) -> str:
    """Microseconds → `2026-11-18T09:30:00.000000Z`."""
    seconds, micros = divmod(time, 1_000_000)
    return clock.strftime("%Y-%m-%dT%H:%M:%S", clock.gmtime(seconds)) + f".{micros:06d}Z"


def microseconds(stamp: object) -> int:
    """An ISO 8601 time with its zone, or a number of microseconds, → microseconds."""
    if type(stamp) is int:
        return stamp
    from datetime import UTC, datetime

    try:
        when = datetime.fromisoformat(str(stamp))
        if when.tzinfo is None:
            raise BadEvent("time has no zone")
        since = when - datetime(1970, 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError) as exc:
        raise BadEvent("time is not ISO 8601") from exc
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def _with_storable_text(event: Event) -> tuple[Event, str]:
    """PostgreSQL holds no NUL and UTF-8 no lone surrogate: both become U+FFFD before anything is stored anywhere."""
    try:
        text = body_text(event)
    except (TypeError, ValueError, RecursionError) as exc:
        raise BadEvent(f"body is not JSON: {str(exc)[:80]}") from exc
    try:
        data, clean = text.encode(), "\\u0000" not in text
    except UnicodeEncodeError:
        data, clean = text.encode("utf-8", "surrogatepass"), False
    if len(data) > MAX_LINE - 4096:
        raise BadEvent(f"body is larger than {MAX_LINE // 1024 // 1024} MiB")
    if text.count("[") + text.count("{") > MAX_DEPTH and _deeper(event.body, MAX_DEPTH):
        raise BadEvent(f"body is nested deeper than {MAX_DEPTH} levels")
    if clean:
        return event, text
    event = event._replace(body=_storable(event.body))
    return event, body_text(event)


def _deeper(value: Any, levels: int) -> bool:
    """Whether a body has more than so many levels; never goes further down than that."""
    if not isinstance(value, (dict, list, tuple)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_deeper(item, levels - 1) for item in inner)


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_storable(k): _storable(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable(v) for v in value]
    return value
