"""What an export decides, writes and refuses: all of it that needs no model. `make test-train` has the rest."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from engrain.cli.group import run
from engrain.errors import BadInput, GateClosed, MissingExtra, NoRoom, NotFound
from engrain.memory import Memory, training
from engrain.train import base as bases
from engrain.train import gates
from engrain.train.export import beside as besides
from engrain.train.export import card, family, installing, made, modelfile, native, plan, standing, vocabulary
from engrain.train.export.beside import beside
from engrain.train.export.plan import Stretch

QWEN3 = {
    "model_type": "qwen3", "hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36,
    "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151_936,
    "rms_norm_eps": 1e-6, "rope_theta": 1_000_000, "max_position_embeddings": 40_960, "tie_word_embeddings": True,
}  # fmt: skip
LLAMA = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14_336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128_256, "rms_norm_eps": 1e-5,
    "rope_parameters": {"rope_type": "default", "rope_theta": 500_000.0}, "max_position_embeddings": 8192,
}  # fmt: skip
GROWN = {**LLAMA, "hidden_size": 8192, "intermediate_size": 28_672, "num_hidden_layers": 80}


# Plan


def test_a_model_of_usual_size_is_exported_and_a_large_one_only_if_asked() -> None:
    assert plan.parameters(family.shape(QWEN3)) == 4_022_468_096 - 2 * 36 * 128, (
        "as Qwen says, without the norms of heads"
    )
    found = plan.plan(family.shape(QWEN3), ["q4_k_m"], 0, large=False)
    assert found.quants == ("Q4_K_M",)
    assert "2.44 GB" in found.why[0]
    with pytest.raises(BadInput, match=r"43.\d GB at Q4_K_M, more than the 6 GB"):
        plan.plan(family.shape(GROWN), ["Q4_K_M"], 0, large=False)
    assert "asked for all the same" in plan.plan(family.shape(GROWN), ["Q4_K_M"], 0, large=True).why[0]


class Reach(NamedTuple):
    """A config, what is asked, and how it is reached; text: what is said against it."""

    config: dict[str, Any]
    asked: int
    context: int
    stretch: Stretch | None
    refused: str = ""


LONG = {**LLAMA, "rope_parameters": {"rope_type": "llama3", "rope_theta": 5e5, "factor": 8.0}}
REACHES = (
    Reach(QWEN3, 0, 40_960, None),
    Reach(QWEN3, 32_768, 40_960, None),
    Reach(QWEN3, 131_072, 131_072, Stretch(32_768, 4.0)),
    Reach(QWEN3, 128_000, 128_000, Stretch(32_768, 3.90625)),
    Reach(LLAMA, 131_072, 131_072, Stretch(8192, 16.0)),
    Reach(LLAMA, 8_192, 8192, None),
    Reach(LLAMA, 400_000, 0, None, "at most 32 times"),
    Reach(LONG, 131_072, 0, None, "by llama3 already"),
    Reach(LLAMA, -1, 0, None, "a number of tokens"),
)


@pytest.mark.parametrize("row", REACHES)
def test_a_context_is_stretched_only_as_far_as_asked(row: Reach) -> None:
    shape = family.shape(row.config)
    if row.refused:
        with pytest.raises(BadInput, match=row.refused):
            plan.reach(shape, row.asked)
        return
    context, stretch, why = plan.reach(shape, row.asked)
    assert (context, stretch) == (row.context, row.stretch)
    assert ("untested" in why) == (stretch is not None and stretch.factor > 4)


def test_quantisations_are_known_by_name_whatever_its_case() -> None:
    assert plan.quants_of(["q4_k_m", "F16", "Q4_K_M"]) == ("f16", "Q4_K_M")
    with pytest.raises(BadInput, match="no quantisation 'Q3_K'"):
        plan.quants_of(["Q3_K"])
    with pytest.raises(BadInput, match="at least one"):
        plan.quants_of([])


# Families


def test_what_yarn_needs_is_in_the_numbers_of_the_file_and_in_the_config() -> None:
    shape = family.shape(QWEN3)
    stretch = Stretch(32_768, 4.0)
    told = family.metadata(shape, QWEN3, stretch, 131_072)
    assert told["qwen3.context_length"] == 131_072
    assert told["qwen3.rope.scaling.type"] == "yarn"
    assert told["qwen3.rope.scaling.factor"] == 4.0
    assert told["qwen3.rope.scaling.original_context_length"] == 32_768
    assert told["qwen3.rope.freq_base"] == 1_000_000.0
    config = family.stretched({**QWEN3, "quantization_config": {}}, stretch, 131_072)
    assert config["rope_parameters"]["rope_type"] == "yarn"
    assert "quantization_config" not in config
    assert family.shape(config) == shape._replace(rope="yarn", most=131_072)


def test_tensors_have_the_names_that_llama_cpp_reads() -> None:
    shape = family.shape(QWEN3)
    rows = {
        "model.embed_tokens.weight": "token_embd.weight",
        "model.norm.weight": "output_norm.weight",
        "lm_head.weight": "",
        "model.layers.7.self_attn.q_proj.bias": "blk.7.attn_q.bias",
        "model.layers.35.self_attn.k_norm.weight": "blk.35.attn_k_norm.weight",
        "model.layers.0.mlp.down_proj.weight": "blk.0.ffn_down.weight",
        "model.layers.0.self_attn.rotary_emb.inv_freq": "",
    }
    assert {name: family.name_of(name, shape) for name in rows} == rows
    assert family.name_of("lm_head.weight", shape._replace(tied=False)) == "output.weight"
    for strange in (
        "model.layers.36.mlp.up_proj.weight",
        "model.layers.0.mlp.experts.0.up_proj.weight",
        "visual.weight",
    ):
        with pytest.raises(BadInput, match="does not have"):
            family.name_of(strange, shape)


def test_rows_turn_in_llama_alone() -> None:
    name = "model.layers.0.self_attn.k_proj.weight"
    assert family.turn_of(name, family.shape(QWEN3)) is None
    assert family.turn_of(name, family.shape(LLAMA)) == family.Turn(8)
    assert family.turn_of(name.replace("k_proj", "q_proj"), family.shape(LLAMA)) == family.Turn(32)
    assert family.turn_of(name.replace("k_proj", "v_proj"), family.shape(LLAMA)) is None


REFUSED = (
    ({**QWEN3, "model_type": "gpt2"}, "family gpt2 can't be exported"),
    ({key: value for key, value in QWEN3.items() if key != "hidden_size"}, "nothing of hidden_size"),
    ({**QWEN3, "use_sliding_window": True}, "sliding window"),
    ({**QWEN3, "rope_scaling": {"type": "dynamic", "factor": 2.0}}, "scaled as dynamic"),
)


@pytest.mark.parametrize(("config", "why"), REFUSED)
def test_a_base_that_can_t_be_told_is_refused(config: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        family.shape(config)


# Vocabulary


def test_tokens_keep_their_places_and_their_kinds() -> None:
    told = {
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]},
        "pre_tokenizer": {"type": "ByteLevel", "use_regex": True},
        "added_tokens": [{"id": 3, "content": "<|im_end|>", "special": False}, {"id": 4, "content": "<tool_call>"}],
    }
    found = vocabulary.of(told, 7, {"eos": 3}, False, "template")
    assert found.tokens == ("a", "b", "ab", "<|im_end|>", "<tool_call>", "[PAD5]", "[PAD6]")
    assert found.kinds == (1, 1, 1, 3, 4, 5, 5)
    assert found.cuts[0] == "gpt-2"
    assert set(found.cuts) == set(vocabulary.CUTS)
    keys = vocabulary.keys(found, "gpt-2")
    assert keys["tokenizer.ggml.merges"] == ["a b"]
    assert keys["tokenizer.ggml.eos_token_id"] == 3
    with pytest.raises(BadInput, match="of another model"):
        vocabulary.of(told, 4, {}, False, "")
    with pytest.raises(BadInput, match="kind Unigram"):
        vocabulary.of({**told, "model": {"type": "Unigram"}}, 4, {}, False, "")


def test_what_falls_back_to_bytes_has_scores_in_the_order_of_its_merges() -> None:
    words = {"<unk>": 0, "<0x0A>": 1, "▁": 2, "a": 3, "▁a": 4, "aa": 5}
    model = {"type": "BPE", "byte_fallback": True, "unk_token": "<unk>", "vocab": words, "merges": ["▁ a", "a a"]}
    normal = {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}]}
    found = vocabulary.of({"model": model, "normalizer": normal, "added_tokens": []}, 6, {}, True, "")
    assert found.kinds == (2, 6, 1, 1, 1, 1)
    assert found.scores[4] > found.scores[5] > found.scores[2]
    assert vocabulary.keys(found, "default")["tokenizer.ggml.add_space_prefix"] is True


# Standing


def a_run(folder: str, report: dict[str, Any] | None = None) -> str:
    """A run that is done, with some adapter."""
    os.makedirs(os.path.join(folder, "adapter"))
    with open(os.path.join(folder, "adapter", standing.WEIGHTS), "wb") as file:
        file.write(b"weights")
    if report is not None and "digest" not in report:
        report = {**report, "digest": gates.digest(report)}
    for name, told in (("RUN.json", {"digest": "d1", "steps": 3}), ("REPORT.json", report)):
        if told is not None:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                json.dump(told, out)
    return folder


ADAPTER = hashlib.sha256(b"weights").hexdigest()
GATE = {"name": "tool", "passed": True, "value": 0.3, "bound": "> 0", "because": "+30 %"}
GATES = [{**GATE, "name": gate.name} for gate in gates.GATES]
OPEN: dict[str, Any] = {"passed": True, "gates": GATES, "data": "d1", "adapter": ADAPTER, "points": 40}
CLOSED: tuple[tuple[dict[str, Any] | None, str], ...] = (
    (None, "were not asked"),
    ({**OPEN, "adapter": "of another"}, "about another adapter"),
    ({**OPEN, "data": "d2"}, "about another adapter"),
    ({**OPEN, "passed": False, "gates": [GATE, {**GATE, "name": "repeats", "passed": False}]}, r"say no \(repeats\)"),
    ({**OPEN, "gates": [{**GATE, "passed": False}]}, r"say no \(tool\)"),
    ({**OPEN, "gates": []}, "not asked .numbers, points"),
    ({**OPEN, "gates": GATES[:-1]}, "not asked .fits"),
    ({**OPEN, "passed": False}, "says no"),
    ({name: value for name, value in OPEN.items() if name != "adapter"}, "about another adapter"),
    ({**OPEN, "digest": gates.digest({**OPEN, "passed": False})}, "not what was written"),
)


def test_a_run_whose_gates_are_open_may_be_exported(tmp_path: Any) -> None:
    found = standing.standing(a_run(str(tmp_path / "run"), OPEN), ungated=False)
    assert found.passed
    assert found.because == "every gate is open"


@pytest.mark.parametrize(("report", "why"), CLOSED)
def test_a_run_whose_gates_are_not_open_is_refused_and_the_card_says_so(
    tmp_path: Any, report: dict[str, Any] | None, why: str
) -> None:
    folder = a_run(str(tmp_path / "run"), report)
    with pytest.raises(GateClosed, match=why):
        standing.standing(folder, ungated=False)
    found = standing.standing(folder, ungated=True)
    assert not found.passed
    told = card.text(an_export(gated=False, gates=found.because), found.told, found.report)
    assert "Not fit for use: exported without its gates" in told


def test_the_run_in_use_is_the_one_installed_last_on_this_base(tmp_path: Any) -> None:
    base, other = str(tmp_path / "base"), str(tmp_path / "other")
    for place, data in ((base, b"one"), (other, b"two")):
        os.makedirs(place)
        with open(os.path.join(place, "model.safetensors"), "wb") as file:
            file.write(data)
    found = a_run(str(tmp_path / "run"))
    with open(os.path.join(found, "RUN.json"), "w", encoding="utf-8") as out:
        json.dump({"digest": "d1", "base": bases.digest(base)}, out)
    assert standing.of_base(found, base)
    assert not standing.of_base(found, other)
    assert not standing.of_base(str(tmp_path / "gone"), base)
    with Memory.open(str(tmp_path / "home"), folder=str(tmp_path)) as memory:
        for run, passed in (("/runs/a", True), ("/runs/b", True), ("/runs/c", False), ("/runs/a", True), ("", True)):
            training.record(memory, "install", passed=passed, data="d", metrics={"run": run})
        training.record(memory, "lora", passed=True, data="d", metrics={"run": "/runs/d"})
        assert sorted(training.in_use(memory)) == ["/runs/a", "/runs/b"]


def test_what_is_no_run_is_said(tmp_path: Any) -> None:
    with pytest.raises(NotFound, match="no run that is done"):
        standing.standing(str(tmp_path), ungated=True)
    (tmp_path / "RUN.json").write_text("{}")
    with pytest.raises(NotFound, match="holds no adapter"):
        standing.standing(str(tmp_path), ungated=True)
    (tmp_path / "RUN.json").write_text("no json")
    with pytest.raises(BadInput, match="no JSON"):
        standing.standing(str(tmp_path), ungated=True)


# The card


def an_export(**more: Any) -> dict[str, Any]:
    """What EXPORT.json says."""
    files = {"shop-Q4_K_M.gguf": {"bytes": 4, "sha256": hashlib.sha256(b"Q4_K").hexdigest()},
             "shop-Q8_0.gguf": {"bytes": 4, "sha256": hashlib.sha256(b"Q8_0").hexdigest()}}  # fmt: skip
    return {"name": "shop", "engrain": "0.1.0", "run": "/runs/1", "data": "d1", "gated": True,
            "base": {"name": "Qwen3-4B", "sha256": "abcdef0123456789"}, "gates": "every gate is open",
            "context": 131_072, "parameters": 4_000_000_000, "why": ["it fits"], "files": files, "seconds": 3.0,
            "digest": "e1", **more}  # fmt: skip


def test_the_card_tells_base_data_files_gates_and_reasons() -> None:
    told = card.text(an_export(), {"steps": 90, "held": 0.5, "base_held": 1.25}, OPEN)
    for part in ("# shop", "Qwen3-4B", "`d1`", "| `shop-Q4_K_M.gguf` | 4 bytes |", "- it fits", "131,072",
                 "| tool | yes | 0.3 | > 0 | +30 % |", "| held-out loss of the base | 1.2500 |", "Every gate was open",
                 "Asked at 40 held-out places"):  # fmt: skip
        assert part in told
    assert "/runs/1" not in told, "where it lay is nobody's business"
    assert told.startswith("---\n")


# Folders that are whole or not there


def half(out: str, **more: Any) -> None:
    """Somebody says that it shall end."""
    with beside(out, **more) as partial:
        write(os.path.join(partial, "half"))
        raise KeyboardInterrupt


def test_a_folder_is_whole_or_not_there(tmp_path: Any) -> None:
    out = str(tmp_path / "models" / "out")
    with pytest.raises(KeyboardInterrupt):
        half(out)
    assert os.listdir(tmp_path / "models") == []
    with beside(out) as partial:
        write(os.path.join(partial, "file"))
        assert not os.path.exists(out)
    assert os.listdir(tmp_path / "models") == ["out"]
    assert os.listdir(out) == ["file"]
    with pytest.raises(BadInput, match="is not empty"), beside(out):
        pass
    assert os.listdir(tmp_path / "models") == ["out"]


def write(path: str, data: bytes = b"x") -> None:
    with open(path, "wb") as file:
        file.write(data)


def test_what_a_killed_process_left_is_cleared_away(tmp_path: Any) -> None:
    out, left = tmp_path / "out", tmp_path / ".out.partial"
    (left / "merged").mkdir(parents=True)
    write(str(left / "merged" / "half"))
    with beside(str(out)) as partial:
        assert os.listdir(partial) == []
        write(os.path.join(partial, "file"))
    assert os.listdir(tmp_path) == ["out"]


def test_two_do_not_write_the_same_folder(tmp_path: Any) -> None:
    out = str(tmp_path / "out")
    with beside(out) as partial:
        write(os.path.join(partial, "file"))
        with pytest.raises(BadInput, match="at this moment"), beside(out):
            pass
        assert os.listdir(partial) == ["file"]


def test_a_folder_that_is_replaced_stays_until_the_new_one_is_whole(tmp_path: Any) -> None:
    out = tmp_path / "out"
    out.mkdir()
    write(str(out / "old"))
    with pytest.raises(KeyboardInterrupt):
        half(str(out), replace=True)
    assert os.listdir(out) == ["old"]
    with beside(str(out), replace=True) as partial:
        write(os.path.join(partial, "new"))
        assert os.listdir(out) == ["old"]
    assert os.listdir(out) == ["new"]
    assert os.listdir(tmp_path) == ["out"]
    # Killed between the two names.
    os.rename(out, tmp_path / ".out.before")
    with pytest.raises(KeyboardInterrupt):
        half(str(out), replace=True)
    assert os.listdir(out) == ["new"]


def limited(code: str, number: int) -> str:
    """What a program says that can't write files of more than so many bytes."""
    script = f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({number}, {number}))\n{code}"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Any) -> None:
    said = limited(
        f"""
from engrain.errors import NoRoom
from engrain.train.export.beside import beside
try:
    with beside({str(tmp_path / "out")!r}) as partial:
        open(partial + "/a", "wb").write(bytes(1000))
        open(partial + "/b", "wb").write(bytes(100_000))
except NoRoom as exc:
    print(exc)
""",
        50_000,
    )
    assert "no room for" in said
    assert said.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_what_will_not_fit_is_not_begun(tmp_path: Any) -> None:
    with pytest.raises(NoRoom, match=r"left and about 1e\+09 GB are needed|left and about"):
        besides.roomy(str(tmp_path / "a" / "b"), 10**18)
    besides.roomy(str(tmp_path), 1)
    assert [besides.size(each) for each in (0, 12, 1500, 2.4e6, 6e9, 7.25e12)] == [
        "0 bytes", "12 bytes", "1.5 kB", "2.4 MB", "6 GB", "7.25e+03 GB",
    ]  # fmt: skip


# Installing


def exported(folder: str, **more: Any) -> str:
    """A folder as an export leaves it, its files made up."""
    os.makedirs(folder)
    told = an_export(name=os.path.basename(folder), **more)
    told["files"] = {name.replace("shop", told["name"]): one for name, one in told["files"].items()}
    for name in told["files"]:
        write(os.path.join(folder, name), name.rpartition("-")[2][:4].encode())
    for name, text in (
        ("README.md", "# card"),
        (made.EXPORT, json.dumps(told)),
        ("Modelfile", "FROM ./x\nPARAMETER a b\n"),
    ):
        write(os.path.join(folder, name), text.encode())
    return folder


def install(folder: str, where: str, **more: Any) -> installing.Installed:
    return installing.install(folder, where, progress=lambda _: None, **more)


def test_a_model_stands_where_lm_studio_looks(tmp_path: Any) -> None:
    folder, home = exported(str(tmp_path / "shop")), tmp_path / "lmstudio"
    with pytest.raises(NotFound, match="LM Studio is not here"):
        install(folder, "lm-studio", home=str(home))
    home.mkdir()
    done = install(folder, "lm-studio", home=str(home))
    place = home / "models" / "engrain" / "shop"
    assert done.folder == str(place)
    assert sorted(os.listdir(place)) == ["EXPORT.json", "README.md", "shop-Q4_K_M.gguf"]
    assert os.path.samefile(place / "shop-Q4_K_M.gguf", os.path.join(folder, "shop-Q4_K_M.gguf")), "no room twice"
    assert os.listdir(place.parent) == ["shop"]


def test_an_earlier_model_gives_way_only_if_asked(tmp_path: Any) -> None:
    folder, place = exported(str(tmp_path / "shop")), tmp_path / "models"
    install(folder, str(place))
    with pytest.raises(BadInput, match="holds an earlier model"):
        install(folder, str(place), quant="q8_0")
    assert install(folder, str(place), quant="q8_0", replace=True).replaced
    assert "shop-Q8_0.gguf" in os.listdir(place / "shop")
    assert "shop-Q4_K_M.gguf" not in os.listdir(place / "shop")
    write(str(place / "shop" / made.EXPORT))
    assert install(folder, str(place), replace=True).replaced, "what stands there is no part of the export"
    os.unlink(place / "shop" / made.EXPORT)
    with pytest.raises(BadInput, match="not installed from here"):
        install(folder, str(place), replace=True)


def test_what_is_not_to_be_used_is_not_installed(tmp_path: Any) -> None:
    folder = exported(str(tmp_path / "shop"), gated=False)
    with pytest.raises(GateClosed, match="without its gates"):
        install(folder, str(tmp_path / "models"))
    assert not (tmp_path / "models").exists()
    install(folder, str(tmp_path / "models"), ungated=True)
    with pytest.raises(NotFound, match="it has Q8_0, Q4_K_M"):
        install(folder, str(tmp_path / "other"), quant="f16", ungated=True)
    with pytest.raises(BadInput, match="holds no export"):
        install(str(tmp_path), str(tmp_path / "other"))


def test_a_file_that_can_t_be_linked_is_copied(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def across(_source: str, _target: str) -> None:
        raise OSError(18, "Invalid cross-device link")

    folder = exported(str(tmp_path / "shop"))
    monkeypatch.setattr(os, "link", across)
    install(folder, str(tmp_path / "models"))
    copied = tmp_path / "models" / "shop" / "shop-Q4_K_M.gguf"
    assert copied.read_bytes() == b"Q4_K"
    assert copied.stat().st_nlink == 1


OLLAMA = """#!/bin/sh
echo "$1 $2" > "$0.asked"
cat "$4" >> "$0.asked"
test "$2" = shop || { echo "Error: no such model" >&2; exit 1; }
"""


def test_ollama_is_told_by_its_own_file(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, program = exported(str(tmp_path / "Shop")), tmp_path / "bin" / "ollama"
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(NotFound, match="no ollama here"):
        install(folder, "ollama")
    program.parent.mkdir()
    program.write_text(OLLAMA)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert install(folder, "ollama").next == "ollama run shop"
    asked = (tmp_path / "bin" / "ollama.asked").read_text()
    assert asked == f"create shop\nFROM {folder}/Shop-Q4_K_M.gguf\nPARAMETER a b\n"
    with pytest.raises(BadInput, match="did not take it: Error: no such model"):
        install(exported(str(tmp_path / "other")), "ollama")


class Spoken:
    """A template that is written down by hand, in place of a renderer."""

    class marks:  # noqa: N801 - an attribute of a renderer
        native, header, end = False, "<|im_start|>assistant\n", "<|im_end|>"

    class tokenizer:  # noqa: N801
        bos_token = "<s>"

    def __init__(self, write: Callable[[str, str], str]) -> None:
        self._write = write

    def text(self, messages: list[dict[str, str]], _tools: object) -> str:
        return "<s>" + "".join(self._write(each["role"], each["content"]) for each in messages)


def test_ollama_writes_a_conversation_as_the_template_does() -> None:
    spoken = Spoken(lambda role, words: f"<|im_start|>{role}\n{words}<|im_end|>\n")
    found = modelfile.turns(spoken, begins=True)
    assert found is not None
    assert found.system == ("<|im_start|>system\n", "<|im_end|>\n")
    assert found.user == ("<|im_start|>user\n", "<|im_end|>\n")
    assert found.assistant == ("<|im_start|>assistant\n", "<|im_end|>\n")
    told = modelfile.text("shop.gguf", found, "<|im_end|>", 8192)
    assert told.startswith("FROM ./shop.gguf\nTEMPLATE")
    assert 'PARAMETER stop "<|im_end|>"\nPARAMETER num_ctx 8192\n' in told
    assert modelfile.turns(Spoken(lambda role, words: f"[{role}] {words} "), begins=True) is None


# The commands


def test_what_can_t_be_is_one_line(
    tmp_path: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("engrain.train.base.needed", lambda: None)
    closed, shop = exported(str(tmp_path / "closed"), gated=False), exported(str(tmp_path / "shop"))
    rows = (
        (["train", "install", closed, "--to", str(tmp_path / "models")], 1, "without its gates"),
        (["train", "install", str(tmp_path), "--to", "lm-studio"], 2, "holds no export"),
        (["train", "install", shop, "--to", "lm-studio", "--lm-studio", str(tmp_path / "no")], 1, "is not here"),
        (["train", "install", shop, "--to", str(tmp_path / "models"), "-q", "Q2"], 1, "has no Q2"),
    )
    for words, code, why in rows:
        assert run(words) == code
        said = capsys.readouterr().err
        assert why in said
        assert said.count("\n") == 1
    assert not (tmp_path / "models").exists()
    assert run(["train", "install", shop, "--to", str(tmp_path / "models")]) == 0
    assert run(["train", "runs"]) == 0
    assert "install  passed" in capsys.readouterr().out


def test_without_llama_cpp_it_is_said_what_is_missing(tmp_path: Any) -> None:
    pytest.importorskip("engrain.train.export.native")
    try:
        import cyllama  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"engrain\[train\]"):
            native.tokens(str(tmp_path / "no.gguf"), ["x"])
    else:
        with pytest.raises(BadInput, match="can't be read"):
            native.tokens(str(tmp_path / "no.gguf"), ["x"])
