"""Embedder: which model the settings name, opened; or why words alone must do.

minilm               all-MiniLM-L6-v2 in this process (the default)
ollama:MODEL         a model that Ollama serves
openai:MODEL         a model behind an OpenAI-compatible endpoint
none                 words alone
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engrain.embed import weights
from engrain.errors import BadConfig, EmbedderUnavailable

if TYPE_CHECKING:
    from engrain.embed import Embedder

MINILM, NONE = "minilm", "none"
OLLAMA, OPENAI = "ollama", "openai"
SERVED = (OLLAMA, OPENAI)
NEEDS = {MINILM: ("numpy", "tokenizers"), OLLAMA: ("numpy",), OPENAI: ("numpy",)}
"""What of the extra is imported for which model."""

HERE = ("localhost", "127.0.0.1", "::1")


def name_of(model: str) -> str:
    """What vectors of a model are known by; the same name as its embedder has, without loading it."""
    return weights.FOLDER if model == MINILM else model


def lacking(model: str, *, home: str, url: str = "") -> str:
    """What is missing for a model, and what to do, in one line; empty when nothing is. Nothing is loaded or asked."""
    kind, _, name = model.partition(":")
    if model == NONE:
        return "embed.model is none: search goes by words alone"
    if model != MINILM and (kind not in SERVED or not name):
        return f"embed.model must be minilm, ollama:MODEL, openai:MODEL or none, not {model!r}"
    if any(find_spec(library) is None for library in NEEDS[kind]):
        return "search by meaning needs the extra: pip install 'engrain[semantic]'"
    if model == MINILM and not weights.found(home):
        return "search by meaning needs the model: `engrain embed --fetch` downloads it (83 MB)"
    if kind == OPENAI and not url:
        return "nothing is sent to anybody unasked: embed.url must say where the model of embed.model is served"
    return ""


def open_embedder(model: str, *, home: str, url: str = "", key: str = "", seconds: float = 30.0) -> Embedder:
    """The embedder of that name; EmbedderUnavailable says what is missing. Nothing is loaded or asked yet. One that is
    served may take so many seconds to answer."""
    if lack := lacking(model, home=home, url=url):
        raise BadConfig(lack) if lack.startswith("embed.model must") else EmbedderUnavailable(lack)
    try:
        if model == MINILM:
            from engrain.embed.minilm import MiniLM

            return MiniLM(weights.found(home))
        from engrain.embed.served import Served
    except ImportError as exc:
        raise EmbedderUnavailable(f"search by meaning needs the extra, and it can't be loaded: {exc}") from exc
    kind, _, name = model.partition(":")
    return Served(kind, name, url, key, seconds)


def leaves(model: str, url: str) -> str:
    """The host that texts are sent to, when that is not this machine; empty when they stay."""
    if model.partition(":")[0] not in SERVED or not url:
        return ""
    host = urlsplit(url).hostname or ""
    return "" if host in HERE or host.startswith("127.") else host
