"""The launcher: `<home>/bin/hook`, a small script for the interpreter itself, and beside it the bundle of its modules.

It names the real interpreter, never a shim, which would cost more than the hook; of a virtual environment the one that
it was made from, with the folder of the package. When Engrain, its modules or its interpreter change, whoever notices
(a command, a tick) writes it anew; till then the old one goes on, whole.
"""

from __future__ import annotations
import __future__

import marshal
import os
import subprocess
import sys
from types import CodeType
from typing import Any, NamedTuple

from engrain import __version__
from engrain.capture.adapters import FIRST, NAMES
from engrain.errors import HomeUnusable
from engrain.light import sha256
from engrain.paths import Home, replace_file

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.dirname(PACKAGE)

LONGEST_SHEBANG = 120
"""Characters of a first line that every kernel reads."""

Modules = dict[str, tuple[bool, str, CodeType]]

_SCRIPT = """\
# Engrain {version}, {stamp}. Made anew when Engrain changes.
import gc, sys
gc.disable()
H, P, S = {hook!r}, {python!r}, {source!r}
try:
    import marshal
    F = "%s.%x" % (H, sys.hexversion)
    with open(F, "rb") as f: C = marshal.loads(f.read())
    N = {{"__name__": "engrain_bundle"}}
    exec(C["start"], N)
    N["install"](C, F + ".more", marshal.loads)
except Exception: sys.path.insert(0, S)
else: sys.path.append(S)
try:
    import os
    os.stat(S + "/engrain/__init__.py")
    from engrain.hook.door import run
except Exception: sys.exit(0)
run(sys.argv[1:], P, S)
"""

_LIST = """
import sys
sys.path.insert(0, {source!r})
sys.dont_write_bytecode = True
seen = set(sys.modules)
for part, names in enumerate({roots!r}):
    for name in names:
        __import__(name)
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if name not in seen and spec is not None and spec.has_location:
            print(part, name, int(spec.submodule_search_locations is not None), spec.origin, sep="\\t")
    seen.update(sys.modules)
"""

ALWAYS = (
    "engrain.hook.door", "engrain.hook.beginning", "engrain.hook.ticking",
    "_sha2" if sys.version_info >= (3, 12) else "_sha256",
)  # fmt: skip
OF_OTHERS = tuple(f"engrain.capture.adapters.{name}" for name in NAMES if name != FIRST)
AT_A_FAILURE = (
    *OF_OTHERS, "engrain.hook.guessing", "engrain.hook.plugin",
    "engrain.hook.answering", "engrain.fingerprint.silent", "engrain.recall.shown",
    "engrain.recall.lessons", "_blake2",
)  # fmt: skip
"""Modules that a hook may need; the bundle has them and all that they load, in two files."""


class Needed(NamedTuple):
    """A module: in which of the two files, whether it is a package, and the file that it comes from."""

    part: int
    name: str
    package: bool
    file: str


def path(home: Home) -> str:
    """Where the launcher lies."""
    return home.at("bin", "hook")


def write(home: Home) -> str:
    """The launcher of this version is there; its path."""
    place = path(home)
    first, second = _bundle()
    replace_file(f"{place}.{sys.hexversion:x}", marshal.dumps(first))
    replace_file(f"{place}.{sys.hexversion:x}.more", marshal.dumps(second))
    python = interpreter()
    script = _SCRIPT.format(version=__version__, stamp=stamp(), hook=place, python=sys.executable, source=SOURCE)
    head = f"#!{python} -IS\n"
    if len(head) <= LONGEST_SHEBANG and not any(sign.isspace() for sign in python):
        _executable(place, head + script)
    else:
        replace_file(f"{place}.py", script.encode())
        _executable(place, f'#!/bin/sh\nexec {_quoted(python)} -I -S {_quoted(place + ".py")} "$@"\n# {stamp()}\n')
    return place


def ready(home: Home) -> str:
    """The launcher of this version is there, made anew only where it is not; its path."""
    return path(home) if current(home) and not missing(home) else write(home)


def refresh(home: Home) -> bool:
    """Writes the launcher anew if there is one and it is of another time; whether it did."""
    if not os.path.exists(path(home)) or current(home):
        return False
    write(home)
    return True


def current(home: Home) -> bool:
    """Whether the launcher is the one that this Engrain would write."""
    try:
        with open(path(home), encoding="utf-8", errors="replace") as file:
            said = file.read(8192)
    except OSError:
        return False
    # It names its own folder: a home that moved needs another one.
    named = repr(path(home)) in said or _quoted(f"{path(home)}.py") in said
    return stamp() in said and named and os.path.exists(f"{path(home)}.{sys.hexversion:x}")


def missing(home: Home) -> str:
    """What is missing for hooks to run; empty where all is there."""
    place = path(home)
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            runs = file.readline(1000).removeprefix("#!").partition(" ")[0].strip()
    except OSError:
        return place
    return "" if os.access(place, os.X_OK) and os.access(runs, os.X_OK) else runs


def stamp() -> str:
    """What the launcher depends on: the version, the interpreter, and every module as it lies on the disk."""
    told = [__version__, interpreter(), sys.executable, SOURCE, sys.version]
    for folder, _, names in os.walk(PACKAGE):
        for name in sorted(names):
            if name.endswith((".py", ".sql")):
                seen = os.stat(os.path.join(folder, name))
                told.append(f"{folder}/{name} {seen.st_size} {seen.st_mtime_ns}")
    return sha256("\n".join(sorted(told)).encode())[:16]


def interpreter() -> str:
    """The real path of the interpreter that runs us."""
    base: str = getattr(sys, "_base_executable", "") or sys.executable
    return os.path.realpath(base)


def _bundle() -> tuple[dict[str, Any], Modules]:
    modules: tuple[Modules, Modules] = ({}, {})
    compiled: dict[str, str] = {}
    for each in _needed():
        if each.file.endswith(".py"):
            modules[each.part][each.name] = (each.package, each.file, _code(each.file))
        else:
            compiled[each.name] = each.file
    start = _code(os.path.join(PACKAGE, "hook", "bundle.py"))
    first = {"modules": modules[0], "compiled": compiled, "start": start, "later": frozenset(modules[1])}
    return first, modules[1]


def _needed() -> list[Needed]:
    """Every module that a bare interpreter loads for a hook from a file."""
    code = _LIST.format(source=SOURCE, roots=(ALWAYS, AT_A_FAILURE))
    command = [interpreter(), "-I", "-S", "-c", code]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as exc:
        why = (getattr(exc, "stderr", "") or str(exc)).strip().rpartition("\n")[2]
        raise HomeUnusable(f"{interpreter()} can't load Engrain from {SOURCE}: {why}") from exc
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [Needed(int(part), name, package == "1", file) for part, name, package, file in rows]


def _code(file: str) -> CodeType:
    """The code of a module without its documentation, which nobody reads in a hook."""
    with open(file, encoding="utf-8") as opened:
        # What the line asks of the compiler is asked of it here; as an import it would cost a search of folders.
        text = opened.read().replace(_FUTURE, "\n")
    flags = __future__.annotations.compiler_flag
    code: CodeType = compile(text, file, "exec", flags=flags, dont_inherit=True, optimize=2)
    return code


_FUTURE = "\nfrom __future__ import annotations\n"


def _executable(place: str, text: str) -> None:
    replace_file(place, text.encode())
    os.chmod(place, 0o700)


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
