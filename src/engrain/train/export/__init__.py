"""From a run to a model that others can run: merged, as GGUF, described, installed.

    run + base ──▶ standing ──▶ plan ──▶ merge ──▶ writer ──▶ native ──▶ card ──▶ a folder, whole or not there

    standing     what the gates said of a run: nothing is made of one that they refused
    plan         which quantisations, how long a context, how large; and why
    family       a config → names, numbers and turns of the Llama, Qwen 2 / 2.5 and Qwen 3 families
    weights      tensors one at a time, from and to safetensors
    merge        base and adapter → one, in float32
    vocabulary   a tokenizer → what a GGUF file says of it
    writer       tensors → a GGUF file
    native       llama.cpp in a process of its own: fewer bits, tokens, what a file finds likeliest
    card         what is known of it → README.md
    beside       a folder that is whole or not there
    files        all of that in order, in a folder that is there
    exporting    what may be made of a run, and a folder with it that is whole
    made         what such a folder says of itself
    modelfile    what Ollama is told
    installing   an export → LM Studio, Ollama, a folder
    verifying    each file beside the merged model: do they say the same?

What comes in are the folder of a run and the base that it was trained on; what goes out is a folder. It knows nothing
of the store. Not covered: other families, adapters that are no plain LoRA, vocabularies that are no BPE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engrain.train.export.exporting import export
    from engrain.train.export.installing import Installed, install
    from engrain.train.export.made import Exported, exported
    from engrain.train.export.verifying import Verified, verify

_WHERE = {
    "export": "exporting", "exported": "made", "Exported": "made", "verify": "verifying",
    "Verified": "verifying", "install": "installing", "Installed": "installing",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """What is asked for is loaded then: torch takes its time."""
    from importlib import import_module

    if name not in _WHERE:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)


__all__ = ["Exported", "Installed", "Verified", "export", "exported", "install", "verify"]
