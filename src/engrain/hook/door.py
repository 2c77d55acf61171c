"""The door: one hook, from what an agent says on stdin to what it reads on stdout.

    read the payload → its project → what happened → through the gate → into the spool → an answer, if there is one

Whatever goes wrong, the agent goes on: exit 0, and nothing on stdout but one JSON object or nothing at all. This is the
one place that catches everything. What went wrong is one line in a file of the home, for the doctor.
"""

from __future__ import annotations

import os

from engrain import event as events
from engrain import light
from engrain.capture import spool, took
from engrain.capture.adapters import FIRST, adapter, claude_code
from engrain.capture.admit import WITHHELD, Gate, admitted
from engrain.capture.session import Session
from engrain.errors import StoreError
from engrain.event import FAILURE
from engrain.hook import kept, rules
from engrain.hook.place import place
from engrain.hook.rules import PHASE
from engrain.hook.settings import settings, store_of
from engrain.paths import locate
from engrain.project import sighting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from engrain.event import Event
    from engrain.model import Fingerprint
    from engrain.paths import Home

MOST_INPUT = 64 * 1024 * 1024
PIECE = 1024 * 1024
SWITCH, INSIDE = "ENGRAIN_HOOK", "ENGRAIN_INSIDE"
OTHER_AGENT = "CURSOR_VERSION"
"""Cursor runs the hooks of Claude Code's settings, too. It has its own."""

PLUGIN = "plugin"
"""The third word of an entry that came with a plugin: where settings have our hooks as well, it is silent."""

TICKS = frozenset(("SessionStart", "Stop"))
"""Events that start a tick. The end of a session has no time for it."""

MOST_TROUBLE = 64 * 1024


def run(words: list[str], python: str, source: str) -> None:
    """One hook; the process ends in here. `python` runs the tick, `source` is the folder that has the package."""
    home = None
    try:
        environ = dict(os.environ)
        if environ.get(SWITCH) != "0" and not environ.get(INSIDE):
            home = locate(environ)
            kept.recall_patterns(home)
            _hook(words, home, environ, python, source)
            kept.keep_patterns(home)
    except Exception as exc:
        _note(home, words, exc)
    finally:
        # No tidying up: what had to be written is written.
        os._exit(0)


def _hook(words: list[str], home: Home, environ: Mapping[str, str], python: str, source: str) -> None:
    name, agent, way = [*words, "", "", ""][:3]
    of = adapter(agent or FIRST)
    if of is None or (of is claude_code and environ.get(OTHER_AGENT)):
        return
    given = _given()
    if given is None or (way == PLUGIN and _wired(agent, environ)):
        return
    name = name or _word(given, "hook_event_name")
    said = of.said(name, given)
    if said is None:
        return
    if said.get("unsure") is True:
        from engrain.hook.guessing import judged

        said = judged(said)
    told = list(_Visit(agent or FIRST, said, home, environ).told(shows=name in of.SHOWS))
    answer = of.answer(name, "\n".join(told)) if told else None
    if answer:
        _say(answer)
    if said["hook_event_name"] in TICKS:
        from engrain.hook import ticking

        ticking.start(home, environ, python, source, _rollout(agent, said))
    took.note(home, agent or FIRST)


def _wired(agent: str, environ: Mapping[str, str]) -> bool:
    """Whether settings run our hooks of this agent, too."""
    from engrain.hook.plugin import wired

    return wired(agent, environ, os.getcwd())


def _rollout(agent: str, said: dict[str, Any]) -> str:
    """Where an agent wrote down how commands ended that its hooks were not told of."""
    return _word(said, "transcript_path") if agent == "codex" else ""


def _given() -> dict[str, Any] | None:
    """The payload; nothing where there is none, or more than an agent would say."""
    data = bytearray()
    while piece := os.read(0, PIECE):
        data += piece
        if len(data) > MOST_INPUT:
            return None
    try:
        said = light.loads(data.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


class _Visit:
    """One event of one session: where it happened, what is recorded of it, what there is to say."""

    def __init__(self, agent: str, said: dict[str, Any], home: Home, environ: Mapping[str, str]) -> None:
        ruled = settings(home, environ)
        self._name, self._said, self._home, self._ruled = _word(said, "hook_event_name"), said, home, ruled
        self._now = events.now()
        self._where = place(_word(said, "cwd"), home)
        self._gate = Gate(os.path.expanduser("~"), environ.get("XDG_CONFIG_HOME", ""))
        self._store = store_of(home, ruled)
        id_ = _word(said, "session_id") or "unknown"
        self._session = Session(agent, id_, project=self._where.id, tenant=ruled.tenant)

    def told(self, *, shows: bool) -> Iterator[str]:
        """What there is to say, once what happened is recorded; nothing where the agent `shows` none of it. A store
        that can't be asked now is silent."""
        event = claude_code.event(self._said, self._session, self._where, self._now)
        found = self._failure(event) if event else None
        if event is not None:
            event = self._recorded(event, found)
        if self._name == "SessionStart":
            self._append(sighting(self._where, self._ruled.tenant, self._now, self._home.mark))
        if shows:
            fixes = self._fixes(found, event)
            yield from filter(None, (fixes, self._begun(), self._lessons(rules.room(self._name, fixes))))

    def _recorded(self, event: Event, found: Fingerprint | None) -> Event:
        """The event as it lies in the spool now."""
        if found:
            from engrain.recall.shown import described

            event = event._replace(body={**event.body, FAILURE: described(found)})
        return self._append(event)

    def _failure(self, event: Event) -> Fingerprint | None:
        """Which failure of a command it was; what somebody interrupted has not failed."""
        command = claude_code.command(self._said)
        if not command or event.body.get("failed") is not True or event.body.get("interrupted"):
            return None
        from engrain.fingerprint import fingerprint

        return fingerprint(str(event.body.get("output", "")), command, event.body.get("exit"))

    def _fixes(self, found: Fingerprint | None, failed: Event | None) -> str:
        """What is known to help."""
        if found is None or failed is None or WITHHELD in failed.body:
            return ""
        from engrain.hook.answering import answered

        try:
            answer = answered(found, failed, self._where, self._ruled, self._store)
        except StoreError:
            return ""
        if answer is None:
            return ""
        text, serving = answer
        if serving is not None:
            self._append(serving)
        return text

    def _begun(self) -> str:
        """What a session is told at its start."""
        if self._name != "SessionStart" or not self._ruled.brief:
            return ""
        from engrain.hook import beginning

        fresh = _word(self._said, "source") in beginning.SOURCES
        return beginning.kept(self._home, self._session.tenant, self._session.project) if fresh else ""

    def _lessons(self, room: int) -> str:
        """The rules that fire."""
        phase = PHASE.get(self._name)
        tenant, project = self._session.tenant, self._session.project
        try:
            if phase is None or not rules.waiting(phase, self._store, tenant, project, self._home):
                return ""
            text, told = rules.fired(self._said, phase, self._store, self._session, self._now, room)
        except StoreError:
            return ""
        for event in told:
            self._append(event)
        return text

    def _append(self, event: Event) -> Event:
        event = admitted(event, self._gate)
        spool.append(self._home.spool, events.line(event).encode())
        return event


def _word(said: dict[str, Any], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""


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
