"""Writer: tensors and what is known of them → one GGUF file, a tensor at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gguf
import torch

from engrain.errors import BadInput

MODEL, ADAPTER = "model", "adapter"
FILE_TYPES = {torch.float32: 0, torch.float16: 1}
_NUMPY = {torch.float16: torch.empty(0, dtype=torch.float16).numpy().dtype,
          torch.float32: torch.empty(0, dtype=torch.float32).numpy().dtype}  # fmt: skip


class Tensor(NamedTuple):
    """A tensor of the file: its name there, its shape, whether it is written in 32 bits, and how to get it."""

    name: str
    shape: tuple[int, ...]
    wide: bool
    get: Callable[[], Any]


SMALL = 32


def write_small(path: str, words: int, told: Mapping[str, Any]) -> None:
    """A file of the least model there is, with a whole vocabulary: to ask what llama.cpp makes of that."""
    numbers = {
        "block_count": 1, "context_length": SMALL, "embedding_length": SMALL, "feed_forward_length": SMALL,
        "attention.head_count": 1, "attention.layer_norm_rms_epsilon": 1e-5, "rope.dimension_count": SMALL,
        "vocab_size": words,
    }  # fmt: skip
    square = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    shapes = {"token_embd": (words, SMALL), "output_norm": (SMALL,), "blk.0.attn_norm": (SMALL,),
              "blk.0.ffn_norm": (SMALL,), **{f"blk.0.{name}": (SMALL, SMALL) for name in square}}  # fmt: skip
    tensors = [Tensor(f"{name}.weight", shape, len(shape) == 1, _zeros(shape)) for name, shape in shapes.items()]
    write(path, "llama", {f"llama.{key}": value for key, value in numbers.items()} | dict(told), tensors)


def _zeros(shape: tuple[int, ...]) -> Callable[[], Any]:
    return lambda: torch.zeros(shape)


def write(path: str, arch: str, told: Mapping[str, Any], tensors: Sequence[Tensor]) -> None:
    """The file, whole when this returns."""
    writer = gguf.GGUFWriter(None, arch)
    for key, value in told.items():
        _add(writer, key, value)
    for each in tensors:
        dtype = _dtype(each)
        number = torch.Size(each.shape).numel() * dtype.itemsize
        writer.add_tensor_info(each.name, each.shape, _NUMPY[dtype], number)
    try:
        writer.write_header_to_file(Path(path))
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        out = writer.fout[0]
        writer.write_padding(out, out.tell())
        for each in tensors:
            # Not by the writer's own way, which on a full disk does not say so.
            data = _array(each)
            out.write(memoryview(data).cast("B"))
            writer.write_padding(out, data.nbytes)
    finally:
        writer.close()


def _dtype(tensor: Tensor) -> Any:
    return torch.float32 if tensor.wide else torch.float16


def _array(tensor: Tensor) -> Any:
    found = tensor.get().to(_dtype(tensor)).contiguous()
    if not bool(torch.isfinite(found).all()):
        raise BadInput(f"{tensor.name} holds numbers that do not fit into 16 bits, or none at all")
    assert tuple(found.shape) == tensor.shape
    return found.numpy()


def _add(writer: Any, key: str, value: Any) -> None:
    """A value under a key, in the type that llama.cpp asks for there."""
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        writer.add_uint32(key, value)
    elif isinstance(value, float):
        writer.add_float32(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_array(key, value)


def tokenizer_of(path: str) -> dict[str, Any]:
    """What a GGUF file says of its vocabulary, by key."""
    reader = gguf.GGUFReader(path)
    found = {name: field.contents() for name, field in reader.fields.items() if name.startswith("tokenizer.")}
    return {name: _exact(name, value) for name, value in found.items()}


def _exact(name: str, value: Any) -> Any:
    return [float(each) for each in value] if name.endswith(".scores") else value
