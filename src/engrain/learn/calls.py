"""What follows from a tool call, a command or a prompt: one row each, in one form, whoever told of it.

A command is a call without a tool: somebody ran it under `engrain watch`. What a row says of a command that ran on
(`continues`) is how it ended, because the call that started it did not see that.
"""

from __future__ import annotations

import re
from typing import Any

from engrain.capture.session import SHELLS
from engrain.event import FAILURE, Event
from engrain.learn.reading import fields, text
from engrain.store.tables import Row

NAME, PATH, LINE, SAID = 200, 1000, 8000, 4000
"""Characters of a name, a path, a command and a prompt that a row has."""

_FILES = ("file_path", "notebook_path", "filePath", "path")
_LOOKERS = frozenset(["Grep", "Glob", "LS"])
"""Tools whose `path` is where they look, not what they touch."""

_WATCHES = re.compile(r"\bengrain\s+watch\b")
_KNOWN_LENGTH, _UNKNOWN_LENGTH = 1, 2
_LONGEST = 1_000_000_000.0


def called(event: Event) -> list[Row]:
    """A tool that an agent used."""
    body = event.body
    tool = text(event, "tool", NAME)
    given, continued = fields(event, "input"), fields(event, "continues")
    line = _line(tool, given, continued, ended="exit" in body)
    seconds = _seconds(body.get("seconds"))
    values = {
        "started": max(0, event.time - round((seconds or 0) * 1e6)),
        "tool": tool or "?",
        "call": text(event, "call", NAME),
        "command": line[:LINE],
        "path": _path(tool, given)[:PATH],
        "failed": int(body.get("failed") is True),
        "refused": int(body.get("refused") is True),
        "unanswered": int(body.get("unanswered") is True),
        "of": _word(continued.get("call"))[:NAME],
        "watched": _watched(line, seconds),
    }
    return [Row("calls", {**_both(event, seconds), **values})]


def ran(event: Event) -> list[Row]:
    """A command that somebody watched; its event is of the moment when it began."""
    code, interrupted = _exit(event.body.get("exit")), event.body.get("interrupted") is True
    values = {
        "started": event.time,
        "tool": "",
        "call": "",
        "command": text(event, "command", LINE),
        "path": "",
        "failed": int(bool(code) and not interrupted),
        "refused": 0,
        "unanswered": 0,
        "of": "",
        "watched": 0,
    }
    return [Row("calls", {**_both(event, _seconds(event.body.get("seconds"))), **values})]


def asked(event: Event) -> list[Row]:
    """What somebody wanted."""
    said = text(event, "text", SAID)
    values = {"time": event.time, "session": event.session, "agent": event.agent, "text": said}
    return [Row("prompts", {**values, "prompt": text(event, "prompt", NAME)})] if said else []


def _both(event: Event, seconds: float | None) -> dict[str, Any]:
    return {
        "time": event.time,
        "session": event.session,
        "agent": event.agent,
        "cwd": text(event, "cwd", PATH),
        "exit": _exit(event.body.get("exit")),
        "interrupted": int(event.body.get("interrupted") is True),
        "fingerprint": _word(fields(event, FAILURE).get("fingerprint"))[:NAME],
        "seconds": seconds,
        "subagent": text(event, "subagent", NAME),
        "prompt": text(event, "prompt", NAME),
    }


def _line(tool: str, given: dict[str, Any], continued: dict[str, Any], *, ended: bool) -> str:
    """The command that was run: only a shell's `command` is one, and only who saw its end tells of it again."""
    if continued:
        return _word(continued.get("command")) if ended else ""
    return _word(given.get("command")) if tool in SHELLS else ""


def _path(tool: str, given: dict[str, Any]) -> str:
    if tool in _LOOKERS:
        return ""
    return next((_word(given[name]) for name in _FILES if _word(given.get(name))), "")


def _watched(line: str, seconds: float | None) -> int:
    """Whether `engrain watch` ran in the line, and told of the same command by itself."""
    if "engrain" not in line or not _WATCHES.search(line):
        return 0
    return _UNKNOWN_LENGTH if seconds is None else _KNOWN_LENGTH


def _exit(value: Any) -> int | None:
    return value if type(value) is int and abs(value) < 2**31 else None


def _seconds(value: Any) -> float | None:
    sound = type(value) in (int, float) and 0 <= value <= _LONGEST
    return float(value) if sound else None


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
