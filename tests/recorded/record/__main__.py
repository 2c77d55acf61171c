"""`python -m tests.recorded.record --tools DIR [NAME …]`: play the cases, and write down what was said.

A NAME is a group or a toolchain, or how a cause begins; without one, all are played.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import cases as groups
from .case import Case, Take, takes
from .scrub import scrubbed
from .stage import Machine, play
from .tools import VERSIONS
from .wraps import wrapped

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(HERE, "cases.jsonl")


def main() -> None:
    asked = _arguments()
    machine = Machine(asked.tools, asked.pythons, asked.rust)
    chosen = [
        take
        for name, case in every_case()
        if _wanted(asked.names, name, case)
        for take in takes_of(case, asked.variant)
    ]
    with ThreadPoolExecutor(asked.jobs) as pool:
        rows = [row for row in pool.map(lambda take: record(take, machine), chosen) if row]
    _list(rows, {path_of(take) for _, case in every_case() for take in takes_of(case)})
    if asked.tidy:
        _tidy()


def every_case() -> Iterator[tuple[str, Case]]:
    """Group and case of all that is told here."""
    for found in pkgutil.iter_modules(groups.__path__):
        for case in importlib.import_module(f"{groups.__name__}.{found.name}").CASES:
            yield found.name, case


def record(take: Take, machine: Machine) -> dict[str, Any] | None:
    """Play a take and write it down; None, and a word about it, when it did not fail as it should."""
    case = take.case
    try:
        played = play(take, machine, case.version or VERSIONS.get(case.toolchain, f"{case.toolchain} --version"))
    except RuntimeError as exc:
        print(f"!! {exc}", file=sys.stderr)
        return None
    text = scrubbed(played.text, take)
    last = (text.strip().splitlines() or ["(nothing)"])[-1]
    print(f"{case.cause}--{take.variant}: {played.exit_code} {len(text)} {last[:110]}", flush=True)
    absent = re.search(r"command not found|: not found$", text) and "missing-command" not in case.family
    if played.exit_code in (0, 124, 137) or not text.strip() or absent:
        print(f"!! not a failure: {case.cause}--{take.variant} setup: {played.setup[-300:]}", file=sys.stderr)
        return None
    path = path_of(take)
    os.makedirs(os.path.join(HERE, case.toolchain), exist_ok=True)
    with open(os.path.join(HERE, path), "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return {
        "file": path,
        "toolchain": case.toolchain,
        "cause": case.cause,
        "family": case.family,
        "command": take.command,
        "exit_code": played.exit_code,
        "version": _version(scrubbed(played.version, take)),
    }


def _version(said: str) -> str:
    """The first line of what a tool says of itself that has a number, without colour."""
    lines = re.sub(r"\x1b\[[0-9;]*m", "", said).splitlines()
    return next((line.strip()[:80] for line in lines if re.search(r"\d\.\d|\d{4}", line)), "")


def _list(rows: list[dict[str, Any]], known: set[str]) -> None:
    """Put the rows into the list, and out of it those whose take or file is no more."""
    listed = {row["file"]: row for row in _listed()} | {row["file"]: row for row in rows}
    kept = [listed[name] for name in sorted(listed) if name in known and os.path.exists(os.path.join(HERE, name))]
    with open(LIST, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in kept)


def _listed() -> list[dict[str, Any]]:
    if not os.path.exists(LIST):
        return []
    with open(LIST, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _tidy() -> None:
    """Remove recordings that are not listed, and causes of which only one take is left."""
    rows = _listed()
    whole = Counter(row["cause"] for row in rows if row["file"].endswith(("--a.txt", "--b.txt")))
    kept = {row["file"] for row in rows if whole[row["cause"]] == 2}
    _list([], kept)
    for folder, _, names in os.walk(HERE):
        for name in (os.path.join(folder, name) for name in names if name.endswith(".txt")):
            if os.path.relpath(name, HERE) not in kept:
                print(f"!! removed {os.path.relpath(name, HERE)}", file=sys.stderr)
                os.remove(name)


def path_of(take: Take) -> str:
    """Where a take is written down, as the list names it."""
    return f"{take.case.toolchain}/{take.case.cause}--{take.variant}.txt"


def takes_of(case: Case, variant: str = "") -> list[Take]:
    """Every take of a case, or the one of a variant."""
    return [take for take in (*takes(case), *wrapped(case)) if variant in ("", take.variant)]


def _wanted(names: list[str], group: str, case: Case) -> bool:
    return not names or any(name == group or name == case.toolchain or case.cause.startswith(name) for name in names)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tools", required=True, help="the folder that the stage shows as /opt; see tools.py")
    parser.add_argument("--pythons", default=os.path.expanduser("~/.pyenv/versions"))
    parser.add_argument("--rust", default=os.path.expanduser("~/.rustup/toolchains"))
    parser.add_argument("--variant", default="")
    parser.add_argument("--tidy", action="store_true", help="remove what is not listed")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
