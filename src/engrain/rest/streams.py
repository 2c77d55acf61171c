"""Streams: what somebody goes on being told, a piece at a time. Between two looks no thread is held for it, so that any
number of pages may listen, and a server that ends keeps nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

from fastapi.concurrency import run_in_threadpool


async def paced(pieces: Iterator[str], pause: float, ended: Callable[[], bool]) -> AsyncIterator[str]:
    """The pieces as they come, each asked for in a thread; an empty one says that there is nothing more for now."""
    while not ended():
        piece = await run_in_threadpool(next, pieces, None)
        if piece is None:
            return
        if piece:
            yield piece
        else:
            await asyncio.sleep(pause)
