"""Engine: a prompt → the model's own words, as they come. llama.cpp by way of xllamacpp, in this process.

Its own listener can't be left out: it gets a socket in a folder of this user's that goes with the engine, and a key
that nobody is told, so that there is no way around the guard.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from queue import SimpleQueue
from typing import Any, NamedTuple

from engrain.errors import BadInput, MissingExtra
from engrain.train.serving.header import Header

MOST_CONTEXT = 16_384
"""Unless told otherwise: what a longer memory costs is more than most agents need."""
BATCH = 512
"""Tokens of a prompt that are read at once: between two batches it can be told to end."""


_TOLD = {"stream": True, "timings_per_token": True, "return_progress": True}


class Piece(NamedTuple):
    """Some more words, or none while the prompt is read; `reason`: why they are the last ones (`stop`, `length`), else
    empty. And what was read and written until here, in tokens."""

    text: str
    reason: str
    read: int
    written: int


class Engine:
    """A loaded model; one question at a time, the others wait."""

    def __init__(self, header: Header, *, context: int = 0, threads: int = 0) -> None:
        needed()
        import xllamacpp

        self.context = context or min(int(header.of("context_length", MOST_CONTEXT)), MOST_CONTEXT)
        self._folder = tempfile.mkdtemp(prefix="engrain-")
        try:
            self._server: Any = xllamacpp.Server(self._asked(xllamacpp.CommonParams(), header.path, threads))
        except (RuntimeError, ValueError) as exc:
            self.close()
            raise BadInput(f"{header.path} can't be loaded: damaged, of a kind that is not known here, or too large for"
                           " the memory") from exc  # fmt: skip

    def _asked(self, params: Any, path: str, threads: int) -> Any:
        params.model.path = path
        params.n_ctx, params.verbosity, params.ui = self.context, -1, False
        params.endpoint_slots, params.warmup, params.n_batch = False, False, BATCH
        params.hostnames, params.api_keys = [os.path.join(self._folder, "own.sock")], [secrets.token_urlsafe(32)]
        for part in (params.cpuparams, params.cpuparams_batch):
            part.n_threads = threads or spare()
        return params

    def pieces(self, asked: Mapping[str, Any]) -> Iterator[Piece]:
        """Words that follow a prompt, as they come; who hears no further ends them."""
        came: SimpleQueue[Any] = SimpleQueue()
        enough = threading.Event()

        def hear(piece: Any) -> bool:
            came.put(piece)
            return enough.is_set()

        def run() -> None:
            try:
                self._server.handle_completions({**asked, **_TOLD}, hear)
            except (RuntimeError, TypeError, ValueError) as exc:
                came.put({"error": {"message": str(exc)[:200]}})
            finally:
                came.put(None)

        speaking = threading.Thread(target=run, daemon=True)
        speaking.start()
        try:
            while (found := came.get()) is not None:
                yield _piece(found)
        finally:
            enough.set()
            speaking.join()

    def close(self) -> None:
        """The model is let go of."""
        self._server = None
        shutil.rmtree(self._folder, ignore_errors=True)


def _piece(found: Mapping[str, Any]) -> Piece:
    if "error" in found:
        raise BadInput(f"the model can't be asked this: {found['error'].get('message', 'no reason is given')}")
    choice, took = found["choices"][0], found.get("timings", {})
    read = took.get("cache_n", 0) + took.get("prompt_n", 0)
    return Piece(choice.get("text") or "", choice.get("finish_reason") or "", read, took.get("predicted_n", 0))


def spare() -> int:
    """Threads to compute with: one core is left alone, for with a thread on each they wait for whichever is taken."""
    return max(1, (os.cpu_count() or 2) - 1)


def needed() -> None:
    """MissingExtra, unless what serves is installed."""
    import importlib.util

    missing = [name for name in ("xllamacpp", "jinja2") if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtra(f"serving a model needs {', '.join(missing)}: install engrain[train]")
