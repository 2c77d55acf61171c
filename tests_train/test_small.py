"""The parts of training on models so small that they take no time: losses, packs, resuming."""

from __future__ import annotations

import contextlib
import json
import os
import resource
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, LlamaConfig, Qwen2Config, Qwen3Config

from engrain.errors import BadInput, NotFound
from engrain.train import base, checkpoint, examples, fused, lora, loss, pack, recipe
from engrain.train.device import Device
from engrain.train.loss import way
from engrain.train.pack import Batch
from engrain.train.render import NONE, Rendered, Renderer
from tests_train.prepare import FOLDER
from tests_train.shop import rows_in

CPU = Device(torch.device("cpu"), torch.float32, False, "exact")
SIZES = {
    "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2,
    "intermediate_size": 96, "vocab_size": 300, "head_dim": 16,
}  # fmt: skip


def small(kind: Any) -> Any:
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(kind(**SIZES))
    made = get_peft_model(model, LoraConfig(r=4, lora_alpha=8, lora_dropout=0.0, target_modules=list(lora.TARGETS)))
    for name, p in made.named_parameters():
        if "lora_B" in name:
            p.data.normal_(0, 0.05)
    return made


@pytest.mark.parametrize("kind", [LlamaConfig, Qwen2Config, Qwen3Config])
@pytest.mark.parametrize("again", [False, True])
def test_fused_layers_compute_what_the_model_computes(kind: Any, again: bool) -> None:
    model = small(kind)
    assert fused.unfit(model) == ""
    ids = torch.randint(0, 300, (2, 40))
    labels = ids.clone()
    labels[:, :7] = NONE
    positions = torch.arange(40)[None].expand(2, -1)
    plain = model(input_ids=ids, labels=labels, position_ids=positions).loss
    plain.backward()
    slopes = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
    model.zero_grad()
    total, asked = fused.Fused(model, compiled=False, again=again).loss(ids, positions, None, labels)
    (total / asked).backward()
    assert float(total / asked) == pytest.approx(float(plain), abs=1e-5)
    for name, p in model.named_parameters():
        if name in slopes:
            assert torch.allclose(p.grad, slopes[name], atol=1e-6), name


def test_what_decides_counts_as_often_as_it_is_told_whichever_way_the_model_runs() -> None:
    model = small(LlamaConfig)
    ids = tuple(torch.randint(0, 300, (24,)).tolist())
    text = Rendered(ids, (NONE, NONE, *ids[2:]), 1, 1, (5, 6, 23))
    batch = pack.batch([(0,)], [text], 64, fixed=True, decision=3.0)
    logits = model(input_ids=torch.tensor([ids])).logits[0, :-1]
    each = torch.nn.functional.cross_entropy(logits, torch.tensor(ids[1:]), reduction="none")[1:]
    weights = torch.tensor([3.0 if place in text.decides else 1.0 for place in range(2, 24)])
    for of in (fused.Fused(model, compiled=False).loss, lambda *parts: loss._plain(model)(Batch(*parts))):
        total, asked = of(*batch)
        assert asked == 28
        assert float(total) == pytest.approx(float((each * weights).sum()), rel=1e-4)
    assert pack.batch([(0,)], [text], 64, fixed=True).weights is None


def test_what_is_not_of_the_family_runs_as_it_is() -> None:
    model = get_peft_model(
        AutoModelForCausalLM.from_config(LlamaConfig(**SIZES)), LoraConfig(r=4, target_modules=["q_proj"])
    )
    assert "not all projections" in fused.unfit(model)
    found = way(model, CPU, keep=True, length=64, rows=2)
    text = Rendered(tuple(range(20)), tuple(range(20)), 1, 1)
    total, asked = found.of(pack.batch([(0,)], [text], 64, fixed=False))
    assert asked == 19
    assert float(total) > 0


def test_packed_texts_do_not_see_each_other() -> None:
    model = small(LlamaConfig)
    run = fused.Fused(model, compiled=False)
    texts = []
    for size in (11, 30, 17):
        ids = tuple(torch.randint(0, 300, (size,)).tolist())
        texts.append(Rendered(ids, (NONE, NONE, *ids[2:]), 1, 1))

    def loss(batch: Batch) -> tuple[float, int]:
        total, asked = run.loss(*batch)
        return float(total), asked

    apart = [loss(pack.batch([(place,)], texts, 64, fixed=False)) for place in range(3)]
    for fixed in (False, True):
        together = loss(pack.batch([(0, 1, 2)], texts, 64, fixed=fixed))
        assert together[1] == sum(asked for _, asked in apart)
        assert together[0] == pytest.approx(sum(total for total, _ in apart), rel=1e-5)


def test_labels_are_what_the_assistant_says_with_the_end_of_its_turn(tmp_path: Any) -> None:
    renderer = Renderer(base.tokenizer(FOLDER))
    folder = rows_in(str(tmp_path / "rows"), renderer)
    for row in examples.read(folder, examples.TRAIN)[:5]:
        found = renderer.row(row)
        assert found.turns == found.ended == len(examples.learned(row))
        said = renderer.tokenizer.decode([label for label in found.labels if label != NONE])
        assert said.count(renderer.marks.end) == found.turns
        assert "<tool_response>" not in said
        assert "<tool_call>" in said
        assert len(found.ids) <= recipe.load(folder).length
        decided = renderer.tokenizer.decode([found.ids[place] for place in found.decides])
        names = [name for name in map(examples.called, examples.learned(row)) if name]
        assert decided.count(renderer.marks.end) == found.turns
        assert decided.count("<tool_call>") == len(names)
        assert all(f'"name": "{name}"' in decided for name in names)
        assert "arguments" not in decided


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model of two layers with the tokenizer of the real one."""
    folder = str(tmp_path_factory.mktemp("tiny"))
    tokenizer = base.tokenizer(FOLDER)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    AutoModelForCausalLM.from_config(
        LlamaConfig(**{**SIZES, "vocab_size": len(tokenizer), "num_hidden_layers": 2})
    ).save_pretrained(folder)
    return folder


def test_a_killed_run_goes_on_and_ends_where_it_would_have(tiny: str, tmp_path: Any) -> None:
    data = rows_in(str(tmp_path / "rows"), Renderer(base.tokenizer(tiny)))
    chosen = recipe.load(data)._replace(rate=0.01, batch=2, epochs=1.5, checkpoint_every=3, evaluate_every=4)

    def killed(text: str) -> None:
        if text.startswith("step 8/"):
            raise KeyboardInterrupt

    whole = lora.train(data, tiny, str(tmp_path / "whole"), chosen, CPU, lambda _: None)
    assert whole.steps > 9
    out = str(tmp_path / "killed")
    with pytest.raises(KeyboardInterrupt):
        lora.train(data, tiny, out, chosen, CPU, killed)
    assert not os.path.exists(os.path.join(out, lora.RUN))
    said: list[str] = []
    again = lora.train(data, tiny, out, chosen, CPU, said.append)
    assert "goes on after step 6" in said
    assert abs(again.loss - whole.loss) < 1e-3
    assert abs(again.held - whole.held) < 1e-3
    assert [row["step"] for row in lora.metrics(out)] == list(range(1, whole.steps + 1))
    with open(os.path.join(out, lora.RUN), encoding="utf-8") as file:
        assert json.load(file)["steps"] == whole.steps
    with pytest.raises(BadInput, match="another"):
        base.adapted(base.model(FOLDER, torch.float32), os.path.join(out, lora.ADAPTER))


@contextlib.contextmanager
def files_of(most: int) -> Iterator[None]:
    """As if the disk were full once a file has so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_said_in_a_line_and_leaves_nothing_half_written(tmp_path: Any) -> None:
    model = small(LlamaConfig)
    adapters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(adapters.values())
    with files_of(4096), pytest.raises(BadInput, match="can't write a checkpoint"):
        checkpoint.save(str(tmp_path), 3, adapters, optimizer, {"step": 3})
    with files_of(4096), pytest.raises(BadInput, match="can't write the adapter"):
        lora._saved(model, str(tmp_path / "adapter"))
    assert os.listdir(tmp_path) == []
    lora._saved(model, str(tmp_path / "adapter"))
    checkpoint.save(str(tmp_path), 3, adapters, optimizer, {"step": 3})
    assert checkpoint.load(str(tmp_path), adapters, optimizer) == {"step": 3}


def test_what_is_not_there_is_said_in_a_line(tmp_path: Any) -> None:
    with pytest.raises(NotFound, match="no model"):
        base.tokenizer(str(tmp_path / "nothing"))
    with pytest.raises(BadInput, match="no tokenizer"):
        base.tokenizer(str(tmp_path))
