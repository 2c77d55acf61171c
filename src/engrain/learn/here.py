"""Here: the keys under which a project keeps what helped in it, beside the fingerprint and the family of a failure.

    both      the same failure of the same command in the same file: an edit, in the project's own words
    kind      the same kind of failure, whichever command met it
    command   whatever the same tool says when the same command fails
    file      … and names the same file

A key belongs to one project, so nothing that is kept under it is ever found from another. But what helped in several
against one kind of failure is kept for all, too, under a key that names the kind (`everywhere`). On the hook's path.
"""

from __future__ import annotations

from engrain.event import id_of

HERE, EVERYWHERE = "here:", "kind:"
BOTH, KIND, COMMAND, FILE = "both", "kind", "command", "file"


def here(project: str, kind: str, *values: str) -> str:
    """The key of what helped in this project; empty where a value is."""
    return f"{HERE}{kind}:{id_of('here', project, kind, *values)[:16]}" if all(values) else ""


def keys_of(project: str, fingerprint: str, family: str, toolchain: str, command: str, file: str) -> dict[str, str]:
    """The keys for a failure, each with its kind."""
    keys = {
        here(project, KIND, family): KIND,
        here(project, BOTH, fingerprint, command, file or "-"): BOTH,
        here(project, FILE, toolchain, command, file): FILE,
        here(project, COMMAND, toolchain, command): COMMAND,
    }
    return {key: kind for key, kind in keys.items() if key}


def everywhere(family: str) -> str:
    """The key of what helped against a kind of failure, whatever the project, and names nothing that varies."""
    return f"{EVERYWHERE}{family}"


def is_here(key: str) -> bool:
    """Whether what is kept under this key belongs to one project alone."""
    return key.startswith(HERE)


def kind_of(key: str) -> str:
    """Which of them it is."""
    return key.split(":")[1] if is_here(key) else ""
