"""A tick that outlives the hook: nobody's child, with no terminal, and none of the agent's pipes in its hands."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from engrain.paths import Home

_CODE = "import sys; sys.path.insert(0, sys.argv.pop(1)); from engrain.cli import main; sys.exit(main(sys.argv[1:]))"
_PATHS = ("ENGRAIN_HOME", "ENGRAIN_STORE", "ENGRAIN_BACKUP_FOLDER")


def start(home: Home, environ: Mapping[str, str], python: str, source: str, rollout: str = "") -> None:
    """Starts a tick that ingests what was recorded, and sets right by a `rollout` what hooks could only guess. It runs
    in the home; paths are made to mean the same there."""
    command = [python, "-P", "-c", _CODE, source, "tick", "--quiet", *(["--rollout", rollout] if rollout else [])]
    told = {name: _absolute(value) if name in _PATHS else value for name, value in environ.items()}
    home.ensure()
    if os.fork():
        return
    try:
        os.setsid()
        _silence(home.at("tick.log"))
        os.chdir(home.root)
        os.execve(python, command, told)  # noqa: S606 - no shell is wanted
    finally:
        os._exit(127)


def _silence(log: str) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for fd, to in ((0, nothing), (1, said), (2, said)):
        os.dup2(to, fd)
    os.closerange(3, 256)


def _absolute(path: str) -> str:
    return path if not path or "://" in path else os.path.abspath(os.path.expanduser(path))
