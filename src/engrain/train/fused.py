"""The same model in fewer and larger steps: what a LoRA of a frozen Llama or Qwen really has to compute.

    weights      query, key and value are one product; frozen, so no gradient of them is made
    adapters     ride inside the large products: their narrow half is a few more columns of the input (where the output
                 is wide) or of its gradient (where the input is), so that no wide result is read again to add to it
    norms, rotary, SwiGLU, residuals   fused by the compiler, a layer at a time: all layers share what was compiled
    head         only where something is asked (a label), a few thousand positions at a time: the logits of a batch are
                 never there all at once, and their gradient is made while they are

The parameters are those of peft, so whatever is trained here is saved and loaded there. Which models this is true of
says `unfit`; the others run as they are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

FAMILIES = ("llama", "qwen2", "qwen3")
CHUNK = 4096
"""Positions whose logits are there at once: large enough for full speed, 1.2 GB for a vocabulary of 150,000."""
NONE = -100
"""The label of what nobody asks for."""


class Product(NamedTuple):
    """Frozen weights of projections of one input, with the adapters of each.

    `weight` is the whole: of a wide product the adapters' upper halves stand behind its columns, of any other their
    lower halves below its rows. `refreshed` puts them there."""

    weight: Any
    bias: Any
    down: tuple[Any, ...]
    up: tuple[Any, ...]
    scale: float
    wide: bool


class Layer(NamedTuple):
    """What one layer is made of."""

    before: Any
    after: Any
    query_norm: Any
    key_norm: Any
    qkv: Product
    out: Product
    gate: Product
    up: Product
    back: Product


class Shape(NamedTuple):
    """How many heads of which size, and the norm's smallest value."""

    heads: int
    shared: int
    size: int
    epsilon: float


def unfit(model: Any) -> str:
    """Why a peft model can't be run so; empty when it can."""
    config = model.config
    if config.model_type not in FAMILIES:
        return f"{config.model_type} is no family that is known here"
    if config.hidden_act != "silu" or (getattr(config, "attention_bias", False) and config.model_type == "llama"):
        return "its layers differ from those of its family"
    if getattr(config, "use_sliding_window", False) or getattr(config, "pretraining_tp", 1) != 1:
        return "it attends in windows"
    wanted = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    adapted = [name for name, module in model.named_modules() if hasattr(module, "lora_A")]
    if any(name.rpartition(".")[2] not in wanted for name in adapted):
        return "an adapter stands somewhere else than at the layers' projections"
    if len(adapted) != len(wanted) * config.num_hidden_layers:
        return "not all projections have an adapter"
    if any(float(getattr(module.lora_dropout["default"], "p", 0.0)) for module in _adapters(model)):
        return "its adapters drop out"
    return ""


def _adapters(model: Any) -> list[Any]:
    return [module for module in model.modules() if hasattr(module, "lora_A")]


class Fused:
    """A peft model that gives the loss of rows."""

    def __init__(self, model: Any, *, compiled: bool, again: bool = False, attend: str = "") -> None:
        """`compiled`: layers are compiled; `again`: activations are computed again in the way back, not kept."""
        self._model = model
        self._again = again
        self._core = model.base_model.model.model
        self._head = model.base_model.model.lm_head.weight
        config = model.config
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self._shape = Shape(config.num_attention_heads, config.num_key_value_heads, size, config.rms_norm_eps)
        self._layers = [_layer(layer) for layer in self._core.layers]
        self._grouped = attend != "expanded"
        self._run = torch.compile(_forward, dynamic=False) if compiled else _forward
        self._step = torch.compile(_step, dynamic=False) if compiled else _step

    def loss(self, ids: Any, positions: Any, mask: Any, labels: Any, weights: Any = None) -> tuple[Any, float]:
        """The summed loss of the next tokens, and what was asked weighs in all; `mask` None: each row is one text,
        `weights` None: each token weighs one."""
        with torch.no_grad():
            for layer in self._layers:
                refreshed(layer)
        x = functional.embedding(ids, self._core.embed_tokens.weight)
        # All layers get inputs that want a gradient, so that all share one compiled form.
        x = x.detach().requires_grad_(torch.is_grad_enabled())
        cos, sin = self._core.rotary_emb(x, positions)
        for layer in self._layers:
            args = (x, cos, sin, mask, layer, self._shape, self._grouped)
            if self._again and torch.is_grad_enabled():
                x = checkpoint(self._run, *args, use_reentrant=False)
            else:
                x = self._run(*args)
        asked = labels[:, 1:].reshape(-1)
        hidden = x[:, :-1].reshape(-1, x.shape[-1])
        places = (asked != NONE).nonzero().squeeze(1)
        if len(places) < len(asked):
            hidden, asked = hidden.index_select(0, places), asked.index_select(0, places)
        each = hidden.new_ones(len(asked), dtype=torch.float32)
        if weights is not None:
            each = weights[:, 1:].reshape(-1).index_select(0, places)
        hidden = _norm(hidden, self._core.norm.weight, self._shape.epsilon)
        number = len(asked) if weights is None else float(each.sum())
        return _Loss.apply(hidden, self._head, asked, each, self._step), number


def _layer(layer: Any) -> Layer:
    attention, mlp = layer.self_attn, layer.mlp
    return Layer(
        layer.input_layernorm.weight,
        layer.post_attention_layernorm.weight,
        getattr(getattr(attention, "q_norm", None), "weight", None),
        getattr(getattr(attention, "k_norm", None), "weight", None),
        _product(attention.q_proj, attention.k_proj, attention.v_proj, wide=True),
        _product(attention.o_proj, wide=False),
        _product(mlp.gate_proj, wide=True),
        _product(mlp.up_proj, wide=True),
        _product(mlp.down_proj, wide=False),
    )


def _product(*adapted: Any, wide: bool) -> Product:
    """Projections of one input as one; their own weights become views of it, so that nothing is there twice."""
    bases = [each.base_layer for each in adapted]
    down = tuple(each.lora_A["default"].weight for each in adapted)
    up = tuple(each.lora_B["default"].weight for each in adapted)
    joined = torch.cat([base.weight.data for base in bases])
    rank, (rows, columns) = sum(len(each) for each in down), joined.shape
    weight = joined.new_zeros((rows, columns + rank) if wide else (rows + rank, columns))
    weight[:rows, :columns] = joined
    at = 0
    for base in bases:
        number = base.weight.shape[0]
        base.weight.data = weight[at : at + number, :columns]
        at += number
    biases = [base.bias.data for base in bases if base.bias is not None]
    scale = float(adapted[0].scaling["default"])
    return Product(weight, torch.cat(biases) if biases else None, down, up, scale, wide)


def refreshed(layer: Layer) -> None:
    """The adapters as they are now stand beside the frozen weights."""
    for product in (layer.qkv, layer.out, layer.gate, layer.up, layer.back):
        down, up = _halves(product)
        if product.wide:
            product.weight[:, -len(down) :] = up
        else:
            product.weight[-len(down) :] = down


def _halves(product: Product) -> tuple[Any, Any]:
    """The lower and the upper half of all adapters of a product, in the weights' precision."""
    down = torch.cat(product.down) * product.scale
    up = torch.block_diag(*product.up) if len(product.up) > 1 else product.up[0]
    return down.to(product.weight.dtype), up.to(product.weight.dtype)


def _apply(x: Any, product: Product) -> Any:
    """The frozen product, with what its adapters add."""
    down, up = _halves(product)
    found = (_Wide if product.wide else _Tall).apply(x.reshape(-1, x.shape[-1]), product.weight, down, up)
    found = found.view(*x.shape[:-1], -1)
    return found if product.bias is None else found + product.bias


class _Wide(torch.autograd.Function):
    """A product with more columns out than in: what the adapters add comes with it, from columns of their own."""

    @staticmethod
    def forward(ctx: Any, x: Any, weight: Any, down: Any, up: Any) -> Any:
        low = x @ down.T
        ctx.save_for_backward(x, low, weight, down, up)
        return torch.cat((x, low), dim=1) @ weight.T

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
        x, low, weight, down, up = ctx.saved_tensors
        slope = grads[0]
        narrow = slope @ up
        return slope @ weight[:, : x.shape[1]] + narrow @ down, None, narrow.T @ x, slope.T @ low


class _Tall(torch.autograd.Function):
    """A product with more columns in than out: the adapters' share of the way back comes with it."""

    @staticmethod
    def forward(ctx: Any, x: Any, weight: Any, down: Any, up: Any) -> Any:
        low = x @ down.T
        ctx.save_for_backward(x, low, weight, up)
        return x @ weight[: len(up)].T + low @ up.T

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
        x, low, weight, up = ctx.saved_tensors
        slope = grads[0]
        narrow = slope @ up
        return torch.cat((slope, narrow), dim=1) @ weight, None, narrow.T @ x, slope.T @ low


def _norm(x: Any, weight: Any, epsilon: float) -> Any:
    wide = x.float()
    return weight * (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + epsilon)).to(x.dtype)


def _turned(x: Any, cos: Any, sin: Any) -> Any:
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


def _forward(x: Any, cos: Any, sin: Any, mask: Any, layer: Layer, shape: Shape, grouped: bool) -> Any:
    """One layer."""
    x = x + _apply(_attention(x, cos, sin, mask, layer, shape, grouped), layer.out)
    seen = _norm(x, layer.after, shape.epsilon)
    return x + _apply(functional.silu(_apply(seen, layer.gate)) * _apply(seen, layer.up), layer.back)


def _attention(x: Any, cos: Any, sin: Any, mask: Any, layer: Layer, shape: Shape, grouped: bool) -> Any:
    rows, length, _ = x.shape
    found = _apply(_norm(x, layer.before, shape.epsilon), layer.qkv)
    heads = found.view(rows, length, shape.heads + 2 * shape.shared, shape.size)
    query, key, value = heads.split((shape.heads, shape.shared, shape.shared), dim=2)
    if layer.query_norm is not None:
        query = _norm(query, layer.query_norm, shape.epsilon)
        key = _norm(key, layer.key_norm, shape.epsilon)
    cos, sin = cos.unsqueeze(2), sin.unsqueeze(2)
    query, key = _turned(query, cos, sin).transpose(1, 2), _turned(key, cos, sin).transpose(1, 2)
    value = value.transpose(1, 2)
    if not grouped:
        times = shape.heads // shape.shared
        key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    seen = functional.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=mask is None, enable_gqa=grouped
    )
    return seen.transpose(1, 2).reshape(rows, length, shape.heads * shape.size)


def _step(logits: Any, labels: Any, weights: Any) -> tuple[Any, Any]:
    """The loss of some positions, and its gradient by their logits."""
    wide = logits.float()
    total = torch.logsumexp(wide, dim=-1)
    chosen = wide.gather(1, labels[:, None]).squeeze(1)
    hit = torch.arange(logits.shape[-1], device=logits.device)[None, :] == labels[:, None]
    slope = (torch.exp(wide - total[:, None]) - hit.to(wide.dtype)) * weights[:, None]
    return ((total - chosen) * weights).sum(), slope.to(logits.dtype)


class _Loss(torch.autograd.Function):
    """Cross-entropy of a frozen head, whose logits are never there all at once."""

    @staticmethod
    def forward(ctx: Any, hidden: Any, head: Any, labels: Any, weights: Any, step: Any) -> Any:
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        slopes = torch.empty_like(hidden)
        whole = len(labels) - len(labels) % CHUNK
        for start in range(0, len(labels), CHUNK):
            part = slice(start, start + CHUNK)
            # What is left at the end has a length of its own: compiled for that it would be compiled every time.
            loss, slope = (step if start < whole else _step)(hidden[part] @ head.T, labels[part], weights[part])
            total += loss
            torch.mm(slope, head, out=slopes[part])
        ctx.save_for_backward(slopes)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
        (slopes,) = ctx.saved_tensors
        return slopes * grads[0].to(slopes.dtype), None, None, None, None
