"""Schemathesis over the description of a server: every operation, every check, and what it found wrong."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import NamedTuple

from tests.served import Served

SETTINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemathesis.toml")
PHASES = "examples,coverage,fuzzing"


class Checked(NamedTuple):
    """What a run came to: how many operations and requests there were, and what was wrong, a line each."""

    operations: int
    asked: int
    wrong: list[str]
    said: str


def checked(
    api: Served, token: str, *, folder: str, examples: int, phases: str = PHASES, seconds: float = 540, only: str = ""
) -> Checked:
    """Runs it, with a token or (empty) without; `only`: on the paths that this matches."""
    given = os.path.join(folder, "openapi.json")
    with open(given, "wb") as file:
        file.write(api.ask("GET", "/openapi.json").body)
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", SETTINGS, "run", given, "--url", api.url, "--checks",
        "all", "--phases", phases, "--max-examples", str(examples), "--seed", "7", "--continue-on-failure",
        "--no-color", "--warnings", "off", *(["--include-path-regex", only] if only else []),
    ]  # fmt: skip
    if token:
        command += ["--header", f"Authorization: Bearer {token}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=seconds, check=False)
    said = done.stdout + done.stderr
    tested, asked = re.search(r"Tested: (\d+)", said), re.search(r"(\d+) generated", said)
    wrong = re.findall(r"^\s+❌ (ST\d+ .*)$", said, re.MULTILINE)
    if done.returncode and not wrong:
        wrong = [said[-2000:]]
    return Checked(int(tested[1]) if tested else 0, int(asked[1]) if asked else 0, wrong, said)
