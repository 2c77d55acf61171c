"""Case: how to bring one failure about; Take: one performance of it."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Files = Mapping[str, str]
NOTHING: Files = MappingProxyType({})


class Case(NamedTuple):
    """Two outputs with the same `cause` would be fixed the same way; a `family` leaves the parameters of that fix open.

    `files` and `command` are told with words such as `@thing`, which each take replaces by its own. `b_files` and
    `b_command` let the second take fail in another shape. `setup` runs first as the user, `root` before it as root.
    `wraps` names the further takes (see `wraps.py`). `modules` is the set of node packages that the folder sees.
    """

    toolchain: str
    cause: str
    family: str
    command: str
    files: Files = NOTHING
    b_command: str = ""
    b_files: Files | None = None
    setup: str = ""
    b_setup: str | None = None
    root: str = ""
    env: Mapping[str, str] = NOTHING
    modules: str = ""
    wraps: tuple[str, ...] = ()
    colour: str = ""
    version: str = ""
    only: str = "ab"
    limit: int = 120


class Scene(NamedTuple):
    """Where a take plays: who, where, and the words of the story."""

    user: str
    place: str
    host: str
    python: str
    toolset: str
    pad: int
    words: Mapping[str, str]


def _words(**words: str) -> dict[str, str]:
    capital = {name.capitalize(): word.capitalize() for name, word in words.items()}
    return {**words, **capital, **{name.upper(): word.upper() for name, word in words.items()}}


SCENES = {
    "a": Scene(
        "dana",
        "/home/dana/shop",
        "dana-laptop",
        "py311",
        "new",
        1,
        _words(
            thing="basket", other="price", verb="load", n="3", m="17", file="app", dir="shop", branch="feature/login"
        ),
    ),
    "b": Scene(
        "runner",
        "/srv/builds/ledger-api",
        "ci-4",
        "py313",
        "old",
        12,
        _words(
            thing="ticket", other="seat", verb="fetch", n="42", m="83", file="worker", dir="jobs", branch="hotfix-221"
        ),
    ),
    "w": Scene(
        "ola",
        "/home/ola/projects/weather_station",
        "ola-pc",
        "py311",
        "new",
        5,
        _words(
            thing="sensor", other="value", verb="read", n="12", m="96", file="main", dir="station", branch="release/2.x"
        ),
    ),
}

_COMMENT = {
    ".py": "#",
    ".rb": "#",
    ".pl": "#",
    ".sh": "#",
    ".toml": "#",
    ".yml": "#",
    ".yaml": "#",
    ".tf": "#",
    ".mk": "#",
}
_COMMENT |= {".txt": "#", "Makefile": "#", "CMakeLists.txt": "#", ".sql": "--", ".hs": "--", ".lua": "--", ".R": "#"}
_COMMENT |= {".ex": "#", ".exs": "#", ".nim": "#", ".fish": "#", ".zsh": "#", ".just": "#", "justfile": "#"}
_COMMENT |= {
    ".bats": "#",
    "Dockerfile": "#",
    "Rakefile": "#",
    "Gemfile": "#",
    ".cfg": "#",
    ".conf": "#",
    ".tcl": "#",
    ".ini": "#",
    ".lisp": ";",
    ".scm": ";",
    ".clj": ";",
}


class Take(NamedTuple):
    """One performance: everything that the stage needs, with the words put in."""

    case: Case
    variant: str
    scene: Scene
    files: Files
    setup: str
    command: str


def takes(case: Case) -> Iterator[Take]:
    """The plain takes of a case; `wraps.py` makes the others out of the first."""
    for variant in case.only:
        scene = SCENES[variant]
        second = variant == "b"
        files = case.b_files if second and case.b_files is not None else case.files
        setup = case.b_setup if second and case.b_setup is not None else case.setup
        yield take(case, variant, scene, files, setup, case.b_command if second and case.b_command else case.command)


def take(case: Case, variant: str, scene: Scene, files: Files, setup: str, command: str) -> Take:
    told = {told_in(scene, name): told_in(scene, text, name) for name, text in files.items()}
    return Take(case, variant, scene, told, told_in(scene, setup), told_in(scene, command))


def told_in(scene: Scene, text: str, name: str = "") -> str:
    """The text with the words of the scene. A line `@pad` becomes comments, so that line numbers differ."""
    mark = _COMMENT.get(os.path.basename(name)) or _COMMENT.get(os.path.splitext(name)[1], "//")
    pad = "\n".join(f"{mark} {scene.words['thing']} {number}" for number in range(scene.pad))
    words = {**scene.words, "pad": pad, "place": scene.place, "user": scene.user}
    return re.sub(
        rf"@({'|'.join(words)})(?<!@[nmNM])(?![a-z0-9])|@([nm])(?![A-Za-z0-9])",
        lambda found: words[found[1] or found[2]],
        text,
    )


def code(text: str) -> str:
    """Source as it stands in a table here, without its indentation."""
    return textwrap.dedent(text).lstrip("\n")


def python(
    cause: str, family: str, body: str, *, toolchain: str = "python", wraps: tuple[str, ...] = (), **more: Any
) -> Case:
    """A script that fails at its top; the second take fails inside functions of a module, after some lines of output.

    What stands before a line `---` stays at the top of the module in both."""
    top, _, body = code(body).rpartition("---\n")
    inside = (
        f"import sys\n\n@pad\n{top}\n\ndef @verb_@thing():\n"
        + textwrap.indent(body, "    ")
        + "\n\ndef main():\n    print('@verb @thing', len(sys.argv), flush=True)\n    @verb_@thing()\n\n\nmain()\n"
    )
    files = {"@file.py": f"@pad\n{top}{body}"}
    b_files = {"@dir/__init__.py": "", "@dir/@file.py": inside}
    return Case(
        toolchain, cause, family, "python @file.py", files, "python -m @dir.@file", b_files, wraps=wraps, **more
    )
