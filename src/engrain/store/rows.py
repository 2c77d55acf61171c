"""Rows: an event as the journal's table has it."""

from __future__ import annotations

import json

from engrain.errors import StoreDamaged
from engrain.event import Event
from engrain.store.database import Record

Key = tuple[str, str, str]
"""Tenant, project and id: what names an event in a store."""


def event_of(row: Record, where: str) -> Event:
    """The event of a row. A database's own check does not see a byte that turned inside a text; this does."""
    id_, time, tenant, project, session, agent, kind, v, body = row[:9]
    try:
        return Event(id_, time, tenant, project, session, agent, kind, v, json.loads(body))
    except (ValueError, RecursionError) as exc:
        raise StoreDamaged(f"{where}: the body of event {id_} can't be read; `engrain doctor` explains") from exc
