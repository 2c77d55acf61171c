"""The same cause brought about twice, in programs that share nothing else: one key, and no other cause's.

`variants.jsonl` holds what real tools wrote, run for this project: a cause, what it is taken for, and two texts. Paths,
names, numbers and the shape of the program differ; what decides the fix is the same. These are causes whose two texts
once had two keys, shared one with another cause, or were taken for no tool's.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from engrain.fingerprint import fingerprint

with open(os.path.join(os.path.dirname(__file__), "variants.jsonl"), encoding="utf-8") as file:
    ROWS: list[dict[str, Any]] = [json.loads(line) for line in file]


@pytest.mark.parametrize("row", ROWS, ids=[row["cause"] for row in ROWS])
def test_both_texts_are_one_failure(row: dict[str, Any]) -> None:
    one, other = (fingerprint(text) for text in row["texts"])
    assert (one.toolchain, one.error_type, dict(one.parameters)) == (row["toolchain"], row["type"], row["decides"])
    assert one.fingerprint == other.fingerprint


def test_no_two_causes_are_one() -> None:
    assert len({fingerprint(row["texts"][0]).fingerprint for row in ROWS}) == len(ROWS)
