"""Vocabulary: a tokenizer → what a GGUF file says of it. Pure.

Two kinds are known: byte-level BPE (GPT-2's way: Llama 3, Qwen, SmolLM) and BPE over characters that falls back to
bytes (SentencePiece's way: Llama 2). How text is cut before BPE has only a name in a GGUF file. Which one it is, is
not looked up but tried: `cuts` says in which order, and who writes the file takes the first that gives every text of
`PROBES` the tokens that the tokenizer gives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engrain.errors import BadInput

NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
GPT2, SPM = "gpt2", "llama"
CUTS = ("llama-bpe", "qwen2", "smollm", "gpt-2", "deepseek-r1-qwen", "tekken", "default")
SPACE = "▁"
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_MARK = re.compile(r"<[|｜].*[|｜]>")

PROBES = (
    "Hello, world! It's 2026 and they've said we'll see; I'M not sure HE'D agree.",
    "def add(a, b):\n    return a + b  # 12345 + 678 = 13023\n\n\tif x == 3.14159:\n\t\tprint(f'{x:>10}')\n",
    '{"name": "Bash", "arguments": {"command": "pytest -q tests/test_cart.py::test_total"}}',
    "  leading and trailing   spaces  \n\n\n and\r\nline ends \t\t",
    "Straße, naïve café, Ελληνικά, Русский текст, 中文字符, 日本語です, 한국어, עברית, हिन्दी",
    "snake_case CamelCase kebab-case SCREAMING_CASE /usr/lib/x86_64-linux-gnu/libc.so.6",
    "1 22 333 4444 55555 666666 v1.2.3 0xdeadBEEF 10⁻³ ½ ①②",
    "¡Hola! ¿Qué tal? … — “quoted” ‘single’ !!! ??? ... === --- ***",
)
"""Texts that are cut differently by every way to cut."""


class Vocabulary(NamedTuple):
    """What stands in the file: the tokens, of which kind each is, how they are merged, and the special ones."""

    model: str
    cuts: tuple[str, ...]
    tokens: tuple[str, ...]
    kinds: tuple[int, ...]
    merges: tuple[str, ...]
    scores: tuple[float, ...]
    special: Mapping[str, int]
    begins: bool
    prefixed: bool
    template: str


def vocabulary(tokenizer: Any, words: int, end_of_turn: int) -> Vocabulary:
    """The vocabulary of a tokenizer of transformers, for a model of so many words."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise BadInput("the base has no quick tokenizer (tokenizer.json), so its vocabulary can't be written")
    told = json.loads(backend.to_str())
    bare, begun = (tokenizer("x", add_special_tokens=each)["input_ids"] for each in (False, True))
    begins = len(begun) > len(bare) and begun[0] == tokenizer.bos_token_id
    special = {"bos": tokenizer.bos_token_id, "eos": tokenizer.eos_token_id, "unknown": tokenizer.unk_token_id,
               "padding": tokenizer.pad_token_id, "eot": end_of_turn}  # fmt: skip
    template = tokenizer.chat_template
    template = template.get("default", "") if isinstance(template, dict) else str(template or "")
    return of(told, words, {name: one for name, one in special.items() if one is not None}, begins, template)


def of(told: Mapping[str, Any], words: int, special: Mapping[str, int], begins: bool, template: str) -> Vocabulary:
    """The vocabulary that a tokenizer.json tells of."""
    model = told["model"]
    if model.get("type") != "BPE":
        raise BadInput(f"a vocabulary of the kind {model.get('type')} can't be written, only BPE")
    by_id = {place: (token, NORMAL) for token, place in model["vocab"].items()}
    kind = SPM if model.get("byte_fallback") else GPT2
    if kind == SPM:
        by_id = {place: (token, _kind(token, model)) for place, (token, _) in by_id.items()}
    by_id.update(_added(told.get("added_tokens", ()), kind))
    if by_id and max(by_id) >= words:
        raise BadInput(f"the tokenizer knows {max(by_id) + 1:,} tokens and the model only {words:,}: one is of"
                       " another model")  # fmt: skip
    rows = [by_id.get(place, (f"[PAD{place}]", UNUSED)) for place in range(words)]
    tokens, kinds = tuple(token for token, _ in rows), tuple(kind for _, kind in rows)
    pairs = [tuple(each.split(" ", 1)) if isinstance(each, str) else tuple(each) for each in model.get("merges", ())]
    merges = tuple(" ".join(part.replace(" ", "Ġ") for part in pair) for pair in pairs) if kind == GPT2 else ()
    scores = tuple(_scores(rows, pairs)) if kind == SPM else ()
    cuts = _cuts(told) if kind == GPT2 else ("default",)
    return Vocabulary(kind, cuts, tokens, kinds, merges, scores, special, begins, _prefixed(told), template)


def _kind(token: str, model: Mapping[str, Any]) -> int:
    if _BYTE.fullmatch(token):
        return BYTE
    return UNKNOWN if token == model.get("unk_token") else NORMAL


def _added(added: Sequence[Mapping[str, Any]], kind: str) -> Iterator[tuple[int, tuple[str, int]]]:
    for each in added:
        text = str(each["content"])
        if each.get("special") or _MARK.fullmatch(text):
            yield int(each["id"]), (text, UNKNOWN if kind == SPM and text == "<unk>" else CONTROL)
        else:
            yield int(each["id"]), (text.replace(SPACE, " "), USER)


def _scores(rows: Sequence[tuple[str, int]], merges: Sequence[tuple[str, ...]]) -> Iterator[float]:
    """The earlier two parts are merged, the higher the score of what they make."""
    first: dict[str, int] = {}
    for place, pair in enumerate(merges):
        first.setdefault("".join(pair), place)
    for token, kind in rows:
        yield -float(first.get(token, len(merges))) if kind == NORMAL else 0.0


def _cuts(told: Mapping[str, Any]) -> tuple[str, ...]:
    """Every way to cut, those first that look like this tokenizer's."""
    said = json.dumps(told.get("pre_tokenizer") or {})
    looks = (
        ("llama-bpe", r"\\p{N}{1,3}" in said),
        ("qwen2", r"\\p{N}|" in said),
        ("smollm", '"Digits"' in said),
        ("gpt-2", '"use_regex": true' in said),
    )
    likely = [name for name, alike in looks if alike]
    return tuple(dict.fromkeys([*likely, *CUTS]))


def _prefixed(told: Mapping[str, Any]) -> bool:
    """Whether a space is put before a text."""
    found = json.dumps([told.get("normalizer"), told.get("pre_tokenizer")])
    return '"Prepend"' in found or ('"Metaspace"' in found and '"never"' not in found)


def keys(told: Vocabulary, cut: str) -> dict[str, Any]:
    """The vocabulary by the keys that llama.cpp reads."""
    found: dict[str, Any] = {
        "model": told.model,
        "pre": cut,
        "tokens": list(told.tokens),
        "token_type": list(told.kinds),
    }
    if told.model == GPT2:
        found["merges"] = list(told.merges)
    else:
        found |= {"scores": list(told.scores), "add_space_prefix": told.prefixed}
    found |= {f"{name}_token_id": place for name, place in told.special.items()}
    found["add_bos_token"] = told.begins
    named = {f"tokenizer.ggml.{name}": value for name, value in found.items()}
    return {**named, **({"tokenizer.chat_template": told.template} if told.template else {})}
