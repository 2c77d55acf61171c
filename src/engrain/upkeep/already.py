"""Already: what the journal has of a session is not told again, whoever told of it first.

    by id       a call has the agent's own name, whoever tells of it and whichever project its folder was taken for
    by words    a prompt, a reply: a hook may not have known the name that a transcript has for it
    once        the start of a session

What was said by a hook keeps its name, and the calls that follow from it are linked to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engrain.capture.transcripts import said
from engrain.event import PROMPT, REPLY, SESSION_START, Event
from engrain.store import Store

NEAR = 600_000_000
"""Microseconds between a hook and the line of a transcript that tell of the same words."""
MOST_WORDS = 2000
MOST_SESSIONS = 8

Name = tuple[str, str, str]


class Already:
    """What a store has of sessions that are being brought."""

    def __init__(self, store: Store) -> None:
        self._store = store
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
            self._open[name] = _Before(self._store, name)
        return self._open[name]


class _Before:
    """One session as the journal has it."""

    def __init__(self, store: Store, name: Name) -> None:
        self._ids = store.ids_of_session(*name)
        self._names: dict[str, str] = {}
        self._said: dict[tuple[str, str], list[Event]] = {}
        for event in store.said_in_session(*name):
            self._said.setdefault(_words(event), []).append(event)

    def new(self, event: Event) -> Event | None:
        """The event, linked to what is there; None when it is there itself."""
        there = self._there(event) if event.kind in (PROMPT, REPLY, SESSION_START) else None
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
