"""Reflect: the events of a session → what went round in circles, each finding with its evidence.

    reopened       a file that was read again and again, though nothing in it had changed
    looping        one command that failed in the same way again, with nothing changed in between
    exploring      many files read before the first was changed, or without any that was
    untested       files that were changed after the last test ran

Counts are those of what was recorded; nothing is estimated. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from engrain.event import PROMPT, TOOL_CALL, Event
from engrain.learn.deeds import call_of
from engrain.learn.kinds import is_test
from engrain.learn.reading import fields, text
from engrain.learn.working import File, left

REOPENED, LOOPING, EXPLORING, UNTESTED = "reopened_files", "looping", "over_exploration", "untested_edits"

TIMES_REOPENED, TIMES_FAILED, MANY_FILES = 3, 3, 15
MOST_EVIDENCE = 20
_CODELESS = (".md", ".rst", ".txt", ".adoc", ".json", ".toml", ".yaml", ".yml", ".lock", ".css", ".svg", ".html")


class Finding(NamedTuple):
    """What was found, of what, how often, and the ids of the calls that show it."""

    what: str
    about: str
    times: int
    evidence: tuple[str, ...]


class _Step(NamedTuple):
    """A call: the files that it read and changed, and how it failed."""

    id: str
    read: tuple[str, ...]
    changed: tuple[str, ...]
    tested: bool
    command: str
    failure: str


def findings(session: Iterable[Event]) -> list[Finding]:
    """What there is to say of the calls of a session or a part of it, in their order."""
    steps = [_step(event) for event in session if event.kind == TOOL_CALL and not event.body.get("refused")]
    return [*_reopened(steps), *_looping(steps), *_exploring(steps), *_untested(steps)]


def since_asked(session: Sequence[Event]) -> list[Event]:
    """What happened since somebody asked last."""
    places = [place for place, event in enumerate(session) if event.kind == PROMPT]
    return list(session[places[-1] :]) if places else list(session)


def _step(event: Event) -> _Step:
    hand, call = left([event]), call_of(event, {})
    failed = call.failure.get("fingerprint") or (text(event, "output", 400) if call.failed else "")
    read = tuple(each.path for each in hand.files if each.read and _is_whole(event, each))
    changed = tuple(each.path for each in hand.files if each.changed)
    return _Step(event.id, read, changed, bool(hand.tests), call.key, str(failed) if call.command else "")


def _is_whole(event: Event, _: File) -> bool:
    """Whoever reads another part of a file reads something new."""
    given = fields(event, "input")
    return not any(given.get(name) for name in ("offset", "limit", "start_line", "end_line"))


def _reopened(steps: Sequence[_Step]) -> Iterator[Finding]:
    reads: dict[str, list[str]] = {}
    most: dict[str, list[str]] = {}
    for step in steps:
        for path in step.changed:
            # What was changed has to be looked at anew.
            reads.pop(path, None)
        for path in step.read:
            reads.setdefault(path, []).append(step.id)
            most[path] = max(most.get(path, []), reads[path], key=len).copy()
    yield from _sorted(REOPENED, most, TIMES_REOPENED)


def _looping(steps: Sequence[_Step]) -> Iterator[Finding]:
    runs: dict[tuple[str, str], list[str]] = {}
    most: dict[str, list[str]] = {}
    for step in steps:
        if step.changed:
            runs.clear()
        if step.failure:
            same = runs.setdefault((step.command, step.failure), [])
            same.append(step.id)
            most[step.command] = max(most.get(step.command, []), same, key=len).copy()
    yield from _sorted(LOOPING, most, TIMES_FAILED)


def _exploring(steps: Sequence[_Step]) -> Iterator[Finding]:
    first = next((place for place, step in enumerate(steps) if step.changed), len(steps))
    read: dict[str, str] = {}
    for step in steps[:first]:
        for path in step.read:
            read.setdefault(path, step.id)
    if len(read) > MANY_FILES:
        about = "before the first change" if first < len(steps) else "and nothing was changed"
        yield Finding(EXPLORING, about, len(read), tuple(read.values())[:MOST_EVIDENCE])


def _untested(steps: Sequence[_Step]) -> Iterator[Finding]:
    last = max((place for place, step in enumerate(steps) if step.tested), default=-1)
    edits: dict[str, list[str]] = {}
    for step in steps[last + 1 :]:
        for path in step.changed:
            if not path.endswith(_CODELESS) and not is_test(path):
                edits.setdefault(path, []).append(step.id)
    yield from _sorted(UNTESTED, edits, 1)


def _sorted(what: str, found: dict[str, list[Any]], least: int) -> Iterator[Finding]:
    for about, ids in sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        if len(ids) >= least:
            yield Finding(what, about, len(ids), tuple(ids[:MOST_EVIDENCE]))
