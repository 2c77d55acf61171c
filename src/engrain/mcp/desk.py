"""Desk: the Memory behind a server. Calls come on many threads; each has a memory to itself while it is served, and
says who calls: the one agent that started this process, or over HTTP anybody who was let in.

A store that others hold is waited for, but not for long: agents give up after a minute. What can't be written by then
is in the spool and not lost; what can't be read is said in words that help, never as a lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
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


class Visit(NamedTuple):
    """What whoever calls may do here: with the memory of which project, if one was named, and whether they may change
    anything (`changes` says why not, and counts what is done); whose name a token binds them to."""

    named: bool = True
    writes: bool = True
    changes: Callable[[str], str] = lambda _: ""
    agent: str = ""


Turn = Callable[[], AbstractContextManager[Memory]]
"""A memory that is one's own for a while."""

Out = TypeVar("Out")

_caller: ContextVar[Caller] = ContextVar("caller")
_visit: ContextVar[Visit] = ContextVar("visit")
_memory: ContextVar[Memory] = ContextVar("memory")

NO_PROJECT = "this address names no project: add ?project=ID to it (`engrain project` prints the ID)"


def caller_named(client: str, session: str = "") -> Caller:
    """The caller that a client says it is."""
    name = "".join(each for each in client if each.isprintable()).strip()[:100]
    known = next((agent for prefix, agent in AGENTS if name.lower().startswith(prefix)), name)
    return Caller(known, session if session.isprintable() else "")


def alone(memory: Memory) -> Turn:
    """The turns of the one memory of a process."""
    lock = threading.Lock()

    @contextmanager
    def turn() -> Iterator[Memory]:
        with lock:
            yield memory

    return turn


class Desk:
    """Memories that are asked by one call at a time each."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._caught_up = 0.0

    @property
    def memory(self) -> Memory:
        """The memory of the call that is being served."""
        return _memory.get()

    @property
    def caller(self) -> Caller:
        """Who makes the call that is being served."""
        caller, bound = _caller.get(Caller()), self.visit.agent
        return caller._replace(agent=bound) if bound else caller

    @property
    def visit(self) -> Visit:
        """What whoever makes it may do."""
        return _visit.get(Visit())

    @contextmanager
    def calling(self, caller: Caller) -> Iterator[None]:
        """What is recorded inside is recorded as the caller's."""
        token = _caller.set(caller)
        try:
            yield
        finally:
            _caller.reset(token)

    @contextmanager
    def visited(self, visit: Visit) -> Iterator[None]:
        """What is asked inside is asked by whoever visits."""
        token = _visit.set(visit)
        try:
            yield
        finally:
            _visit.reset(token)

    def refuses(self, change: str) -> str:
        """Why whoever calls may not make this change; empty if they may."""
        return self.visit.changes(change) or ("" if self.visit.named else NO_PROJECT)

    def served(self, ask: Callable[[], Out]) -> Out:
        """What the call comes to, when it is its turn; a refusal in words that help."""
        with _in_words(), self._turn() as memory:
            return self._asked(memory, ask)

    async def served_here(self, ask: Callable[[], Out]) -> Out:
        """The same, on the thread of the loop."""
        with _in_words():
            turn = self._turn()
            memory = await anyio.to_thread.run_sync(turn.__enter__)
            try:
                return self._asked(memory, ask)
            finally:
                turn.__exit__(None, None, None)

    def _asked(self, memory: Memory, ask: Callable[[], Out]) -> Out:
        token = _memory.set(memory)
        try:
            if not memory.opened:
                memory.hurry(PATIENCE)
            return ask()
        finally:
            _memory.reset(token)

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


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except EngrainError as exc:
        raise ToolError(in_words(exc)) from exc


def in_words(exc: EngrainError) -> str:
    """An error for an agent: one line, what is wrong, what is right."""
    if isinstance(exc, StoreBusy):
        return "the memory is busy with its upkeep; nothing is lost. Go on without it and ask again in a minute"
    if isinstance(exc, StoreUnreachable):
        return "the memory's server does not answer. Go on without it; what hooks record is kept until it does"
    return " ".join(str(exc).split())
