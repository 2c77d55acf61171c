"""Meaning: the embedder that a memory's settings name. Functions over a Memory, which has them as its methods."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engrain.embed import Embedder
    from engrain.memory import Memory


def embedder(memory: Memory) -> Embedder:
    """The embedder of the settings; EmbedderUnavailable says why there is none."""
    from engrain.embed.embedder import open_embedder

    # One text at a time gains nothing from threads, and where processors are busy they wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    config = memory.config
    key = os.environ.get(config.text("embed.key"), "") if config.text("embed.key") else ""
    return open_embedder(config.text("embed.model"), home=memory.home.root, url=config.text("embed.url"), key=key)
