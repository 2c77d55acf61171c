"""Made: what a folder of an export says of itself."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import NamedTuple

from engrain.errors import BadInput
from engrain.train.export.plan import BITS

EXPORT = "EXPORT.json"


class Exported(NamedTuple):
    """What was made: the folder, its files with the SHA-256 of each, what was decided and why, whether the gates let
    the run through, the digest of it all, and the run that it was made of."""

    folder: str
    name: str
    files: Mapping[str, str]
    why: tuple[str, ...]
    gated: bool
    context: int
    data: str
    base: str
    digest: str
    seconds: float
    run: str = ""

    @property
    def ggufs(self) -> tuple[str, ...]:
        """The model's GGUF files, the largest first."""
        return tuple(name for quant in BITS for name in self.files if name.endswith(f"-{quant}.gguf"))


def exported(folder: str) -> Exported:
    """What a folder of an export says of itself."""
    folder = os.path.abspath(os.path.expanduser(folder))
    path = os.path.join(folder, EXPORT)
    try:
        with open(path, encoding="utf-8") as file:
            told = json.load(file)
    except (OSError, ValueError) as exc:
        raise BadInput(f"{folder} holds no export ({EXPORT} can't be read)") from exc
    digests = {name: one["sha256"] for name, one in told["files"].items()}
    return Exported(
        folder, told["name"], digests, tuple(told["why"]), told["gated"], told["context"], told["data"],
        told["base"]["sha256"], told["digest"], told["seconds"], str(told.get("run", "")),
    )  # fmt: skip
