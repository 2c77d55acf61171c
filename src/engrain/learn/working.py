"""Working memory: what a session has in hand, as a function of its events.

    task      what was asked last                    files     the 50 files that it used last, the latest first
    tests     its last 100 test results, in order    changes   files changed and not committed yet

It ends with its session: once that has ended there is nothing in hand (`in_hand`); what it left behind, unfinished
work above all, is told apart (`left`). There is no table of it: its events are the truth, and any change of what is
said here holds for old sessions too.

Not seen: files that a shell reads by other ways than the usual ones, and what is changed by what it runs.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping
from posixpath import join, normpath
from typing import Any, NamedTuple

from engrain.capture.session import SHELLS
from engrain.event import PROMPT, REPLY, SESSION_END, TOOL_CALL, Event
from engrain.learn.commands import ended, parts
from engrain.learn.deeds import said, written_by
from engrain.learn.line import simple_commands
from engrain.learn.reading import fields, text
from engrain.learn.testing import Result, results
from engrain.patterns import compiled

MOST_FILES, MOST_RESULTS = 50, 100
MOST_TASK = 4000

_FILES = ("file_path", "notebook_path", "filePath", "absolute_path", "target_file", "path")
_LOOKERS = frozenset(["Grep", "Glob", "LS"])
_CARRIED = frozenset(
    key + size
    for key in (
        "content", "edits", "file_text", "newString", "new_source", "new_str", "new_string", "new_text", "oldString",
        "old_str", "old_string", "old_text",
    )
    for size in ("", "_size")
)  # fmt: skip
"""Arguments of a call that changes a file; of what was carried beside the journal the size stays."""

_SHOWS = frozenset(["cat", "bat", "head", "tail", "less", "more", "nl", "sed"])
_PATH = r"[\w./@+~-]*[\w@+~-]\.\w{1,10}|[\w.@+~-]*/[\w./@+~-]+"
_COMMITS = r"git(?: -[Cc] \S+| --[\w-]+(?:=\S+)?)* commit\b(?!.* --dry-run\b)"
_COMMITTED = r"(?m)^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] "


class File(NamedTuple):
    """A file that a session used, when it did last, and how often it read and changed it."""

    path: str
    time: int
    read: int = 0
    changed: int = 0


class Tested(NamedTuple):
    """How a test went (`number` of them, where its runner names none), when, and which command ran it."""

    name: str
    outcome: str
    file: str
    number: int
    time: int
    command: str


class Working(NamedTuple):
    """What a session has in hand. `answered` is whether the agent said something since it was asked."""

    task: str = ""
    asked: int = 0
    answered: bool = False
    files: tuple[File, ...] = ()
    tests: tuple[Tested, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def failing(self) -> tuple[Tested, ...]:
        """The tests whose last run did not go well."""
        last = {(each.name, each.file): each for each in self.tests if each.name or each.file}
        return tuple(each for each in last.values() if each.outcome in ("failed", "error"))


def in_hand(events: Iterable[Event]) -> Working:
    """What a session has in hand now; its events come in their order."""
    hand = _Hand()
    for event in events:
        if event.kind == SESSION_END:
            hand = _Hand()
        else:
            hand.take(event)
    return hand.shown()


def left(events: Iterable[Event], *, tests: bool = True) -> Working:
    """What a session had in hand at its end, or has now where it goes on; without `tests` it is told much sooner."""
    hand = _Hand(tests=tests)
    for event in events:
        hand.take(event)
    return hand.shown()


class _Hand:
    """The state that events are folded into."""

    def __init__(self, *, tests: bool = True) -> None:
        self._reads = tests
        self._task, self._asked, self._answered = "", 0, False
        self._files: OrderedDict[str, File] = OrderedDict()
        self._tests: deque[Tested] = deque(maxlen=MOST_RESULTS)
        self._changes: dict[str, None] = {}

    def take(self, event: Event) -> None:
        if event.kind == PROMPT:
            self._task, self._asked, self._answered = text(event, "text", MOST_TASK), event.time, False
        elif event.kind == REPLY and not text(event, "subagent"):
            self._answered = True
        elif event.kind == TOOL_CALL and not any(event.body.get(key) for key in ("refused", "interrupted")):
            self._called(event)

    def _called(self, event: Event) -> None:
        given, cwd = fields(event, "input"), text(event, "cwd")
        line = _line(event, given)
        if line:
            self._ran(event, line, cwd)
            told = results(line, text(event, "output")) if self._reads else ()
            self._tests.extend(_tested(each, event.time, line) for each in told)
        elif event.body.get("failed") is not True and text(event, "tool") not in _LOOKERS:
            self._used(given, cwd, event.time)

    def _used(self, given: Mapping[str, Any], cwd: str, time: int) -> None:
        path = next((given[key] for key in _FILES if isinstance(given.get(key), str) and given[key]), "")
        if path:
            self._touch(_placed(path, cwd), time, changed=not _CARRIED.isdisjoint(given))

    def _ran(self, event: Event, line: str, cwd: str) -> None:
        """What a line wrote before something in it failed is written."""
        for path in _shown_by(line):
            self._touch(_placed(path, cwd), event.time, changed=False)
        for edit in written_by(line):
            self._touch(_placed(edit.file, cwd), event.time, changed=True)
        if _commits(line, event.body.get("exit"), text(event, "output")):
            self._changes.clear()

    def _touch(self, path: str, time: int, *, changed: bool) -> None:
        before = self._files.pop(path, File(path, time))
        self._files[path] = File(path, time, before.read + (not changed), before.changed + changed)
        if len(self._files) > MOST_FILES:
            self._files.popitem(last=False)
        if changed:
            self._changes.pop(path, None)
            self._changes[path] = None

    def shown(self) -> Working:
        files = tuple(reversed(self._files.values()))
        return Working(self._task, self._asked, self._answered, files, tuple(self._tests), tuple(self._changes))


def _line(event: Event, given: Mapping[str, Any]) -> str:
    """The command whose output this is: a shell's own, or the one that it ran on with until now."""
    continued = fields(event, "continues")
    if continued:
        return said(continued) if "exit" in event.body else ""
    return said(given) if text(event, "tool") in SHELLS or "*** Begin Patch" in said(given) else ""


def _tested(each: Result, time: int, line: str) -> Tested:
    return Tested(each.name, each.outcome, each.file, each.number, time, line[:400])


def _placed(path: str, cwd: str) -> str:
    """The path as seen from nowhere in particular."""
    return normpath(path if path[:1] in "/~" or path[1:3] in (":\\", ":/") else join(cwd, path))


def _shown_by(line: str) -> list[str]:
    """The files that the usual commands show: `cat a.py`, `sed -n 1,80p a.py`."""
    found = []
    for simple in simple_commands(line)[0]:
        words = simple.words
        if words[0] not in _SHOWS or (words[0] == "sed" and "-n" not in words):
            continue
        rest = words[3:] if words[0] == "sed" else words[1:]
        found += [word for word in rest if compiled(_PATH).fullmatch(word)]
    return found


def _commits(line: str, code: object, output: str) -> bool:
    """Whether the line committed: git says so, or the line ended as it does when all went well."""
    done = [part for part in parts(line) if compiled(_COMMITS).match(part)] if "commit" in line else []
    if not done:
        return False
    return compiled(_COMMITTED).search(output) is not None or (
        type(code) is int and ended(done[-1], line, code) is True
    )
