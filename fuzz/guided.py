"""Guided: a target under atheris, which keeps the inputs that reach a new line. This process ends in it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence

ROOMS = ("redact", "fingerprint", "capture", "learn", "recall", "event", "light", "upkeep.transfer")


def instrumented() -> None:
    """The rooms that read what comes from outside, loaded so that atheris sees their lines."""
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=[f"engrain.{room}" for room in ROOMS]):
        importlib.import_module("fuzz.targets")


def play(once: Callable[[bytes], None], corpus: str, seconds: float, seed: int, found: str) -> None:
    """Plays until the time is over; an input that breaks something is written below `found`, and this process fails."""
    atheris = importlib.import_module("atheris")
    words: Sequence[str] = (
        sys.argv[0], corpus, f"-max_total_time={int(seconds)}", f"-seed={seed}", f"-artifact_prefix={found}",
        "-max_len=50000", "-timeout=120", "-rss_limit_mb=4096", "-print_final_stats=1", "-verbosity=0",
    )  # fmt: skip
    atheris.Setup(list(words), once)
    atheris.Fuzz()
