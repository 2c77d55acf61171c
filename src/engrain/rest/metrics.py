"""Metrics: what this server did, for Prometheus, and each request as one line of JSON for whoever keeps logs.

Neither says what anybody asked or told: routes by their pattern, never an address as it came, and of who asks the id of
the token and the tenant. Several workers of one server are summed; what concerns the store is asked of it when
somebody looks.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator

from fastapi import APIRouter, Request
from fastapi.responses import Response
from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
    values,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from engrain.errors import StoreError
from engrain.rest.guard import App, Message, Receive, Scope, Send
from engrain.store.database import Database
from engrain.store.jobs import Jobs

router = APIRouter()

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
ASKING = frozenset(["/v1/search", "/v1/match", "/v1/lessons/match", "/v1/context", "/mcp"])

REQUESTS = Counter("engrain_requests", "Requests, by what they asked and how it went.", ["method", "route", "status"])
TOOK = Histogram("engrain_request_seconds", "How long requests took.", ["route"], buckets=SECONDS)
ASKED = Histogram("engrain_recall_seconds", "How long questions took.", ["route"], buckets=SECONDS)
RECALLED = Counter("engrain_recall", "Questions, by whether anything was found.", ["route", "found"])
EVENTS = Counter("engrain_events", "Events that were answered for as stored.")
WAITING = Gauge("engrain_intake_waiting", "Events that wait for the next commit.", multiprocess_mode="livesum")

NOWHERE = "-"
"""The route of what has none: addresses that nobody knows are not counted one by one."""


def recalled(route: str, *, found: bool) -> None:
    """Somebody asked, and something was found or nothing."""
    RECALLED.labels(route, "yes" if found else "no").inc()


def gone(pid: int) -> None:
    """A worker has ended: what it held waits no more."""
    multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]


class Watched:
    """An application whose requests are counted, timed and, if wanted, told."""

    def __init__(self, app: App, *, log: bool) -> None:
        self._app, self._log = app, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = str(getattr(scope.get("route"), "path", NOWHERE))
        method = scope["method"] if scope["method"] in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD") else "OTHER"
        REQUESTS.labels(method, route, str(status)).inc()
        TOOK.labels(route).observe(seconds)
        if route in ASKING:
            ASKED.labels(route).observe(seconds)
        if self._log:
            asker = scope.get("state", {}).get("asker")
            said = {
                "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "method": method, "route": route,
                "status": status, "ms": round(1000 * seconds, 2), "token": getattr(asker, "id", ""),
                "tenant": getattr(asker, "tenant", ""),
            }  # fmt: skip
            print(json.dumps(said), file=sys.stderr, flush=True)


class _Store(Collector):
    """What the store says of its jobs when somebody looks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self) -> Iterator[Metric]:
        states, lag, up = {"waiting": 0, "dead": 0}, 0.0, 1
        try:
            jobs = Jobs(self._database)
            states.update(jobs.states())
            lag = jobs.lag()
        except StoreError:
            up = 0
        yield GaugeMetricFamily("engrain_store_up", "Whether the store answered.", value=up)
        if up:
            number = GaugeMetricFamily("engrain_jobs", "Jobs that wait, and that were given up.", labels=["state"])
            for state, jobs_ in states.items():
                number.add_metric([state], jobs_)
            yield number
            yield GaugeMetricFamily("engrain_lag_seconds", "How long the oldest job has been due.", value=lag)


@router.get("/metrics", tags=["health"], response_class=Response)
def metrics(request: Request) -> Response:
    """What this server did, for Prometheus."""
    database: Callable[[], Database] = request.app.state.keeper
    own = CollectorRegistry()
    own.register(_Store(database()))
    parts: Iterable[CollectorRegistry] = (_workers(), own)
    return Response(b"".join(map(generate_latest, parts)), media_type=CONTENT_TYPE_PLAIN_0_0_4)


def _workers() -> CollectorRegistry:
    """What this process counted, or all workers did where there are several."""
    if not values.ValueClass.__name__.startswith("Mmap"):
        return REGISTRY
    summed = CollectorRegistry()
    multiprocess.MultiProcessCollector(summed)  # type: ignore[no-untyped-call]
    return summed
