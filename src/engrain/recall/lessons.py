"""Lessons: a call that an agent is about to make, or has made → the rules that fire at it, every one of them.

    found = firing(look, who, Call("Bash", "git push --force origin main"))
    found.lessons    the most severe first
    found.stopped    rules whose expression took too long: to be recorded (`stopped`), so that a person sees them

What comes in is `look`, a function that answers named questions. Rules share no key with most calls (`learn.trigger`),
so that thousands cost a few thousandths of a second. A rule that was stopped is not tried again until somebody accepts
it anew, and it is named by `engrain doctor` and `engrain lesson review` until then. Proposed lessons, which were mined
or came with a repository, never fire before they are accepted. On the hook's path.
"""

from __future__ import annotations

from collections import namedtuple

from engrain import event as events
from engrain import light
from engrain.event import EVERYWHERE, LESSON_FIRED, LESSON_STATE
from engrain.learn.trigger import AFTER, BEFORE, Call, Trigger, keys_of, names, reaches, seen
from engrain.patterns import compiled
from engrain.recall.bounded import Clock
from engrain.recall.told import WIDTH, one_line
from engrain.redact import asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NamedTuple

    from engrain.event import Event

    Look = Callable[[str, dict[str, Any]], list[tuple[Any, ...]]]

    class Who(NamedTuple):
        """Who asks, and where: `projects` are all ids of the project."""

        tenant: str
        projects: Sequence[str]

    class Row(NamedTuple):
        """A lesson as the store has it, with what was last decided of it."""

        project: str
        lesson: str
        text: str
        tool: str
        command: str
        path: str
        input: str
        output: str
        phase: str
        severity: str
        source: str
        risky: int
        state: str

    class Lesson(NamedTuple):
        """A rule that fires; `because` says what of the call it fires at."""

        id: str
        text: str
        severity: str
        source: str
        everywhere: bool
        because: str

    class Stopped(NamedTuple):
        """A rule that was stopped, and why."""

        id: str
        project: str
        why: str

    class Fired(NamedTuple):
        """All that fires at a call, and what had to be stopped."""

        lessons: tuple[Lesson, ...]
        stopped: tuple[Stopped, ...]
else:
    Who = namedtuple("Who", "tenant projects")
    Row = namedtuple("Row", "project lesson text tool command path input output phase severity source risky state")
    Lesson = namedtuple("Lesson", "id text severity source everywhere because")
    Stopped = namedtuple("Stopped", "id project why")
    Fired = namedtuple("Fired", "lessons stopped")

INFO, WARNING, DANGER = SEVERITIES = ("info", "warning", "danger")
PROPOSED, ACTIVE, RETIRED, STOPPED = STATES = ("proposed", "active", "retired", "stopped")

_MANY_KEYS = 800
"""Of so many keys it is quicker to look first which of them any rule has."""

_ORDER = {DANGER: 0, WARNING: 1, INFO: 2}
_SIGNS = frozenset("\\.^$*+?{}[]|()")


def firing(look: Look, who: Who, call: Call) -> Fired:
    """Every lesson that fires at this call."""
    rows = {row.lesson: row for row in candidates(look, who, call) if row.state == ACTIVE}
    seen_call = call._replace(command=seen(call.command), input=seen(call.input), output=seen(call.output))
    fired, stopped = [], []
    with Clock() as clock:
        # What might never end comes last: it takes no time from what is sound.
        for row in sorted(rows.values(), key=lambda row: row.risky):
            because = matches(row, seen_call, clock) if clock.works or not row.risky else None
            if because is None:
                stopped.append(Stopped(row.lesson, row.project, _why(row, seen_call, clock)))
            elif because:
                fired.append(_lesson(row, because))
    return Fired(tuple(sorted(fired, key=_rank)), tuple(stopped))


def candidates(look: Look, who: Who, call: Call) -> list[Row]:
    """The lessons that share a key with this call, whatever was decided of them."""
    keys = keys_of(call)
    projects = [*who.projects, EVERYWHERE]
    if len(keys) > _MANY_KEYS:
        args = {"tenant": who.tenant, "from": f"{call.phase} ", "to": f"{call.phase}!", "projects": projects}
        keys &= {row[0] for row in look("lesson_keys", args)}
    args = {"tenant": who.tenant, "keys": sorted(keys), "projects": projects}
    return [Row._make(row) for row in look("lessons_by_keys", args)]


def matches(rule: Row | Trigger, call: Call, clock: Clock) -> str | None:
    """What of the call the rule fires at; nothing where it does not, None where that took too long."""
    if rule.phase != call.phase or (rule.tool and not names(rule.tool, call.tool)):
        return ""
    because = f"phase {rule.phase}" if not rule.tool else f"tool {call.tool}"
    if rule.path:
        path = next((path for path in call.paths if reaches(rule.path, path)), "")
        if not path:
            return ""
        because = f"path {path}"
    for name in ("output", "input", "command"):
        if pattern := getattr(rule, name):
            found = _found(pattern, getattr(call, name), clock)
            if not found:
                return None if found is None else ""
            because = f"{name} {pattern}"
    return because


def _found(pattern: str, text: str, clock: Clock) -> bool | None:
    """As `re.search`, in time; a plain text needs no expression."""
    if not text:
        return False
    if _SIGNS.isdisjoint(pattern):
        return pattern in text
    return clock.found(_without_head(pattern), text)


def _without_head(pattern: str) -> str:
    """A leading `.*` says nothing, but makes each place of a text be tried from each other."""
    rest = pattern[2:].removeprefix("?") if pattern.startswith(".*") else pattern
    return pattern if rest[:1] in ("+", "*", "{") else rest


def _why(row: Row, call: Call, clock: Clock) -> str:
    long = max(len(getattr(call, name)) for name in ("command", "input", "output") if getattr(row, name))
    if not clock.works and row.risky:
        return "its expression repeats what repeats, and could not be stopped where it was asked for"
    return f"its expression took too long on a text of {long} characters"


def _lesson(row: Row, because: str) -> Lesson:
    return Lesson(row.lesson, row.text, row.severity, row.source, row.project == EVERYWHERE, because)


def _rank(lesson: Lesson) -> tuple[int, bool, str]:
    return _ORDER.get(lesson.severity, 1), lesson.everywhere, lesson.id


# What a call is


def call_of(tool: str, given: Any, *, phase: str = BEFORE, output: Any = "") -> Call:
    """A tool call as an agent makes it: its command, the files that it names, what it writes."""
    commands = list(asked.commands(given))[:1]
    command = commands[0] if commands else ""
    paths = [*asked.paths(given), *_in_patch(command), *_in_command(command)]
    said = output if isinstance(output, str) else "" if output is None else _json(output)
    return Call(tool, command, tuple(dict.fromkeys(paths)), "\n".join(_written(given)), said, phase)


def _written(given: Any) -> list[str]:
    if not isinstance(given, dict):
        return []
    found = []
    for key, value in given.items():
        if asked.content(str(key)) and not str(key).lower().replace("_", "").startswith("old"):
            found.append(value if isinstance(value, str) else _json(value))
    return found


def _in_patch(command: str) -> list[str]:
    if "*** Begin Patch" not in command:
        return []
    return compiled(r"(?m)^\*\*\* (?:Add|Update|Delete|Move to)[^:\n]*: (.+)$").findall(command)


def _in_command(command: str) -> list[str]:
    """Words of a command that may be files."""
    words = [word.strip("\"'`,;:()=<>") for word in command[:4000].split()[:200]]
    return [word for word in words if ("/" in word or "." in word[1:]) and not word.startswith("-")]


def _json(value: Any) -> str:
    try:
        return light.dumps(value)
    except (TypeError, ValueError):
        return str(value)


# What is told and recorded of it


def line(lesson: Lesson) -> str:
    """A lesson in one line, with where it comes from."""
    where = "everywhere" if lesson.everywhere else "this project"
    return f"{lesson.severity}: {one_line(lesson.text, 2 * WIDTH)} (lesson {lesson.id}, {lesson.source}, {where})"


def fired_event(
    found: Fired, call: Call, name: str, *, project: str, tenant: str, session: str, agent: str, time: int | None = None
) -> Event:
    """The event that says which lessons fired at a call; `name` is the agent's own id of the call."""
    body = {"lessons": [each.id for each in found.lessons], "call": name, "tool": call.tool, "phase": call.phase}
    id_ = events.id_of(LESSON_FIRED, agent, session, name, call.phase) if name else None
    return events.make(
        LESSON_FIRED, body, project=project, tenant=tenant, session=session, agent=agent, time=time, id=id_
    )


def stopped_events(found: Fired, *, tenant: str, session: str = "", agent: str = "") -> list[Event]:
    """The events that set rules aside that were stopped."""
    return [
        events.make(
            LESSON_STATE, {"lesson": each.id, "state": STOPPED, "why": each.why}, project=each.project, tenant=tenant,
            session=session, agent=agent,
        )
        for each in found.stopped
    ]  # fmt: skip


__all__ = [
    "AFTER", "BEFORE", "Call", "Fired", "Lesson", "Stopped", "Who", "call_of", "fired_event", "firing", "line",
    "matches", "stopped_events",
]  # fmt: skip
