"""What git ignores, decided without starting git: of such files only path and size are kept.

Read are `.gitignore` of every folder from the root of the work tree down, `.git/info/exclude`, and the file that
`core.excludesFile` names. A rule nearer to the file goes before one further away, a later line before an earlier one,
`!` takes back, and nothing below an ignored folder can be taken back: as `git check-ignore --no-index` says. A file
that git tracks all the same is treated as ignored here: asking its index would cost more than the answer is worth.

Rules are read once and again when the file that holds them changes.
"""

from __future__ import annotations

import os
from collections import namedtuple

from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Line(NamedTuple):
        """One line of an ignore file: `pattern` over the path below its folder, or over a name."""

        pattern: str
        keep: bool
        folders: bool
        by_name: bool
else:
    Line = namedtuple("Line", "pattern keep folders by_name")

_MOST = 256 * 1024


class Ignored:
    """The ignore rules of one work tree; `root` is the folder that has `.git`."""

    __slots__ = ("_exclude", "_files", "_global", "root")

    def __init__(self, root: str, global_file: str = "") -> None:
        self.root = os.path.abspath(root)
        self._global = global_file
        self._exclude = os.path.join(_git_folder(self.root), "info", "exclude")
        self._files: dict[str, tuple[tuple[int, int], list[Line]]] = {}

    def __call__(self, path: str, folder: bool = False) -> bool:
        """Whether git ignores this path (absolute, or from the root). Outside the work tree nothing is ignored."""
        full = os.path.normpath(os.path.join(self.root, path))
        if not full.startswith(self.root + os.sep):
            return False
        parts = full[len(self.root) + 1 :].split(os.sep)
        if parts[0] == ".git":
            return True
        return any(
            self._decided(parts[:depth], folder if depth == len(parts) else True) for depth in range(1, len(parts) + 1)
        )

    def _decided(self, parts: list[str], folder: bool) -> bool:
        """What the nearest rule says of this one path, its parents not asked."""
        for depth in range(len(parts) - 1, -1, -1):
            verdict = self._by(os.path.join(self.root, *parts[:depth], ".gitignore"), parts[depth:], folder)
            if verdict is not None:
                return verdict
        for path in (self._exclude, self._global):
            verdict = self._by(path, parts, folder) if path else None
            if verdict is not None:
                return verdict
        return False

    def _by(self, file: str, parts: list[str], folder: bool) -> bool | None:
        below, name = "/".join(parts), parts[-1]
        for line in reversed(self._lines(file)):
            if line.folders and not folder:
                continue
            if compiled(line.pattern).match(name if line.by_name else below):
                return not line.keep
        return None

    def _lines(self, file: str) -> list[Line]:
        try:
            stat = os.lstat(file) if file.endswith(".gitignore") else os.stat(file)
        except (OSError, ValueError):
            return []
        stamp = (stat.st_mtime_ns, stat.st_size)
        known = self._files.get(file)
        if known is None or known[0] != stamp:
            known = self._files[file] = (stamp, parse(_text(file)))
        return known[1]


def find(path: str) -> str:
    """The root of the work tree that holds this path, or nothing."""
    folder = os.path.abspath(path)
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder


def global_file(home: str, config_home: str = "") -> str:
    """The file that `core.excludesFile` of the user's git settings names, or the one that git takes without it."""
    config_home = config_home or os.path.join(home, ".config")
    for settings in (os.path.join(home, ".gitconfig"), os.path.join(config_home, "git", "config")):
        named = compiled(r"(?im)^[ \t]*excludes?file[ \t]*=[ \t]*\"?([^\"\n#;]+)").search(_text(settings))
        if named:
            path = named[1].strip()
            return os.path.join(home, path[2:]) if path.startswith("~/") else path
    return os.path.join(config_home, "git", "ignore")


def parse(text: str) -> list[Line]:
    """The rules of an ignore file, in its order."""
    lines = (_line(line) for line in text.removeprefix("\ufeff").split("\n"))
    return [line for line in lines if line]


def _line(text: str) -> Line | None:
    text = _trimmed(text.removesuffix("\r"))
    if not text or text.startswith("#"):
        return None
    keep = text.startswith("!")
    text = text[1:] if keep else text
    if text.startswith(("\\!", "\\#")):
        text = text[1:]
    folders = text.endswith("/")
    text = text[:-1] if folders else text
    if not text:
        return None
    by_name = "/" not in text
    pattern = _expression(text.removeprefix("/"))
    return Line(pattern, keep, folders, by_name) if pattern else None


def _trimmed(text: str) -> str:
    """Without spaces at the end, unless a backslash keeps them."""
    bare = text.rstrip(" ")
    slashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if slashes % 2 and len(bare) < len(text) else bare


def _expression(glob: str) -> str:
    """The expression that matches what this pattern of git matches; nothing for a pattern that can match nothing."""
    out: list[str] = []
    at, size = 0, len(glob)
    while at < size:
        char = glob[at]
        if char == "*":
            at = _stars(glob, at, out)
        elif char == "?":
            out.append("[^/]")
            at += 1
        elif char == "[":
            end, piece = _bracket(glob, at)
            if not piece:
                return ""
            out.append(piece)
            at = end
        elif char == "\\":
            if at + 1 == size:
                return ""
            out.append(_escaped(glob[at + 1]))
            at += 2
        else:
            out.append(_escaped(char))
            at += 1
    return "(?s)" + "".join(out) + r"\Z"


def _stars(glob: str, at: int, out: list[str]) -> int:
    """`**` between slashes is any number of folders; anywhere else stars stay within a part."""
    end = at
    while end < len(glob) and glob[end] == "*":
        end += 1
    opens = at == 0 or glob[at - 1] == "/"
    if end - at == 2 and opens and end == len(glob):
        out.append(".*" if at == 0 else ".+")
        return end
    if end - at == 2 and opens and glob[end] == "/":
        out.append("(?:.*/)?")
        return end + 1
    out.append("[^/]*")
    return end


_CLASSES = {
    "alpha": "A-Za-z",
    "digit": "0-9",
    "alnum": "A-Za-z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "xdigit": "0-9A-Fa-f",
    "punct": r"!-/:-@\[-`{-~",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "print": " -~",
    "graph": "!-~",
}


def _bracket(glob: str, at: int) -> tuple[int, str]:
    """A set of characters, and where it ends; nothing if it is not closed."""
    end = at + 1
    negated = glob[end : end + 1] in ("!", "^")
    end += negated
    parts: list[str] = []
    first = True
    while end < len(glob) and (glob[end] != "]" or first):
        first = False
        named = compiled(r"\[:([a-z]+):\]").match(glob, end)
        if named:
            if named[1] not in _CLASSES:
                return end, ""
            parts.append(_CLASSES[named[1]])
            end = named.end()
            continue
        char, end = _member(glob, end)
        if glob[end : end + 1] == "-" and glob[end + 1 : end + 2] not in ("]", ""):
            last, end = _member(glob, end + 1)
            parts += [f"{_escaped(char)}-{_escaped(last)}"] if char <= last else []
        else:
            parts.append(_escaped(char))
    if end >= len(glob):
        return end, ""
    inner = "".join(parts)
    if not inner:
        return end + 1, "[^/]" if negated else "(?!)"
    return end + 1, f"(?!/)[{'^' if negated else ''}{inner}]"


def _member(glob: str, at: int) -> tuple[str, int]:
    if glob[at] == "\\" and at + 1 < len(glob):
        return glob[at + 1], at + 2
    return glob[at], at + 1


def _escaped(char: str) -> str:
    return char if char.isalnum() or char in "_/ " else f"\\{char}" if ord(char) < 128 else char


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape", newline="") as opened:
            return opened.read(_MOST)
    except (OSError, ValueError):
        return ""


def _git_folder(root: str) -> str:
    """`.git`, or the folder that it names in a worktree; `info/exclude` is shared by all worktrees."""
    folder = os.path.join(root, ".git")
    if os.path.isdir(folder):
        return folder
    named = _text(folder).strip().removeprefix("gitdir:").strip()
    folder = os.path.normpath(os.path.join(root, named)) if named else folder
    common = _text(os.path.join(folder, "commondir")).strip()
    return os.path.normpath(os.path.join(folder, common)) if common else folder
