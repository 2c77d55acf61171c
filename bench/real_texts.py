"""Real texts and their vectors: distinct short lines of recorded sessions, embedded once and kept outside of the
repository, because that takes minutes.

python -m bench.real_texts [NUMBER]
"""

from __future__ import annotations

import glob
import gzip
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.figure import Absent, shared
from engrain.embed import weights
from engrain.embed.minilm import DIMENSION, MiniLM

Floats = NDArray[np.float32]

SHORTEST, LONGEST = 30, 160
AT_ONCE = 2000
_NAMES = frozenset(
    {"uuid", "parentUuid", "sessionId", "timestamp", "id", "requestId", "cwd", "version", "signature", "type", "role"}
)


def cache() -> str:
    """Where vectors are kept between two runs."""
    top = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(top, "engrain-bench")
    os.makedirs(folder, exist_ok=True)
    return folder


def texts(number: int) -> list[str]:
    """So many distinct lines of prose and code that people and agents wrote, in an order that says nothing."""
    found: set[str] = set()
    for path in sorted(glob.glob(os.path.join(shared("transcripts"), "**", "*.jsonl.gz"), recursive=True)):
        found.update(_lines(path))
    chosen = sorted(found, key=lambda text: hashlib.sha256(text.encode("utf-8", "replace")).digest())[:number]
    if len(chosen) < number:
        raise Absent(f"only {len(chosen):,} texts are in the recorded sessions")
    return chosen


def _lines(path: str) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for record in file:
            try:
                value = json.loads(record)
            except ValueError:
                continue
            for said in _strings(value):
                yield from filter(_speaks, (" ".join(line.split()) for line in said.split("\n")))


def _speaks(line: str) -> bool:
    letters = sum(map(str.isalpha, line))
    return SHORTEST <= len(line) <= LONGEST and letters >= 0.6 * len(line) and line.count(" ") >= 4


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in _NAMES:
                yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def vectors(number: int) -> Floats:
    """The vectors of that many real texts, made once; what was made before it was stopped is not made again."""
    if not (folder := weights.found("")):
        raise Absent("the weights of the model are not in this environment; `make setup` fetches them")
    made = texts(number)
    name = hashlib.sha256("\n".join(made).encode("utf-8", "replace")).hexdigest()[:12]
    path = os.path.join(cache(), f"minilm-{number}-{name}.f4")
    model = MiniLM(folder)
    with open(path, "ab") as file:
        for start in range(file.tell() // (4 * DIMENSION), number, AT_ONCE):
            file.truncate(4 * DIMENSION * start)
            file.write(b"".join(model.embed(made[start : start + AT_ONCE])))
            file.flush()
            print(f"    embedded {min(start + AT_ONCE, number):,} of {number:,}", file=sys.stderr, flush=True)
    return np.fromfile(path, dtype="<f4").reshape(-1, DIMENSION)


if __name__ == "__main__":
    vectors(int(sys.argv[1]) if len(sys.argv) > 1 else 101_000)
