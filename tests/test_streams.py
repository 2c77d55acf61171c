"""Streams hold no thread while they wait, and end with their server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import anyio.to_thread

from engrain.rest.streams import paced


def endless(told: list[int]) -> Iterator[str]:
    while True:
        told.append(1)
        yield "piece"
        yield ""


def test_any_number_of_streams_wait_and_somebody_else_has_a_thread() -> None:
    async def listen() -> None:
        anyio.to_thread.current_default_thread_limiter().total_tokens = 1
        told: list[int] = []
        ending = False
        streams = [paced(endless(told), 0.001, lambda: ending) for _ in range(50)]
        listening = [asyncio.ensure_future(_heard(each)) for each in streams]
        while len(told) < 200:
            assert await anyio.to_thread.run_sync(len, told) >= 0
        ending = True
        assert min(await asyncio.gather(*listening)) >= 1

    asyncio.run(asyncio.wait_for(listen(), 30))


def test_a_stream_that_has_no_more_ends() -> None:
    async def listen() -> list[str]:
        return [piece async for piece in paced(iter(["a", "", "b"]), 0, lambda: False)]

    assert asyncio.run(listen()) == ["a", "b"]


async def _heard(stream: object) -> int:
    return len([piece async for piece in stream])  # type: ignore[attr-defined]
