"""History: what real transcripts tell, against a count of our own that reads them in another way, and how quickly.

    python -m bench history          with --full all SWE runs, not every fourth

The count walks through every JSON value of every line for whatever looks like a call or an answer; it knows nothing of
prompts, order, types of records or agents' habits. Each call that it finds must be in the journal under its own name;
each answer that was marked as an error (for Codex: had an exit code other than 0) must be told as a failure, or as
what somebody refused, stopped or never ran; and no other may be.
"""

from __future__ import annotations

import glob
import gzip
import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.figure import Figure, shared
from engrain.event import PROMPT, TOOL_CALL, Event
from engrain.memory import Memory

AGENTS = {
    "claude-code": ("claude-code", "*", "*.gz"),
    "swe": ("swe", "*", "*.gz"),
    "codex": ("codex", "*.gz"),
}
"""The sets: the folder of each. The second is laid out as Claude Code's."""

NO_FAULT = ("refused", "interrupted", "unanswered")


class Counted(NamedTuple):
    """What a set of files tells: the calls, those whose answer says that it failed, those that surely did, and how many
    have no name."""

    bytes: int
    calls: set[str]
    errors: set[str]
    surely: set[str]
    nameless: int


def measure(full: bool) -> Iterator[Figure]:
    """The figures of this module."""
    top = shared("transcripts")
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        speeds: list[_Speed] = []
        for name, pattern in AGENTS.items():
            step = 4 if name == "swe" and not full else 1
            place = _unpacked(os.path.join(top, *pattern), os.path.join(folder, name), step)
            counted = _count(place)
            memory = Memory.open(os.path.join(folder, "home", name), folder=folder)
            with memory:
                agent = "codex" if name == "codex" else "claude-code"
                began = _Speed.now(counted.bytes)
                done = memory.import_transcripts(agent, memory.transcripts(agent, [place]))
                speeds.append(began.until_now())
                yield from _held(name, counted, list(memory.store.events()))
                again = memory.import_transcripts(agent, memory.transcripts(agent, [place]))
                note = f"{again.appended.known:,} known"
                yield Figure(f"{name}: events that a second import adds", again.appended.new, "", most=0, note=note)
                yield Figure(f"{name}: files that could not be read", len(done.problems), "", most=0)
        yield from _quick(speeds)


class _Speed(NamedTuple):
    """How many bytes were brought; in which time, and with how much of this process and of those that it started."""

    bytes: int
    wall: float
    own: float
    others: float

    @classmethod
    def now(cls, size: int) -> _Speed:
        """The clocks as they stand."""
        times = os.times()
        return cls(size, time.perf_counter(), times.user + times.system, times.children_user + times.children_system)

    def until_now(self) -> _Speed:
        """What passed since then."""
        now = _Speed.now(self.bytes)
        return _Speed(self.bytes, now.wall - self.wall, now.own - self.own, now.others - self.others)

    @property
    def on_two(self) -> float:
        """Seconds that two cores need that have nothing else to do: nothing is waited for but the one that writes."""
        return max(self.own, (self.own + self.others) / 2)


def _quick(speeds: list[_Speed]) -> Iterator[Figure]:
    """The machine may have other things to do, so it is processor time that is held to the bound."""
    for what, some, least in (
        ("what Claude Code and Codex wrote", [speeds[0], speeds[2]], 20),
        ("SWE runs: one tool, all outputs whole", [speeds[1]], None),
    ):
        size, wall, two = (sum(values) for values in zip(*((s.bytes, s.wall, s.on_two) for s in some), strict=True))
        note = f"{size / 1e6:.0f} MB of JSONL; here and now {size / 1e6 / wall:.1f} MB/s"
        yield Figure(f"{what}: read, redacted, stored, on two cores", size / 1e6 / two, "MB/s", least=least, note=note)


def _unpacked(pattern: str, place: str, step: int) -> str:
    """The transcripts as agents leave them."""
    for path in sorted(glob.glob(pattern))[::step]:
        at = os.path.join(place, *path.split(os.sep)[-2:]).removesuffix(".gz")
        os.makedirs(os.path.dirname(at), exist_ok=True)
        with gzip.open(path) as packed, open(at, "wb") as file:
            file.write(packed.read())
    return place


def _held(name: str, counted: Counted, journal: list[Event]) -> Iterator[Figure]:
    told = {str(event.body.get("call", "")): event for event in journal if event.kind == TOOL_CALL}
    failed = {call for call, event in told.items() if event.body.get("failed") is True}
    excused = {call for call, event in told.items() if any(event.body.get(reason) for reason in NO_FAULT)}
    lost = counted.calls - told.keys()
    yield Figure(f"{name}: calls that are not in the journal", len(lost), "", most=0, note=f"of {len(counted.calls):,}")
    made_up = abs(len(told.keys() - counted.calls) - counted.nameless)
    yield Figure(f"{name}: calls that nobody made", made_up, "", most=0, note=f"{counted.nameless} have no name")
    silent = counted.errors - failed - excused
    note = f"of {len(counted.errors):,}; {len(counted.errors & excused)} refused, stopped or never run"
    yield Figure(
        f"{name}: failures that are told as none", len(silent | (counted.surely - failed)), "", most=0, note=note
    )
    yield Figure(f"{name}: failures that were none", len(failed - counted.errors), "", most=0)
    linked = [event for event in told.values() if event.body.get("prompt")]
    prompts = {(event.session, event.body.get("prompt")) for event in journal if event.kind == PROMPT}
    astray = [event for event in linked if (event.session, event.body["prompt"]) not in prompts]
    note = f"of {len(linked):,} that follow a prompt"
    yield Figure(f"{name}: calls linked to a prompt that is not there", len(astray), "", most=0, note=note)


# The count


def _count(place: str) -> Counted:
    size, found = 0, _Found()
    for path in sorted(glob.glob(os.path.join(place, "**", "*.jsonl"), recursive=True)):
        size += os.path.getsize(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if '"tool_' in line or "_call" in line:
                    found.line(line)
    return Counted(size, found.calls, found.errors, found.surely, found.nameless)


class _Found:
    """Calls and answers, wherever they stand in a value."""

    def __init__(self) -> None:
        self.calls: set[str] = set()
        self.errors: set[str] = set()
        self.surely: set[str] = set()
        self.nameless = 0
        self._answered: set[str] = set()

    def line(self, text: str) -> None:
        """A line; in one that is no JSON, names are looked for as texts."""
        try:
            self.walk(json.loads(text))
        except ValueError:
            self.calls.update(_MADE.findall(text))
            for call in _ANSWERED.findall(text):
                self._answer(call, '"is_error":true' in text.replace(" ", ""), text)

    def walk(self, value: Any) -> None:
        """Looks at everything in a value."""
        if isinstance(value, list):
            for each in value:
                self.walk(each)
        elif isinstance(value, dict):
            self._look(value, str(value.get("type", "")))
            for each in value.values():
                self.walk(each)

    def _look(self, value: dict[str, Any], kind: str) -> None:
        if kind == "tool_use" and "input" in value:
            self.calls.add(value["id"])
        elif kind == "tool_result":
            self._answer(value["tool_use_id"], value.get("is_error") is True, json.dumps(value.get("content")))
        elif kind.endswith("_call") and "call_id" in value:
            self.calls.add(value["call_id"])
        elif kind == "web_search_call":
            self.nameless += 1
        elif kind.endswith("_output") and "call_id" in value:
            text = json.dumps(value.get("output"))
            code = _CODE.search(text[:2000])
            self._answer(value["call_id"], bool(code and int(code[1])) or bool(_REFUSAL.search(text[:400])), text)

    def _answer(self, call: str, wrong: bool, text: str) -> None:
        self.calls.add(call)
        if call in self._answered:
            return
        self._answered.add(call)
        if wrong:
            self.errors.add(call)
            code = _CODE.search(text[:200])
            if code and int(code[1]):
                self.surely.add(call)


_MADE = re.compile(r'"type": ?"tool_use", ?"id": ?"([\w-]+)"')
_ANSWERED = re.compile(r'"tool_use_id": ?"([\w-]+)"')
_CODE = re.compile(r"(?:Exit code:?|exited with code|\\?\"exit_code\\?\":) ?(-?\d+)")
_REFUSAL = re.compile(
    r'(?i)^"(?:aborted|\S+ (?:verification )?failed|failed to parse|exec_command|tool call error|err: |.{0,40}rejected)'
)
