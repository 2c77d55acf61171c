"""Jobs: slow work (embedding, mining, scrubbing) that outlives the process that asked for it.

A job is named by tenant, project, kind and key: asked for twice, it is done once. Who works on it holds a lease; when
that process dies the lease ends by itself and another takes over. A job that fails waits longer each time, and after
MAX_TRIES it is dead: kept with its last error, shown by doctor, brought back by `revive`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from engrain.event import LOCAL
from engrain.store.database import Database

LEARN = "learn"
"""The kind of the job that learns from a session; its key is the session."""

LEASE = 60_000_000
MAX_TRIES = 5
FIRST_WAIT = 10_000_000
LONGEST_WAIT = 3_600_000_000
ABSURD = 2 * LONGEST_WAIT
"""Nothing is ever put off for longer than this: a later time was written by a clock that has since been set back."""


class Job(NamedTuple):
    """A piece of work under a lease."""

    tenant: str
    project: str
    kind: str
    key: str
    body: Mapping[str, Any]
    tries: int
    holder: str


class Dead(NamedTuple):
    """A job that was given up."""

    project: str
    kind: str
    key: str
    tries: int
    error: str


class Jobs:
    """The jobs of one store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def enqueue(
        self, kind: str, key: str, body: Mapping[str, Any], *, project: str, tenant: str = LOCAL, now: int | None = None
    ) -> None:
        """The job is in line, once."""
        row = {"tenant": tenant, "project": project, "kind": kind, "key": key}
        due = self._database.now() if now is None else now
        self._database.run("enqueue", [{**row, "body": json.dumps(body, sort_keys=True), "due": due}])
        self._database.announce()

    def lease(self, holder: str, kinds: list[str], *, limit: int = 1, now: int | None = None) -> list[Job]:
        """Jobs that are due and that nobody else gets while the lease lasts."""
        at = self._database.now() if now is None else now
        args = {"holder": holder, "until": at + LEASE, "now": at, "absurd": at + ABSURD, "kinds": kinds, "limit": limit}
        with self._database.transaction():
            self._database.run("bury_jobs", [{"now": at, "most": MAX_TRIES}])
            rows = self._database.all("lease_jobs", args)
        return [Job(t, p, kind, key, json.loads(body), int(n), holder) for t, p, kind, key, body, n in rows]

    def finish(self, job: Job) -> None:
        """The job is done and out of the line, unless its lease went to somebody else."""
        self._database.run("finish_job", [_name(job)])

    def fail(self, job: Job, error: str, *, now: int | None = None) -> None:
        """The job waits for another try, twice as long each time, or is dead."""
        at = self._database.now() if now is None else now
        state = "dead" if job.tries >= MAX_TRIES else "waiting"
        due = at + min(FIRST_WAIT * 2 ** (job.tries - 1), LONGEST_WAIT)
        self._database.run("postpone_job", [{**_name(job), "due": due, "state": state, "error": error[:500]}])

    def put_back(self, job: Job) -> None:
        """The job was begun and is left for later; that was no try."""
        self._database.run("put_back_job", [_name(job)])

    def renew(self, job: Job) -> None:
        """Whoever works on it still does."""
        self._database.run("renew_job", [{**_name(job), "until": self._database.now() + LEASE}])

    def holders(self, kind: str) -> list[str]:
        """Who holds jobs of a kind."""
        return [str(row[0]) for row in self._database.all("job_holders", {"kind": kind})]

    def last_error(self, kind: str) -> str:
        """What went wrong last with a job of a kind."""
        rows = self._database.all("last_error", {"kind": kind})
        return str(rows[0][0]) if rows else ""

    def free(self, holder: str) -> None:
        """The jobs of a holder that is gone are anybody's again."""
        self._database.run("free_jobs", [{"holder": holder}])

    def waiting(self, kind: str = "") -> int:
        """How many jobs are in line, of one kind or of all."""
        return int(self._database.all("count_jobs_of", {"kind": kind})[0][0]) if kind else self._count("waiting")

    def named(self, kind: str) -> list[tuple[str, str, str]]:
        """(tenant, project, key) of every job of a kind that waits."""
        return [(str(t), str(p), str(key)) for t, p, key in self._database.all("waiting_of", {"kind": kind})]

    def drop(self, kind: str) -> None:
        """No job of a kind is in line any more."""
        self._database.run("drop_jobs_of", [{"kind": kind}])

    def states(self) -> dict[str, int]:
        """How many jobs there are in each state."""
        return {str(name): int(number) for name, number in self._database.all("count_jobs")}

    def lag(self) -> float:
        """For how many seconds the job that waits longest has been due."""
        oldest = self._database.all("oldest_due")[0][0]
        return max(0.0, (self._database.now() - int(oldest)) / 1_000_000) if oldest else 0.0

    def _count(self, state: str) -> int:
        return self.states().get(state, 0)

    def dead(self) -> list[Dead]:
        """The jobs that were given up."""
        return [Dead(p, kind, key, int(n), error) for _, p, kind, key, _, n, error in self._database.all("dead_jobs")]

    def revive(self, *, now: int | None = None) -> int:
        """Gives every dead job its tries back; how many there were."""
        number = self._count("dead")
        self._database.run("revive_jobs", [{"now": self._database.now() if now is None else now}])
        return number

    def revive_of(self, kind: str) -> None:
        """Gives the dead jobs of a kind their tries back."""
        self._database.run("revive_jobs_of", [{"kind": kind, "now": self._database.now()}])


def _name(job: Job) -> dict[str, str]:
    return {"tenant": job.tenant, "project": job.project, "kind": job.kind, "key": job.key, "holder": job.holder}
