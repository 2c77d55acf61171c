"""Values: what a failure names that a step may name, too.

Beside the parameters of its fingerprint (`module`, `command` …) a failure tells which `file` it is about, a message
of something that is not there tells its `path` and the `folder` of it, and one of git its `branch`. On the hook's path.
"""

from __future__ import annotations

from posixpath import dirname

from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from engrain.model import Fingerprint

_ABSENT = r"(?i)no such file|cannot find|not found|does not exist|can't open|cannot touch|cannot open|unable to open"
_PATH = r"['\"‘]([\w./@+-]{2,160})['\"’]|:\s*([\w.@+-]*/[\w./@+-]{1,160}):"
_BRANCH = r"current branch ([\w./@+-]{1,160}) has no upstream"
_FILE = r"[\w./@+-]{1,200}\.\w{1,10}"
_SHORTEST = 3


def values(found: Fingerprint, cwd: str = "") -> dict[str, str]:
    """The parameters of a failure, with the file and the path that it names, as seen from the folder."""
    known = dict(found.parameters)
    file = from_folder(found.root.file, cwd)
    if _is_file(file):
        known["file"] = file
    said = found.root.shown or found.root.message
    branch = compiled(_BRANCH).search(said)
    if branch:
        known["branch"] = branch[1]
    path = compiled(_PATH).search(said) if compiled(_ABSENT).search(said) else None
    if path:
        where = from_folder(path[1] or path[2], cwd)
        known["path"] = where
        if dirname(where) and where[:1] != "/":
            known["folder"] = dirname(where)
    return known


def files(found: Fingerprint, cwd: str = "") -> tuple[str, ...]:
    """The files that a failure names, the one that it is about first."""
    named = (from_folder(each.file, cwd) for each in (found.root, *found.diagnostics))
    return tuple(dict.fromkeys(file for file in named if _is_file(file)))


def _is_file(file: str) -> bool:
    return compiled(_FILE).fullmatch(file) is not None and file[:1] != "/" and ".." not in file


def from_folder(path: str, cwd: str) -> str:
    """A path as it is seen from the folder."""
    folder = cwd.rstrip("/") + "/"
    return path[len(folder) :] if cwd and path.startswith(folder) else path.removeprefix("./")


def named(step: str, known: Mapping[str, str], *, inside: bool = False) -> str:
    """The step with `{name}` in place of each of these values: a whole word, or the beginning of a path; `inside` also
    its end."""
    import re

    before = r"\w@{-" if inside else r"\w@/.{-"
    for name, value in sorted(known.items(), key=lambda pair: (-len(pair[1]), pair)):
        if len(value) >= _SHORTEST and value in step:
            step = re.sub(rf"(?<![{before}])(?:\./)?{re.escape(value)}(?=$|[\s/'\"`:,])", f"{{{name}}}", step)
    return step
