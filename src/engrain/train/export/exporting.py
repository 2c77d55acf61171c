"""Exporting: a run and its base → a folder with the merged model, its GGUF files, the adapter's, and a card.

    out/merged/             what transformers loads
    out/NAME-Q4_K_M.gguf    what llama.cpp, LM Studio and Ollama load, one for each quantisation
    out/NAME-adapter.gguf   the adapter alone, for who has the base already
    out/README.md           the model card        out/recipe.toml   what was decided in training
    out/EXPORT.json         all of it by name and digest

It is written beside `out` and gets its name when it is whole.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engrain import __version__
from engrain.errors import BadInput, WrongBase
from engrain.train import base as bases
from engrain.train.export import card, family, merge, native, vocabulary, weights, writer
from engrain.train.export import plan as plans
from engrain.train.export.beside import beside, roomy, size
from engrain.train.export.plan import FULL, Plan, Shape
from engrain.train.export.standing import RUN, Standing, standing

EXPORT, MERGED = "EXPORT.json", "merged"
ADAPTER_BITS = 32

Say = Callable[[str], None]


class Exported(NamedTuple):
    """What was made: the folder, its files with the SHA-256 of each, what was decided and why, whether the gates let
    the run through, and the digest of it all."""

    folder: str
    name: str
    files: Mapping[str, str]
    why: tuple[str, ...]
    gated: bool
    context: int
    data: str
    base: str
    digest: str
    seconds: float

    @property
    def ggufs(self) -> tuple[str, ...]:
        """The model's GGUF files, the largest first."""
        return tuple(name for quant in plans.BITS for name in self.files if name.endswith(f"-{quant}.gguf"))


class Source(NamedTuple):
    """All that a file is made of."""

    name: str
    shape: Shape
    config: Mapping[str, Any]
    plan: Plan
    merged: weights.Weights
    adapter: merge.Adapter
    tokenizer: Any
    base: str
    digest: str


def export(
    run: str, base: str, out: str, *, quants: Sequence[str] = ("Q4_K_M",), context: int = 0, ungated: bool = False,
    large: bool = False, progress: Callable[[str], None],
) -> Exported:  # fmt: skip
    """Makes files of a run and its base in the folder `out`, which is not there before, and is whole or not there
    after. `context`: reached by YaRN where the base has less. `ungated`: even if its gates said no or were not asked.
    `large`: even if nobody's machine can hold it."""
    began = time.monotonic()
    plans.quants_of(quants)
    stands = standing(run, ungated=ungated)
    progress(f"{stands.run}: {stands.because}")
    source = _source(stands, base, out, quants, context, large)
    for each in source.plan.why:
        progress(each)
    roomy(os.path.dirname(os.path.abspath(out)), _needed(source))
    with beside(out) as folder:
        _write(folder, source, progress)
        told = _told(folder, source, stands, round(time.monotonic() - began, 1))
    progress(f"{out} is whole: {', '.join(sorted(told['files']))}")
    return exported(out)


def exported(folder: str) -> Exported:
    """What a folder of an export says of itself."""
    folder = os.path.abspath(os.path.expanduser(folder))
    path = os.path.join(folder, EXPORT)
    try:
        with open(path, encoding="utf-8") as file:
            told = json.load(file)
    except (OSError, ValueError) as exc:
        raise BadInput(f"{folder} holds no export ({EXPORT} can't be read)") from exc
    files = {name: one["sha256"] for name, one in told["files"].items()}
    return Exported(
        folder, told["name"], files, tuple(told["why"]), told["gated"], told["context"], told["data"],
        told["base"]["sha256"], told["digest"], told["seconds"],
    )  # fmt: skip


def _source(stands: Standing, base: str, out: str, quants: Sequence[str], context: int, large: bool) -> Source:
    tokenizer = bases.tokenizer(base)
    config, found = weights.opened(base)
    shape = family.shape(config)
    adapter = merge.adapter(stands.adapter)
    merge.belongs(adapter, found, stands.adapter)
    trained, digest = stands.told.get("base"), bases.digest(base)
    if trained and trained != digest:
        raise WrongBase(f"the adapter in {stands.adapter} was trained on other weights than those of {base}")
    plan = plans.plan(shape, quants, context, large=large)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", os.path.basename(os.path.abspath(out))).strip("-.") or "model"
    return Source(name, shape, config, plan, merge.Merged(found, adapter), adapter, tokenizer, base, digest)


def _needed(source: Source) -> int:
    """About how many bytes all of it takes, at the worst moment."""
    number = plans.parameters(source.shape)
    files = sum(plans.estimate(number, quant) for quant in {FULL, *source.plan.quants})
    return files + sum(spec.bytes for spec in source.merged.specs.values())


def _write(folder: str, source: Source, say: Say) -> None:
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


def _file(name: str, quant: str) -> str:
    return f"{name}-{quant}.gguf"


def _merged(folder: str, source: Source) -> weights.Weights:
    """The merged model as transformers loads it; its weights."""
    specs = [spec for name, spec in source.merged.specs.items() if family.name_of(name, source.shape)]
    names = weights.write(folder, specs, source.merged.get)
    config = family.stretched(source.config, source.plan.stretch, source.plan.context)
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump({**config, "torch_dtype": _type(source)}, file, indent=2, ensure_ascii=False)
    source.tokenizer.save_pretrained(folder)
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
    """The vocabulary by its keys, as the base's own file has it, else the first way to cut that gives the tokens that
    the tokenizer gives."""
    from engrain.train.render import Renderer

    end = Renderer(source.tokenizer).marks.end_id
    base = os.path.expanduser(source.base)
    ours = vocabulary.vocabulary(source.tokenizer, source.shape.words, end)
    wanted = [source.tokenizer(text, add_special_tokens=False)["input_ids"] for text in _probes(source)]
    tried = [("the base's own", writer.tokenizer_of(base))] if os.path.isfile(base) else []
    tried += [(cut, vocabulary.keys(ours, cut)) for cut in ours.cuts]
    path = os.path.join(folder, "vocabulary.gguf")
    for name, told in tried:
        writer.write_small(path, source.shape.words, told)
        if native.tokens(path, _probes(source)) == wanted:
            say(f"texts are cut as in {name}: {len(wanted)} of them give the same tokens")
            os.unlink(path)
            return told
    raise BadInput("llama.cpp knows no way to cut texts that gives the tokens of this base's tokenizer")


def _probes(source: Source) -> list[str]:
    asked = [{"role": "user", "content": text} for text in vocabulary.PROBES[:2]]
    chat = source.tokenizer.apply_chat_template(asked[:1], tokenize=False, add_generation_prompt=True)
    return [*vocabulary.PROBES, str(chat)]


def _adapter(path: str, source: Source) -> None:
    """The adapter alone: its two sides, the scale in the second, so that alpha is the rank."""
    tensors, rank = [], 0
    for name in source.adapter.sides:
        new = family.name_of(name, source.shape)
        for place, side in enumerate(("lora_a", "lora_b")):
            shape = source.adapter.weights.specs[source.adapter.sides[name][place]].shape
            rank = max(rank, shape[0] if place == 0 else 0)
            tensors.append(writer.Tensor(f"{new}.{side}", shape, True, _side(source, name, place)))
    told = {"general.type": writer.ADAPTER, "general.name": f"{source.name} adapter", "adapter.type": "lora"}
    writer.write(path, source.shape.arch, {**told, "adapter.lora.alpha": float(rank)}, tensors)


def _side(source: Source, name: str, place: int) -> Callable[[], Any]:
    turn = family.turn_of(name, source.shape) if place else None

    def get() -> Any:
        found = source.adapter.side(name, place)
        return merge.turned(found, turn.heads) if turn else found

    return get


def _told(folder: str, source: Source, stands: Standing, seconds: float) -> dict[str, Any]:
    """The card and EXPORT.json are in the folder; what the latter says."""
    recipe = os.path.join(stands.run, "recipe.toml")
    if os.path.exists(recipe):
        shutil.copyfile(recipe, os.path.join(folder, "recipe.toml"))
    listed = {
        name: {"bytes": os.path.getsize(path), "sha256": bases.file_digest(path)} for name, path in _files(folder)
    }
    told: dict[str, Any] = {
        "name": source.name,
        "engrain": __version__,
        "run": stands.run,
        "data": str(stands.told.get("digest", "")),
        "base": {"name": os.path.basename(os.path.normpath(source.base)), "sha256": source.digest},
        "gated": stands.passed,
        "gates": stands.because,
        "context": source.plan.context,
        "parameters": plans.parameters(source.shape),
        "why": list(source.plan.why),
        "files": listed,
        "seconds": seconds,
    }
    told["digest"] = card.digest({name: str(one["sha256"]) for name, one in listed.items()})
    with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as file:
        file.write(card.text(told, stands.told, stands.report))
    with open(os.path.join(folder, EXPORT), "w", encoding="utf-8") as file:
        json.dump(told, file, indent=2, ensure_ascii=False)
    return told


def _files(folder: str) -> list[tuple[str, str]]:
    found = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    return sorted((os.path.relpath(path, folder), path) for path in found)


__all__ = ["EXPORT", "MERGED", "RUN", "Exported", "export", "exported", "size"]
