"""Whether settings run our hooks beside a plugin: then the plugin's are silent, or everything would be said twice.

It is asked for by hooks of a plugin alone, and reads a few small files.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILES = {
    "": (".claude", "CLAUDE_CONFIG_DIR", ("settings.json", "settings.local.json")),
    "codex": (".codex", "CODEX_HOME", ("hooks.json",)),
}
"""The folder of an agent, below the user's and below a repository, what moves the first, and its files with hooks."""
FILES["claude-code"] = FILES[""]
MOST = 4 * 1024 * 1024
_OURS = (b"ENGRAIN_HOME", b"/bin/hook")


def wired(agent: str, environ: Mapping[str, str], folder: str) -> bool:
    """Whether any of these files has an entry of ours."""
    if agent not in FILES:
        return False
    own, variable, names = FILES[agent]
    user = environ.get(variable) or os.path.join(os.path.expanduser("~"), own)
    root = environ.get("CLAUDE_PROJECT_DIR") or _root(folder, own)
    return any(_has(os.path.join(place, name)) for place in (user, os.path.join(root, own)) for name in names)


def _root(folder: str, own: str) -> str:
    """The nearest folder above that has the agent's own."""
    here = folder
    while not os.path.isdir(os.path.join(here, own)) and os.path.dirname(here) != here:
        here = os.path.dirname(here)
    return here


def _has(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            data = file.read(MOST)
    except OSError:
        return False
    return all(sign in data for sign in _OURS)
