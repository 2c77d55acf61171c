"""Whether the chain was seen to hold as the code is now: exits 0 if so. `--write`: from now on it was.

`PASSED` holds one hash of everything that these tests depend on, and is committed: a fresh clone that did not touch
training has nothing to prove again, and one that did says so.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
PASSED = os.path.join(HERE, "PASSED")
CODE = (
    "src/engrain/train/**/*.py",
    "src/engrain/memory/training.py",
    "src/engrain/cli/training/*.py",
    "src/engrain/wizard/**/*.py",
    "tests_train/*.py",
)


def digest() -> str:
    """One hash of the code, the tests and what the extra asks for."""
    whole = hashlib.sha256()
    for pattern in CODE:
        for path in sorted(glob.glob(os.path.join(TOP, pattern), recursive=True)):
            with open(path, "rb") as file:
                whole.update(os.path.relpath(path, TOP).encode() + b"\0" + file.read() + b"\0")
    with open(os.path.join(TOP, "pyproject.toml"), encoding="utf-8") as file:
        whole.update("".join(re.findall(r"^train = .*$", file.read(), re.MULTILINE)).encode())
    return whole.hexdigest()


def main() -> int:
    """0: seen as it is now."""
    if "--write" in sys.argv:
        with open(PASSED, "w", encoding="utf-8") as file:
            file.write(digest() + "\n")
        return 0
    if not os.path.exists(PASSED):
        return 1
    with open(PASSED, encoding="utf-8") as file:
        return int(file.read().strip() != digest())


if __name__ == "__main__":
    sys.exit(main())
