"""Dump: a PostgreSQL store as its own tool writes it, with every table, index and vector, for `pg_restore`.

The usual copy (`backup`) is the journal in one file that any Engrain restores anywhere. A dump is larger, and an
administrator restores it into an empty database, at once and with nothing to make anew. It is written beside its place
and gets its name when the tool can read it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit, urlunsplit

from engrain.errors import BadInput, HomeUnusable, MissingExtra, NotFound, StoreDamaged, StoreError
from engrain.paths import Home, owner_only, reason, unlink_if_there
from engrain.upkeep.backup import Copy, register, take_name

ENDING = ".dump"
HOUR = 3600


def dump(home: Home, url: str, number: int, path: str, environ: Mapping[str, str]) -> Copy:
    """A dump of the database at this URL, at a path or under a name that tells the time."""
    if "://" not in url:
        raise BadInput("--pg-dump is for a PostgreSQL store; this one is a file: `engrain backup` copies it")
    tool = _tool("pg_dump")
    name = time.strftime(f"engrain-%Y%m%dT%H%M%SZ{ENDING}", time.gmtime())
    path = os.path.abspath(os.path.join(path or home.backups, name) if not path or os.path.isdir(path) else path)
    if os.path.exists(path):
        raise BadInput(f"{path} exists; a backup never overwrites")
    partial = f"{path}.{os.getpid()}.partial"
    owner_only(os.path.dirname(path))
    where, secret = _apart(url)
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        _run([tool, "--format=custom", f"--file={partial}", f"--dbname={where}"], {**environ, **secret})
        made = check(partial)._replace(path=path, events=number)
        take_name(partial, path)
    except OSError as exc:
        raise HomeUnusable(f"can't write {path}: {reason(exc)}") from exc
    finally:
        unlink_if_there(partial)
    register(home, made)
    return made


def check(path: str) -> Copy:
    """Whether its tool can read a dump; the digest is that of the file."""
    if not os.path.isfile(path):
        raise NotFound(f"no backup at {path}")
    try:
        listed = _run([_tool("pg_restore"), "--list", path])
    except StoreError as exc:
        raise StoreDamaged(f"{path}: {exc}") from exc
    if "TABLE DATA" not in listed or "mem_events" not in listed:
        raise StoreDamaged(f"{path}: a dump, but not of a store of Engrain")
    with open(path, "rb") as file:
        return Copy(path, 0, hashlib.file_digest(file, "sha256").hexdigest())


def _tool(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise MissingExtra(f"{name} is not on the PATH; `engrain backup` makes its own copy without it")
    return found


def _apart(url: str) -> tuple[str, dict[str, str]]:
    """The URL without its password, which other users could read in the list of processes."""
    parts = urlsplit(url)
    if not parts.password:
        return url, {}
    place = parts.netloc.rpartition("@")
    user = place[0].partition(":")[0]
    return urlunsplit(parts._replace(netloc=f"{user}@{place[2]}")), {"PGPASSWORD": unquote(parts.password)}


def _run(command: list[str], environ: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=HOUR, check=False)
    if done.returncode:
        said = " ".join(done.stderr.split())[:300]
        raise StoreError(f"{os.path.basename(command[0])}: {said}")
    return done.stdout
