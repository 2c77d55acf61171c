"""Card: what is known of an export → README.md, as people and model hubs read it. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from engrain.train.export.beside import size


def digest(files: Mapping[str, str]) -> str:
    """One hash of these files, by name and digest."""
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:16]


def text(told: Mapping[str, Any], run: Mapping[str, Any], report: Mapping[str, Any]) -> str:
    """The card: of an export, of the run that it was made of, and of what the gates said."""
    lines = [*_head(told), *_standing(told), *_files(told), *_training(told, run), *_gates(report), *_use(told)]
    return "\n".join(lines) + "\n"


def _head(told: Mapping[str, Any]) -> Iterator[str]:
    yield from ("---", "library_name: gguf", "tags:", "- engrain", "- lora", "- coding-agents", "---", "")
    yield from (f"# {told['name']}", "")
    yield (f"{told['base']['name']} with an adapter that was trained on recorded sessions of coding agents, by Engrain"
           f" {told['engrain']}. It knows one person's or team's projects and habits; it is not meant to be published"
           " without a look at what it learned.")  # fmt: skip
    yield ""


def _standing(told: Mapping[str, Any]) -> Iterator[str]:
    if told["gated"]:
        yield from ("Every gate was open: see below.", "")
    else:
        yield from (f"**Not fit for use: exported without its gates.** {told['gates'].capitalize()}.", "")


def _files(told: Mapping[str, Any]) -> Iterator[str]:
    yield from ("## Files", "", "| file | size | SHA-256 |", "|---|---|---|")
    for name, one in told["files"].items():
        if name.endswith((".gguf", ".safetensors")):
            yield f"| `{name}` | {size(one['bytes'])} | `{one['sha256']}` |"
    yield from ("", *(f"- {why}" for why in told["why"]), "")


def _training(told: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[str]:
    yield from ("## Training", "")
    yield from ("| | |", "|---|---|")
    yield f"| base | `{told['base']['name']}`, weights `{told['base']['sha256'][:16] or 'not recorded'}` |"
    yield f"| data | `{told['data']}` |"
    for name, what in (("steps", "steps"), ("base_held", "held-out loss of the base"), ("held", "held-out loss"),
                       ("train_loss", "loss of trained rows"), ("device", "trained on")):  # fmt: skip
        if name in run:
            value = run[name]
            yield f"| {what} | {f'{value:.4f}' if isinstance(value, float) else value} |"
    yield from ("", "`recipe.toml` has every decision.", "")


def _gates(report: Mapping[str, Any]) -> Iterator[str]:
    gates = report.get("gates") or ()
    if not gates:
        return
    yield from ("## Gates", "", f"Asked at {report.get('points', 0)} held-out places.", "")
    yield from ("| gate | open | found | bound | |", "|---|---|---|---|---|")
    for gate in gates:
        said = "yes" if gate.get("passed") else "**no**"
        yield f"| {gate.get('name')} | {said} | {gate.get('value')} | {gate.get('bound')} | {gate.get('because')} |"
    yield ""


def _use(told: Mapping[str, Any]) -> Iterator[str]:
    yield from ("## Use", "", "```console")
    yield f"$ engrain train install {told['name']} --to lm-studio     # or ollama, or a folder"
    yield from ("```", "", f"Context: {told['context']:,} tokens. The chat template is in the files.")
