"""Embedder: which model the settings name, opened; or why words alone must do.

minilm               all-MiniLM-L6-v2 in this process (the default)
ollama:MODEL         a model that Ollama serves
openai:MODEL         a model behind an OpenAI-compatible endpoint
none                 words alone
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engrain.embed import weights
from engrain.errors import BadConfig, EmbedderUnavailable

if TYPE_CHECKING:
    from engrain.embed import Embedder

MINILM, NONE = "minilm", "none"
SERVED = ("ollama", "openai")


def open_embedder(model: str, *, home: str, url: str = "", key: str = "") -> Embedder:
    """The embedder of that name; EmbedderUnavailable says what is missing. Nothing is loaded or asked yet."""
    kind, _, name = model.partition(":")
    if model == NONE:
        raise EmbedderUnavailable("embed.model is none: search goes by words alone")
    if model != MINILM and (kind not in SERVED or not name):
        raise BadConfig(f"embed.model must be minilm, ollama:MODEL, openai:MODEL or none, not {model!r}")
    try:
        if model == MINILM:
            return _minilm(home)
        from engrain.embed.served import Served
    except ImportError as exc:
        raise EmbedderUnavailable("search by meaning needs the extra: pip install 'engrain[semantic]'") from exc
    return Served(kind, name, url, key)


def _minilm(home: str) -> Embedder:
    from engrain.embed.minilm import MiniLM

    folder = weights.found(home)
    if not folder:
        raise EmbedderUnavailable("search by meaning needs the model: `engrain embed --fetch` downloads it (83 MB)")
    return MiniLM(folder)
