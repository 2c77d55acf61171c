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

from engrain.redact.engine import Marks
from engrain.redact.home import homeless
from engrain.redact.rule import compiled, vocabulary
from engrain.redact.sensitive import sensitive
from engrain.redact.shell import PROGRAM, SHOWN, USED, WRITTEN, files
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

REDACTED, IGNORED, SENSITIVE = "redacted", "ignored", "sensitive"

_PATHS = (
    "file_path",
    "path",
    "notebook_path",
    "filename",
    "file",
    "target_file",
    "absolute_path",
    "relative_path",
    "uri",
    "filePath",
    "paths",
    "files",
    "file_paths",
)
_COMMANDS = ("command", "cmd", "command_line", "script", "input", "patch", "code")
_BODIES = vocabulary(
    """
    content contents new_string old_string new_str old_str edits text new_source file_text insert_text body
    patch diff code_edit instructions replacement
    """
)
_TELLS_ALL = (
    r"(?:^|[;&|(`]\s*|\bsudo\s+|\bthen\s+|\bdo\s+|\s-c\s+[\"']?)(?:printenv|env|set|export"
    r"|export\s+-p|declare\s+-x\w*|compgen\s+-v"
    r"|gci\s+env:|get-childitem\s+env:|dir\s+env:)\s*(?:$|[;&|)\n`\"'<>])"
)
_TELLS_ONE = (
    r"\b(?:gh\s+auth\s+token|gcloud\s+auth\s+(?:application-default\s+)?print-\w+|aws\s+"
    r"(?:configure\s+get|secretsmanager\s+get-secret-value"
    r"|ssm\s+get-parameters?\b[^\n]{0,200}--with-decryption|sts\s+(?:get-session-token"
    r"|assume-role)|ecr\s+get-login-password|configure\s+export-credentials)"
    r"|az\s+account\s+get-access-token|az\s+keyvault\s+secret\s+show|az\s+\w+\s+keys?\s+list"
    r"|op\s+(?:read|item\s+get)|vault\s+(?:kv\s+get|read|token)"
    r"|pass\s+show|security\s+find-(?:generic|internet)-password|secret-tool\s+lookup"
    r"|kubectl\s+get\s+secrets?\b|kubectl\s+config\s+view[^\n]{0,80}--raw"
    r"|doppler\s+secrets|heroku\s+config\b|terraform\s+(?:output|state\s+(?:show|pull))"
    r"|sops\s+(?:-d|--decrypt|decrypt)|gpg\s+[^\n]{0,80}(?:-d\b|--decrypt|--export-secret)"
    r"|ansible-vault\s+(?:view|decrypt)|git\s+credential\s+fill|npm\s+token|bw\s+get"
    r"|lpass\s+show|pulumi\s+config\s+get|openssl\s+gen(?:rsa|pkey)|ssh-keygen\s+-y|"
    r"wg\s+genkey)\b"
)


def kept(
    given: dict[str, Any],
    output: Any,
    *,
    ignored: Callable[[str], bool] = lambda _: False,
    home: str = "",
    marks: Marks | None = None,
) -> Kept:
    """What may be kept of a call of a tool with the input `given` that answered `output`."""
    marks = Marks() if marks is None else marks
    commands = [str(given[key]) for key in _COMMANDS if isinstance(given.get(key), str)]
    paths = list(_named_paths(given))
    named = [pair for command in commands for pair in files(command)]
    for path in (*paths, *(word for word, how in named if how not in (USED, PROGRAM))):
        if reason := sensitive(path):
            return _hidden(reason, given, marks, home)
    if reason := _telling(commands):
        return Kept(SENSITIVE, reason, _tidy(clean_value(given, marks), home), None, marks.found)
    for path in paths:
        if ignored(path):
            return Kept(IGNORED, "ignored by git", _outline(given, marks, home), sized(output), marks.found)
    shown = {how for word, how in named if how in (SHOWN, WRITTEN) and _a_path(word) and ignored(word)}
    if shown:
        given = {**given, **{key: _program(str(given[key])) for key in _COMMANDS if WRITTEN in shown and key in given}}
        cleaned = _tidy(clean_value(given, marks), home)
        return Kept(IGNORED, "a file that git ignores", cleaned, sized(output), marks.found)
    cleaned = _tidy(clean_value(given, marks), home)
    return Kept(REDACTED, "", cleaned, _tidy(clean_value(output, marks), home), marks.found)


def hashed(path: str) -> str:
    """The same path gives the same hash, and the hash does not give the path back; its ending stays out of it."""
    from hashlib import sha256

    return "path:" + sha256(os.path.normpath(path).encode("utf-8", "replace")).hexdigest()[:32]


def _hidden(reason: str, given: dict[str, Any], marks: Marks, home: str) -> Kept:
    """Paths as hashes, no bodies, no output; of a command its program alone."""
    shown: dict[str, Any] = {}
    for key, value in given.items():
        if key in _PATHS:
            shown[key] = hashed(value) if isinstance(value, str) else [hashed(str(item)) for item in value or ()]
        elif key in _COMMANDS and isinstance(value, str):
            shown[key] = _program(value)
        elif key not in _BODIES and isinstance(value, (int, float, bool)):
            shown[key] = value
    return Kept(SENSITIVE, reason, _tidy(clean_value(shown, marks), home), None, marks.found)


def _program(command: str) -> str:
    """What is run and nothing else: any word behind it could be a path or a value."""
    first = (command.split(None, 1) or [""])[0]
    return f"{first} …" if compiled(r"[A-Za-z][A-Za-z0-9_.+-]{0,24}$").match(first) and not sensitive(first) else "…"


def _outline(given: dict[str, Any], marks: Marks, home: str) -> dict[str, Any]:
    """Everything but the bodies, which are their sizes."""
    shown = {key: value for key, value in given.items() if key not in _BODIES}
    sizes = {f"{key}_size": _size(value) for key, value in given.items() if key in _BODIES}
    return {**_tidy(clean_value(shown, marks), home), **sizes}


def _named_paths(given: dict[str, Any]) -> Iterator[str]:
    for key in _PATHS:
        value = given.get(key)
        if isinstance(value, str):
            yield value.removeprefix("file://")
        elif isinstance(value, (list, tuple)):
            yield from (str(item).removeprefix("file://") for item in value if isinstance(item, str))
    edits = given.get("edits")
    if isinstance(edits, (list, tuple)):
        for edit in edits:
            if isinstance(edit, dict):
                yield from _named_paths(edit)


def _a_path(word: str) -> bool:
    return 1 < len(word) < 1024 and not word.startswith("-") and ("." in word or "/" in word) and "\n" not in word


def _telling(commands: list[str]) -> str:
    """Commands whose answer is made of secrets though no file is named."""
    for command in commands:
        if compiled(_TELLS_ALL).search(command.lower()):
            return "prints the environment"
        if compiled(_TELLS_ONE).search(command):
            return "prints a secret"
    return ""


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
