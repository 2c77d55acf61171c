"""Files: which ones are transcripts of an agent, and their lines, whatever they are packed in.

    Claude Code   <config>/projects/<folder>/<session>.jsonl, subagents below <session>/
    Codex         <config>/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl, and archived_sessions/

Files of one session stand together, the session's own first. What is packed (`.gz`, `.zst`) is told by its first bytes;
packed and cut short, it gives what can be read of it.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from gzip import BadGzipFile, GzipFile
from typing import Any, BinaryIO, NamedTuple, cast

from engrain.capture.transcripts.records import MOST, Unread
from engrain.errors import BadInput, MissingExtra

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

_NAMES = re.compile(r"(?:\.jsonl|(?:^|/)rollout-[^/]*\.json)(?:\.gz|\.zst)?$")
_STEM = re.compile(r"\.jsonl?(?:\.gz|\.zst)?$")
_CODEX = re.compile(r"^rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$")
_SUBAGENT = re.compile(r"/([^/]+)/subagents/(?:.*/)?agent-([^/]+)$")


class Unit(NamedTuple):
    """The files of one session, its own first, and how many bytes they have on the disk."""

    paths: tuple[str, ...]
    size: int


def folders(agent: str, environ: Mapping[str, str]) -> list[str]:
    """Where an agent keeps its transcripts."""
    user = os.path.expanduser("~")
    if agent == "codex":
        top = environ.get("CODEX_HOME") or os.path.join(user, ".codex")
        return [os.path.join(top, name) for name in ("sessions", "archived_sessions")]
    if moved := environ.get("CLAUDE_CONFIG_DIR"):
        return [os.path.join(moved, "projects")]
    return [os.path.join(user, *names, "projects") for names in ((".claude",), (".config", "claude"))]


def units(paths: list[str]) -> list[Unit]:
    """The sessions in these files and folders, in the order of their names; what is named twice is there once."""
    sessions: dict[str, list[str]] = {}
    seen: set[str] = set()
    for path in (each for given in paths for each in _below(given)):
        real = os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            sessions.setdefault(_session_of(path), []).append(path)
    return [Unit(tuple(sorted(each, key=_depth)), sum(map(_size, each))) for each in sessions.values()]


def _below(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise BadInput(f"nothing at {path}")
        yield path
        return
    for place, inner, names in os.walk(path):
        inner.sort()
        for name in sorted(names):
            if _NAMES.search(name):
                yield os.path.join(place, name)


def _session_of(path: str) -> str:
    """What a session's own file and those of its subagents have in common."""
    stem = _STEM.sub("", os.path.abspath(path))
    found = _SUBAGENT.search(stem)
    return stem[: found.start() + 1] + found[1] if found else stem


def _depth(path: str) -> tuple[int, str]:
    return path.count(os.sep), path


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def named(path: str) -> tuple[str, str]:
    """The session that a file's name says, and the subagent."""
    stem = _STEM.sub("", os.path.abspath(path))
    if found := _SUBAGENT.search(stem):
        return found[1], found[2]
    name = os.path.basename(stem)
    rollout = _CODEX.match(name)
    return rollout[1] if rollout else name, ""


def lines(path: str, unread: Unread) -> Iterator[bytes]:
    """Each line of a file."""
    with ExitStack() as stack:
        raw = stack.enter_context(open(path, "rb"))
        file = _unpacked(raw, path, unread, stack)
        try:
            while line := file.readline(MOST + 2):
                yield line
                while len(line) > MOST and not line.endswith(b"\n"):
                    line = file.readline(MOST + 2)
        except _torn():
            unread.number += 1


def _unpacked(raw: BinaryIO, path: str, unread: Unread, stack: ExitStack) -> BinaryIO:
    start = raw.read(4)
    raw.seek(0)
    if start.startswith(GZIP):
        return cast(BinaryIO, stack.enter_context(GzipFile(fileobj=raw, mode="rb")))
    if start != ZSTD:
        return raw
    library = _zstd()
    if library is not None:
        return cast(BinaryIO, stack.enter_context(library.ZstdFile(raw)))
    return _by_program(raw, path, unread, stack)


def _zstd() -> Any:
    """The library of newer Pythons, or its twin for older ones; None where there is neither."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _torn() -> tuple[type[Exception], ...]:
    """What says that a packed file is not whole; a library that was not loaded says nothing."""
    loaded = (sys.modules.get(name) for name in ("compression.zstd", "backports.zstd"))
    return EOFError, zlib.error, BadGzipFile, *(library.ZstdError for library in loaded if library is not None)


def _by_program(raw: BinaryIO, path: str, unread: Unread, stack: ExitStack) -> BinaryIO:
    program = shutil.which("zstd")
    if program is None:
        raise MissingExtra(f"{path} is packed by zstd: `pip install backports.zstd` (or the program `zstd`) unpacks it")
    # What was looked at so far was read into a buffer of ours.
    os.lseek(raw.fileno(), 0, os.SEEK_SET)
    running = subprocess.Popen(
        [program, "-dcq", "--long=31"], stdin=raw, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert running.stdout

    def ended() -> None:
        assert running.stdout
        running.stdout.close()
        unread.number += running.wait() > 0

    stack.callback(ended)
    return cast(BinaryIO, running.stdout)
