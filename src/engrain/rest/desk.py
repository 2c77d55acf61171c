"""Desk: what a route needs beside its request: memories to ask, the intake to tell, and who asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, NamedTuple

from fastapi import Depends, Query, Request

from engrain import event as events
from engrain.event import Event
from engrain.memory import Memory
from engrain.project import Project
from engrain.rest.intake import Intake
from engrain.rest.pool import ANYWHERE, Pool
from engrain.rest.problems import Problem
from engrain.rest.shapes import Place, Said
from engrain.rest.who import Asker


class Desk(NamedTuple):
    """What all routes share."""

    pool: Pool
    intake: Intake


class Asked(NamedTuple):
    """One request at the desk."""

    desk: Desk
    asker: Asker
    key: str

    @contextmanager
    def memory(self, place: Place | Project | None = None) -> Iterator[Memory]:
        """A memory, as the one who asks sees it from that project."""
        project = place.project() if isinstance(place, Place) else place or ANYWHERE
        with self.desk.pool.memory(self.asker.tenant, project, self._key()) as memory:
            yield memory

    def mine(self, found: list[Event]) -> list[Event]:
        """Those of the tenant that asks: a store may hold several."""
        return [event for event in found if event.tenant == self.asker.tenant]

    def agent(self, said: str) -> str:
        """In whose name something is recorded: a token of one agent records for no other."""
        if self.asker.agent and said not in ("", self.asker.agent):
            raise Problem(403, f"this token records for the agent {self.asker.agent!r} alone")
        return self.asker.agent or said

    def who(self, said: Said) -> dict[str, str]:
        """Session and agent of what is recorded."""
        return {"session": said.session, "agent": self.agent(said.agent)}

    def id_of(self, kind: str) -> str | None:
        """The id of what is told under a key."""
        return events.id_of("asked", key, kind) if (key := self._key()) else None

    def _key(self) -> str:
        """What ids follow from: a key is of whoever sends it, so that nobody can name another's events."""
        return events.id_of(self.asker.tenant, self.asker.id, self.key) if self.key else ""


async def asked(request: Request) -> Asked:
    """The request at the desk. It waits for nobody, so no thread is asked for it."""
    key = request.headers.get("idempotency-key", "")
    if len(key) > 200:
        raise Problem(400, "Idempotency-Key has at most 200 characters")
    return Asked(request.app.state.desk, request.state.asker, key)


Here = Annotated[Asked, Depends(asked)]
Cursor = Annotated[str, Query(max_length=2000, description="`next` of the page before")]
Many = Annotated[int, Query(ge=1, le=200)]
OfProject = Annotated[str, Query(max_length=512, description="id of a project; of all where it is empty")]
