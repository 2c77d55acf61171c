"""Calls: what an agent's tool calls did, as far as a failure can be learned from them.

A call of a shell has a command and how it ended; a call of an editor has edits. Agents name tools and arguments each in
their own way, so what a call is follows from its arguments: one that has a command was a shell's, one that names a file
and carries content changed that file. A shell changes files, too: `sed -i`, `> file`, a patch that is fed to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engrain.event import FAILURE, Event
from engrain.learn.commands import key
from engrain.learn.line import simple_commands
from engrain.learn.reading import text
from engrain.patterns import compiled

MOST_TEXT = 4000
_LONGEST = 1_000_000_000.0
_OLD = ("old_string", "old_str", "oldString", "old_text")
_NEW = ("new_string", "new_str", "newString", "new_text", "content", "file_text", "new_source")
_FILES = ("file_path", "notebook_path", "path", "filePath", "absolute_path", "target_file")
_PATCHED = r"(?m)^\*\*\* (?:Update|Add) File: (.+)$"
_CODE = r"^Exit code:? (-?\d{1,3})\b"


class Edit(NamedTuple):
    """A change of a file: what stood there and what stands there now, where that is known; `whole` where a shell wrote
    all of it."""

    file: str
    old: str
    new: str
    whole: bool = False


class Call(NamedTuple):
    """One call; its `time` is when it ended. `command` is empty where it was no shell's; `exit` is None where nobody
    knows; `stream` is who of the session's agents made it; `place` is the key with the folder that it was run in, empty
    where that is not known."""

    id: str
    time: int
    command: str
    key: str
    exit: int | None
    failed: bool
    interrupted: bool
    cwd: str
    output: str
    failure: Mapping[str, Any]
    edits: tuple[Edit, ...]
    project: str = ""
    agent: str = ""
    started: int = 0
    stream: str = ""
    place: str = ""


def call_of(event: Event, carried: Mapping[str, Any]) -> Call:
    """A `tool.call` event as a call; `carried` is what lay beside the journal."""
    given = event.body.get("input")
    given = {**given, **carried} if isinstance(given, dict) else {}
    command = said(given)
    cwd, output, failure = text(event, "cwd"), text(event, "output"), event.body.get(FAILURE)
    failed = event.body.get("failed") is True
    edits = tuple(written_by(command) if command else () if failed else edited(given))
    return Call(
        event.id,
        event.time,
        command,
        key(command, "", cwd) if command else "",
        _exit(event.body.get("exit"), output, failed=failed),
        failed,
        event.body.get("interrupted") is True,
        cwd,
        output,
        failure if isinstance(failure, dict) else {},
        edits,
        event.project,
        event.agent,
        event.time - round(_seconds(event.body.get("seconds")) * 1e6),
        text(event, "subagent"),
        key(command, "/", cwd) if command and cwd[:1] == "/" else "",
    )


def said(given: Mapping[str, Any]) -> str:
    """The command of a call of a shell, however it is handed over."""
    command = given.get("command", given.get("cmd", ""))
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        shell = len(command) == 3 and command[1].startswith("-") and command[1].endswith("c")
        return str(command[2]) if shell else " ".join(command)
    return command if isinstance(command, str) else ""


def edited(given: Mapping[str, Any]) -> Iterator[Edit]:
    """The edits of a call of an editor."""
    file = next((given[name] for name in _FILES if isinstance(given.get(name), str)), "")
    several = given.get("edits")
    for each in several if isinstance(several, list) else [given]:
        if not isinstance(each, dict):
            continue
        old, new = _first(each, _OLD), _first(each, _NEW)
        if file and (new is not None or old is not None):
            yield Edit(file, (old or "")[:MOST_TEXT], (new or "")[:MOST_TEXT])


def written_by(command: str) -> Iterator[Edit]:
    """The files that a line of shell changes; what it writes into them is not looked at, but for `sed s///`."""
    if "*** Begin Patch" in command:
        yield from (Edit(file.strip(), "", "") for file in compiled(_PATCHED).findall(command))
        return
    simples, _ = simple_commands(command)
    for simple in simples:
        words = simple.words
        targets = zip(simple.to[::2], simple.to[1::2], strict=False)
        yield from (Edit(target, "", "", True) for _, target in targets if not target.startswith(("&", "$", "/dev/")))
        if words and words[0] == "sed" and any(word[:2] == "-i" for word in words):
            yield from _by_sed(words)
        if words and words[0] == "tee":
            yield from (Edit(word, "", "", True) for word in words[1:] if word[0] not in "-<")


def _by_sed(words: list[str]) -> Iterator[Edit]:
    rest = [word for word in words[1:] if word[:1] != "-"]
    files = [word for word in rest[1:] if compiled(r"[\w./@+~-]+").fullmatch(word)]
    if not files:
        return
    script = rest[0].strip("'\"")
    change = compiled(
        r"(?:\d+(?:,\d+)?)?s([/|#,])((?:\\.|(?!\1).){1,400})\1((?:\\.|(?!\1).){0,400})\1[gI\d]{0,3}"
    ).fullmatch(script)
    old, new = (_plainly(change[2]), _plainly(change[3])) if change else ("", "")
    # What a pattern only describes is not what stood there.
    known = bool(old) and not compiled(r"\.[*+]|\[|\*|\+").search(change[2] if change else "")
    yield from (Edit(file, old, new) if known else Edit(file, "", "") for file in files)


def _plainly(text: str) -> str:
    """A side of `s///` as the text that it stands for, but for a line's beginning and end."""
    told = compiled(r"\\(n|t|.)").sub(lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)
    return told.removeprefix("^").removesuffix("$")


def _seconds(value: object) -> float:
    sound = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LONGEST
    return float(value) if sound and isinstance(value, int | float) else 0.0


def _exit(code: object, output: str, *, failed: bool) -> int | None:
    """How it ended, as it is told or, where it failed, as its output says."""
    if type(code) is int:
        return code
    found = compiled(_CODE).match(output) if failed else None
    return int(found[1]) if found else None


def _first(given: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((given[name] for name in names if isinstance(given.get(name), str)), None)
