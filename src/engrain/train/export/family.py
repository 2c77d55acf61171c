"""Family: the config of a model → what its GGUF file calls it, its tensors and its numbers. Pure.

Llama turns its queries and keys in pairs of neighbours, transformers in two halves: rows change places (`turned`). A
tied head is not written: who loads the file takes the embeddings for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.train.export.plan import Shape, Stretch

ARCHITECTURES = {"llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3"}
"""What transformers calls a family, and what llama.cpp does."""

TURNED = ("llama",)
WHOLE = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_IN_LAYER = re.compile(r"model\.layers\.(\d+)\.([a-z_.]+)\.(weight|bias)")
_NEEDED = ("hidden_size", "intermediate_size", "num_attention_heads", "num_hidden_layers", "vocab_size", "rms_norm_eps")
FREQUENCIES = "rope_freqs.weight"
TRAINED_CONTEXT = {("qwen3", 40_960): 32_768}
"""Where the longest position is not what the model was trained for: Qwen3 leaves room for its answer."""


class Turn(NamedTuple):
    """The rows of a tensor change places, head by head."""

    heads: int


def shape(config: Mapping[str, Any]) -> Shape:
    """What a config says of its model; BadInput where no file can be made of it."""
    kind = str(config.get("model_type", ""))
    if kind not in ARCHITECTURES:
        raise BadInput(f"a model of the family {kind or '(none)'} can't be exported: {', '.join(ARCHITECTURES)} can")
    if lacking := [name for name in _NEEDED if name not in config]:
        raise BadInput(f"the config of the base says nothing of {lacking[0]}")
    if config.get("use_sliding_window"):
        raise BadInput("the base looks back through a sliding window, which its file can't say")
    heads = int(config["num_attention_heads"])
    rope = _rope(config)
    most = int(config.get("max_position_embeddings") or 2048)
    return Shape(
        arch=ARCHITECTURES[kind],
        layers=int(config["num_hidden_layers"]),
        width=int(config["hidden_size"]),
        inner=int(config["intermediate_size"]),
        heads=heads,
        kv_heads=int(config.get("num_key_value_heads") or heads),
        head=int(config.get("head_dim") or int(config["hidden_size"]) // heads),
        words=int(config["vocab_size"]),
        tied=bool(config.get("tie_word_embeddings", False)),
        epsilon=float(config["rms_norm_eps"]),
        theta=float(rope.get("rope_theta", 10_000.0)),
        rope=str(rope.get("rope_type", "default")),
        most=most,
        trained=int(rope.get("original_max_position_embeddings") or TRAINED_CONTEXT.get((kind, most), most)),
    )


def _rope(config: Mapping[str, Any]) -> dict[str, Any]:
    """What turns positions, however old the config is."""
    told = dict(config.get("rope_parameters") or config.get("rope_scaling") or {})
    told.setdefault("rope_type", told.pop("type", None) or "default")
    if "rope_theta" in config:
        told.setdefault("rope_theta", config["rope_theta"])
    if told["rope_type"] not in ("default", "linear", "llama3", "yarn"):
        raise BadInput(f"positions scaled as {told['rope_type']} can't be told in a GGUF file here")
    return told


def name_of(name: str, shape: Shape) -> str:
    """What a tensor is called in a GGUF file; empty where it is not written."""
    if name.endswith(".rotary_emb.inv_freq") or (name == "lm_head.weight" and shape.tied):
        return ""
    stem, _, kind = name.rpartition(".")
    if stem in WHOLE:
        return f"{WHOLE[stem]}.{kind}"
    found = _IN_LAYER.fullmatch(name)
    if found is None or found[2] not in LAYER or int(found[1]) >= shape.layers:
        raise BadInput(f"the base has a tensor {name}, which its family does not have")
    return f"blk.{found[1]}.{LAYER[found[2]]}.{kind}"


def turn_of(name: str, shape: Shape) -> Turn | None:
    """How the rows of a tensor change places on their way into a file."""
    if shape.arch not in TURNED:
        return None
    if ".self_attn.q_proj." in name:
        return Turn(shape.heads)
    return Turn(shape.kv_heads) if ".self_attn.k_proj." in name else None


def metadata(shape: Shape, config: Mapping[str, Any], stretch: Stretch | None, context: int) -> dict[str, Any]:
    """The numbers of a model by the keys that llama.cpp reads."""
    told: dict[str, Any] = {
        "block_count": shape.layers,
        "context_length": context,
        "embedding_length": shape.width,
        "feed_forward_length": shape.inner,
        "attention.head_count": shape.heads,
        "attention.head_count_kv": shape.kv_heads,
        "attention.layer_norm_rms_epsilon": shape.epsilon,
        "attention.key_length": shape.head,
        "attention.value_length": shape.head,
        "rope.dimension_count": shape.head,
        "rope.freq_base": shape.theta,
        "vocab_size": shape.words,
        **_scaling(_rope(config), stretch),
    }
    return {f"{shape.arch}.{key}": value for key, value in told.items()}


def _scaling(rope: Mapping[str, Any], stretch: Stretch | None) -> dict[str, Any]:
    if stretch is not None:
        return {"rope.scaling.type": "yarn", "rope.scaling.factor": float(stretch.factor),
                "rope.scaling.original_context_length": stretch.trained}  # fmt: skip
    if rope["rope_type"] == "linear":
        return {"rope.scaling.type": "linear", "rope.scaling.factor": float(rope["factor"])}
    if rope["rope_type"] == "yarn":
        told = {"rope.scaling.type": "yarn", "rope.scaling.factor": float(rope["factor"]),
                "rope.scaling.original_context_length": int(rope["original_max_position_embeddings"])}  # fmt: skip
        more = {"attention_factor": "attn_factor", "beta_fast": "beta_fast", "beta_slow": "beta_slow"}
        scaled = {f"rope.scaling.yarn_{key}": float(rope[name]) for name, key in more.items() if rope.get(name)}
        return {**told, **scaled}
    return {}


def frequencies(config: Mapping[str, Any]) -> Mapping[str, float] | None:
    """The numbers by which Llama 3 slows its frequencies; None where nothing is slowed."""
    rope = _rope(config)
    if rope["rope_type"] != "llama3":
        return None
    usual = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
    return {name: float(rope.get(name, value)) for name, value in usual.items()}


def stretched(config: Mapping[str, Any], stretch: Stretch | None, context: int) -> dict[str, Any]:
    """The config of the merged model: that of the base, without what is true of the base's file alone."""
    told = {name: value for name, value in config.items() if name not in ("quantization_config", "_name_or_path")}
    if stretch is None:
        return told
    rope = {"rope_type": "yarn", "factor": stretch.factor, "rope_theta": _rope(config).get("rope_theta", 10_000.0),
            "original_max_position_embeddings": stretch.trained}  # fmt: skip
    for old in ("rope_scaling", "rope_theta"):
        told.pop(old, None)
    return {**told, "rope_parameters": rope, "max_position_embeddings": context}
