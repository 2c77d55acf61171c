"""Loss: what a batch costs, whichever way the model runs. Fused where `fused.unfit` finds nothing against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import torch

from engrain.train import attend, fused
from engrain.train.device import Device
from engrain.train.pack import Batch


class Way(NamedTuple):
    """What gives the summed loss of a batch and the weight of what was asked (of a token mostly one), and why it is
    this one."""

    of: Callable[[Batch], tuple[Any, float]]
    around: Callable[[], AbstractContextManager[None]]
    because: str


def way(model: Any, device: Device, *, keep: bool, length: int, rows: int) -> Way:
    """How this peft model runs here."""
    problem = fused.unfit(model)
    if problem:
        if not keep:
            model.gradient_checkpointing_enable()
            model.enable_input_require_grads()
        return Way(_plain(model), nullcontext, f"the model runs as it is: {problem}")
    config = model.config
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    tried = attend.quickest(
        config.num_attention_heads, config.num_key_value_heads, size, rows=rows, length=length, device=device.device,
        dtype=device.dtype,
    )  # fmt: skip
    run = fused.Fused(model, compiled=device.compiled, again=not keep, attend="" if tried.way.grouped else "expanded")
    took = ", ".join(f"{name} {took:.1f} ms" for name, took in sorted(tried.took.items(), key=lambda pair: pair[1]))
    why = f"fused layers; attention {tried.way.name}{f' ({took})' if took else ''}"

    @contextmanager
    def around() -> Iterator[None]:
        with attend.through(tried.way):
            yield

    return Way(lambda batch: run.loss(*batch), around, why)


def _plain(model: Any) -> Callable[[Batch], tuple[Any, float]]:
    def of(batch: Batch) -> tuple[Any, float]:
        mask = batch.mask
        logits = model(input_ids=batch.ids, attention_mask=mask, position_ids=batch.positions).logits
        asked = batch.labels[:, 1:].reshape(-1)
        each = torch.nn.functional.cross_entropy(
            logits[:, :-1].reshape(-1, logits.shape[-1]).float(), asked, ignore_index=fused.NONE, reduction="none"
        )
        counted = (asked != fused.NONE).float()
        if batch.weights is not None:
            counted = counted * batch.weights[:, 1:].reshape(-1)
        return (each * counted).sum(), float(counted.sum())

    return of
