"""Standing: what a run says of itself → whether something may be made of it, and what the card tells of that. Pure but
for reading."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from engrain.errors import BadInput, GateClosed, NotFound
from engrain.paths import reason
from engrain.train import gates

RUN, REPORT, ADAPTER = "RUN.json", "REPORT.json", "adapter"
WEIGHTS = "adapter_model.safetensors"


class Standing(NamedTuple):
    """A run: how it went (`told`), what was measured of it (`report`; empty: nothing was), whether every gate is open,
    and that in words."""

    run: str
    told: Mapping[str, Any]
    report: Mapping[str, Any]
    passed: bool
    because: str

    @property
    def adapter(self) -> str:
        return os.path.join(self.run, ADAPTER)


def standing(run: str, *, ungated: bool) -> Standing:
    """The standing of a run; GateClosed where its gates do not let it through, unless it shall go without them."""
    run = os.path.abspath(os.path.expanduser(run))
    told = _read(os.path.join(run, RUN))
    if told is None:
        raise NotFound(f"{run} holds no run that is done (there is no {RUN}); `engrain train lora` makes one")
    report = _read(os.path.join(run, REPORT)) or {}
    because = closed(told, report, digest(os.path.join(run, ADAPTER)))
    if because and not ungated:
        raise GateClosed(f"{run} is not exported: {because}")
    return Standing(run, told, report, not because, because or "every gate is open")


def of_base(run: str, base: str) -> bool:
    """Whether a run is there, is done, and was trained on this base."""
    from engrain.train.base import digest as weights

    told = _read(os.path.join(run, RUN))
    return told is not None and told.get("base") == weights(base)


def closed(told: Mapping[str, Any], report: Mapping[str, Any], adapter: str) -> str:
    """Why a run may not pass; empty where it may."""
    if not report:
        return "its gates were not asked; `engrain train evaluate` does it"
    if report.get("adapter") != adapter or report.get("data") != told.get("digest"):
        return "its gates were asked about another adapter; `engrain train evaluate` asks them again"
    if report.get("digest") != gates.digest(report):
        return f"{REPORT} is not what was written when its gates were asked; `engrain train evaluate` asks them again"
    shut = [str(gate.get("name")) for gate in report.get("gates", ()) if not gate.get("passed")]
    if shut:
        return f"the gates say no ({', '.join(shut)})"
    if unasked := [
        gate.name for gate in gates.GATES if gate.name not in {g.get("name") for g in report.get("gates", ())}
    ]:
        return f"some gates were not asked ({', '.join(unasked)}); `engrain train evaluate` asks all of them"
    return "" if report.get("passed") is True else "its report says no"


def digest(folder: str) -> str:
    """The SHA-256 of an adapter's weights."""
    from engrain.train.base import file_digest

    path = os.path.join(folder, WEIGHTS)
    if not os.path.exists(path):
        raise NotFound(f"{folder} holds no adapter (there is no {WEIGHTS})")
    return file_digest(path)


def _read(path: str) -> Mapping[str, Any] | None:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise BadInput(f"can't read {path}: {reason(exc)}") from exc
    except ValueError as exc:
        raise BadInput(f"{path} is no JSON: {exc}") from exc
    if not isinstance(found, dict):
        raise BadInput(f"{path} does not say what a run says")
    return found
