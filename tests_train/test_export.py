"""An export for real: random models of every family, beside llama.cpp's own converter, and all that can go wrong."""

from __future__ import annotations

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from engrain.errors import BadInput, GateClosed, NoRoom, NotFound, WrongBase
from engrain.train import base
from engrain.train.export import Exported, export, exported, native, verify, verifying, weights
from engrain.train.render import Renderer
from tests_train import converter, models
from tests_train.models import KINDS

ALL = ("f16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M")


SAME = 0.98
"""Where rows did not turn, or a norm were forgotten, next to nothing would be left of it."""


def quiet(_: str) -> None:
    return


def same(folder: str, places: int = 300) -> bool:
    """Whether the files of an export say what its merged model says."""
    found = verify(folder, texts=models.texts(), places=places, progress=quiet)
    return min(each.share for each in found.agreements) >= SAME


class Small:
    """A random base of a family, a run on it, and what came of that."""

    def __init__(self, folder: str, name: str) -> None:
        self.folder, self.name, self.kind = folder, name, KINDS[name]
        self.base = models.model(os.path.join(folder, "base"), self.kind)
        self.run = models.judged(models.run(os.path.join(folder, "run"), self.base))
        self.out = os.path.join(folder, "out")
        self.made: Exported = export(self.run, self.base, self.out, quants=ALL, progress=quiet)

    def file(self, of: str) -> str:
        return os.path.join(self.out, f"out-{of}.gguf")


@pytest.fixture(scope="module", params=list(KINDS))
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Small:
    return Small(str(tmp_path_factory.mktemp(request.param)), request.param)


@pytest.fixture(scope="module")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> Small:
    return Small(str(tmp_path_factory.mktemp("qwen")), "qwen3")


def told(path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What stands in a GGUF file: its numbers, and its tensors."""
    reader = gguf.GGUFReader(path)
    fields = {name: field.contents() for name, field in reader.fields.items()}
    return fields, {each.name: (each.tensor_type, list(each.shape), np.asarray(each.data)) for each in reader.tensors}


OWN = ("GGUF.", "general.name", "general.size_label", "general.base_model", "general.tags", "general.quant")
"""What a file says of itself, not of its model."""

BETTER = ("tokenizer.ggml.scores", "tokenizer.ggml.token_type", "tokenizer.ggml.tokens")
"""Of a vocabulary as SentencePiece makes it the converter knows no scores, without which texts get other tokens; and
what it writes for words that the model has and the tokenizer has not differs."""


@pytest.mark.skipif(not converter.there(), reason="llama.cpp's own converter could not be had")
def test_every_tensor_is_what_llama_cpp_s_own_converter_makes(small: Small) -> None:
    theirs = converter.converted(os.path.join(small.out, "merged"), small.file("theirs"), small.kind.cut)
    sides = converter.adapted(os.path.join(small.run, "adapter"), small.base, small.file("side"), small.kind.cut)
    for mine, other in ((small.file("f16"), theirs), (small.file("adapter"), sides)):
        (ours, our_tensors), (fields, tensors) = told(mine), told(other)
        assert our_tensors.keys() == tensors.keys()
        for name, (kind, shape, data) in tensors.items():
            assert our_tensors[name][:2] == (kind, shape), name
            assert np.array_equal(our_tensors[name][2], data), name
        spared = (*OWN, *(BETTER if small.name == "llama-2" else ()))
        known = {name: value for name, value in fields.items() if not name.startswith(spared)}
        assert {name: ours.get(name) for name in known} == known
    os.unlink(theirs)
    os.unlink(sides)


def test_what_is_merged_is_what_peft_merges(small: Small) -> None:
    ours = AutoModelForCausalLM.from_pretrained(os.path.join(small.out, "merged"), dtype=torch.float32)
    model = base.adapted(base.model(small.base, torch.float32), os.path.join(small.run, "adapter"))
    theirs = {name: each.to(torch.bfloat16).float() for name, each in model.merge_and_unload().state_dict().items()}
    found = ours.state_dict()
    assert found.keys() == theirs.keys()
    changed = 0
    for name, each in theirs.items():
        # Sums in another order round to the neighbour now and then.
        assert torch.allclose(found[name], each, rtol=1 / 128, atol=1e-6), name
        assert (found[name] != each).float().mean() < 0.01, name
        changed += int(".self_attn.q_proj.weight" in name)
    assert changed == 2
    before = load_file(os.path.join(small.base, "model.safetensors"))
    assert not torch.equal(
        before["model.layers.0.mlp.up_proj.weight"].float(), found["model.layers.0.mlp.up_proj.weight"]
    )


def test_every_file_says_what_the_merged_model_says(small: Small) -> None:
    found = verify(small.out, small.base, texts=models.texts(), places=600, progress=quiet)
    shares = {each.quant: each.share for each in found.agreements}
    assert list(shares) == list(ALL)
    assert min(each.places for each in found.agreements) >= 600
    # Random models hardly know what they find likeliest, so less is asked of them than of real ones.
    assert shares["f16"] >= SAME
    assert shares["Q8_0"] >= 0.8
    assert min(shares.values()) >= 0.3


def test_another_model_s_file_does_not_pass(small: Small) -> None:
    """What compares can say no: the base itself is not the merged model."""
    texts = verifying.of_texts(models.texts()[:1], Renderer(base.tokenizer(small.base)))[:1]
    rows = [each.ids for each in texts]
    place = os.path.join(small.folder, "unmerged", "merged")
    shutil.copytree(small.base, place, dirs_exist_ok=True)
    wanted = verifying.merged(os.path.dirname(place), rows)
    found = verifying.agreement("out-f16.gguf", texts, wanted, native.likeliest(small.file("f16"), rows))
    assert found.share < 0.9


def test_texts_are_cut_as_the_tokenizer_cuts_them(small: Small) -> None:
    tokenizer = base.tokenizer(small.base)
    texts = [line for text in models.texts() for line in text.split("\n\n")][:60]
    wanted = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
    assert native.tokens(small.file("f16"), texts) == wanted
    assert told(small.file("f16"))[0]["tokenizer.ggml.pre"] == small.kind.cut


def test_the_card_and_the_export_speak_of_what_is_there(small: Small) -> None:
    there = sorted(os.path.relpath(path, small.out) for path in glob.glob(f"{small.out}/**", recursive=True)
                   if os.path.isfile(path))  # fmt: skip
    assert sorted([*small.made.files, "EXPORT.json", "README.md"]) == there
    assert exported(small.out) == small.made
    assert small.made.gated
    with open(os.path.join(small.out, "README.md"), encoding="utf-8") as file:
        card = file.read()
    assert "Every gate was open" in card
    assert small.made.files["out-Q4_K_M.gguf"] in card
    assert small.folder not in card


def test_a_long_context_is_stretched_alike_in_both(qwen: Small, tmp_path: Any) -> None:
    out = str(tmp_path / "long")
    made = export(qwen.run, qwen.base, out, quants=["f16"], context=8192, progress=quiet)
    fields, _ = told(os.path.join(out, "long-f16.gguf"))
    assert fields["qwen3.context_length"] == made.context == 8192
    assert (fields["qwen3.rope.scaling.type"], fields["qwen3.rope.scaling.factor"]) == ("yarn", 4.0)
    assert fields["qwen3.rope.scaling.original_context_length"] == 2048
    assert same(out, 1000)
    renderer = Renderer(base.tokenizer(qwen.base))
    rows = [each.ids for each in verifying.of_texts(models.texts()[:1], renderer)[:2]]
    assert verifying.merged(out, rows) != verifying.merged(qwen.out, rows), "stretched positions are other positions"


def test_a_base_in_one_gguf_file_is_exported_with_its_own_vocabulary(small: Small, tmp_path: Any) -> None:
    file = small.file("f16")
    run = models.judged(models.run(str(tmp_path / "run"), file, seed=8))
    if small.name == "llama-2":
        refused(BadInput, "reads texts otherwise", str(tmp_path / "again"), run, file)
        return
    made = export(run, file, str(tmp_path / "again"), quants=["f16"], progress=quiet)
    assert same(made.folder)
    before, after = told(file)[0], told(os.path.join(made.folder, "again-f16.gguf"))[0]
    kept = {name for name in before if name.startswith("tokenizer.ggml.")}
    assert {name: before[name] for name in kept} == {name: after[name] for name in kept}


def test_a_base_in_pieces_and_scales_of_their_own_are_merged(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place = models.model(str(tmp_path / "base"), KINDS["qwen2"])
    base.model(place, torch.bfloat16).save_pretrained(place, max_shard_size="60kB")
    os.unlink(os.path.join(place, "model.safetensors"))
    run = models.judged(models.run(str(tmp_path / "run"), place))
    path = os.path.join(run, "adapter", "adapter_config.json")
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**config, "alpha_pattern": {"self_attn.v_proj": 32}}, file)
    monkeypatch.setattr(weights, "SHARD", 60_000)
    monkeypatch.setattr(weights.write, "__defaults__", (60_000,))
    made = export(run, place, str(tmp_path / "out"), quants=["f16"], progress=quiet)
    assert len([name for name in made.files if name.endswith(".safetensors")]) > 2
    model = base.adapted(base.model(place, torch.float32), os.path.join(run, "adapter")).merge_and_unload()
    ours = base.model(os.path.join(made.folder, "merged"), torch.float32).state_dict()
    for name, each in model.state_dict().items():
        assert torch.allclose(ours[name], each.to(torch.bfloat16).float(), rtol=1 / 128, atol=1e-6), name
    assert same(made.folder)
    sides = told(os.path.join(made.folder, "out-adapter.gguf"))
    (b, a), scale = (torch.tensor(sides[1][f"blk.0.attn_v.weight.lora_{side}"][2]) for side in "ba"), 32 / 4
    change = b @ a * sides[0]["adapter.lora.alpha"] / a.shape[0]
    raw = load_file(os.path.join(run, "adapter", "adapter_model.safetensors"))
    stem = "base_model.model.model.layers.0.self_attn.v_proj.lora_"
    assert torch.allclose(change, raw[f"{stem}B.weight"] @ raw[f"{stem}A.weight"] * scale, atol=1e-5)


# What can't be


def refused(kind: type[Exception], match: str, out: str, run: str, place: str, **more: Any) -> None:
    """One clear line, and nothing where the model would be."""
    beside = os.path.dirname(out)
    before = sorted(os.listdir(beside))
    with pytest.raises(kind, match=match) as caught:
        export(run, place, out, **{"quants": ["Q8_0"], "progress": quiet, **more})
    assert "\n" not in str(caught.value)
    assert sorted(os.listdir(beside)) == before


def test_an_adapter_of_another_base_is_refused(qwen: Small, tmp_path: Any) -> None:
    out = str(tmp_path / "out")
    other = models.model(str(tmp_path / "other"), KINDS["qwen2"])
    refused(WrongBase, "of another base", out, qwen.run, other)
    # The same family and the same shapes, but other weights.
    twin = shutil.copytree(qwen.base, tmp_path / "twin")
    path = str(twin / "model.safetensors")
    found = load_file(path)
    found["model.layers.1.mlp.up_proj.weight"] = found["model.layers.1.mlp.up_proj.weight"] * 1.01
    save_file(found, path, metadata={"format": "pt"})
    refused(WrongBase, "trained on other weights", out, qwen.run, str(twin))


def test_a_base_without_tokenizer_weights_or_config_is_refused(qwen: Small, tmp_path: Any) -> None:
    out = str(tmp_path / "out")
    for gone, why in (("tokenizer.json", "no tokenizer"), ("model.safetensors", "lacks its weights"),
                      ("config.json", "no tokenizer|is no model")):  # fmt: skip
        place = shutil.copytree(qwen.base, tmp_path / f"without {gone}")
        os.unlink(place / gone)
        refused(BadInput, why, out, qwen.run, str(place))
    refused(NotFound, "no model", out, qwen.run, str(tmp_path / "nothing"))
    cut = shutil.copytree(qwen.base, tmp_path / "cut")
    with open(cut / "model.safetensors", "r+b") as file:
        file.truncate(20_000)
    refused(BadInput, "can't be read", out, qwen.run, str(cut))


def test_a_tokenizer_of_another_model_is_refused(qwen: Small, tmp_path: Any) -> None:
    place = shutil.copytree(qwen.base, tmp_path / "mixed")
    with open(place / "config.json", encoding="utf-8") as file:
        config = json.load(file)
    with open(place / "config.json", "w", encoding="utf-8") as file:
        json.dump({**config, "vocab_size": 500}, file)
    run = models.judged(models.run(str(tmp_path / "run"), qwen.base))
    refused(BadInput, "of another model", str(tmp_path / "out"), run, str(place))


def test_a_way_to_cut_that_nobody_knows_is_refused(qwen: Small, tmp_path: Any) -> None:
    place = shutil.copytree(qwen.base, tmp_path / "base")
    with open(place / "tokenizer.json", encoding="utf-8") as file:
        told_ = json.load(file)
    # Texts are cut before every vowel.
    told_["pre_tokenizer"]["pretokenizers"][0]["pattern"] = {"Regex": "[aeiou]"}
    with open(place / "tokenizer.json", "w", encoding="utf-8") as file:
        json.dump(told_, file)
    refused(BadInput, "no way to cut", str(tmp_path / "out"), qwen.run, str(place))


def test_gates_and_rules_hold(qwen: Small, tmp_path: Any) -> None:
    out, run = str(tmp_path / "out"), models.run(str(tmp_path / "run"), qwen.base)
    refused(GateClosed, "were not asked", out, run, qwen.base)
    models.judged(run, passed=False)
    refused(GateClosed, r"say no \(tool\)", out, run, qwen.base)
    refused(BadInput, "no quantisation", out, qwen.run, qwen.base, quants=["Q2"])
    refused(BadInput, "32 times", out, qwen.run, qwen.base, context=1_000_000)
    made = export(run, qwen.base, out, quants=["Q8_0"], ungated=True, progress=quiet)
    assert not made.gated
    refused(BadInput, "is not empty", out, qwen.run, qwen.base)
    assert exported(out) == made
    with pytest.raises(WrongBase, match="was not made of"):
        verify(out, models.model(str(tmp_path / "other"), KINDS["qwen2"]), progress=quiet)
    with open(os.path.join(out, "out-Q8_0.gguf"), "r+b") as file:
        file.write(b"XXXX")
    with pytest.raises(BadInput, match="not the file that was exported"):
        verify(out, progress=quiet)


def test_an_adapter_that_is_no_plain_lora_is_refused(qwen: Small, tmp_path: Any) -> None:
    run = shutil.copytree(qwen.run, tmp_path / "run")
    path = str(run / "adapter" / "adapter_config.json")
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    for change in ({"use_dora": True}, {"peft_type": "IA3"}, {"bias": "all"}):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**config, **change}, file)
        refused(BadInput, "no plain LoRA", str(tmp_path / "out"), str(run), qwen.base)


# What happens on the way

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
from engrain.cli import main
sys.exit(main({words!r}))
"""


def command(small: Small, out: str, limit: int = -1) -> list[str]:
    words = ["train", "export", small.run, out, "--base", small.base, "-q", "Q8_0", "-q", "f16"]
    return [sys.executable, "-c", LIMITED.format(limit=limit, words=words)]


@pytest.mark.parametrize("more", [-100_000, 1000])
def test_a_full_disk_leaves_nothing(qwen: Small, tmp_path: Any, more: int) -> None:
    """Files of limited size: the merged model does not fit, or only its GGUF file, which has the vocabulary as well."""
    limit = os.path.getsize(os.path.join(qwen.out, "merged", "model.safetensors")) + more
    assert limit < os.path.getsize(qwen.file("f16"))
    out = str(tmp_path / "models" / "out")
    env = {**os.environ, "ENGRAIN_HOME": str(tmp_path / "home")}
    done = subprocess.run(command(qwen, out, limit), capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 1, done.stderr
    assert "no room for" in done.stderr.strip().splitlines()[-1]
    assert ("writing out-f16" in done.stderr) == (more > 0)
    assert "Traceback" not in done.stderr
    assert os.listdir(tmp_path / "models") == []


def test_a_full_disk_is_told_from_what_llama_cpp_says(qwen: Small, tmp_path: Any) -> None:
    script = f"""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
from engrain.train.export import native
from engrain.train.export.beside import beside
from engrain.errors import NoRoom
try:
    with beside({str(tmp_path / "out")!r}) as place:
        native.quantised({qwen.file("f16")!r}, place + "/x.gguf", "Q8_0", 1)
except NoRoom as exc:
    print(exc)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "no room for" in done.stdout
    assert os.listdir(tmp_path) == []


def test_what_will_not_fit_on_the_disk_is_not_begun(
    qwen: Small, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    refused(NoRoom, "1 kB left", str(tmp_path / "out"), qwen.run, qwen.base)


@pytest.mark.parametrize("stop", ["merging", "writing out-f16", "writing out-Q8_0", "writing out-adapter"])
def test_cancelled_at_any_stage_nothing_is_left(qwen: Small, tmp_path: Any, stop: str) -> None:
    def cancelled(text: str) -> None:
        if text.startswith(stop):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(qwen.run, qwen.base, str(tmp_path / "out"), quants=["f16", "Q8_0"], progress=cancelled)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_killed_it_leaves_no_model_and_is_done_again(qwen: Small, tmp_path: Any, how: signal.Signals) -> None:
    out, env = str(tmp_path / "models" / "out"), {**os.environ, "ENGRAIN_HOME": str(tmp_path / "home")}
    with subprocess.Popen(command(qwen, out), stderr=subprocess.PIPE, text=True, env=env) as going:
        assert going.stderr
        said = ""
        for line in going.stderr:
            if line.startswith("writing out-f16"):
                going.send_signal(how)
            said = line
    assert not os.path.exists(out)
    if how == signal.SIGINT:
        assert (going.returncode, said.strip()) == (130, "engrain: interrupted")
        assert os.listdir(tmp_path / "models") == []
    made = export(qwen.run, qwen.base, out, quants=["f16", "Q8_0"], progress=quiet)
    assert os.listdir(tmp_path / "models") == ["out"]
    same = {name: digest for name, digest in made.files.items() if name in qwen.made.files and "out-" in name}
    assert same == {name: qwen.made.files[name] for name in same}, "the same to the byte"
