"""Child: the process that does one stage. What it is to do comes in as one line, what it tells goes out line by line.

In a process of its own, because it may take all memory and be killed, because a screen must not be written over by what
a library prints, and because what is told to stop must stop at once. It ends when its parent does: the pipe on which it
was told what to do is closed then.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
from typing import Any

from engrain.errors import EngrainError
from engrain.paths import reason
from engrain.wizard.config import Config
from engrain.wizard.state import Done
from engrain.wizard.work import Told, Work

GONE = 75
"""How it exits when its parent is gone."""
DONE, WRONG = "done", "wrong"


def main() -> int:
    """Does what standard input says; tells of it on standard output, prints to standard error."""
    told = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_ends_with_parent, daemon=True).start()

    def tell(each: Told) -> None:
        told.write(json.dumps([each.kind, each.value], ensure_ascii=False) + "\n")

    began = time.monotonic()
    try:
        done = _run(asked)(_work(asked, tell))
    except EngrainError as exc:
        tell(Told(WRONG, " ".join(str(exc).split())))
        return 1
    except OSError as exc:
        where = f"{exc.filename}: " if exc.filename else ""
        tell(Told(WRONG, f"{where}{reason(exc)}"))
        return 1
    tell(Told(DONE, done._replace(seconds=round(time.monotonic() - began, 1))._asdict()))
    return 0


def _run(asked: dict[str, Any]) -> Any:
    module, _, name = asked["run"].partition(":")
    return getattr(importlib.import_module(module), name)


def _work(asked: dict[str, Any], tell: Any) -> Work:
    before = {name: Done(**{**one, "gates": tuple(one["gates"])}) for name, one in asked["before"].items()}
    given = asked["config"].items()
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given}
    return Work(Config(**values), asked["inputs"], before, tell)


def _ends_with_parent() -> None:
    """Nothing more is ever said here: what can be read is the end."""
    while os.read(0, 1):
        pass
    os._exit(GONE)


if __name__ == "__main__":
    sys.exit(main())
