"""Examples: of every operation what it may be asked, and what it answered then, for who reads the description.

They were asked of a real server (`python -m tests.examples`), and a test asks them again.
"""

from __future__ import annotations

import json
import os
from typing import Any

FILE = os.path.join(os.path.dirname(__file__), "examples.json")


def exemplify(document: dict[str, Any]) -> None:
    """Puts them into a description."""
    if not os.path.exists(FILE):
        return
    with open(FILE, encoding="utf-8") as file:
        examples: dict[str, dict[str, Any]] = json.load(file)
    for named, example in examples.items():
        method, path = named.split(" ", 1)
        operation = document["paths"].get(path, {}).get(method.lower())
        if operation is None:
            continue
        if "asked" in example:
            operation["requestBody"]["content"]["application/json"]["example"] = example["asked"]
        for status in ("200", "201"):
            if content := operation["responses"].get(status, {}).get("content", {}).get("application/json"):
                content["example"] = example["answered"]
