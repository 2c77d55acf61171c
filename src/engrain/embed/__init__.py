"""Embed: texts → vectors that lie near each other when the texts mean the same.

    embedder   which model the settings name, or why there is none
    minilm     all-MiniLM-L6-v2 in NumPy: the default, no service and no torch
    weights    where its weights lie, how they get there, and that they are the right ones
    served     models behind Ollama or any OpenAI-compatible endpoint
    vector     vectors as bytes: pack, compare
    matrix     many vectors in a memory-mapped file, to be asked for the nearest
    beside     where such files lie, and who may write them

Texts come in, bytes go out: unit vectors of 32-bit floats, so that whoever keeps or hands them on needs no NumPy. An
embedder has a `name` that says which model made a vector; vectors of two names are never compared. The only room that
imports NumPy and tokenizers. It knows nothing of stores, events or ranking.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Embedder(Protocol):
        """Makes vectors."""

        @property
        def name(self) -> str:
            """Which model: vectors of another name can't be compared with its own."""
            ...

        @property
        def dimension(self) -> int:
            """How many numbers a vector has."""
            ...

        def embed(self, texts: Sequence[str]) -> list[bytes]:
            """A unit vector for each text, in their order; any text has one. EmbedderUnavailable when it can't."""
            ...


__all__ = ["Embedder"]
