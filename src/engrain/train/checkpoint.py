"""Checkpoint: where a killed run goes on. A folder is renamed into place when it is whole; the last two are kept."""

from __future__ import annotations

import io
import os
import re
import shutil
from typing import Any

import torch
from safetensors.torch import load_file
from safetensors.torch import save as as_bytes

from engrain.errors import BadInput
from engrain.paths import reason

_NAME = re.compile(r"checkpoint-(\d{6})")
KEPT = 2


def save(folder: str, step: int, adapters: dict[str, Any], optimizer: Any, state: dict[str, Any]) -> None:
    """All that the next step depends on."""
    whole = os.path.join(folder, f"checkpoint-{step:06d}")
    partial = f"{whole}.partial"
    try:
        shutil.rmtree(partial, ignore_errors=True)
        os.makedirs(partial, mode=0o700)
        held = {name: p.detach().contiguous().cpu() for name, p in adapters.items()}
        _write(os.path.join(partial, "adapters.safetensors"), as_bytes(held))
        told = io.BytesIO()
        torch.save({"optimizer": optimizer.state_dict(), "state": state}, told)
        _write(os.path.join(partial, "state.pt"), told.getvalue())
        shutil.rmtree(whole, ignore_errors=True)
        os.replace(partial, whole)
    except OSError as exc:
        shutil.rmtree(partial, ignore_errors=True)
        raise BadInput(f"can't write a checkpoint to {folder}: {reason(exc)}") from exc
    for old in _steps(folder)[:-KEPT]:
        shutil.rmtree(os.path.join(folder, f"checkpoint-{old:06d}"), ignore_errors=True)


def _write(path: str, data: bytes) -> None:
    """By our own hand: a full disk is an error of the disk then, and none of a library."""
    with open(path, "wb") as file:
        file.write(data)


def load(folder: str, adapters: dict[str, Any], optimizer: Any) -> dict[str, Any]:
    """What the last checkpoint holds is in place; its state. Empty where there is none."""
    steps = _steps(folder)
    if not steps:
        return {}
    last = os.path.join(folder, f"checkpoint-{steps[-1]:06d}")
    found = load_file(os.path.join(last, "adapters.safetensors"))
    if found.keys() != adapters.keys() or any(found[name].shape != p.shape for name, p in adapters.items()):
        raise BadInput(f"{last} is of another model or another rank; give another folder")
    for name, p in adapters.items():
        p.data.copy_(found[name])
    kept = torch.load(os.path.join(last, "state.pt"), map_location="cpu", weights_only=True)
    optimizer.load_state_dict(kept["optimizer"])
    state: dict[str, Any] = kept["state"]
    return state


def clear(folder: str) -> None:
    """No checkpoint is left: the run is done."""
    for step in _steps(folder):
        shutil.rmtree(os.path.join(folder, f"checkpoint-{step:06d}"), ignore_errors=True)


def _steps(folder: str) -> list[int]:
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(int(found[1]) for name in names if (found := _NAME.fullmatch(name)))
