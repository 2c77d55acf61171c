"""stdio: the transport that an agent starts by itself: messages on stdin and stdout, one process for each agent.

The process ends when its stdin ends, which is what a client that was killed leaves behind, whatever it was saying.
"""

from __future__ import annotations

import anyio

from engrain.mcp.server import server
from engrain.memory import Memory


def serve(memory: Memory) -> None:
    """Serves until nobody is there any more."""
    with memory:
        try:
            anyio.run(server(memory).run_stdio_async)
        except* (BrokenPipeError, ConnectionResetError):
            # The client went while it was being answered.
            pass
