"""LoRA: rows → an adapter, in one loop that can be read from top to bottom.

    out/adapter/         what peft loads; written when the run is done
    out/recipe.toml      what was decided        out/metrics.jsonl   a line for each step that was looked at
    out/log.txt          why and how it went     out/loss.svg        the curves
    out/checkpoint-…     where a killed run goes on; gone when it is done
    out/RUN.json         written last: where it is, everything is

Same rows, same recipe, same device: the same adapter, and a run that was killed ends where it would have.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import shutil
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError

from engrain.errors import BadInput
from engrain.paths import replace_file
from engrain.train import base as bases
from engrain.train import checkpoint, examples, pack, plot, recipe
from engrain.train import loss as losses
from engrain.train.device import Device
from engrain.train.recipe import Recipe
from engrain.train.render import Rendered, Renderer

RUN, ADAPTER = "RUN.json", "adapter"
TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
MOST_NANS = 3

Say = Callable[[str], None]


class Done(NamedTuple):
    """What a run came to."""

    folder: str
    steps: int
    loss: float
    held: float
    base_held: float
    train_loss: float
    seconds: float
    speed: float
    digest: str


class Rows(NamedTuple):
    """Rendered rows and how often each is shown."""

    texts: tuple[Rendered, ...]
    times: tuple[int, ...]


def train(
    data: str, model_path: str, out: str, chosen: Recipe, device: Device, say: Say, *,
    change: Callable[[Rendered], Rendered] | None = None,
) -> Done:  # fmt: skip
    """Trains an adapter; `change` spoils rows on purpose, to see that gates refuse what comes of them."""
    os.makedirs(out, mode=0o700, exist_ok=True)
    said = _told(out, say)
    renderer = Renderer(bases.tokenizer(model_path))
    rows, held = (rendered(data, part, renderer, change) for part in (examples.TRAIN, examples.HELD))
    digest = examples.manifest(data)["digest"]
    said(f"{len(rows.texts)} rows to train, {len(held.texts)} held out, data {digest}")
    run = Run(model_path, chosen, device, said, out)
    return run.through(rows, held, digest)


def rendered(data: str, part: str, renderer: Renderer, change: Callable[[Rendered], Rendered] | None = None) -> Rows:
    """The rows of a part as tokens."""
    rows = examples.read(data, part)
    texts = tuple(renderer.row(row) for row in rows)
    if change:
        texts = tuple(map(change, texts))
    if part == examples.TRAIN and not texts:
        raise BadInput(f"{data} has no row to train")
    return Rows(texts, tuple(int(row["times"]) for row in rows))


class Run:
    """A model with adapters, and all that a step needs."""

    def __init__(self, model_path: str, chosen: Recipe, device: Device, say: Say, out: str) -> None:
        from accelerate import Accelerator

        self.base = model_path
        self.recipe, self.device, self.say, self.out = chosen, device, say, out
        self.together = Accelerator(cpu=device.device.type == "cpu")
        torch.manual_seed(chosen.seed)
        say(f"on {device.name}: {device.because}")
        self.model = adapted(bases.model(model_path, device.dtype), chosen).to(device.device)
        self.adapters = {name: p for name, p in self.model.named_parameters() if p.requires_grad}
        number = sum(p.numel() for p in self.adapters.values())
        say(f"{number:,} of {sum(p.numel() for p in self.model.parameters()):,} weights are trained")
        self.way = losses.way(self.model, device, keep=chosen.keep_activations, length=chosen.length, rows=chosen.batch)
        say(self.way.because)
        self.optimizer = torch.optim.AdamW(self.adapters.values(), lr=chosen.rate, weight_decay=chosen.decay)

    def through(self, rows: Rows, held: Rows, digest: str) -> Done:
        """All steps, from the last checkpoint on if there is one."""
        ours = self.recipe
        packed = pack.rows_of(rows.texts, rows.times, ours.length, ours.seed)
        a_step = ours.batch * ours.accumulate * self.together.num_processes
        steps = max(1, math.ceil(packed * ours.epochs / a_step))
        state = checkpoint.load(self.out, self.adapters, self.optimizer)
        first = int(state.get("step", 0))
        base_held = state["base_held"] if state else self.held_loss(held)
        self.say(f"{packed} packed rows an epoch, {steps} steps of {a_step}; held-out loss of the base {base_held:.4f}")
        if first:
            self.say(f"goes on after step {first}")
            _forget_after(self.out, first)
        feed = pack.epochs(rows.texts, rows.times, ours.length, ours.seed)
        feed = itertools.islice(feed, first * a_step, None)
        began, tokens, loss, recent = time.monotonic(), 0, 0.0, list(state.get("recent", ()))
        nans = 0
        for step in range(first + 1, steps + 1):
            mine = self._mine(list(itertools.islice(feed, a_step)))
            for group in self.optimizer.param_groups:
                group["lr"] = ours.rate * slope(step, steps, ours.warmup)
            loss, seen = self._step(mine, rows.texts)
            tokens += seen
            nans = 0 if math.isfinite(loss) else nans + 1
            if nans >= MOST_NANS:
                raise BadInput(f"the loss is no number at {nans} steps in a row (step {step}): a lower rate may help;"
                               f" the last checkpoint is in {self.out}")  # fmt: skip
            recent = [*recent[-19:], loss] if not nans else recent
            self._look(step, steps, first, loss, held, tokens, began)
            if step % ours.checkpoint_every == 0 and step < steps:
                self._keep(step, base_held, recent)
        return self._done(rows, held, digest, steps, loss, recent, base_held, began, tokens)

    def _mine(self, packed: list[pack.Pack]) -> list[pack.Pack]:
        return packed[self.together.process_index :: self.together.num_processes]

    def _step(self, packed: list[pack.Pack], texts: Sequence[Rendered]) -> tuple[float, int]:
        """One step of the optimizer over these rows; its mean loss, and how many tokens went through."""
        fixed = self.device.compiled
        total, asked, seen = torch.zeros((), device=self.device.device), 0.0, 0
        for at in range(0, len(packed), self.recipe.batch):
            some, length = packed[at : at + self.recipe.batch], self.recipe.length
            batch = pack.batch(some, texts, length, fixed=fixed, decision=self.recipe.decision)
            with self.way.around():
                loss, number = self.way.of(batch.to(self.device.device))
                loss.backward()
            total, asked, seen = total + loss.detach(), asked + number, seen + batch.ids.numel()
        asked, total = self._all(asked, total)
        mean = float(total) / max(1, asked)
        norm = torch.nn.utils.clip_grad_norm_(self.adapters.values(), self.recipe.clip * max(1, asked))
        if math.isfinite(mean) and bool(torch.isfinite(norm)):
            for p in self.adapters.values():
                if p.grad is not None:
                    p.grad /= max(1, asked)
            self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return mean, seen

    def _all(self, asked: float, total: Any) -> tuple[float, Any]:
        """Sums over all processes: of gradients, of losses, of what was asked weighs."""
        if self.together.num_processes == 1:
            return asked, total
        for p in self.adapters.values():
            p.grad = self.together.reduce(p.grad if p.grad is not None else torch.zeros_like(p), reduction="sum")
        both = torch.stack([torch.tensor(asked, device=total.device), total.float()])
        both = self.together.reduce(both, reduction="sum")
        return float(both[0]), both[1]

    def held_loss(self, rows: Rows) -> float:
        """The mean loss of rows that are not trained, text by text."""
        places = [(place,) for place in range(min(self.recipe.looked_at, len(rows.texts)))]
        total, asked = 0.0, 0.0
        with torch.no_grad(), self.way.around():
            for at in range(0, len(places), self.recipe.batch):
                some = places[at : at + self.recipe.batch]
                batch = pack.batch(some, rows.texts, self.recipe.length, fixed=self.device.compiled)
                loss, number = self.way.of(batch.to(self.device.device))
                total, asked = total + float(loss), asked + number
        return total / max(1, asked)

    def _look(self, step: int, steps: int, first: int, loss: float, held: Rows, tokens: int, began: float) -> None:
        ours = self.recipe
        seconds = time.monotonic() - began
        told: dict[str, Any] = {
            "step": step, "loss": round(loss, 5), "rate": self.optimizer.param_groups[0]["lr"],
            "tokens_per_second": round(tokens / seconds), "left": round(seconds / (step - first) * (steps - step)),
        }  # fmt: skip
        looked = step % ours.evaluate_every == 0 or step == steps
        if looked and held.texts:
            told["held"] = round(self.held_loss(held), 5)
        if self.together.is_main_process:
            with open(os.path.join(self.out, "metrics.jsonl"), "a", encoding="utf-8") as file:
                file.write(json.dumps(told) + "\n")
            if looked or step % 10 == 0:
                also = f"  held out {told['held']:.4f}" if "held" in told else ""
                self.say(f"step {step}/{steps}  loss {loss:.4f}{also}  {told['tokens_per_second']:,} tok/s"
                         f"  {told['left']} s left")  # fmt: skip

    def _keep(self, step: int, base_held: float, recent: list[float]) -> None:
        if self.together.is_main_process:
            state = {"step": step, "base_held": base_held, "recent": recent}
            checkpoint.save(self.out, step, self.adapters, self.optimizer, state)

    def _done(
        self, rows: Rows, held: Rows, digest: str, steps: int, loss: float, recent: list[float], base_held: float,
        began: float, tokens: int,
    ) -> Done:  # fmt: skip
        after, again = self.held_loss(held) if held.texts else 0.0, self.held_loss(rows)
        seconds = time.monotonic() - began
        done = Done(self.out, steps, loss, after, base_held, again, round(seconds, 1), round(tokens / seconds), digest)
        if self.together.is_main_process:
            _saved(self.model, os.path.join(self.out, ADAPTER))
            replace_file(os.path.join(self.out, recipe.FILE), recipe.text(self.recipe).encode())
            replace_file(os.path.join(self.out, "loss.svg"), _curves(self.out).encode())
            told = {**done._asdict(), "device": self.device.name, "because": self.way.because,
                    "base": bases.digest(self.base)}  # fmt: skip
            replace_file(os.path.join(self.out, RUN), json.dumps(told, indent=2).encode())
            checkpoint.clear(self.out)
        self.say(f"done: loss {sum(recent) / max(1, len(recent)):.4f}, held out {base_held:.4f} → {after:.4f},"
                 f" {done.speed:,} tokens a second")  # fmt: skip
        return done


def adapted(model: Any, chosen: Recipe) -> Any:
    """A model with fresh adapters at every linear layer, in float32: small updates vanish in bfloat16."""
    from peft import LoraConfig, get_peft_model

    names = {name.rpartition(".")[2] for name, _ in model.named_modules()}
    targets: Any = list(TARGETS) if names >= set(TARGETS) else "all-linear"
    lora = LoraConfig(
        r=chosen.rank, lora_alpha=chosen.alpha, lora_dropout=0.0, target_modules=targets, task_type="CAUSAL_LM"
    )
    return get_peft_model(model, lora)


def _saved(model: Any, folder: str) -> None:
    """The adapter in its folder, whole or not there."""
    partial = f"{folder}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        model.save_pretrained(partial)
    except (OSError, SafetensorError) as exc:
        shutil.rmtree(partial, ignore_errors=True)
        raise BadInput(f"can't write the adapter to {folder}: {exc}; the same command goes on") from exc
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(partial, folder)


def slope(step: int, steps: int, warmup: float) -> float:
    """The share of the highest rate at a step: up in a line, down by a cosine to a tenth."""
    first = max(1, round(warmup * steps))
    if step <= first:
        return step / first
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - first) / max(1, steps - first)))


def metrics(folder: str) -> list[dict[str, Any]]:
    """What was written down of each step."""
    path = os.path.join(folder, "metrics.jsonl")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("}\n")]


def _forget_after(folder: str, step: int) -> None:
    """Steps that were done behind the checkpoint are done again, and told again."""
    kept = "".join(json.dumps(row) + "\n" for row in metrics(folder) if row["step"] <= step)
    replace_file(os.path.join(folder, "metrics.jsonl"), kept.encode())


def _curves(folder: str) -> str:
    told = metrics(folder)
    series = {"trained": [(row["step"], row["loss"]) for row in told],
              "held out": [(row["step"], row["held"]) for row in told if "held" in row]}  # fmt: skip
    return plot.lines("Loss", {name: line for name, line in series.items() if line})


def _told(out: str, say: Say) -> Say:
    """Says it, and writes it down."""

    def told(text: str) -> None:
        say(text)
        with open(os.path.join(out, "log.txt"), "a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%H:%M:%S')} {text}\n")

    return told
