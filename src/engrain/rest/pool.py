"""Pool: a few memories that requests take in turn, each with a connection of its own, held to the tenant who asks."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from engrain.errors import StoreBusy
from engrain.memory import Memory
from engrain.project import Project

PATIENCE = 5.0

ANYWHERE = Project("-", "", "", "", "", "", "no project was named")
"""The project of what concerns none."""


class Pool:
    """So many memories, opened when they are first needed."""

    def __init__(self, opened: Callable[[], Memory], size: int) -> None:
        self._opened = opened
        self._free: queue.LifoQueue[Memory | None] = queue.LifoQueue()
        self._size = size
        for _ in range(size):
            self._free.put(None)

    @contextmanager
    def memory(self, tenant: str, project: Project, key: str = "") -> Iterator[Memory]:
        """A memory that nobody else uses meanwhile, of this tenant, as seen from this project."""
        try:
            taken = self._free.get(timeout=PATIENCE)
        except queue.Empty:
            raise StoreBusy("more questions than this server can answer now") from None
        try:
            if taken is None:
                taken = self._opened()
            yield taken.confined_to(tenant, project, key)
        finally:
            self._free.put(taken)

    def close(self) -> None:
        """Lets go of all of them; of one that somebody still has, the end of the process does."""
        with suppress(queue.Empty):
            for _ in range(self._size):
                memory = self._free.get(timeout=PATIENCE)
                if memory is not None:
                    memory.close()
