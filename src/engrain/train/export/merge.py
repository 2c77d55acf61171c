"""Merge: a base and an adapter → the weights of both, computed in float32, each in the type that the base had."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch

from engrain.errors import BadInput, NotFound, WrongBase
from engrain.paths import reason
from engrain.train.export.standing import WEIGHTS
from engrain.train.export.weights import Folder, Spec, Weights

CONFIG = "adapter_config.json"
PLAIN = {"use_dora": False, "fan_in_fan_out": False, "bias": "none", "modules_to_save": None}
_SIDE = re.compile(r"base_model\.model\.(.+)\.lora_([AB])(?:\.default)?\.weight")


class Adapter(NamedTuple):
    """For each weight that was adapted its two sides' names and the scale of their product."""

    sides: Mapping[str, tuple[str, str]]
    scales: Mapping[str, float]
    weights: Folder

    def side(self, name: str, place: int) -> Any:
        """One side in float32: 0, on the input, or 1, on the output."""
        return self.weights.get(self.sides[name][place]).float()

    def change(self, name: str) -> Any:
        """What is added to a weight."""
        return self.side(name, 1) @ self.side(name, 0) * self.scales[name]


class Merged:
    """A base with an adapter in it: weights like any other."""

    def __init__(self, base: Weights, adapter: Adapter) -> None:
        self._base, self._adapter = base, adapter
        self.specs = base.specs

    def get(self, name: str) -> Any:
        found = self._base.get(name)
        if name not in self._adapter.sides:
            return found
        return (found.float() + self._adapter.change(name)).to(self.specs[name].dtype)


def adapter(folder: str) -> Adapter:
    """The adapter in a folder, as peft saves it."""
    config = _config(folder)
    unlike = [name for name, usual in PLAIN.items() if config.get(name, usual) not in (usual, [])]
    if config.get("peft_type") != "LORA" or unlike:
        raise BadInput(f"the adapter in {folder} is no plain LoRA ({', '.join(unlike) or config.get('peft_type')})")
    weights = Folder(folder, [WEIGHTS])
    sides: dict[str, dict[str, str]] = {}
    for name in weights.specs:
        found = _SIDE.fullmatch(name)
        if found is None:
            raise BadInput(f"the adapter in {folder} has a tensor {name}, which can't be merged")
        sides.setdefault(f"{found[1]}.weight", {})[found[2]] = name
    if not sides or any(len(pair) != 2 for pair in sides.values()):
        raise BadInput(f"the adapter in {folder} is not whole")
    pairs = {name: (pair["A"], pair["B"]) for name, pair in sides.items()}
    scales = {name: _scale(config, name, weights.specs[pair[0]].shape[0]) for name, pair in pairs.items()}
    return Adapter(pairs, scales, weights)


def _config(folder: str) -> dict[str, Any]:
    path = os.path.join(folder, CONFIG)
    try:
        with open(path, encoding="utf-8") as file:
            found: dict[str, Any] = json.load(file)
    except FileNotFoundError as exc:
        raise NotFound(f"{folder} holds no adapter (there is no {CONFIG})") from exc
    except OSError as exc:
        raise BadInput(f"can't read {path}: {reason(exc)}") from exc
    except ValueError as exc:
        raise BadInput(f"{path} is no JSON: {exc}") from exc
    return found


def _scale(config: Mapping[str, Any], name: str, rank: int) -> float:
    module = name.removesuffix(".weight")
    patterns = config.get("alpha_pattern") or {}
    alpha = next((value for key, value in patterns.items() if re.fullmatch(rf"(.*\.)?({key})", module)), None)
    alpha = float(config["lora_alpha"] if alpha is None else alpha)
    return alpha / rank**0.5 if config.get("use_rslora") else alpha / rank


def belongs(found: Adapter, base: Weights, folder: str) -> None:
    """WrongBase, unless the base has every weight that was adapted, in the shape that it had."""
    for name, (a, b) in found.sides.items():
        inner, outer = found.weights.specs[a].shape[1], found.weights.specs[b].shape[0]
        there: Spec | None = base.specs.get(name)
        if there is None:
            raise WrongBase(f"the adapter in {folder} is of another base: this one has no {name}")
        if there.shape != (outer, inner):
            shapes = f"{outer} × {inner}", " × ".join(map(str, there.shape))
            raise WrongBase(f"the adapter in {folder} is of another base: its {name} is {shapes[0]}, here {shapes[1]}")


def turned(tensor: Any, heads: int) -> Any:
    """Rows of halves as rows of neighbours, head by head, as Llama's own code has them."""
    rows = tensor.shape[0]
    if rows % (2 * heads):
        raise BadInput(f"{rows} rows do not make {heads} heads")
    return tensor.reshape(heads, 2, rows // heads // 2, *tensor.shape[1:]).transpose(1, 2).reshape(tensor.shape)


def slowed(theta: float, head: int, told: Mapping[str, float]) -> Any:
    """By how much each frequency of Llama 3 is slowed: not at all where it is quick, by the factor where it is slow."""
    quick = 1.0 / (theta ** (torch.arange(0, head, 2, dtype=torch.float32) / head))
    turns = told["original_max_position_embeddings"] / (2 * torch.pi / quick)
    low, high, factor = told["low_freq_factor"], told["high_freq_factor"], told["factor"]
    between = ((turns - low) / (high - low)).clamp(0.0, 1.0)
    return 1.0 / ((1 - between) / factor + between)
