"""Wraps: the same failure as it reaches an agent through another program, made by really running that program."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .case import SCENES, Case, Files, Take, take


class Wrap(NamedTuple):
    """The file that the wrapper reads, made from the command, and the command that then runs."""

    variant: str
    files: Callable[[str], Files]
    command: Callable[[str], str]
    setup: str = ""


_TIME = "%Y-%m-%dT%H:%M:%S"
_PART = 'int(rand() * 9e6 + 1e6) "Z"'
_STAMP = f"""gawk 'BEGIN {{ srand() }} {{ print strftime("{_TIME}", systime(), 1) "." {_PART}, $0 }}'"""
_JOB = f"""gawk '{{ printf "build\\tRun checks\\t%s %s\\n", strftime("{_TIME}.0000000Z", systime(), 1), $0 }}'"""


def _package(command: str) -> str:
    return json.dumps({"name": "web", "version": "2.4.0", "private": True, "scripts": {"build": command}}, indent=2)


def _hook(command: str) -> str:
    hook = f"      - id: check\n        name: check\n        entry: bash -c {json.dumps(command)}\n"
    return f"repos:\n  - repo: local\n    hooks:\n{hook}        language: system\n        pass_filenames: false\n"


_COMMITTED = "git init -q . && git add -A && git -c user.name=ola -c user.email=ola@example.com commit -qm start"

WRAPS = {
    "make": Wrap(
        "wrapped-make",
        lambda told: {"Makefile": f".PHONY: check\ncheck:\n\t{told.replace('$', '$$')}\n"},
        lambda _: "make check",
    ),
    "npm": Wrap("wrapped-npm", lambda told: {"package.json": _package(told)}, lambda _: "npm run build"),
    "tox": Wrap(
        "wrapped-tox",
        lambda told: {
            "tox.ini": (
                "[tox]\nenv_list = check\nskipsdist = true\n\n[testenv:check]\nskip_install = true\n"
                f"allowlist_externals = *\npass_env = *\ncommands =\n    {told}\n"
            )
        },
        lambda _: "tox",
    ),
    "nox": Wrap(
        "wrapped-nox",
        lambda told: {
            "noxfile.py": (
                "import nox\n\n\n@nox.session(venv_backend='none')\ndef check(session):\n"
                f"    session.run('bash', '-c', {told!r}, external=True)\n"
            )
        },
        lambda _: "nox",
    ),
    "just": Wrap("wrapped-just", lambda told: {"justfile": f"check:\n    {told}\n"}, lambda _: "just check"),
    "task": Wrap(
        "wrapped-task",
        lambda told: {"Taskfile.yml": f"version: '3'\ntasks:\n  check:\n    cmds:\n      - {json.dumps(told)}\n"},
        lambda _: "task check",
    ),
    "pre-commit": Wrap(
        "wrapped-pre-commit",
        lambda told: {".pre-commit-config.yaml": _hook(told)},
        lambda _: "pre-commit run --all-files",
        _COMMITTED,
    ),
    "ci": Wrap("ci", lambda _: {}, lambda told: f"set -o pipefail; {{ {told} ; }} 2>&1 | {_STAMP}"),
    "job": Wrap("ci-job", lambda _: {}, lambda told: f"set -o pipefail; {{ {told} ; }} 2>&1 | {_JOB}"),
    "tty": Wrap("tty", lambda _: {}, lambda told: f"script -qec {shlex.quote(told)} /dev/null"),
    "xargs": Wrap(
        "wrapped-sh",
        lambda told: {"scripts/check.sh": f"#!/bin/bash\nset -euo pipefail\necho 'checking ...'\n{told}\necho done\n"},
        lambda _: "scripts/check.sh",
    ),
}

COLOUR = {
    "FORCE_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "PY_COLORS": "1",
    "MYPY_FORCE_COLOR": "1",
    "CARGO_TERM_COLOR": "always",
    "TERM": "xterm-256color",
}


def wrapped(case: Case) -> Iterator[Take]:
    """The further takes of a case. All play in a scene of their own, so that they are takes of the cause as well."""
    scene = SCENES["w"]
    for name in case.wraps:
        if name == "colour":
            painted = case._replace(env={**case.env, **COLOUR})
            later = scene._replace(python="py313")
            yield take(painted, "colour", later, case.files, case.setup, case.colour or case.command)
            continue
        wrap = WRAPS[name]
        plain = take(case, wrap.variant, scene, case.files, case.setup, case.command)
        setup = "\n".join(part for part in (plain.setup, wrap.setup) if part)
        files = {**plain.files, **wrap.files(plain.command)}
        seen = case._replace(env={**case.env, "TERM": "xterm-256color"}) if name == "tty" else case
        yield plain._replace(case=seen, files=files, setup=setup, command=wrap.command(plain.command))
