"""The hook imports this package at each failure: what it loads is held by a list."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"dataclasses", "typing", "pathlib", "uuid", "sqlite3", "json", "inspect", "logging", "hashlib", "click"}


def test_classifying_loads_nothing_heavy() -> None:
    code = (
        "import sys; from engrain.fingerprint import fingerprint;"
        "fingerprint('Traceback (most recent call last):\\nKeyError: 1\\nmake: *** [a] Error 1\\nnpm error code 1');"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(done.stdout.split())


def test_no_pattern_is_compiled_before_it_is_needed() -> None:
    code = (
        "import re; compiled = []; original = re.compile;"
        "re.compile = lambda *args: compiled.append(args[0]) or original(*args);"
        "import importlib, engrain.fingerprint.silent; from engrain.fingerprint.parsers import PARSERS;"
        "[importlib.import_module('engrain.fingerprint.parsers.' + each.name) for each in PARSERS];"
        "print(len([each for each in compiled if each != r'[a-z]+']))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
