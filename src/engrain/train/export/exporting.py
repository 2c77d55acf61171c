"""Exporting: a run and its base → a folder with the merged model, its GGUF files, the adapter's, and a card.

    out/merged/             what transformers loads
    out/NAME-Q4_K_M.gguf    what llama.cpp, LM Studio and Ollama load, one for each quantisation
    out/NAME-adapter.gguf   the adapter alone, for who has the base already
    out/README.md           the model card        out/recipe.toml   what was decided in training
    out/Modelfile           what Ollama takes
    out/EXPORT.json         all of it by name and digest

It is written beside `out` and gets its name when it is whole.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Sequence
from typing import Any

from engrain import __version__
from engrain.errors import WrongBase
from engrain.train import base as bases
from engrain.train.export import card, family, files, merge, weights
from engrain.train.export import plan as plans
from engrain.train.export.beside import beside, roomy
from engrain.train.export.files import Source
from engrain.train.export.made import EXPORT, Exported, exported
from engrain.train.export.plan import FULL
from engrain.train.export.standing import Standing, standing
from engrain.train.render import Renderer


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
        files.write(folder, source, progress)
        told = _told(folder, source, stands, round(time.monotonic() - began, 1))
    progress(f"{out} is whole: {', '.join(sorted(told['files']))}")
    return exported(out)


def _source(stands: Standing, base: str, out: str, quants: Sequence[str], context: int, large: bool) -> Source:
    renderer = Renderer(bases.tokenizer(base))
    config, found = weights.opened(base)
    shape = family.shape(config)
    adapter = merge.adapter(stands.adapter)
    merge.belongs(adapter, found, stands.adapter)
    trained, digest = stands.told.get("base"), bases.digest(base)
    if trained and trained != digest:
        raise WrongBase(f"the adapter in {stands.adapter} was trained on other weights than those of {base}")
    plan = plans.plan(shape, quants, context, large=large)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", os.path.basename(os.path.abspath(out))).strip("-.") or "model"
    return Source(name, shape, config, plan, merge.Merged(found, adapter), adapter, renderer, base, digest)


def _needed(source: Source) -> int:
    """About how many bytes all of it takes, at the worst moment."""
    number = plans.parameters(source.shape)
    ggufs = sum(plans.estimate(number, quant) for quant in {FULL, *source.plan.quants})
    return ggufs + sum(spec.bytes for spec in source.merged.specs.values())


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
