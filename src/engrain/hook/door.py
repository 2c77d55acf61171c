"""The door: one hook, from what an agent says on stdin to what it reads on stdout.

    read the payload → its project → what happened → through the gate → into the spool → an answer, if there is one

Whatever goes wrong, the agent goes on: exit 0, and nothing on stdout but one JSON object or nothing at all. This is the
one place that catches everything. What went wrong is one line in a file of the home, for the doctor.
"""

from __future__ import annotations

import os

from engrain import event as events
from engrain import light
from engrain.capture import spool
from engrain.capture.adapters import claude_code
from engrain.capture.admit import Gate, admitted
from engrain.capture.session import Session
from engrain.event import FAILURE
from engrain.hook import kept
from engrain.hook.place import place
from engrain.hook.settings import settings
from engrain.paths import locate
from engrain.project import sighting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engrain.event import Event
    from engrain.hook.settings import Settings
    from engrain.paths import Home
    from engrain.project import Project

MOST_INPUT = 64 * 1024 * 1024
PIECE = 1024 * 1024
SWITCH, INSIDE = "ENGRAIN_HOOK", "ENGRAIN_INSIDE"
OTHER_AGENT = "CURSOR_VERSION"
"""Cursor runs the hooks of Claude Code's settings, too. It has its own."""

TICKS = frozenset(("SessionStart", "Stop"))
"""Events that start a tick. The end of a session has no time for it."""

MOST_TROUBLE = 64 * 1024


def run(words: list[str], python: str, source: str) -> None:
    """One hook; the process ends in here. `python` runs the tick, `source` is the folder that has the package."""
    home = None
    try:
        environ = dict(os.environ)
        if environ.get(SWITCH) != "0" and not environ.get(INSIDE) and not environ.get(OTHER_AGENT):
            home = locate(environ)
            kept.recall_patterns(home)
            _hook(words[0] if words else "", home, environ, python, source)
            kept.keep_patterns(home)
    except Exception as exc:
        _note(home, words, exc)
    finally:
        # No tidying up: what had to be written is written.
        os._exit(0)


def _hook(name: str, home: Home, environ: Mapping[str, str], python: str, source: str) -> None:
    said = _said()
    if said is None:
        return
    name = name or str(said.get("hook_event_name", ""))
    said["hook_event_name"] = name
    if name in claude_code.RECORDED or name in ANSWERS:
        _record(name, said, home, environ)
    if name in TICKS:
        from engrain.hook import ticking

        ticking.start(home, environ, python, source)


def _said() -> dict[str, Any] | None:
    """The payload; nothing where there is none, or more than an agent would say."""
    data = bytearray()
    while piece := os.read(0, PIECE):
        data += piece
        if len(data) > MOST_INPUT:
            return None
    try:
        said = light.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _record(name: str, said: dict[str, Any], home: Home, environ: Mapping[str, str]) -> None:
    now = events.now()
    folder = said.get("cwd")
    where = place(folder if isinstance(folder, str) else "", home)
    ruled = settings(home, environ)
    session = Session(
        claude_code.AGENT, str(said.get("session_id") or "unknown"), project=where.id, tenant=ruled.tenant
    )
    gate = Gate(os.path.expanduser("~"), environ.get("XDG_CONFIG_HOME", ""))
    event = claude_code.event(said, session, where, now)
    if event is None:
        return
    found = _fingerprint(said, event)
    if found:
        from engrain.recall.shown import described

        event = event._replace(body={**event.body, FAILURE: described(found)})
    event = admitted(event, gate)
    _append(home, event)
    if name == "SessionStart":
        _append(home, admitted(sighting(where, ruled.tenant, now), gate))
    if found and "withheld" not in event.body:
        _answer(found, event, where, ruled, home, gate)


def _fingerprint(said: dict[str, Any], event: Event) -> Any:
    """Which failure of a command it was; what somebody interrupted has not failed."""
    command = claude_code.command(said)
    if not command or event.body.get("failed") is not True or event.body.get("interrupted"):
        return None
    from engrain.fingerprint import fingerprint

    return fingerprint(str(event.body.get("output", "")), command, event.body.get("exit"))


def _answer(found: Any, failed: Event, where: Project, ruled: Settings, home: Home, gate: Gate) -> None:
    from engrain.errors import StoreError
    from engrain.hook.answering import answered

    try:
        answer = answered(found, failed, where, ruled, home)
    except StoreError:
        return
    if answer is None:
        return
    text, serving = answer
    _append(home, admitted(serving, gate))
    if text:
        _say({"hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": text}})


ANSWERS: frozenset[str] = frozenset()


def _append(home: Home, event: Event) -> None:
    spool.append(home.spool, events.line(event).encode())


def _say(answer: dict[str, Any]) -> None:
    data = light.dumps(answer).encode("utf-8", "replace")
    while data:
        data = data[os.write(1, data) :]


def _note(home: Home | None, words: list[str], exc: Exception) -> None:
    """One line for the doctor: what went wrong and where, nothing of what the agent said."""
    if home is None:
        return
    try:
        trace = exc.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        at = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else "?"
        line = f"{events.timestamp(events.now())} {words[:1]} {type(exc).__name__} at {at}\n"
        fd = os.open(home.at("hook.log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(fd).st_size < MOST_TROUBLE:
                os.write(fd, line.encode("utf-8", "replace"))
        finally:
            os.close(fd)
    except OSError:
        return
