"""Project identity: which repository a folder belongs to, the same on every clone, worktree and machine.

    the remote        git@host:Owner/repo.git = https://user@host/owner/repo → the same project
    the root commit   where there is no remote
    the folder        where there is no git

Branch and worktree are tags on events, never part of the identity. Git's own files are read; git itself is run only for
the root commit, and whoever is in a hurry brings a memory for that. On the hook's path.
"""

from __future__ import annotations

import os
from collections import namedtuple

from engrain import event as events
from engrain.event import PROJECT_SEEN
from engrain.light import sha256
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NamedTuple

    from engrain.event import Event

    class Project(NamedTuple):
        """A project as seen from one folder."""

        id: str
        name: str
        root: str
        remote: str
        branch: str
        worktree: str
        because: str

    class Repository(NamedTuple):
        """A checkout: its folder, its own git folder, and the one that all its worktrees share."""

        root: str
        git: str
        common: str

    class Begun(NamedTuple):
        """The first commit of a history that was begun in this checkout, with what it was amended to, and when (s)."""

        commits: tuple[str, ...]
        time: int
else:
    Project = namedtuple("Project", "id name root remote branch worktree because")
    Repository = namedtuple("Repository", "root git common")
    Begun = namedtuple("Begun", "commits time")


# Hosts that answer under two names, and paths that differ between ssh and https.
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "altssh.gitlab.com": "gitlab.com",
}
_AZURE_SSH = r"^ssh\.dev\.azure\.com/v3/([^/]+)/([^/]+)/([^/]+)$"
_SCP = r"^(?:[^@/:]+@)?([^/:@]+\.?[^/:@]*):(?!//)(.+)$"
_LOGGED = r"^(\w+) (\w+) .*> (\d+) [+-]\d+\tcommit \((initial|amend)\)"
_URL = r"(?i)^[a-z][a-z0-9+.-]*://(?:[^@/]*@)?(\[[^\]]+\]|[^/:]+)(?::\d+)?/(.*)$"


def identify(folder: str, root_commit: Callable[[Repository], str] | None = None) -> Project:
    """The project that a folder belongs to. Never fails: a folder is always at least its own project."""
    folder = os.path.realpath(folder)
    repository = find_repository(folder)
    if repository is None:
        return _project("folder", folder, folder, because="the folder: no git here")
    branch, worktree = _branch(repository), _worktree(repository)
    remote = remote_of(repository)
    if remote:
        place = normalised(remote, repository.root)
        return _project("remote", place, repository.root, place, branch, worktree, because=f"the remote {place}")
    root = (root_commit or first_commit)(repository)
    if root:
        return _project("commit", root, repository.root, "", branch, worktree, because=f"the root commit {root[:12]}")
    home = home_of(repository)
    return _project("folder", home, repository.root, "", branch, worktree, because="the folder: no remote, no commit")


def home_of(repository: Repository) -> str:
    """The folder that a repository is taken for before its first commit, in whichever of its worktrees."""
    return os.path.dirname(repository.common) if repository.common.endswith(".git") else repository.common


def of_remote(remote: str, root: str) -> Project:
    """The project of a checkout that is not on this machine, by the remote that it had."""
    place = normalised(remote, root)
    return _project("remote", place, root, place, because=f"the remote {place}")


def _project(
    how: str, what: str, root: str, remote: str = "", branch: str = "", worktree: str = "", *, because: str
) -> Project:
    name = os.path.basename((remote or root).rstrip("/")) or "/"
    return Project(id_by(how, what), name, root, remote, branch, worktree, because)


def id_by(how: str, what: str) -> str:
    """The id of what is known by its remote, its first commit (`commit`) or its folder."""
    return sha256(f"{how}:{what}".encode("utf-8", "surrogateescape"))[:16]


def remembered(folder: str, written: str, places: Iterable[tuple[str, str, str, str]]) -> Project | None:
    """The project that a folder belonged to which is gone: the nearest of the places around it where one was seen,
    as (id, name, root, remote). `written` is the folder as roots are written down, without the home."""
    found = [place for place in places if place[2] and f"{written}/".startswith(f"{place[2].rstrip('/')}/")]
    if not found:
        return None
    id_, name, root, remote = max(found, key=lambda place: (len(place[2]), place))
    inside = len(written) - len(root.rstrip("/"))
    return Project(id_, name, folder[: len(folder) - inside], remote, "", "", f"the folder is gone; it was in {root}")


def sighting(seen: Project, tenant: str, when: int, home: str = "") -> Event:
    """The event that says where a project was seen, and by which home (its mark) if that looked itself, and the folder
    is there; the same place twice in a month is the same event."""
    by = {"home": home} if home and os.path.isdir(seen.root) else {}
    body = {"name": seen.name, "root": seen.root, "remote": seen.remote, "because": seen.because, **by}
    month = events.timestamp(when)[:7]
    id_ = events.id_of(PROJECT_SEEN, tenant, seen.id, seen.root, seen.remote, month, *by.values())
    return events.make(PROJECT_SEEN, body, project=seen.id, tenant=tenant, time=when, id=id_)


def find_repository(folder: str) -> Repository | None:
    """The checkout around a folder: its .git may be a folder, or a file that points elsewhere."""
    while True:
        git = os.path.join(folder, ".git")
        if os.path.isfile(git):
            pointed = first_line(git).removeprefix("gitdir:").strip()
            git = os.path.normpath(os.path.join(folder, pointed))
        if os.path.isfile(os.path.join(git, "HEAD")):
            common = first_line(os.path.join(git, "commondir")) or "."
            return Repository(folder, git, os.path.normpath(os.path.join(git, common)))
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def normalised(remote: str, root: str = "/") -> str:
    """One spelling for every way to name a remote: host/path, lower case, without user, port, `.git`."""
    remote = remote.strip()
    if match := compiled(_URL).match(remote) or compiled(_SCP).match(remote):
        host, path = match[1].lower(), match[2]
        if not remote.lower().startswith("file:"):
            place = f"{_SAME_HOST.get(host, host)}/{path.strip('/').lower()}".removesuffix(".git").rstrip("/")
            azure = compiled(_AZURE_SSH).match(place)
            return f"dev.azure.com/{azure[1]}/{azure[2]}/_git/{azure[3]}" if azure else place
    path = compiled(r"^file://(localhost)?").sub("", remote)
    return os.path.normpath(os.path.join(root, path)).removesuffix(".git")


def remote_of(repository: Repository) -> str:
    """The URL of origin, else of upstream, else of the first remote by name."""
    urls = _remotes(_text(os.path.join(repository.common, "config")))
    for name in ("origin", "upstream", *sorted(urls)):
        if urls.get(name):
            return urls[name]
    return ""


def _remotes(config: str) -> dict[str, str]:
    urls: dict[str, str] = {}
    name = ""
    for raw in config.splitlines():
        line = raw.strip()
        if line.startswith("["):
            head = compiled(r'(?i)\[remote\s+"((?:[^"\\]|\\.)*)"\]').match(line)
            name = head[1] if head else ""
        elif name and (pair := compiled(r"(?i)url\s*=\s*(.*)$").match(line)):
            urls.setdefault(name, compiled(r"\s[#;]").split(pair[1])[0].strip().strip('"'))
    return urls


def first_commit(repository: Repository) -> str:
    """The oldest commit without a parent, as git says; empty in a shallow clone, whose first commit is not the root."""
    if os.path.exists(os.path.join(repository.common, "shallow")):
        return ""
    import subprocess

    # The folder is named, because GIT_DIR, set inside git's own hooks, may point at another repository.
    command = ["git", f"--git-dir={repository.git}", "rev-list", "--max-parents=0", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return (done.stdout.split() or [""])[-1]


def begun(repository: Repository) -> Begun:
    """How the history of a checkout began, as its own log says. Nothing of what was cloned or fetched, and nothing
    where git keeps no log, or not any more."""
    commits: list[str] = []
    time = 0
    for line in _text(os.path.join(repository.common, "logs", "HEAD")).splitlines():
        made = compiled(_LOGGED).match(line)
        if not made or (made[4] == "initial") != (not commits) or made[1] != (commits or ["0" * len(made[1])])[-1]:
            break
        commits.append(made[2])
        time = time or int(made[3])
    return Begun(tuple(commits), time)


def _branch(repository: Repository) -> str:
    head = first_line(os.path.join(repository.git, "HEAD"))
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else head[:12]


def _worktree(repository: Repository) -> str:
    return os.path.basename(repository.git) if repository.git != repository.common else ""


def first_line(path: str) -> str:
    """The first line of a small file; empty where there is none."""
    return (_text(path).splitlines() or [""])[0].strip()


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1_000_000)
    except (OSError, ValueError):  # a NUL in a name
        return ""
