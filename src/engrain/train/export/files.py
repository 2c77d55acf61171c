"""Files: a base with its adapter → the files of an export, in a folder that is there."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.train.export import family, merge, modelfile, native, vocabulary, weights, writer
from engrain.train.export import plan as plans
from engrain.train.export.plan import FULL, Plan, Shape
from engrain.train.render import Renderer

MERGED = "merged"

Say = Callable[[str], None]


class Source(NamedTuple):
    """All that a file is made of."""

    name: str
    shape: Shape
    config: Mapping[str, Any]
    plan: Plan
    merged: weights.Weights
    adapter: merge.Adapter
    renderer: Renderer
    base: str
    digest: str


def write(folder: str, source: Source, say: Say) -> None:
    """All files of a model."""
    say("merging the adapter into its base, in float32")
    place = os.path.join(folder, MERGED)
    os.mkdir(place)
    source = source._replace(merged=_merged(place, source))
    say(f"writing {_file(source.name, FULL)}")
    full = os.path.join(folder, _file(source.name, FULL))
    vocabulary_ = _vocabulary(folder, source, say)
    _gguf(full, source, vocabulary_)
    for quant in source.plan.quants:
        if quant != FULL:
            say(f"writing {_file(source.name, quant)}")
            expected = plans.estimate(plans.parameters(source.shape), quant)
            native.quantised(full, os.path.join(folder, _file(source.name, quant)), quant, expected)
    if FULL not in source.plan.quants:
        os.unlink(full)
    say(f"writing {source.name}-adapter.gguf")
    _adapter(os.path.join(folder, f"{source.name}-adapter.gguf"), source)
    _modelfile(os.path.join(folder, modelfile.FILE), source, bool(vocabulary_.get("tokenizer.ggml.add_bos_token")))


def _file(name: str, quant: str) -> str:
    return f"{name}-{quant}.gguf"


def _merged(folder: str, source: Source) -> weights.Weights:
    """The merged model as transformers loads it; its weights."""
    specs = [spec for name, spec in source.merged.specs.items() if family.name_of(name, source.shape)]
    names = weights.write(folder, specs, source.merged.get)
    config = family.stretched(source.config, source.plan.stretch, source.plan.context)
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump({**config, "torch_dtype": _type(source)}, file, indent=2, ensure_ascii=False)
    source.renderer.tokenizer.save_pretrained(folder)
    generation = os.path.join(os.path.expanduser(source.base), "generation_config.json")
    if os.path.exists(generation):
        shutil.copyfile(generation, os.path.join(folder, "generation_config.json"))
    return weights.Folder(folder, [name for name in names if name.endswith(".safetensors")])


def _type(source: Source) -> str:
    dtype = source.merged.specs["model.embed_tokens.weight"].dtype
    return str(dtype).removeprefix("torch.")


def _gguf(path: str, source: Source, vocabulary_: Mapping[str, Any]) -> None:
    shape, plan = source.shape, source.plan
    told = {
        "general.type": writer.MODEL,
        "general.name": source.name,
        "general.file_type": 1,
        "general.quantization_version": 2,
        **family.metadata(shape, source.config, plan.stretch, plan.context),
        **vocabulary_,
    }
    writer.write(path, shape.arch, told, _tensors(source))


def _tensors(source: Source) -> list[writer.Tensor]:
    shape, found = source.shape, []
    if (slowed := family.frequencies(source.config)) is not None:
        by = merge.slowed(shape.theta, shape.head, slowed)
        found.append(writer.Tensor(family.FREQUENCIES, tuple(by.shape), True, lambda: by))
    for name, spec in source.merged.specs.items():
        if new := family.name_of(name, shape):
            wide = len(spec.shape) == 1
            found.append(writer.Tensor(new, spec.shape, wide, _getter(source, name)))
    return found


def _getter(source: Source, name: str) -> Callable[[], Any]:
    turn = family.turn_of(name, source.shape)

    def get() -> Any:
        tensor = source.merged.get(name)
        return merge.turned(tensor, turn.heads) if turn else tensor

    return get


def _vocabulary(folder: str, source: Source, say: Say) -> dict[str, Any]:
    """The vocabulary by its keys: the first of those that may be meant by which texts get the tokens that the tokenizer
    gives them."""
    wanted = [source.renderer.tokenizer(text, add_special_tokens=False)["input_ids"] for text in _probes(source)]
    path = os.path.join(folder, "vocabulary.gguf")
    for name, told in _vocabularies(source):
        writer.write_small(path, source.shape.words, told)
        if native.tokens(path, _probes(source)) == wanted:
            say(f"texts are cut as in {name}: {len(wanted)} of them give the same tokens")
            os.unlink(path)
            return told
    if os.path.isfile(os.path.expanduser(source.base)):
        raise BadInput(f"llama.cpp reads texts otherwise than the tokenizer that transformers made of {source.base};"
                       " train on the folder that the file was made of")  # fmt: skip
    raise BadInput("llama.cpp knows no way to cut texts that gives the tokens of this base's tokenizer")


def _vocabularies(source: Source) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the base's own file says, if it is one; else what its tokenizer does, with every way to cut."""
    base = os.path.expanduser(source.base)
    if os.path.isfile(base):
        yield "the base's own file", writer.tokenizer_of(base)
        return
    ours = vocabulary.vocabulary(source.renderer.tokenizer, source.shape.words, source.renderer.marks.end_id)
    for cut in ours.cuts:
        yield cut, vocabulary.keys(ours, cut)


def _probes(source: Source) -> list[str]:
    asked = [{"role": "user", "content": text} for text in vocabulary.PROBES[:2]]
    chat = source.renderer.tokenizer.apply_chat_template(asked[:1], tokenize=False, add_generation_prompt=True)
    return [*vocabulary.PROBES, str(chat)]


def _adapter(path: str, source: Source) -> None:
    """The adapter alone. A file has one alpha, and each of its pairs a scale of alpha through its rank: where pairs
    have scales of their own, these are in the second side."""
    found, tensors = source.adapter, []
    ranks = {name: found.weights.specs[pair[0]].shape[0] for name, pair in found.sides.items()}
    first = next(iter(found.sides))
    alpha = found.scales[first] * ranks[first]
    for name, pair in found.sides.items():
        new, factor = family.name_of(name, source.shape), found.scales[name] * ranks[name] / alpha
        for place, side in enumerate(("lora_a", "lora_b")):
            get = _side(source, name, place, factor)
            tensors.append(writer.Tensor(f"{new}.{side}", found.weights.specs[pair[place]].shape, True, get))
    told = {"general.type": writer.ADAPTER, "general.name": f"{source.name} adapter", "adapter.type": "lora",
            "adapter.lora.alpha": alpha}  # fmt: skip
    writer.write(path, source.shape.arch, told, tensors)


def _side(source: Source, name: str, place: int, factor: float) -> Callable[[], Any]:
    turn = family.turn_of(name, source.shape)

    def get() -> Any:
        found = source.adapter.side(name, place)
        if not place:
            return found
        return (merge.turned(found, turn.heads) if turn else found) * factor

    return get


def _modelfile(path: str, source: Source, begins: bool) -> None:
    turns = modelfile.turns(source.renderer, begins=begins)
    smallest = _file(source.name, source.plan.quants[-1])
    with open(path, "w", encoding="utf-8") as file:
        file.write(modelfile.text(smallest, turns, source.renderer.marks.end, source.plan.context))
