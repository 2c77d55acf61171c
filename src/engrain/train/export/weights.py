"""Weights: the tensors of a model one at a time, and a folder of safetensors written one tensor at a time.

Whatever the size of a model, only one of its tensors is in memory; a base that is one GGUF file is loaded whole,
because transformers can't do it otherwise.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import torch
from safetensors import SafetensorError, safe_open

from engrain.errors import BadInput, NotFound
from engrain.train import base as bases

INDEX = "model.safetensors.index.json"
SHARD = 4_000_000_000
DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
CODES = {dtype: code for code, dtype in DTYPES.items()}


class Spec(NamedTuple):
    """A tensor before it is read."""

    name: str
    shape: tuple[int, ...]
    dtype: Any

    @property
    def bytes(self) -> int:
        return int(torch.Size(self.shape).numel()) * int(self.dtype.itemsize)


class Weights(Protocol):
    """Tensors by name."""

    @property
    def specs(self) -> Mapping[str, Spec]: ...

    def get(self, name: str) -> Any:
        """The tensor of that name."""


class Folder:
    """Weights in a folder as transformers saves it, or of an adapter as peft does."""

    def __init__(self, folder: str, names: Sequence[str]) -> None:
        self._files: dict[str, Any] = {}
        self.specs: dict[str, Spec] = {}
        for name in names:
            path = os.path.join(folder, name)
            file = _open(path)
            for spec in _specs(path, file):
                self._files[spec.name] = file
                self.specs[spec.name] = spec

    def get(self, name: str) -> Any:
        return self._files[name].get_tensor(name)


class Loaded:
    """Weights of a model that is in memory, in half precision."""

    def __init__(self, tensors: Mapping[str, Any]) -> None:
        self._tensors = tensors
        self.specs = {name: Spec(name, tuple(each.shape), torch.float16) for name, each in tensors.items()}

    def get(self, name: str) -> Any:
        return self._tensors[name].to(torch.float16)


def opened(base: str) -> tuple[dict[str, Any], Weights]:
    """The config of a base and its weights."""
    base = os.path.expanduser(base)
    if os.path.isfile(base):
        model = bases.model(base, torch.float32)
        return model.config.to_dict(), Loaded(model.state_dict())
    if not os.path.isdir(base):
        raise NotFound(f"there is no model {base}")
    return _config(base), Folder(base, _files(base))


def _config(folder: str) -> dict[str, Any]:
    path = os.path.join(folder, "config.json")
    try:
        with open(path, encoding="utf-8") as file:
            found: dict[str, Any] = json.load(file)
    except (OSError, ValueError) as exc:
        raise BadInput(f"{folder} is no model: its config.json can't be read") from exc
    return found


def _files(folder: str) -> list[str]:
    index = os.path.join(folder, INDEX)
    if os.path.exists(index):
        with open(index, encoding="utf-8") as file:
            names = sorted(set(json.load(file)["weight_map"].values()))
    else:
        names = [name for name in ("model.safetensors",) if os.path.exists(os.path.join(folder, name))]
    missing = [name for name in names if not os.path.exists(os.path.join(folder, name))]
    if missing or not names:
        raise BadInput(f"{folder} lacks its weights ({(missing or ['model.safetensors'])[0]})")
    return names


def _open(path: str) -> Any:
    try:
        return safe_open(path, framework="pt")
    except (SafetensorError, OSError) as exc:
        raise BadInput(f"{path} can't be read: {exc}") from exc


def _specs(path: str, file: Any) -> Iterator[Spec]:
    for name in file.keys():  # noqa: SIM118 - it is no dictionary
        part = file.get_slice(name)
        if part.get_dtype() not in DTYPES:
            raise BadInput(f"{path}: {name} is of type {part.get_dtype()}, which is not trained here")
        yield Spec(name, tuple(part.get_shape()), DTYPES[part.get_dtype()])


def write(folder: str, specs: Sequence[Spec], get: Callable[[str], Any], shard: int = SHARD) -> list[str]:
    """Tensors as safetensors in a folder, in pieces of at most so many bytes; the names of the files."""
    pieces: list[list[Spec]] = [[]]
    for spec in sorted(specs):
        if pieces[-1] and sum(each.bytes for each in pieces[-1]) + spec.bytes > shard:
            pieces.append([])
        pieces[-1].append(spec)
    count = len(pieces)
    names = [f"model-{place:05}-of-{count:05}.safetensors" if count > 1 else "model.safetensors"
             for place in range(1, count + 1)]  # fmt: skip
    for name, piece in zip(names, pieces, strict=True):
        _write(os.path.join(folder, name), piece, get)
    if count > 1:
        where = {spec.name: name for name, piece in zip(names, pieces, strict=True) for spec in piece}
        told = {"metadata": {"total_size": sum(spec.bytes for spec in specs)}, "weight_map": where}
        with open(os.path.join(folder, INDEX), "w", encoding="utf-8") as file:
            json.dump(told, file, indent=2)
        return [*names, INDEX]
    return names


def _write(path: str, specs: Sequence[Spec], get: Callable[[str], Any]) -> None:
    told: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for spec in specs:
        place = [at, at + spec.bytes]
        told[spec.name] = {"dtype": CODES[spec.dtype], "shape": list(spec.shape), "data_offsets": place}
        at += spec.bytes
    head = json.dumps(told, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as file:
        file.write(len(head).to_bytes(8, "little") + head)
        for spec in specs:
            tensor = get(spec.name).to(spec.dtype).contiguous()
            assert tuple(tensor.shape) == spec.shape
            file.write(memoryview(tensor.view(torch.uint8).numpy()).cast("B"))
