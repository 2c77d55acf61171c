"""Plan: the stages in their order. What each does and goes by; `walk` goes through them, `stages` does them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_OURS = "engrain.wizard.stages"


class Stage(NamedTuple):
    """A stage. `run` names the function that does it; `fields` of the config and results of the stages in `needs` are
    all that it goes by. `gate`: a person has the last word. `asks`: a person is asked before it begins."""

    name: str
    title: str
    does: str
    run: str
    fields: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    gate: bool = False
    asks: bool = False


STAGES = (
    Stage("machine", "Verify the machine", "What training needs, and whether it is here.", f"{_OURS}.machine:machine",
          ("base", "device", "quants", "install", "everywhere")),
    Stage("data", "Build the rows", "Recorded sessions become rows in the model's own form.", f"{_OURS}.rows:data",
          ("tier", "recipe", "everywhere"), ("machine",)),
    Stage("audit", "Audit the rows", "Every row is looked at before anything is trained of it.", f"{_OURS}.rows:audit",
          (), ("machine", "data")),
    Stage("smoke", "Smoke run", "A small adapter of a few rows: does training work here, and how long will it take?",
          f"{_OURS}.adapter:smoke", ("device",), ("machine", "data", "audit")),
    Stage("smoke-gate", "Smoke gate", "The small adapter is asked: is anything broken?", f"{_OURS}.adapter:smoke_gate",
          ("device",), ("machine", "smoke"), gate=True),
    Stage("train", "Train the adapter", "All rows, as the recipe says.", f"{_OURS}.adapter:train", ("device",),
          ("machine", "data", "audit", "smoke-gate")),
    Stage("gate", "The gates", "The adapter is asked beside its base and the one in use.", f"{_OURS}.adapter:gate",
          ("device", "incumbent"), ("machine", "data", "train"), gate=True),
    Stage("export", "Export", "Adapter and base become one model, written for llama.cpp.", f"{_OURS}.handover:export",
          ("name", "quants", "context"), ("machine", "train", "gate")),
    Stage("install", "Install", "The model is put where it is used.", f"{_OURS}.handover:install",
          ("install", "name"), ("export",), asks=True),
    Stage("verify", "Verify", "What was installed is served and talked with; a loop made on purpose must be stopped.",
          f"{_OURS}.handover:verify", (), ("machine", "export", "install")),
)  # fmt: skip


def by_name(stages: tuple[Stage, ...]) -> Mapping[str, Stage]:
    """The stages by their names."""
    return {stage.name: stage for stage in stages}
