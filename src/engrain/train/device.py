"""Device: where it runs and in which precision, and why."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from engrain.errors import BadInput

CHOICES = ("", "cpu", "cuda", "mps")


class Device(NamedTuple):
    """A device, the precision of frozen weights on it, whether layers are compiled; `because` says why."""

    device: Any
    dtype: Any
    compiled: bool
    because: str

    @property
    def name(self) -> str:
        return f"{self.device.type}, {str(self.dtype).removeprefix('torch.')}"


def chosen(wanted: str = "", *, index: int = 0) -> Device:
    """The best device here, or the one that is wanted; `index` tells several GPUs apart."""
    if wanted not in CHOICES:
        raise BadInput(f"there is no device {wanted!r}: say cpu, cuda or mps")
    if wanted in ("", "cuda") and torch.cuda.is_available():
        device = torch.device("cuda", index)
        torch.cuda.set_device(device)
        name = torch.cuda.get_device_name(device)
        if torch.cuda.is_bf16_supported():
            return Device(device, torch.bfloat16, True, f"{name} computes in bfloat16")
        return Device(device, torch.float32, True, f"{name} has no bfloat16, and float16 overflows")
    if wanted in ("", "mps") and torch.backends.mps.is_available():
        return Device(torch.device("mps"), torch.float32, False, "no CUDA; MPS is there, in float32")
    if wanted in ("cuda", "mps"):
        raise BadInput(f"there is no {wanted} device on this machine")
    if _quick_bfloat16():
        return Device(torch.device("cpu"), torch.bfloat16, False, "neither CUDA nor MPS; this CPU multiplies bfloat16")
    return Device(torch.device("cpu"), torch.float32, False, "neither CUDA nor MPS; this CPU has no bfloat16")


def _quick_bfloat16() -> bool:
    """Whether the CPU has instructions for it: with them it is twice as quick as float32, without them much slower."""
    asked = (getattr(torch.cpu, f"_is_{name}_supported", None) for name in ("avx512_bf16", "amx_tile"))
    return any(bool(ask()) for ask in asked if ask is not None)
