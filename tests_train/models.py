"""Random models so small that they take no time, one for each family, with vocabularies learned from our own texts."""

from __future__ import annotations

import glob
import json
import os
from typing import Any, NamedTuple

import torch
from peft import LoraConfig, get_peft_model
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast, Qwen2Config, Qwen3Config
from transformers.convert_slow_tokenizer import TikTokenConverter
from transformers.models.qwen2.tokenization_qwen2 import PRETOKENIZE_REGEX

from engrain.train import base, gates, lora

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARKS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SIZES = {
    "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "intermediate_size": 96, "max_position_embeddings": 2048, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip


class Kind(NamedTuple):
    """A family, how it cuts texts, and what else its config says."""

    config: Any
    cut: str
    more: dict[str, Any]


LLAMA3 = {"rope_type": "llama3", "rope_theta": 500_000.0, "factor": 8.0, "low_freq_factor": 1.0,
          "high_freq_factor": 4.0, "original_max_position_embeddings": 256}  # fmt: skip
KINDS = {
    "llama": Kind(LlamaConfig, "llama-bpe", {"tie_word_embeddings": False, "rope_parameters": LLAMA3, "head_dim": 16}),
    "llama-2": Kind(LlamaConfig, "default", {"tie_word_embeddings": True, "attention_bias": True}),
    "qwen2": Kind(Qwen2Config, "qwen2", {"tie_word_embeddings": True}),
    "qwen3": Kind(Qwen3Config, "qwen2", {"tie_word_embeddings": False, "head_dim": 128}),
}
"""Llama 3 with its slowed frequencies, Llama 2 with a vocabulary as SentencePiece makes it, Qwen 2 and 3."""


def model(folder: str, kind: Kind, dtype: Any = torch.bfloat16) -> str:
    """A random model with its tokenizer in a folder."""
    spoken = tokenizer(kind.cut)
    spoken.save_pretrained(folder)
    torch.manual_seed(3)
    # More words than the tokenizer knows, as real models have.
    made = AutoModelForCausalLM.from_config(kind.config(**{**SIZES, "vocab_size": len(spoken) + 5, **kind.more}))
    for name, p in made.named_parameters():
        # Attention that looks somewhere, so that positions matter.
        p.data.normal_(float("norm" in name), 0.25 if "q_proj" in name or "k_proj" in name else 0.1)
    made.to(dtype).save_pretrained(folder)
    return folder


def run(folder: str, base_: str, rank: int = 4, seed: int = 5) -> str:
    """A run that is done: a random adapter of a base, of which nothing was asked yet."""
    made = get_peft_model(base.model(base_, torch.float32),
                          LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=list(lora.TARGETS)))  # fmt: skip
    torch.manual_seed(seed)
    for name, p in made.named_parameters():
        if "lora_B" in name:
            p.data.normal_(0, 0.05)
    made.save_pretrained(os.path.join(folder, lora.ADAPTER))
    with open(os.path.join(folder, lora.RUN), "w", encoding="utf-8") as file:
        json.dump({"digest": "0123456789abcdef", "base": base.digest(base_), "steps": 9, "held": 0.5}, file)
    return folder


def judged(run_: str, *, passed: bool = True) -> str:
    """The same run, its gates asked."""
    weights = os.path.join(run_, lora.ADAPTER, "adapter_model.safetensors")
    with open(os.path.join(run_, lora.RUN), encoding="utf-8") as file:
        data = json.load(file)["digest"]
    asked = [{"name": gate.name, "passed": passed or gate.name != "tool", "value": 0.4, "bound": "> 0 beyond chance",
              "because": "+40 %"} for gate in gates.GATES]  # fmt: skip
    told = {"passed": passed, "gates": asked, "data": data, "adapter": base.file_digest(weights)}
    told["digest"] = gates.digest(told)
    with open(os.path.join(run_, "REPORT.json"), "w", encoding="utf-8") as file:
        json.dump(told, file)
    return run_


def texts() -> list[str]:
    """Our own documents."""
    found = []
    for path in sorted(glob.glob(os.path.join(TOP, "docs", "explanation", "*.md"))):
        with open(path, encoding="utf-8") as file:
            found.append(file.read())
    return found


def tokenizer(cut: str) -> Any:
    """A tokenizer that cuts in a way, learned from our documents."""
    made = _spm() if cut == "default" else _gpt2(cut)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<|im_start|>", eos_token="<|im_end|>", pad_token="<|endoftext|>",
        unk_token="<unk>" if cut == "default" else None, chat_template=TEMPLATE,
    )  # fmt: skip


def _gpt2(cut: str) -> Tokenizer:
    made = Tokenizer(models.BPE())
    if cut == "qwen2":
        made.normalizer = normalizers.NFC()
    patterns = {"qwen2": PRETOKENIZE_REGEX, "llama-bpe": TikTokenConverter().pattern}
    made.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(patterns[cut]), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])  # fmt: skip
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    learned = trainers.BpeTrainer(vocab_size=900, special_tokens=MARKS, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator([*texts(), NUMBERS], learned)
    return made


def _spm() -> Tokenizer:
    made = Tokenizer(models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                      decoders.Strip(" ", 1, 0)])  # fmt: skip
    bytes_ = [f"<0x{each:02X}>" for each in range(256)]
    learned = trainers.BpeTrainer(
        vocab_size=1100, special_tokens=["<unk>", *MARKS, *bytes_], limit_alphabet=90, max_token_length=12,
        show_progress=False,
    )  # fmt: skip
    made.train_from_iterator(texts(), learned)
    told = json.loads(made.to_str())
    # What is a byte is no special token: it was only to stand among the first.
    told["added_tokens"] = [each for each in told["added_tokens"] if each["content"] not in bytes_]
    return Tokenizer.from_str(json.dumps(told))


NUMBERS = " ".join(str(each) for each in range(100, 3000, 7)) * 3
"""So that numbers have tokens of several digits, where the way to cut allows them."""
