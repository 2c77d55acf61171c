"""What may be kept of one tool call.

    SENSITIVE   it touches a file of `sensitive`: the path becomes a hash, content and output are dropped
    IGNORED     it touches a file that git ignores: path and size remain
    REDACTED    anything else: everything, redacted

Pure: who asks brings the facts, and a function that says what git ignores. A shell command is read for the files it
names, as the shell would split it; where the command itself carries content (a heredoc, `echo … > .env`), that content
is dropped with it. When in doubt less is kept.
"""

from __future__ import annotations

import os
from collections import namedtuple

from engrain.light import sha256
from engrain.patterns import compiled
from engrain.redact import asked
from engrain.redact.engine import Marks
from engrain.redact.home import homeless
from engrain.redact.sensitive import sensitive
from engrain.redact.shell import PROGRAM, SHOWN, USED, WRITTEN, files
from engrain.redact.shown import searches, without_hidden
from engrain.redact.telling import telling
from engrain.redact.value import clean_value, each_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NamedTuple

    class Kept(NamedTuple):
        """The input and output that may be written; `level` and `reason` say why, `found` counts what was redacted."""

        level: str
        reason: str
        input: dict[str, Any]
        output: Any
        found: dict[str, int]
else:
    Kept = namedtuple("Kept", "level reason input output found")

_MOST_FILES = 60
"""Of the files of one search; what git says of more would keep an agent waiting, so they are not shown."""

REDACTED, IGNORED, SENSITIVE = "redacted", "ignored", "sensitive"


def kept(
    given: dict[str, Any],
    output: Any,
    *,
    ignored: Callable[[str], bool] = lambda _: False,
    real: Callable[[str], str] = lambda path: path,
    home: str = "",
    marks: Marks | None = None,
) -> Kept:
    """What may be kept of a call of a tool with the input `given` that answered `output`."""
    marks = Marks() if marks is None else marks
    commands = list(asked.commands(given))
    paths = [*asked.paths(given), *_answered(output)]
    named = list(dict.fromkeys(pair for command in commands for pair in files(command)))
    touched = (word for word, how in named if how not in (USED, PROGRAM) or (how == PROGRAM and _no_program(word)))
    links = (real(word) for word in (*paths, *(word for word, how in named if how == SHOWN)))
    for path in (*paths, *asked.others(given), *touched, *links):
        if reason := sensitive(path):
            return _hidden(reason, given, marks, home)
    if reason := next(filter(None, map(telling, commands)), ""):
        return Kept(SENSITIVE, reason, _tidy(clean_value(given, marks), home), None, marks.found)
    for path in paths:
        if ignored(path):
            return Kept(IGNORED, "ignored by git", _outline(given, marks, home), sized(output), marks.found)
    shown = {how for word, how in named if how in (SHOWN, WRITTEN) and _a_path(word) and ignored(word)}
    if shown:
        given = _programs(given) if WRITTEN in shown else given
        cleaned = _tidy(clean_value(given, marks), home)
        return Kept(IGNORED, "a file that git ignores", cleaned, sized(output), marks.found)
    cleaned = _tidy(clean_value(given, marks), home)
    return Kept(
        REDACTED, "", cleaned, _tidy(clean_value(_shown(given, commands, output, ignored), marks), home), marks.found
    )


def _shown(given: dict[str, Any], commands: list[str], output: Any, ignored: Callable[[str], bool]) -> Any:
    """The output without what it shows of sensitive and ignored files that the input does not name."""
    names: dict[str, str] = {}
    asked_of: list[str] = []

    def called(path: str) -> str:
        if path not in names:
            names[path] = hashed(path) if sensitive(path) else path if hidden(path) else ""
        return names[path]

    def hidden(path: str) -> bool:
        if not _a_path(path) or " " in path or ("/" not in path and "." not in path):
            return False
        asked_of.append(path)
        return len(asked_of) > _MOST_FILES or ignored(path)

    return without_hidden(output, called, searched=searches(given, commands))


def hashed(path: str) -> str:
    """The same path gives the same hash, and the hash does not give the path back; its ending stays out of it."""
    return "path:" + sha256(os.path.normpath(path).encode("utf-8", "replace"))[:32]


def _hidden(reason: str, given: dict[str, Any], marks: Marks, home: str) -> Kept:
    """Paths as hashes, no bodies, no output; of a command its program alone."""
    shown = {key: left for key, value in given.items() if (left := _without_words(key, value)) is not None}
    return Kept(SENSITIVE, reason, _tidy(clean_value(shown, marks), home), None, marks.found)


def _without_words(key: str, value: Any) -> Any:
    """What stays of one argument that may name a sensitive file or carry its content; None for nothing."""
    if not key.isidentifier() or asked.content(key):
        return None
    if isinstance(value, (int, float)):
        return value
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        return None
    if asked.command(key):
        return _program(" ".join(texts))
    if asked.file(key):
        return hashed(value) if isinstance(value, str) else [hashed(text) for text in texts]
    return None


def _programs(given: dict[str, Any]) -> dict[str, Any]:
    """The input with every command cut down to its program."""
    return {key: _outlined(key, value) if asked.command(key) else value for key, value in given.items()}


def _program(command: str) -> str:
    """What is run and nothing else: any word behind it could be a path or a value."""
    first = (command.split(None, 1) or [""])[0]
    return f"{first} …" if compiled(r"[A-Za-z][A-Za-z0-9_.+-]{0,24}$").match(first) and not sensitive(first) else "…"


def _outline(given: dict[str, Any], marks: Marks, home: str) -> dict[str, Any]:
    """Paths, numbers, programs, and the size of everything else."""
    shown: dict[str, Any] = {}
    for key, value in given.items():
        left = _outlined(key, value)
        if left is None:
            shown[f"{key}_size"] = _size(value)
        else:
            shown[key] = left
    return dict(_tidy(clean_value(shown, marks), home))


def _outlined(key: str, value: Any) -> Any:
    if isinstance(value, (int, float)):
        return value
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        return None
    if asked.command(key):
        return _program(" ".join(texts))
    return value if asked.file(key) else None


def _answered(output: Any) -> Iterator[str]:
    """Files that an answer says it is of."""
    return asked.paths(output) if isinstance(output, dict) else iter(())


def _no_program(word: str) -> bool:
    """Where a program is looked for stands a file: `open('.env')` in a heredoc."""
    name = word.rpartition("/")[2]
    return "." in name and not name.endswith(".sh")


def _a_path(word: str) -> bool:
    return 1 < len(word) < 1024 and not word.startswith("-") and "\n" not in word


def _tidy(value: Any, home: str) -> Any:
    """User names and home folders out of every text."""
    return each_text(value, lambda text: homeless(text, home))


def sized(value: Any) -> Any:
    """The size of an output in its place; one that is a size already stays."""
    if isinstance(value, dict) and value.keys() == {"size"} and isinstance(value["size"], int):
        return value
    return {"size": _size(value)}


def _size(value: Any) -> int:
    """Bytes of a text or of the texts in a value."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "replace"))
    if isinstance(value, dict):
        return sum(_size(item) for item in value.values())
    return sum(_size(item) for item in value) if isinstance(value, (list, tuple)) else 0
