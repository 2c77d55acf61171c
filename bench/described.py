"""Described: schemathesis over every operation of the server's description, with all of its checks.

    python -m bench described [--full]

`--full` goes through every phase, the systematic ones too, with 20 examples of each operation.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

from bench.figure import Figure
from tests.described import PHASES, checked
from tests.served import served

FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}


def measure(full: bool) -> Iterator[Figure]:
    """What is wrong, with a token and without."""
    phases, examples = (f"{PHASES},stateful", 20) if full else ("examples,fuzzing", 5)
    for who in ("with a token", "without"):
        with tempfile.TemporaryDirectory() as folder, served(os.path.join(folder, "home"), **FREE) as api:
            token = api.new_token("read", "write", "admin") if who != "without" else ""
            found = checked(api, token, folder=folder, examples=examples, phases=phases)
            well = api.ask("GET", "/ready").status == 200
        note = "; ".join(found.wrong[:3]) or f"{found.operations} operations, {found.asked:,} requests"
        wrong = len(found.wrong) + (not well)
        yield Figure(f"schemathesis, all checks, {who}: server errors and violations", wrong, "", most=0, note=note)
