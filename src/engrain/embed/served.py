"""Served: vectors from a model behind Ollama or any OpenAI-compatible endpoint, by its HTTP address."""

from __future__ import annotations

import http.client
import json
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

import numpy as np

from engrain.embed.embedder import OLLAMA, OPENAI, leaves
from engrain.embed.vector import packed, unit
from engrain.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

USUAL = {OLLAMA: "http://127.0.0.1:11434"}
"""Where a model is when nobody said: on this machine, or nowhere. No text goes anywhere else unasked."""
_PATHS = {OLLAMA: "/api/embed", OPENAI: "/embeddings"}

AT_ONCE = 64
MOST_CHARACTERS = 8000
MOST_BYTES, _PART = 64_000_000, 1 << 16
"""Of an answer: 64 vectors of 4,096 numbers written out have some 6 million."""


class Served:
    """A model at an address; how many numbers its vectors have is known after the first answer."""

    def __init__(self, kind: str, model: str, url: str, key: str = "", seconds: float = 30.0) -> None:
        self.name = f"{kind}:{model}"
        self._kind = kind
        self._model = model
        self._url = (url or USUAL.get(kind, "")).rstrip("/") + _PATHS[kind]
        self._key = key
        self._seconds = seconds
        self._dimension = 0
        # What is meant for this machine never takes the way over a proxy.
        self._opener = build_opener() if leaves(self.name, self._url) else build_opener(ProxyHandler({}))
        if not self._url.startswith(("http://", "https://")):
            raise EmbedderUnavailable(f"embed.url must begin with http:// or https://, not {url!r}")

    @property
    def dimension(self) -> int:
        if not self._dimension:
            self.embed(["dimension"])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A unit vector for each text."""
        vectors: list[bytes] = []
        for start in range(0, len(texts), AT_ONCE):
            vectors += self._ask(texts[start : start + AT_ONCE])
        return vectors

    def _ask(self, texts: Sequence[str]) -> list[bytes]:
        # An empty text has no vector at some of them.
        given = [text[:MOST_CHARACTERS].encode("utf-8", "replace").decode() or " " for text in texts]
        answer = self._post({"model": self._model, "input": given})
        try:
            rows = np.array(self._rows(answer), dtype=np.float32)
        except (KeyError, TypeError, ValueError, OverflowError) as exc:
            raise EmbedderUnavailable(f"{self._url} answers in a form that is not known") from exc
        if rows.ndim != 2 or len(rows) != len(given) or not np.isfinite(rows).all():
            raise EmbedderUnavailable(f"{self._url} gave {len(rows)} vectors for {len(given)} texts")
        if self._dimension not in (0, rows.shape[1]):
            raise EmbedderUnavailable(f"{self._url} gives vectors of another length than before: {rows.shape[1]}")
        self._dimension = int(rows.shape[1])
        return packed(unit(rows))

    def _rows(self, answer: Any) -> list[Any]:
        if self._kind == OLLAMA:
            return list(answer["embeddings"])
        return [each["embedding"] for each in sorted(answer["data"], key=lambda each: int(each["index"]))]

    def _post(self, body: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(self._url, json.dumps(body).encode(), headers)  # noqa: S310 - the scheme is checked above
        try:
            with self._opener.open(request, timeout=self._seconds) as answer:
                return json.loads(self._read(answer))
        except HTTPError as exc:
            with exc:
                raise EmbedderUnavailable(f"{self._url} refuses: {exc.code} {exc.reason}") from exc
        except (URLError, TimeoutError, OSError, http.client.HTTPException) as exc:
            why = exc.reason if isinstance(exc, URLError) else exc
            raise EmbedderUnavailable(f"{self._url} can't be reached: {why}") from exc
        except (ValueError, RecursionError) as exc:
            raise EmbedderUnavailable(f"{self._url} answers in a form that is not known") from exc

    def _read(self, answer: http.client.HTTPResponse) -> bytes:
        """All of an answer; one that comes in drops is waited for no longer than one that does not come."""
        said, until = bytearray(), monotonic() + self._seconds
        while part := answer.read1(_PART):
            said += part
            if monotonic() > until or len(said) > MOST_BYTES:
                raise TimeoutError("the answer has no end")
        return bytes(said)
