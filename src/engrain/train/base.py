"""Base: the model to begin from, a folder as transformers saves it or one GGUF file. Nothing is downloaded."""

from __future__ import annotations

import hashlib
import os
from typing import Any

from engrain.errors import BadInput, MissingExtra, NotFound


def tokenizer(path: str) -> Any:
    """The tokenizer of a model."""
    from transformers import AutoTokenizer

    folder, more = _where(path)
    try:
        return AutoTokenizer.from_pretrained(folder, local_files_only=True, **more)
    except (OSError, ValueError, KeyError) as exc:
        raise BadInput(f"{path} has no tokenizer that can be read: {_first(exc)}") from exc


def model(path: str, dtype: Any) -> Any:
    """The model in a precision, on the CPU."""
    from transformers import AutoModelForCausalLM

    folder, more = _where(path)
    try:
        found, told = AutoModelForCausalLM.from_pretrained(
            folder, local_files_only=True, dtype=dtype, attn_implementation="sdpa", output_loading_info=True, **more
        )
    except (OSError, ValueError, KeyError) as exc:
        raise BadInput(f"{path} holds no model that can be read: {_first(exc)}") from exc
    if lacking := sorted(map(str, [*told["missing_keys"], *told["mismatched_keys"]])):
        raise BadInput(f"{path} lacks weights that its config speaks of, {len(lacking)} of them ({lacking[0]})")
    if more:
        # What comes from GGUF can't be saved; the same weights in a fresh model can, which is no GGUF any more.
        if hasattr(found.config, "quantization_config"):
            del found.config.quantization_config
        fresh = AutoModelForCausalLM.from_config(found.config, dtype=dtype, attn_implementation="sdpa")
        fresh.load_state_dict(found.state_dict())
        fresh.generation_config, found = found.generation_config, fresh
    found.config.use_cache = False
    return found


def adapted(base: Any, folder: str) -> Any:
    """A model with a trained adapter on it."""
    from peft import PeftModel

    if not os.path.exists(os.path.join(folder, "adapter_config.json")):
        raise NotFound(f"{folder} holds no adapter (there is no adapter_config.json)")
    try:
        return PeftModel.from_pretrained(base, folder)
    except (RuntimeError, ValueError) as exc:
        raise BadInput(f"the adapter in {folder} is of another base: {_first(exc)}") from exc


def digest(path: str) -> str:
    """One hash of a model's weights: equal where they are equal to the byte."""
    folder, more = _where(path)
    names = (
        [more["gguf_file"]] if more else sorted(name for name in os.listdir(folder) if name.endswith(".safetensors"))
    )
    whole = hashlib.sha256()
    for name in names:
        whole.update(f"{'' if more else name} {file_digest(os.path.join(folder, name))}\n".encode())
    return whole.hexdigest()


def file_digest(path: str) -> str:
    """The SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def needed() -> None:
    """MissingExtra, unless what trains is installed."""
    import importlib.util

    missing = [name for name in ("torch", "transformers", "peft") if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtra(f"training needs {', '.join(missing)}: install engrain[train]")


def _where(path: str) -> tuple[str, dict[str, Any]]:
    path = os.path.expanduser(path)
    if os.path.isdir(path):
        return path, {}
    if not os.path.isfile(path):
        raise NotFound(f"there is no model {path}")
    return os.path.dirname(os.path.abspath(path)), {"gguf_file": os.path.basename(path)}


def _first(exc: BaseException) -> str:
    return (str(exc).strip().splitlines() or [type(exc).__name__])[0][:200]
