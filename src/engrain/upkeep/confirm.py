"""Confirm: what a hook could only guess, set right by what the agent wrote down itself.

Codex tells its hooks no exit code; its rollout has one for every command. When a turn is over, its end is read, and
each call that was guessed is written anew as it went: one microsecond earlier, because of two events with one id
the earlier one holds. A failure that was none loses its fingerprint; one that nobody saw gets its own. What was
shown meanwhile stays on record.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

from engrain import event as events
from engrain.capture.transcripts import codex
from engrain.event import FAILURE, TOOL_CALL, Event
from engrain.fingerprint import fingerprint
from engrain.learn.deeds import said
from engrain.recall.shown import described
from engrain.store import Store

TAIL = 8 * 1024 * 1024
"""Bytes of a rollout's end that are read: a turn is shorter."""

AT_ONCE = 500


def confirm(store: Store, rollout: str, *, tenant: str, admitted: Callable[[Event], Event]) -> int:
    """How many calls were guessed and are known now."""
    known = _known(rollout, tenant)
    ids, number = list(known), 0
    for start in range(0, len(ids), AT_ONCE):
        found = [event for event in store.get(ids[start : start + AT_ONCE]) if event.body.get("guessed") is True]
        store.append(admitted(_corrected(event, known[event.id])) for event in found)
        number += len(found)
    return number


def _known(rollout: str, tenant: str) -> dict[str, dict[str, Any]]:
    """How the calls ended that a rollout tells of, by the ids that hooks gave them."""
    found: dict[str, dict[str, Any]] = {}
    try:
        lines = list(_lines(rollout))
    except OSError:
        return {}
    sessions = _sessions(lines[0]) if lines else []
    for event in codex.read(lines, project=lambda _: "-", tenant=tenant):
        ended = {name: event.body[name] for name in ("exit", "failed", "refused", "interrupted") if name in event.body}
        if event.kind == TOOL_CALL and {"exit", "refused", "interrupted"} & ended.keys():
            call = str(event.body.get("call", ""))
            for session in dict.fromkeys([event.session, *sessions]):
                found[events.id_of(TOOL_CALL, codex.AGENT, session, call)] = ended
    return found


def _lines(path: str) -> Iterator[bytes]:
    """The first line, which says which session it is, and the last ones."""
    with open(path, "rb") as file:
        yield file.readline()
        if os.fstat(file.fileno()).st_size > TAIL:
            file.seek(-TAIL, os.SEEK_END)
            file.readline()
        yield from file


def _sessions(first: bytes) -> list[str]:
    """Every name that the first line has for its session."""
    try:
        payload = json.loads(first).get("payload", {})
    except (ValueError, AttributeError):
        return []
    names = (payload.get(name) for name in ("session_id", "id")) if isinstance(payload, dict) else ()
    return [name for name in names if isinstance(name, str) and name]


def _corrected(event: Event, ended: dict[str, Any]) -> Event:
    """The call as it went."""
    body = {key: value for key, value in event.body.items() if key not in ("guessed", FAILURE)} | ended
    given = body.get("input")
    command = said(given) if isinstance(given, dict) else ""
    if body["failed"] and command and not body.get("interrupted"):
        body[FAILURE] = event.body.get(FAILURE) or described(
            fingerprint(str(body.get("output", "")), command, body.get("exit"))
        )
    return event._replace(body=body, time=max(event.time - 1, 0))
