"""MiniLM: all-MiniLM-L6-v2 in NumPy. Six layers of BERT, the mean of what they say of each word, length one.

No torch, and nothing is loaded before the first text. Texts are cut at 256 pieces of words, as the model was trained,
and embedded in batches of about the same length, so that little is computed for padding.
"""

from __future__ import annotations

import json
import os
import struct
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer

from engrain.embed.vector import packed, unit
from engrain.embed.weights import MODEL, TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engrain.embed.vector import Floats

NAME = "all-MiniLM-L6-v2"
DIMENSION, LAYERS, HEADS = 384, 6, 12
MOST_PIECES = 256
MOST_CHARACTERS = 6000
"""No 256 pieces of words are longer than that in any text worth reading; the rest is not even looked at."""

BATCH_PIECES = 512
"""Pieces of words, padding included, that one pass computes: what fits the caches of a processor."""

_EPSILON = 1e-12


class MiniLM:
    """The model; its weights are mapped, not read, until they are needed."""

    name = NAME
    dimension = DIMENSION

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._tokenizer: Tokenizer | None = None
        self._weights: dict[str, Floats] = {}
        self._turned = False

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A unit vector for each text."""
        if self._tokenizer is None:
            self._load()
        elif not self._turned:
            self._turn()
        pieces = [self._pieces(text) for text in texts]
        vectors: list[bytes] = [b""] * len(texts)
        for batch in _batches(pieces):
            for place, vector in zip(batch, packed(self._forward([pieces[place] for place in batch])), strict=True):
                vectors[place] = vector
        return vectors

    def _load(self) -> None:
        self._weights = _mapped(os.path.join(self._folder, MODEL))
        tokenizer = Tokenizer.from_file(os.path.join(self._folder, TOKENIZER))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MOST_PIECES)
        self._tokenizer = tokenizer

    def _turn(self) -> None:
        """Lays matrices as a product of few rows reads them: on some processors twice as quick. Who asks once only
        reads them as they are mapped."""
        self._turned = True
        for name, weight in self._weights.items():
            if name.startswith("encoder.") and weight.ndim == 2:
                self._weights[name] = np.ascontiguousarray(weight.T).T

    def _pieces(self, text: str) -> list[int]:
        assert self._tokenizer is not None
        sound = text[:MOST_CHARACTERS].encode("utf-8", "replace").decode()
        ids: list[int] = self._tokenizer.encode(sound).ids
        return ids

    def _forward(self, pieces: list[list[int]]) -> Floats:
        length = max(map(len, pieces))
        ids = np.array([each + [0] * (length - len(each)) for each in pieces])
        mask = np.array([[1.0] * len(each) + [0.0] * (length - len(each)) for each in pieces], dtype=np.float32)
        w = self._weights
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:length]
        x = self._norm("embeddings.LayerNorm", x + w["embeddings.token_type_embeddings.weight"][0])
        hidden = (1.0 - mask)[:, None, None, :] * np.float32(-1e9)
        for layer in range(LAYERS):
            x = self._layer(f"encoder.layer.{layer}", x, hidden)
        return unit((x * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True))

    def _layer(self, name: str, x: Floats, hidden: Floats) -> Floats:
        heard = self._linear(f"{name}.attention.output.dense", self._attention(f"{name}.attention.self", x, hidden))
        x = self._norm(f"{name}.attention.output.LayerNorm", x + heard)
        thought = _gelu(self._linear(f"{name}.intermediate.dense", x))
        return self._norm(f"{name}.output.LayerNorm", x + self._linear(f"{name}.output.dense", thought))

    def _attention(self, name: str, x: Floats, hidden: Floats) -> Floats:
        batch, length, _ = x.shape
        size = DIMENSION // HEADS

        def heads(what: str) -> Floats:
            return self._linear(f"{name}.{what}", x).reshape(batch, length, HEADS, size).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) * np.float32(size**-0.5) + hidden
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = scores / scores.sum(axis=-1, keepdims=True) @ heads("value")
        joined: Floats = mixed.transpose(0, 2, 1, 3).reshape(batch, length, DIMENSION)
        return joined

    def _linear(self, name: str, x: Floats) -> Floats:
        weight = self._weights[f"{name}.weight"]
        # One large product in place of one for each text.
        flat = x.reshape(-1, x.shape[-1]) @ weight.T + self._weights[f"{name}.bias"]
        return flat.reshape(*x.shape[:-1], weight.shape[0])

    def _norm(self, name: str, x: Floats) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        normed: Floats = centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return normed


def _gelu(x: Floats) -> Floats:
    """x · Φ(x), with Φ from an approximation of erf that is good to 1.5e-7 (Abramowitz and Stegun 7.1.26)."""
    at = np.abs(x) * np.float32(0.5**0.5)
    t = 1.0 / (1.0 + np.float32(0.3275911) * at)
    rest = np.full_like(t, 1.061405429)
    for term in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        rest = rest * t + np.float32(term)
    erf = np.copysign(1.0 - rest * t * np.exp(-at * at), x)
    bent: Floats = np.float32(0.5) * x * (1.0 + erf)
    return bent


def _batches(pieces: list[list[int]]) -> Iterator[list[int]]:
    """Places of texts of about the same length, as many as one pass computes."""
    batch: list[int] = []
    for place in sorted(range(len(pieces)), key=lambda at: len(pieces[at])):
        if batch and (len(batch) + 1) * len(pieces[place]) > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _mapped(path: str) -> dict[str, Floats]:
    """The tensors of a safetensors file (its length, a header of JSON, the numbers), mapped into memory."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
    # A plain array over it: a part of a memmap is one again, and each step of computing would pay for that.
    data = np.asarray(np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size))
    found: dict[str, Floats] = {}
    for name, about in header.items():
        if about.get("dtype") == "F32":
            start, end = about["data_offsets"]
            found[name] = data[start:end].view("<f4").reshape(about["shape"])
    return found
