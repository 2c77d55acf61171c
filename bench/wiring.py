"""Wiring: how well a failure is told from the output alone, for an agent that says no exit code (Codex).

    python -m bench wiring

Every command of real rollouts that has an exit code is judged by what it wrote, and that is held against the code. A
command that fails without a word (`grep` that finds nothing) can't be told, and has no fix: it is counted apart.
"""

from __future__ import annotations

import glob
import time
from collections.abc import Iterator

from bench.figure import Figure, shared
from engrain.capture.session import SHELLS
from engrain.capture.transcripts import codex, files
from engrain.capture.transcripts.records import Unread
from engrain.event import TOOL_CALL
from engrain.hook.guessing import failed


def measure(full: bool) -> Iterator[Figure]:  # noqa: ARG001 - every module's signature
    """The figures of this module."""
    folder = shared("transcripts", "codex")
    judged: dict[tuple[bool, bool], int] = {}
    silent, seconds = 0, 0.0
    for command, output, code in _commands(folder):
        if code and not output.strip():
            silent += 1
            continue
        began = time.process_time()
        guess = failed(output, command)
        seconds += time.process_time() - began
        judged[bool(code), guess] = judged.get((bool(code), guess), 0) + 1
    well = judged.get((False, False), 0) + judged.get((False, True), 0)
    bad = judged.get((True, False), 0) + judged.get((True, True), 0)
    alone = 100 * judged.get((False, False), 0) / well
    yield Figure("commands that went well, left alone", alone, "%", least=95, note=f"of {well:,}")
    known = 100 * judged.get((True, True), 0) / bad
    yield Figure("commands that failed and said so, known at once", known, "%", note=f"of {bad}; {silent} said nothing")
    yield Figure("judging one output", 1000 * seconds / (well + bad), "ms")


def _commands(folder: str) -> Iterator[tuple[str, str, int]]:
    """Each command that a shell ran, what it wrote, and its exit code."""
    for path in sorted(glob.glob(f"{folder}/*")):
        unread = Unread()
        for event in codex.read(files.lines(path, unread), project=lambda _: "-", tenant="local", name=path):
            given = event.body.get("input")
            if event.kind == TOOL_CALL and "exit" in event.body and event.body.get("tool") in SHELLS:
                command = given.get("command") if isinstance(given, dict) else None
                if isinstance(command, str):
                    yield command, str(event.body.get("output") or ""), int(event.body["exit"])
