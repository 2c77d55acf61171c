"""Already: what the journal has of a session is not told again, whoever told of it first.

    by id       a call has the agent's own name, whoever tells of it and whichever project its folder was taken for
    by words    a prompt, a reply: a hook may not have known the name that a transcript has for it
    by what     a call that another tool told of, which had no names for calls: what was asked of which tool, about then
    once        the start of a session

What was said by a hook keeps its name, and the calls that follow from it are linked to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engrain.capture.transcripts import said
from engrain.event import PROMPT, REPLY, SESSION_START, TOOL_CALL, Event
from engrain.store import Store

NEAR = 600_000_000
"""Microseconds between a hook and the line of a transcript that tell of the same words."""
MOST_WORDS = 2000
MOST_SESSIONS = 8

Name = tuple[str, str, str]

MOVED = "moved"
"""The key of a session's start for the tool that it was moved over from."""


class Already:
    """What a store has of sessions that are being brought; `unnamed`: by who has no names for calls."""

    def __init__(self, store: Store, *, unnamed: bool = False) -> None:
        self._store = store
        self._unnamed = unnamed
        self._stored = {(tenant, session, agent) for tenant, _, session, agent, *_ in store.sessions()}
        self._open: dict[Name, _Before] = {}
        self._seen: set[Name] = set()
        self.known = 0

    @property
    def sessions(self) -> int:
        """How many sessions came by."""
        return len(self._seen)

    def without(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events that tell something new."""
        for event in events:
            name = (event.tenant, event.session, event.agent)
            if event.session:
                self._seen.add(name)
            told = self._before(name).new(event) if name in self._stored else event
            if told is None:
                self.known += 1
            else:
                yield told

    def _before(self, name: Name) -> _Before:
        if name not in self._open:
            if len(self._open) >= MOST_SESSIONS:
                del self._open[next(iter(self._open))]
            self._open[name] = _Before(self._store, name, self._unnamed)
        return self._open[name]


class _Before:
    """One session as the journal has it."""

    def __init__(self, store: Store, name: Name, unnamed: bool) -> None:
        self._ids = store.ids_of_session(*name)
        self._names: dict[str, str] = {}
        self._said: dict[tuple[str, str], list[Event]] = {}
        for event in store.said_in_session(*name):
            self._said.setdefault(_words(event), []).append(event)
            unnamed = unnamed or MOVED in event.body
        self._asked: dict[tuple[str, str], list[Event]] = {}
        for event in store.events_of_session(*name) if unnamed else ():
            if event.kind == TOOL_CALL:
                self._asked.setdefault(_asked(event), []).append(event)

    def new(self, event: Event) -> Event | None:
        """The event, linked to what is there; None when it is there itself."""
        there = self._there(event) if event.kind in (PROMPT, REPLY, SESSION_START) else self._called(event)
        if there is not None and event.kind == PROMPT and there.id != event.id:
            self._names[str(event.body.get("prompt", ""))] = str(there.body.get("prompt", ""))
        if there is not None or event.id in self._ids:
            return None
        return self._linked(event)

    def _there(self, event: Event) -> Event | None:
        """What tells the same and was not taken for another's before."""
        rows = self._said.get(_words(event), [])
        found = next((row for row in rows if row.id == event.id), None)
        if found is None and event.id not in self._ids:
            near = [row for row in rows if event.kind == SESSION_START or abs(row.time - event.time) <= NEAR]
            found = min(near, key=lambda row: abs(row.time - event.time), default=None)
        if found is not None and event.kind != SESSION_START:
            rows.remove(found)
        return found

    def _called(self, event: Event) -> Event | None:
        """The same call, told by another name or without one, and not taken for another's before."""
        if not self._asked or event.kind != TOOL_CALL or event.id in self._ids:
            return None
        rows = self._asked.get(_asked(event), [])
        nameless = "call" not in event.body
        near = [row for row in rows if nameless or "call" not in row.body if abs(row.time - event.time) <= NEAR]
        found = min(near, key=lambda row: abs(row.time - event.time), default=None)
        if found is not None:
            rows.remove(found)
        return found

    def _linked(self, event: Event) -> Event:
        link = event.body.get("prompt")
        if event.kind == PROMPT or link not in self._names:
            return event
        body: dict[str, Any] = {key: value for key, value in event.body.items() if key != "prompt"}
        return event._replace(body={**body, "prompt": self._names[link]} if self._names[link] else body)


def _words(event: Event) -> tuple[str, str]:
    """What was said, without what an agent put around it."""
    text = str(event.body.get("text", "")) if event.kind != SESSION_START else ""
    text = said.prompt(text) if event.kind == PROMPT else text
    return event.kind, " ".join(text.split())[:MOST_WORDS]


def _asked(event: Event) -> tuple[str, str]:
    """What was asked of which tool, as far as whoever tells of it keeps that."""
    given = event.body.get("input")
    given = given if isinstance(given, dict) else {}
    about = given.get("command") or given.get("file_path") or given.get("path") or given.get("pattern") or ""
    return str(event.body.get("tool", "")), " ".join(str(about).split())[:MOST_WORDS]
