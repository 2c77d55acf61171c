"""Native: what llama.cpp does for us, each time in a process of its own.

Native code can't be interrupted, talks to standard error as it likes, and where it fails it may take its process with
it. Here that process is not ours: it is ended when we are, and what it said last becomes one line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

from engrain.errors import BadInput, MissingExtra
from engrain.train.export.beside import roomy

BATCH = 512


def tokens(path: str, texts: Sequence[str]) -> list[list[int]]:
    """The tokens of texts by the vocabulary in a file, marks read as marks."""
    found: list[list[int]] = _asked(
        {"do": "tokens", "path": path, "texts": list(texts)}, "the vocabulary can't be read"
    )
    return found


def quantised(source: str, target: str, quant: str, expected: int) -> None:
    """The weights of a file at fewer bits in another."""
    roomy(os.path.dirname(target), expected)
    try:
        _asked({"do": "quantised", "source": source, "target": target, "quant": quant}, f"no {quant} could be made")
    except BadInput:
        _full(target)
        raise


def _full(path: str) -> None:
    """OSError, if not one more page can be written behind what is there: llama.cpp does not say why it failed."""
    with open(path, "ab") as file:
        file.write(bytes(1 << 16))


def likeliest(path: str, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each row of tokens, after each of them the one that the model in a file finds likeliest."""
    question = {"do": "likeliest", "path": path, "rows": [list(row) for row in rows]}
    found: list[list[int]] = _asked(question, f"{path} does not run")
    return found


def _asked(question: dict[str, Any], failed: str) -> Any:
    command = [sys.executable, "-m", "engrain.train.export.native"]
    done = subprocess.run(command, input=json.dumps(question).encode(), capture_output=True, check=False)
    said = done.stdout.decode("utf-8", "replace").strip().splitlines()
    answer = json.loads(said[-1]) if done.returncode == 0 and said else {}
    if "found" in answer:
        return answer["found"]
    if answer.get("missing"):
        raise MissingExtra("making a file smaller needs cyllama: install engrain[train]")
    raise BadInput(f"{failed}: {answer.get('failed') or _last(done.stderr, done.returncode)}")


def _last(said: bytes, code: int) -> str:
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    wrong = [line for line in lines if "error" in line.lower() or "failed" in line.lower()]
    return (wrong or lines or [f"llama.cpp ended with {code}"])[-1][:200]


def _tokens(native: Any, path: str, texts: Sequence[str]) -> list[list[int]]:
    params = native.LlamaModelParams()
    params.n_gpu_layers = 0
    model = native.LlamaModel(path, params)
    vocabulary = model.get_vocab()
    return [list(vocabulary.tokenize(text, False, True)) for text in texts]


def _quantised(native: Any, source: str, target: str, quant: str) -> None:
    params = native.LlamaModelQuantizeParams()
    params.ftype = FTYPES[quant]
    params.nthread = os.cpu_count() or 1
    native.model_quantize(source, target, params)


def _likeliest(native: Any, path: str, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    class Model(native.LlamaModel):
        """With what its context asks it for, and it forgot to have."""

        n_vocab = property(lambda self: self.get_vocab().n_vocab)

    params = native.LlamaModelParams()
    params.n_gpu_layers = 0
    settings = native.LlamaContextParams()
    settings.n_ctx, settings.n_batch, settings.n_ubatch = max(map(len, rows)) + 8, BATCH, BATCH
    context = native.LlamaContext(Model(path, params), settings)
    return [_row(native, context, row) for row in rows]


def _row(native: Any, context: Any, row: Sequence[int]) -> list[int]:
    context.kv_cache_clear()
    found: list[int] = []
    for first in range(0, len(row), BATCH):
        some = row[first : first + BATCH]
        batch = native.LlamaBatch(n_tokens=len(some), embd=0, n_seq_max=1)
        for place, token in enumerate(some):
            batch.add(token, first + place, [0], True)
        context.decode(batch)
        told = map(context.get_logits_ith, range(len(some)))
        found += [logits.index(max(logits)) for logits in told]
    return found


FTYPES = {"f16": 1, "Q8_0": 7, "Q5_K_M": 17, "Q4_K_M": 15, "Q6_K": 18}
"""The numbers that llama.cpp has for what it quantises to (`llama_ftype`)."""

WORK: dict[str, Callable[..., Any]] = {"tokens": _tokens, "quantised": _quantised, "likeliest": _likeliest}


def main() -> int:
    """Reads one question, says one answer."""
    question = json.load(sys.stdin)
    try:
        import cyllama.llama.llama_cpp as native
    except ImportError:
        print(json.dumps({"missing": True}))
        return 0
    native.llama_backend_init()
    try:
        found = WORK[question.pop("do")](native, **question)
    except (RuntimeError, ValueError, OSError) as exc:
        print(json.dumps({"failed": str(exc).splitlines()[0] if str(exc) else ""}))
        return 0
    print(json.dumps({"found": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
