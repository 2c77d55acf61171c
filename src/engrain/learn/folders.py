"""Folders: the way from the folder in which something failed to the one in which something else was run.

A `cd` outlives its line in some shells, and is written before each in others: what is told says where it is to be run,
as seen from the failure. Pure.
"""

from __future__ import annotations

from posixpath import commonpath, relpath

from engrain.learn import programs
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

FARTHEST, LEAST_COMMON = 5, 2
"""Parts of a way at most, and folders that both ends lie in at least: what lies elsewhere is no part of the project."""

_ANYWHERE = vocabulary(
    "apt apt-get brew dnf yum apk gem rustup rustc nvm fnm asdf corepack systemctl service conda mamba pyenv snap"
)
_INSTALLS = r"(?:uv )?(?:pip[\d.]*|pipx) install(?: -[qU]\S*| --(?:upgrade|quiet|user))*(?: [A-Za-z][\w.,=<>~!\[\]-]*)+"
"""What is installed for the machine or its environment, wherever that is typed."""


def way(here: str, there: str) -> str:
    """The way from one folder to another; empty where there is none, or nobody knows."""
    if not here.startswith("/") or not there.startswith("/") or here == there:
        return ""
    if commonpath((here, there)).count("/") < LEAST_COMMON and not there.startswith(here.rstrip("/") + "/"):
        return ""
    found = relpath(there, here)
    return found if found != "." and found.count("/") < FARTHEST and not compiled(r"[^\w./@+-]").search(found) else ""


def there(step: str, here: str, folder: str) -> str:
    """The step as it is to be typed in `here`, when it was run in `folder`."""
    to = "" if _anywhere(step) else way(here, folder)
    return f"cd {to} && {step}" if to else step


def _anywhere(step: str) -> bool:
    words = step.removeprefix("sudo ").split(" ")
    return programs.name(words[0]) in _ANYWHERE or compiled(_INSTALLS).fullmatch(step) is not None
