"""Exporting: what a GGUF file says beside the model that it was made of, and its tensors beside llama.cpp's converter.

    python -m bench exporting           random models of each family, and how much memory a merge takes
    python -m bench exporting --full    SmolLM2-135M as well, with an adapter that is trained here: minutes

Agreement is teacher-forced: both are given the same words, and asked after each token where the model speaks which
comes next. After the tokens of prompts, where nobody asks it, it is only told how often they agree.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from bench.figure import Absent, Figure

PLACES = 2000
QUANTS = ("f16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M")
LEAST = {"f16": 99.5, "Q8_0": 98.0}


def measure(full: bool) -> Iterator[Figure]:
    """The figures; those that need another's code or a model say so where it is not here."""
    needed = ("torch", "transformers", "peft", "gguf", "cyllama")
    if missing := [name for name in needed if importlib.util.find_spec(name) is None]:
        raise Absent(f"{missing[0]} is not installed: `python -m tests_train.prepare` does it")
    with tempfile.TemporaryDirectory() as place:
        yield from _memory(place)
        if full:
            yield from _real(place)
        yield from _beside_llama_cpp(place)


def _export(run: str, base: str, out: str, quants: tuple[str, ...]) -> Any:
    from engrain.train.export import export

    with contextlib.redirect_stderr(io.StringIO()):
        return export(run, base, out, quants=quants, progress=lambda _: None)


def _beside_llama_cpp(place: str) -> Iterator[Figure]:
    """For each family: tensors that are not, to the bit, what llama.cpp's own converter makes."""
    from tests_train import converter, models

    if not converter.fetch():
        raise Absent("llama.cpp's own converter could not be had: files are not compared with what it makes")
    for name, kind in models.KINDS.items():
        base = models.model(os.path.join(place, name), kind)
        run = models.judged(models.run(os.path.join(place, f"{name}-run"), base))
        made = _export(run, base, os.path.join(place, f"{name}-out"), ("f16",))
        theirs = converter.converted(os.path.join(made.folder, "merged"), os.path.join(place, "theirs"), kind.cut)
        side = converter.adapted(os.path.join(run, "adapter"), base, os.path.join(place, "side"), kind.cut)
        pairs = ((os.path.join(made.folder, f"{name}-out-f16.gguf"), theirs),
                 (os.path.join(made.folder, f"{name}-out-adapter.gguf"), side))  # fmt: skip
        found = [_differing(*pair) for pair in pairs]
        total = sum(number for _, number in found)
        yield Figure(f"tensors other than llama.cpp's converter makes, {name}", sum(wrong for wrong, _ in found),
                     "tensors", most=0, note=f"of {total}, model and adapter")  # fmt: skip


def _differing(mine: str, theirs: str) -> tuple[int, int]:
    """How many tensors of two files are not the same, and how many there are."""
    import gguf

    ours, other = ({each.name: each for each in gguf.GGUFReader(path).tensors} for path in (mine, theirs))
    wrong = len(ours.keys() ^ other.keys())
    for name in ours.keys() & other.keys():
        a, b = ours[name], other[name]
        same = a.tensor_type == b.tensor_type and list(a.shape) == list(b.shape)
        wrong += not (same and a.data.tobytes() == b.data.tobytes())
    return wrong, len(other)


def _memory(place: str) -> Iterator[Figure]:
    """How much memory of its own a process takes at most while it merges a model and writes it, by the layers."""
    from tests_train import models

    kind, found = models.KINDS["qwen3"], []
    for layers in (4, 16):
        wide = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": layers}
        base = models.model(os.path.join(place, f"of {layers}"), kind._replace(more={**kind.more, **wide}))
        run = models.judged(models.run(os.path.join(place, f"run {layers}"), base))
        words = [run, base, os.path.join(place, f"out {layers}")]
        done = subprocess.run([sys.executable, "-c", WATCHED, *words], capture_output=True, text=True, check=True)
        found.append((float(done.stdout), os.path.getsize(os.path.join(base, "model.safetensors"))))
        shutil.rmtree(words[-1])
    (few, _), (many, whole) = found
    yield Figure(
        "memory of its own while a model is merged", many / 1e6, "MB", note=f"of a model of {whole / 1e6:.0f} MB"
    )
    yield Figure("the same, four times the layers", many / few, "times", most=1.25)


WATCHED = """
import sys, threading
import torch, transformers, peft, gguf
from engrain.train.export import exporting

def held():
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("RssAnon:"))

def look():
    while not done.wait(0.003):
        seen.append(held())

seen, done = [held()], threading.Event()
watching = threading.Thread(target=look)
watching.start()
exporting.export(*sys.argv[1:], quants=["f16"], progress=lambda _: None)
done.set()
watching.join()
print(max(seen) - seen[0])
"""
"""What a process holds that is no file's, looked at all the time, beside what it held before."""


def _real(place: str) -> Iterator[Figure]:
    """SmolLM2-135M with an adapter that was trained on made-up sessions: each of its files beside the merged model."""
    from tests_train import models
    from tests_train.prepare import FOLDER

    if not os.path.exists(os.path.join(FOLDER, "config.json")):
        raise Absent("SmolLM2-135M is not here: `python -m tests_train.prepare` brings it")
    run, rows = _trained(place, FOLDER)
    began = time.monotonic()
    made = _export(models.judged(run), FOLDER, os.path.join(place, "smollm2"), QUANTS)
    yield Figure("SmolLM2-135M merged, in five files", time.monotonic() - began, "s")
    for quant in QUANTS:
        size = os.path.getsize(os.path.join(made.folder, f"smollm2-{quant}.gguf"))
        yield Figure(f"SmolLM2-135M as {quant}", size / 1e6, "MB")
    yield from _agreement(made, rows)


def _trained(place: str, base_: str) -> tuple[str, str]:
    """A run that was trained on made-up sessions, and its rows."""
    from engrain.train import base, device, lora
    from engrain.train.render import Renderer
    from tests_train import shop

    rows = shop.rows_in(os.path.join(place, "rows"), Renderer(base.tokenizer(base_)))
    run = os.path.join(place, "trained")
    lora.train(rows, base_, run, shop.CHOSEN, device.chosen("cpu"), print)
    return run, rows


def _agreement(made: Any, rows: str) -> Iterator[Figure]:
    from engrain.train import base, examples
    from engrain.train.export import native, verifying
    from engrain.train.render import Renderer
    from tests_train import models

    renderer = Renderer(base.tokenizer(os.path.join(made.folder, "merged")))
    told = [renderer.row(row) for part in (examples.HELD, examples.TRAIN) for row in examples.read(rows, part)]
    kinds = {"replies": verifying.enough([verifying.asked(row) for row in told], PLACES),
             "prose": verifying.enough(verifying.of_texts(models.texts(), renderer), PLACES)}  # fmt: skip
    for kind, asked in kinds.items():
        ids = [each.ids for each in asked]
        wanted = verifying.merged(made.folder, ids)
        for name in made.ggufs:
            found = verifying.agreement(name, asked, wanted, native.likeliest(os.path.join(made.folder, name), ids))
            if kind == "prose":
                yield Figure(f"the same token in prose, {found.quant}", 100 * found.share, "%",
                             note=f"{found.places:,} places that nobody asks it about")  # fmt: skip
                continue
            note = (
                f"{found.places:,} places where it speaks; {found.everywhere:.1%} of {sum(map(len, ids)):,} everywhere"
            )
            yield Figure(f"the same token as the merged model, {found.quant}", 100 * found.share, "%",
                         least=LEAST.get(found.quant), note=note)  # fmt: skip
