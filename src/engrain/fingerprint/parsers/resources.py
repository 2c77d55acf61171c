"""What runs out: memory, disk, time, file handles, the GPU. Whoever says it, the machine is the cause."""

from __future__ import annotations

from engrain.fingerprint.rows import row, scan, table
from engrain.model import ROOT, SECOND, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    row("cuda", "CUDA out of memory", r"CUDA out of memory", "CUDA out of memory", says=""),
    row("cuda", "CUDA_ERROR_OUT_OF_MEMORY", r"CUDA_ERROR_OUT_OF_MEMORY", "CUDA out of memory", says=""),
    row("cuda", "CUDA error: ", r"CUDA error: (?P<message>.*)", "CUDA error"),
    row(
        "cuda",
        "CUDA driver",
        r"(?P<message>CUDA driver version is insufficient|Found no NVIDIA driver)",
        "CUDA driver",
        says="",
    ),
    row(
        "cuda", "Torch not compiled with CUDA", r"(?P<message>Torch not compiled with CUDA enabled)", "no CUDA", says=""
    ),
    row(
        "cuda", "no kernel image is available", r"(?P<message>no kernel image is available)", "no kernel image", says=""
    ),
    row("cuda", "cuDNN error", r"cuDNN error: (?P<code>\w+)"),
    row("cuda", "NCCL", r"NCCL (?:error|WARN) .*?(?P<message>unhandled \w+ error|.*)", "NCCL", SECOND),
    row("memory", "Out of memory: Kill", r"Out of memory: Kill(?:ed)? process", "out of memory", says=""),
    row("memory", "oom-kill", r"oom-kill(?:er)?", "out of memory", says=""),
    row("memory", "virtual memory exhausted", r"virtual memory exhausted", "out of memory", says=""),
    row("memory", "std::bad_alloc", r"std::bad_alloc", "out of memory", SECOND, says=""),
    row("memory", "memory allocation of", r"memory allocation of \d+ bytes failed", "out of memory", says=""),
    row("memory", " of memory", r"\b[Oo]ut of memory\b", "out of memory", SECOND, says=""),
    row("memory", " allocate memory", r"[Cc]annot allocate memory", "out of memory", SECOND, says=""),
    row("memory", "Java heap space", r"OutOfMemoryError: (?P<message>Java heap space)", "out of memory", SECOND),
    row("memory", "signal: killed", r"signal: killed", "killed", SECOND, says=""),
    row("memory", "SIGKILL", r"SIGKILL", "killed", SECOND, says=""),
    row("disk", "No space left on device", r"No space left on device", "disk full", SECOND, says=""),
    row("disk", "no space left on device", r"no space left on device", "disk full", SECOND, says=""),
    row("disk", "Disk quota exceeded", r"Disk quota exceeded", "quota", SECOND, says=""),
    row("files", " many open files", r"[Tt]oo many open files", "too many open files", SECOND, says=""),
    row("time", "Command timed out after", r"Command timed out after", "timed out", SECOND, says=""),
    row("time", "timed out after", r"timed out after \d+", "timed out", SECOND, says=""),
    row("time", "timeout: ", r"^timeout: sending signal", "timed out", SECOND, says=""),
    row("time", "deadline exceeded", r"(?P<message>context deadline exceeded)", "timed out", SECOND, says=""),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of exhausted machines."""
    return scan(ROWS, text, words)


def cuda(message: str, rank: int = ROOT, at: int = 0) -> Diagnostic:
    """What a Python exception says of the GPU."""
    if "out of memory" in message:
        return diagnostic("cuda", "CUDA out of memory", rank=rank, at=at, settled=True)
    return diagnostic("cuda", "CUDA error", message.split("\n", maxsplit=1)[0], rank=rank, at=at)
