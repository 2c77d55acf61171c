"""The folder of a call → its project, the same as everywhere else, without starting git.

All but the first commit of a repository that has no remote is read from git's own files. That one commit git is asked
for once, by the first hook that comes there, and kept.
"""

from __future__ import annotations

import os

from engrain import project
from engrain.hook import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.paths import Home
    from engrain.project import Project, Repository

MOST = 1000


def place(folder: str, home: Home) -> Project:
    """The project that a folder belongs to."""
    return project.identify(folder or os.sep, lambda repository: _first_commit(repository, home))


def _first_commit(repository: Repository, home: Home) -> str:
    head = _head(repository)
    if not head:
        return ""
    file = kept.path(home, "commits")
    found = kept.read(file)
    known: dict[str, str] = found if isinstance(found, dict) and len(found) < MOST else {}
    name = f"{repository.common}\0{head}"
    if name not in known:
        known[name] = project.first_commit(repository)
        kept.write(file, known)
    return known[name]


def _head(repository: Repository) -> str:
    """What is checked out; nothing before the first commit."""
    head = project.first_line(os.path.join(repository.git, "HEAD"))
    if not head.startswith("ref: "):
        return head
    loose = os.path.join(repository.common, head.removeprefix("ref: "))
    packed = os.path.join(repository.common, "packed-refs")
    return head if os.path.exists(loose) or os.path.exists(packed) else ""
