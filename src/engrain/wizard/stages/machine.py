"""Machine: what training needs, each with whether it is here."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from typing import NamedTuple

from engrain.errors import EngrainError
from engrain.wizard.state import Done, digest
from engrain.wizard.work import Work

OLLAMA = "ollama"
PARTS = ("torch", "transformers", "peft", "accelerate", "gguf", "cyllama", "xllamacpp")
GIGA = 1e9


class Check(NamedTuple):
    """Something that must be here (`hard`), or had better be."""

    name: str
    passed: bool
    value: str
    bound: str
    hard: bool = True


def machine(work: Work) -> Done:
    """Looks at parts, base, memory, disk and sessions."""
    checks = list(_parts())
    if all(check.passed for check in checks):
        checks += _base(work)
        checks += _room(work)
        checks.append(_sessions(work))
        checks += _place(work)
    wrong = [check.name for check in checks if check.hard and not check.passed]
    because = f"not to be gone on with: {', '.join(wrong)}" if wrong else "all that training needs is here"
    known = {check.name: check.value for check in checks}
    figures: dict[str, object] = {name: known[name] for name in ("weights", "device", "sessions") if name in known}
    return Done(
        work.inputs, digest(known.get("weights", ""), known.get("device", "")), not wrong, because, figures,
        tuple({"because": "", **check._asdict()} for check in checks),
    )  # fmt: skip


def _parts() -> Iterator[Check]:
    missing = [name for name in PARTS if importlib.util.find_spec(name) is None]
    value = f"{', '.join(missing)} missing: install engrain[train]" if missing else "installed"
    yield Check("the extra train", not missing, value, "installed")


def _base(work: Work) -> Iterator[Check]:
    from engrain.train import base, device
    from engrain.train.render import Renderer

    try:
        marks = Renderer(base.tokenizer(work.config.base)).marks
        yield Check("chat template", True, "knows tools" if marks.native else "tools become the system's words",
                    "marks turns")  # fmt: skip
        work.say("reading the base's weights, to know them again")
        yield Check("weights", True, base.digest(work.config.base)[:16], "can be read")
        chosen = device.chosen(work.config.device)
        yield Check("device", True, chosen.name, "any")
        work.say(chosen.because)
    except EngrainError as exc:
        yield Check("base", False, str(exc), "can be trained")


def _room(work: Work) -> Iterator[Check]:
    size = _size(work.config.base)
    free = shutil.disk_usage(work.config.folder).free
    # Merged, as f16 and quantised, with checkpoints: about four times what the base takes.
    yield Check("room on the disk", free > 4 * size, f"{free / GIGA:.1f} GB", f"> {4 * size / GIGA:.1f} GB")
    if (memory := _memory()) > 0:
        yield Check("memory", memory > 2 * size, f"{memory / GIGA:.1f} GB", f"> {2 * size / GIGA:.1f} GB", hard=False)


def _place(work: Work) -> Iterator[Check]:
    """Where the model is to be installed."""
    if work.config.install == OLLAMA:
        yield Check("ollama", shutil.which("ollama") is not None, shutil.which("ollama") or "not here", "to install")


def _size(path: str) -> int:
    if not os.path.isdir(path):
        return os.path.getsize(path) if os.path.exists(path) else 0
    names = [name for name in os.listdir(path) if name.endswith((".safetensors", ".bin"))]
    return sum(os.path.getsize(os.path.join(path, name)) for name in names)


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0


def _sessions(work: Work) -> Check:
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        mine = set(memory.store.same_project(memory.project.id))
        number = sum(row[0] == memory.tenant and (work.config.everywhere or row[1] in mine)
                     for row in memory.store.sessions())  # fmt: skip
    return Check("sessions", number >= 2, str(number), "≥ 2")
