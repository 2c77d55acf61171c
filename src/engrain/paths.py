"""Where Engrain keeps its state: one folder, owner-only.

    <home>/
      engrain.db          the store, unless ENGRAIN_STORE names another
      config.toml         settings (under XDG_CONFIG_HOME when ENGRAIN_HOME is not set)
      spool/              events that were written and are not ingested yet
      backups/            copies made by `engrain backup`
      backups.jsonl       where copies were put, so that doctor can look at them
      forgotten.jsonl     ids that were forgotten, so that no copy brings them back
      briefs/             what a session of a project is told at its start, kept by the tick
      retained            the last day on which what is old was looked for
      carried/            how far stores were carried into others
      scheduled           with what copies are made every day
      engrain.sock        where `engrain serve` listens for this user's own processes
      token               what opens the server that ENGRAIN_STORE names, unless ENGRAIN_TOKEN does
      tick.lock           held by the one process that ingests

On the hook's path: `os.path` alone.
"""

from __future__ import annotations

import errno
import os

from engrain import light
from engrain.errors import HomeUnusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Home:
    """The folder of Engrain's state. Nothing is created before `ensure`."""

    __slots__ = ("config", "root")

    def __init__(self, root: str, config: str | None = None) -> None:
        self.root = os.path.abspath(root)
        self.config = config or self.at("config.toml")

    def at(self, *names: str) -> str:
        """A path below the home."""
        return os.path.join(self.root, *names)

    @property
    def database(self) -> str:
        return self.at("engrain.db")

    @property
    def spool(self) -> str:
        return self.at("spool")

    @property
    def backups(self) -> str:
        return self.at("backups")

    @property
    def known_backups(self) -> str:
        return self.at("backups.jsonl")

    @property
    def forgotten(self) -> str:
        return self.at("forgotten.jsonl")

    @property
    def socket(self) -> str:
        return self.at("engrain.sock")

    @property
    def token(self) -> str:
        return self.at("token")

    @property
    def lock(self) -> str:
        return self.at("tick.lock")

    @property
    def briefs(self) -> str:
        return self.at("briefs")

    def brief(self, tenant: str, project: str) -> str:
        """The file that has what a session of this project is told at its start."""
        return self.at("briefs", light.sha256(f"{tenant}\0{project}".encode("utf-8", "replace"))[:32])

    @property
    def mark(self) -> str:
        """What tells this home from those of other machines and users, and says nothing of either."""
        return light.sha256(f"{os.uname().nodename}\0{self.root}".encode("utf-8", "surrogateescape"))[:16]

    def ensure(self) -> Home:
        """The same home, its folder there and owner-only."""
        owner_only(self.root)
        return self

    def __repr__(self) -> str:
        return f"Home({self.root!r})"


def locate(environ: Mapping[str, str]) -> Home:
    """The home that these environment variables name (XDG, moved as a whole by ENGRAIN_HOME)."""
    if moved := environ.get("ENGRAIN_HOME"):
        return Home(os.path.expanduser(moved))
    user = environ.get("HOME") or os.path.expanduser("~")
    data = environ.get("XDG_DATA_HOME") or os.path.join(user, ".local", "share")
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(user, ".config")
    return Home(os.path.join(data, "engrain"), os.path.join(config, "engrain", "config.toml"))


def owner_only(folder: str) -> str:
    """The same folder, made if need be, and so whatever folders are missing on the way to it, with mode 0700."""
    try:
        _make(folder)
    except OSError as exc:
        raise HomeUnusable(f"can't use {folder}: {reason(exc)}") from exc
    return folder


def _make(folder: str) -> None:
    if os.path.isdir(folder):
        return
    above = os.path.dirname(folder)
    if above != folder:
        _make(above)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        # Made by somebody else at the same moment; what is there and no folder is said.
        if not os.path.isdir(folder):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), folder) from None


def replace_file(path: str, data: bytes) -> None:
    """The file holds `data`, whole or not at all, owner-only."""
    owner_only(os.path.dirname(path))
    partial = f"{path}.{os.getpid()}.partial"
    try:
        fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            write_all(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(partial, path)
    except OSError as exc:
        unlink_if_there(partial)
        raise HomeUnusable(f"can't write {path}: {reason(exc)}") from exc


def append_line(path: str, text: str) -> None:
    """One more line at the end of an owner-only file, on the disk when this returns."""
    owner_only(os.path.dirname(path))
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            # The leading line end keeps this line whole even behind one that was torn.
            write_all(fd, b"\n" + text.encode() + b"\n")
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as exc:
        raise HomeUnusable(f"can't write {path}: {reason(exc)}") from exc


def write_all(fd: int, data: bytes) -> None:
    """Every byte, over as many writes as the system wants."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def unlink_if_there(path: str) -> None:
    """The path is gone."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def reason(exc: OSError) -> str:
    """What the system said, without the path that the message names already."""
    return (exc.strerror or str(exc)).lower()
