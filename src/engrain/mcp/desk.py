"""Desk: the one Memory of a server. Calls come on many threads and are served one at a time; each says who calls.

A store that others hold is waited for, but not for long: agents give up after a minute. What can't be written by then
is in the spool and not lost; what can't be read is said in words that help, never as a lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import NamedTuple, TypeVar

import anyio.to_thread
from mcp.server.mcpserver.exceptions import ToolError

from engrain.errors import EngrainError, StoreBusy, StoreUnreachable
from engrain.event import Event
from engrain.memory import Memory

PATIENCE = 2.0
"""Seconds that a store which somebody holds is waited for, a few times over."""

FRESH_SECONDS = 10.0
"""How old the memory may be that a failure is looked up in; older, what waits in the spool is read first."""

AGENTS = (
    ("claude-code", "claude-code"),
    ("codex", "codex"),
    ("cursor", "cursor"),
    ("windsurf", "windsurf"),
    ("cline", "cline"),
    ("gemini", "gemini"),
    ("zed", "zed"),
)
"""How clients that begin with a name call themselves → how their hooks do."""


class Caller(NamedTuple):
    """Who calls: the agent's name, and its session where the transport knows one."""

    agent: str = ""
    session: str = ""


Out = TypeVar("Out")

_caller: ContextVar[Caller] = ContextVar("caller")


def caller_named(client: str, session: str = "") -> Caller:
    """The caller that a client says it is."""
    name = "".join(each for each in client if each.isprintable()).strip()[:100]
    known = next((agent for prefix, agent in AGENTS if name.lower().startswith(prefix)), name)
    return Caller(known, session if session.isprintable() else "")


class Desk:
    """A Memory that is asked by one call at a time."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._lock = threading.Lock()
        self._caught_up = 0.0

    @property
    def caller(self) -> Caller:
        """Who makes the call that is being served."""
        return _caller.get(Caller())

    @contextmanager
    def calling(self, caller: Caller) -> Iterator[None]:
        """What is recorded inside is recorded as the caller's."""
        token = _caller.set(caller)
        try:
            yield
        finally:
            _caller.reset(token)

    def served(self, ask: Callable[[], Out]) -> Out:
        """What the call comes to, when it is its turn; a refusal in words that help."""
        with self._lock:
            return self._in_words(ask)

    async def served_here(self, ask: Callable[[], Out]) -> Out:
        """The same, on the thread of the loop."""
        await anyio.to_thread.run_sync(self._lock.acquire)
        try:
            return self._in_words(ask)
        finally:
            self._lock.release()

    def _in_words(self, ask: Callable[[], Out]) -> Out:
        try:
            if not self.memory.opened:
                self.memory.hurry(PATIENCE)
            return ask()
        except EngrainError as exc:
            raise ToolError(in_words(exc)) from exc

    def catch_up(self, *, within: float = 0.0) -> None:
        """What waits in the spool is in the memory, unless that was so a moment ago."""
        if monotonic() - self._caught_up < within:
            return
        self.memory.catch_up()
        self._caught_up = monotonic()

    def mine(self, events: list[Event]) -> list[Event]:
        """Those that belong to whoever this memory is of: a store may hold several."""
        return [event for event in events if event.tenant == self.memory.tenant]

    def waits(self) -> str:
        """What to say of that which was recorded last and is not in the journal yet."""
        return "it waits in the spool and is not lost" if self.memory.waits else ""


def in_words(exc: EngrainError) -> str:
    """An error for an agent: one line, what is wrong, what is right."""
    if isinstance(exc, StoreBusy):
        return "the memory is busy with its upkeep; nothing is lost. Go on without it and ask again in a minute"
    if isinstance(exc, StoreUnreachable):
        return "the memory's server does not answer. Go on without it; what hooks record is kept until it does"
    return " ".join(str(exc).split())
