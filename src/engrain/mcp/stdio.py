"""stdio: the transport that an agent starts by itself: messages on stdin and stdout, one process for each agent.

The process ends when its stdin ends, which is what a client that was killed leaves behind, whatever it was saying.

What a command printed is often cut in the midst of a character, and clients in JavaScript write such a half as an
escape that no UTF-8 can hold (`\\ud83d`). The SDK drops a message with one and answers nothing, and the agent would
wait for it until it gives up; so halves are mended on their way in.
"""

from __future__ import annotations

import os
import re
import threading
from contextlib import suppress
from typing import BinaryIO

import anyio

from engrain.mcp.server import server
from engrain.memory import Memory

_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", re.DOTALL
)
"""A whole pair, half of one, any other escape: read from the left, none is taken for a part of another."""


def serve(memory: Memory) -> None:
    """Serves until nobody is there any more."""
    _mend_stdin()
    with memory:
        try:
            anyio.run(server(memory).run_stdio_async)
        except* (BrokenPipeError, ConnectionResetError):
            # The client went while it was being answered.
            pass


def whole(line: bytes) -> bytes:
    """A message without halves of characters."""
    if b"\\ud" not in line and b"\\uD" not in line:
        return line
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], line)


def _mend_stdin() -> None:
    """From now on stdin is a pipe that brings what the client says, mended, and ends when it does."""
    client, (out, into) = os.dup(0), os.pipe()
    os.dup2(out, 0)
    os.close(out)
    files = os.fdopen(client, "rb"), os.fdopen(into, "wb")
    threading.Thread(target=_mended, args=files, name="stdin", daemon=True).start()


def _mended(client: BinaryIO, into: BinaryIO) -> None:
    # The server went, or the client did.
    with suppress(OSError), client, into:
        for line in client:
            into.write(whole(line))
            into.flush()
