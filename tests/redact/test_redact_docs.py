"""The reference says what the tables say."""

from __future__ import annotations

import os

from engrain.redact import keys
from engrain.redact.announced import ANNOUNCED
from engrain.redact.command import COMMANDS
from engrain.redact.names import KEYWORDS
from engrain.redact.providers import ANYWHERE, PROVIDERS, SHAPES
from engrain.redact.sensitive import SENSITIVE
from engrain.redact.structure import BLOBS, STRUCTURE

REFERENCE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "reference", "privacy.md")


def rules() -> list[str]:
    """A row for each mark, in the order of its name."""
    said: dict[str, list[str]] = {keys.NAME: [keys.WHAT], "provider-key": ["random value behind a provider's name"]}
    said["jwk"] = ["private part of a JSON web key"]
    said["kubernetes-secret"] = ["value in a Kubernetes Secret"]
    said["aws-secret-key"] = ["AWS secret key beside its id"]
    said["twilio-secret"] = ["Twilio secret beside its account"]
    rules = (*PROVIDERS, *ANYWHERE, *SHAPES.values(), *BLOBS, *STRUCTURE, *ANNOUNCED, *COMMANDS)
    named = [(rule.name, rule.what) for rule in rules]
    for name, what in [*named, *[(keyword.name, keyword.what) for keyword in KEYWORDS]]:
        if what not in said.setdefault(name, []):
            said[name].append(what)
    return [f"| `{name}` | {'; '.join(what)} |" for name, what in sorted(said.items())]


def files() -> list[str]:
    return [f"| {row.reason} | {' '.join(f'`{pattern}`' for pattern in row.patterns)} |" for row in SENSITIVE]


def test_every_rule_and_every_pattern_is_in_the_reference() -> None:
    with open(REFERENCE, encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if line.startswith("| ")]
    shown = [line for line in lines if not line.startswith(("| mark ", "| because "))]
    assert shown == [*rules(), *files()]
