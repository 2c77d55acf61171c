"""Training: tokens a second of a LoRA on the shape of Qwen3-4B, beside plain transformers and peft in the same run.

    python -m bench.training            on a machine with a GPU; a table, then the figures
    python -m bench.training --tiny     the same path on a small shape and any device, to see that it runs

Random weights, bf16, r 16 at every linear layer, dense rows of 2,048 tokens. Plain: sdpa, no checkpointing, at the
batch that is best for it. Both start from the same adapters and see the same rows, so their losses must be the same.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.figure import Absent, Figure

LENGTH = 2048
PLAIN_ROWS = (4, 6, 8)
FUSED_ROWS = (8, 12)
STEPS = 6
COMPARED = 24
LAST = 8
"""Steps at the end whose mean loss is compared: single steps of a loss that falls by halves differ by rounding."""


class Run(NamedTuple):
    """How quick some way of training was, and the losses of its first steps."""

    what: str
    rows: int
    speed: float
    gigabytes: float
    losses: tuple[float, ...]


def config(tiny: bool) -> Any:
    """The shape of Qwen3-4B."""
    from transformers import Qwen3Config

    if tiny:
        return Qwen3Config(
            vocab_size=2000, hidden_size=128, intermediate_size=256, num_hidden_layers=3, num_attention_heads=8,
            num_key_value_heads=2, head_dim=16, tie_word_embeddings=True,
        )  # fmt: skip
    return Qwen3Config(
        vocab_size=151_936, hidden_size=2560, intermediate_size=9728, num_hidden_layers=36, num_attention_heads=32,
        num_key_value_heads=8, head_dim=128, tie_word_embeddings=True,
    )  # fmt: skip


def operations(shape: Any, length: int) -> float:
    """Floating-point operations a token must cost: forward, and back to the activations alone, since the weights are
    frozen (4 for each weight), the adapters (6), causal attention (forward, and two and a half times that back)."""
    heads = shape.head_dim * (2 * shape.num_attention_heads + 2 * shape.num_key_value_heads)
    layer = shape.hidden_size * heads + 3 * shape.hidden_size * shape.intermediate_size
    weights = shape.num_hidden_layers * layer + shape.hidden_size * shape.vocab_size
    attended = shape.num_hidden_layers * 3.5 * 2 * length * shape.head_dim * shape.num_attention_heads
    sides = shape.num_hidden_layers * 16 * (7 * shape.hidden_size + heads + 4 * shape.intermediate_size)
    return float(4 * weights + attended + 6 * sides)


def measured_rate(device: Any) -> float:
    """Operations a second of large bf16 products on random data."""
    import torch

    size = 8192
    a, b = (torch.randn(size, size, device=device, dtype=torch.bfloat16) for _ in range(2))
    for _ in range(3):
        a @ b
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(20):
        a @ b
    torch.cuda.synchronize()
    return 20 * 2 * size**3 / (time.perf_counter() - start)


class Bench:
    """One model on which both ways are run."""

    def __init__(self, device: Any, shape: Any, *, wide: bool) -> None:
        import torch
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModelForCausalLM

        self.torch, self.device, self.shape = torch, device, shape
        torch.manual_seed(7)
        with torch.device(device):
            base = AutoModelForCausalLM.from_config(shape, dtype=torch.bfloat16, attn_implementation="sdpa")
            base.config.use_cache = False
            lora = LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules="all-linear", task_type="CAUSAL_LM")
            self.model = get_peft_model(base, lora, autocast_adapter_dtype=wide)
        self.adapters = [p for p in self.model.parameters() if p.requires_grad]
        self._first = [p.detach().clone() for p in self.adapters]

    def rows(self, number: int, step: int, length: int) -> Any:
        """Rows that can be learned: the same few words over and over, and a little noise."""
        torch = self.torch
        made = torch.Generator().manual_seed(step)
        words = torch.arange(64).repeat(number, length // 64 + 1)[:, :length] * 17 + 5
        noise = torch.randint(0, self.shape.vocab_size, (number, length), generator=made)
        return torch.where(torch.rand(number, length, generator=made) < 0.2, noise, words).to(self.device)

    def run(self, what: str, loss_of: Any, number: int, length: int, steps: int, compared: int = 0) -> Run:
        """Some steps from the first adapters on; the quickest half of what was timed counts by its median."""
        torch = self.torch
        for p, first in zip(self.adapters, self._first, strict=True):
            p.data.copy_(first)
        cuda = self.device.type == "cuda"
        optimizer = torch.optim.AdamW(self.adapters, lr=2e-4, weight_decay=0.0, fused=cuda)
        took, losses = [], []
        if cuda:
            torch.cuda.reset_peak_memory_stats()
        for step in range(max(steps, compared) + 2):
            ids = self.rows(number, step, length)
            self._wait()
            start = time.perf_counter()
            loss = loss_of(ids)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            self._wait()
            took.append(time.perf_counter() - start)
            losses.append(loss.item())
        peak = torch.cuda.max_memory_allocated() / 2**30 if cuda else 0.0
        speed = number * length / statistics.median(took[2:])
        print(f"  {what:<34} {number:>3} rows  {speed:>9,.0f} tok/s  {peak:5.1f} GiB  loss {losses[0]:.4f}"
              f" → {losses[-1]:.4f}  (first step {took[0]:.1f} s)", flush=True)  # fmt: skip
        return Run(what, number, speed, peak, tuple(losses))

    def _wait(self) -> None:
        if self.device.type == "cuda":
            self.torch.cuda.synchronize()

    def plain(self, ids: Any) -> Any:
        """transformers and peft as they are."""
        return self.model(input_ids=ids, labels=ids).loss


def _fitting(bench: Bench, what: str, loss_of: Any, rows: tuple[int, ...], length: int, steps: int) -> list[Run]:
    found = []
    for number in rows:
        try:
            found.append(bench.run(what, loss_of, number, length, steps))
        except bench.torch.OutOfMemoryError:
            print(f"  {what:<34} {number:>3} rows  does not fit", flush=True)
            break
        finally:
            gc.collect()
            bench.torch.cuda.empty_cache()
    return found


def compare(tiny: bool, profile: str = "") -> dict[str, Any]:
    """Both ways, one after the other, in one process."""
    import torch

    from engrain.train import attend
    from engrain.train.fused import Fused

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    shape, length = config(tiny), 128 if tiny else LENGTH
    began = time.perf_counter()
    rate = measured_rate(device) if device.type == "cuda" else 0.0
    bench = Bench(device, shape, wide=False)
    print(f"  model made in {time.perf_counter() - began:.0f} s; {torch.__version__}", flush=True)
    steps = 2 if tiny else STEPS
    plain = _fitting(bench, "plain, adapters in bf16", bench.plain, (2,) if tiny else PLAIN_ROWS, length, steps)
    # Small updates vanish in bf16, so peft keeps adapters in float32 unless told otherwise; so do the losses compared.
    for p in bench.adapters:
        p.data = p.data.float()
    default = _fitting(bench, "plain, as peft makes it", bench.plain, (2,) if tiny else PLAIN_ROWS, length, steps)
    number = 2 if tiny else 4
    reference = bench.run("plain, as peft makes it, compared", bench.plain, number, length, 1, COMPARED)
    tried = attend.quickest(
        shape.num_attention_heads, shape.num_key_value_heads, shape.head_dim, rows=8, length=length, device=device,
        dtype=torch.bfloat16,
    )  # fmt: skip
    print(f"  attention: {tried.way.name} of { ({k: round(v, 2) for k, v in tried.took.items()}) } ms", flush=True)
    fused = Fused(bench.model, compiled=True, attend="" if tried.way.grouped else "expanded")

    def loss_of(ids: Any) -> Any:
        positions = torch.arange(ids.shape[1], device=device)[None].expand(len(ids), -1)
        total, asked = fused.loss(ids, positions, None, ids)
        return total / asked

    with attend.through(tried.way):
        same = bench.run("fused", loss_of, number, length, 1, COMPARED)
        quick = _fitting(bench, "fused", loss_of, (2,) if tiny else FUSED_ROWS, length, steps)
        if profile:
            _profiled(bench, loss_of, quick[0].rows, length, profile)
    return {"plain": default, "narrow": plain, "reference": reference, "same": same, "fused": quick, "rate": rate,
            "needs": operations(shape, length)}  # fmt: skip


def _profiled(bench: Bench, loss_of: Any, number: int, length: int, path: str) -> None:
    from torch.profiler import ProfilerActivity, profile

    ids = bench.rows(number, 0, length)
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as seen:
        loss_of(ids).backward()
        bench._wait()
    table = seen.key_averages().table(sort_by="self_device_time_total", row_limit=28, max_name_column_width=70)
    with open(path, "w", encoding="utf-8") as file:
        file.write(table)


def measure(full: bool) -> Iterator[Figure]:
    """Only where there is a GPU, and only when the long figures are asked for."""
    try:
        import torch
    except ImportError as exc:
        raise Absent("the extra train is not installed") from exc
    if not full or not torch.cuda.is_available():
        raise Absent("speed of training needs a GPU and --full")
    yield from figures(compare(False))


def figures(found: dict[str, Any]) -> Iterator[Figure]:
    """What the comparison says."""
    best = max(found["plain"], key=lambda run: run.speed)
    quick = max(found["fused"], key=lambda run: run.speed)
    ends = [statistics.mean(run.losses[:COMPARED][-LAST:]) for run in (found["reference"], found["same"])]
    apart = 100 * abs(ends[0] - ends[1]) / ends[0]
    narrow = max(found["narrow"], key=lambda run: run.speed)
    yield Figure("LoRA on Qwen3-4B's shape, plain", best.speed, "tokens/s", note=f"its best: {best.rows} rows")
    yield Figure("the same, adapters in bf16", narrow.speed, "tokens/s", note=f"no default; {narrow.rows} rows")
    yield Figure("LoRA on Qwen3-4B's shape, fused", quick.speed, "tokens/s", note=f"{quick.rows} rows")
    yield Figure("fused / plain", quick.speed / best.speed, "times", least=2.0)
    yield Figure("fused / plain with adapters in bf16", quick.speed / narrow.speed, "times")
    note = f"mean of steps {COMPARED - LAST + 1} to {COMPARED}: {ends[0]:.4f} and {ends[1]:.4f}"
    yield Figure("difference of the loss", apart, "%", most=1.0, note=note)
    if found["rate"]:
        ceiling = found["rate"] / found["needs"]
        note = f"{found['needs'] / 1e9:.1f} GFLOP a token at {found['rate'] / 1e12:.0f} TFLOP/s, measured"
        yield Figure("the ceiling by arithmetic", ceiling, "tokens/s", note=note)
        yield Figure("of the ceiling reached", 100 * quick.speed / ceiling, "%")


if __name__ == "__main__":
    out = next((word.removeprefix("--profile=") for word in sys.argv if word.startswith("--profile=")), "")
    for figure in figures(compare("--tiny" in sys.argv, out)):
        told = f"{figure.bound:>8} {'reached' if figure.reached else 'MISSED'}" if figure.bound else ""
        print(f"{figure.what:<40} {figure.value:>12,.2f} {figure.unit:<9} {told}  {figure.note}")
