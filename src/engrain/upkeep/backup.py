"""Backups: a copy of the journal in one SQLite file, whatever the store is, made while others write, and checked.

A copy is written beside its place and renamed only when it was read back whole, so a file with the final name is a good
copy. Restoring adds what the copy holds to the store: nothing that came later is lost, and what was forgotten stays so.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from engrain import event as events
from engrain.errors import BadInput, EngrainError, HomeUnusable, NotFound, StoreDamaged
from engrain.event import FORGET, MAX_TIME, Event
from engrain.learn.direct import derive
from engrain.paths import Home, append_line, owner_only, reason, unlink_if_there
from engrain.store import Store, open_store
from engrain.store.bodies import Bodies
from engrain.store.sqlite import SqliteDatabase
from engrain.store.store import Appended
from engrain.store.vectors import Vectors

Progress = Callable[[int], None]

DAILY = "engrain-daily-"
KEPT = 3
"""Copies of single days that stay."""
_OF_A_DAY = re.compile(rf"{DAILY}(\d{{8}}T\d{{6}})Z(?:-(\d+))?\.db")


class Copy(NamedTuple):
    """A backup that was read back: how many events it holds and the digest of them all."""

    path: str
    events: int
    digest: str


def backup(home: Home, store: Store, folder: str = "", progress: Progress | None = None) -> Copy:
    """A checked copy of the store under a name that tells the time."""
    folder = os.path.abspath(folder or home.backups)
    owner_only(folder)
    name = time.strftime("engrain-%Y%m%dT%H%M%SZ", time.gmtime())
    path = _free(os.path.join(folder, name), ".db")
    return backup_to(home, store, path, progress)


def backup_to(home: Home, store: Store, path: str, progress: Progress | None = None) -> Copy:
    """A checked copy of the store at this path, which must not exist yet."""
    path = os.path.abspath(path)
    if os.path.exists(path):
        raise BadInput(f"{path} exists; a backup never overwrites")
    partial = f"{path}.{os.getpid()}.partial"
    unlink_if_there(partial)
    try:
        _copy(store, partial, progress)
        copy = check(partial)
        take_name(partial, path)
        _sync_folder(os.path.dirname(path))
    except OSError as exc:
        raise HomeUnusable(f"can't write {path}: {reason(exc)}") from exc
    finally:
        for leftover in (partial, f"{partial}-wal", f"{partial}-shm", f"{partial}-journal"):
            unlink_if_there(leftover)
    copy = copy._replace(path=path)
    register(home, copy)
    return copy


def register(home: Home, copy: Copy) -> None:
    """This home knows of a copy that it made."""
    append_line(home.known_backups, json.dumps(copy._asdict()))


def daily(home: Home, store: Store, folder: str = "", progress: Progress | None = None) -> Copy:
    """The copy of a day: the newest few of them are kept, and no other copy is ever taken away."""
    folder = os.path.abspath(folder or home.backups)
    owner_only(folder)
    name = time.strftime(f"{DAILY}%Y%m%dT%H%M%SZ", time.gmtime())
    copy = backup_to(home, store, _free(os.path.join(folder, name), ".db"), progress)
    for name in _of_days(folder)[:-KEPT]:
        unlink_if_there(os.path.join(folder, name))
    return copy


def _of_days(folder: str) -> list[str]:
    """The copies of single days, the oldest first."""
    found = [match for each in _names(folder) if (match := _OF_A_DAY.fullmatch(each))]
    return [match[0] for match in sorted(found, key=lambda match: (match[1], int(match[2] or 1)))]


def take_name(partial: str, path: str) -> None:
    """A copy gets its name, unless another one took it meanwhile."""
    try:
        os.link(partial, path)
    except FileExistsError as exc:
        raise BadInput(f"{path} exists; a backup never overwrites") from exc
    except OSError:  # a disk without hard links
        os.replace(partial, path)


def _copy(store: Store, path: str, progress: Progress | None) -> None:
    if isinstance(store.database, SqliteDatabase):
        store.database.copy_to(path)
        _without_passing(path)
        return
    target = open_store(path, derive)
    try:
        with store.snapshot():
            target.append(store.events(), progress)
        assert isinstance(target.database, SqliteDatabase)
        target.database.leave_one_file()
    finally:
        target.close()


def _without_passing(path: str) -> None:
    """What expires in the store must not live on in a copy, and what can be made anew need not."""
    copy = open_store(path, derive)
    try:
        bodies, vectors = Bodies(copy.database), Vectors(copy.database)
        if bodies.kept().number or vectors.tables():
            bodies.expire(MAX_TIME + 1)
            for table in vectors.tables():
                vectors.drop(table)
            copy.compact()
        assert isinstance(copy.database, SqliteDatabase)
        copy.database.leave_one_file()
    finally:
        copy.close()


def check(path: str) -> Copy:
    """Reads a copy whole; StoreDamaged if anything in it is not as it should be."""
    with opened(path) as store:
        if problems := store.database.problems(deep=True):
            raise StoreDamaged(f"{path}: {problems[0]}")
        number, digest = digest_of(store.events())
        return Copy(os.path.abspath(path), number, digest)


def digest_of(journal: Iterable[Event]) -> tuple[int, str]:
    """How many events, and the SHA-256 of their lines in order: equal journals have equal digests."""
    number, digest = 0, hashlib.sha256()
    for event in journal:
        digest.update(events.line(event).encode() + b"\n")
        number += 1
    return number, digest.hexdigest()


@contextmanager
def opened(path: str) -> Iterator[Store]:
    """A copy, opened so that not one byte of it changes."""
    if not os.path.isfile(path):
        raise NotFound(f"no backup at {path}")
    if os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal"):
        raise BadInput(
            f"{path} is a store in use, not a copy: its log holds what the file does not; `engrain backup` copies it"
        )
    store = Store(SqliteDatabase(path, frozen=True), derive)
    try:
        yield store
    finally:
        store.close()


def restore(
    store: Store, path: str, forgotten: list[Event], admit: Callable[[Event], Event], progress: Progress | None = None
) -> Appended:
    """Adds what a copy holds to the store, after what this home has forgotten."""
    check(path)
    with opened(path) as copy:
        store.append(forgotten)
        return store.append((admit(events.checked(event)) for event in copy.events()), progress)


def known(home: Home) -> list[str]:
    """Every copy that this home made and that is still there, with those in its own folder."""
    paths = {os.path.join(home.backups, name) for name in _names(home.backups) if name.endswith(".db")}
    paths.update(copy.path for copy in _registered(home) if os.path.exists(copy.path))
    return sorted(paths)


def registered_digest(home: Home, path: str) -> str:
    """The digest that a copy had when it was made; empty when this home did not make it."""
    found = [copy.digest for copy in _registered(home) if copy.path == os.path.abspath(path)]
    return found[-1] if found else ""


def holding(path: str, gone: set[tuple[str, str]]) -> bool | None:
    """Whether a copy still holds one of these events (tenant, id); None when it can't be read."""
    try:
        with opened(path) as store:
            wanted = sorted({id_ for _, id_ in gone})
            found = (e for i in range(0, len(wanted), 1000) for e in store.get(wanted[i : i + 1000]))
            return any((e.tenant, e.id) in gone and e.kind != FORGET for e in found)
    except EngrainError:
        return None


def clean(home: Home, forgets: list[Event]) -> tuple[list[str], list[str]]:
    """Does these forgets to the copies under the home; (cleaned, those elsewhere or damaged that may still hold them).

    One process at a time: call it with the tick's lock held.
    """
    _sweep(home)
    gone = {(one.tenant, target) for one in forgets for target in events.targets(one)}
    cleaned, left = [], []
    for path in known(home):
        held = holding(path, gone)
        if held is False:
            continue
        if held and os.path.realpath(path).startswith(os.path.realpath(home.root) + os.sep):
            _clean(home, path, forgets)
            cleaned.append(path)
        else:
            left.append(path)
    return cleaned, left


def _clean(home: Home, path: str, forgets: list[Event]) -> None:
    """Erases on a copy of the copy that then takes its place: killed in between, the old one is still whole."""
    partial = f"{path}.{os.getpid()}.partial"
    try:
        shutil.copyfile(path, partial)
        os.chmod(partial, 0o600)
        copy = _erased(partial, forgets)
        os.replace(partial, path)
        _sync_folder(os.path.dirname(path))
    except OSError as exc:
        raise HomeUnusable(f"can't clean {path}: {reason(exc)}") from exc
    append_line(home.known_backups, json.dumps(copy._replace(path=path)._asdict()))


def _erased(path: str, forgets: list[Event]) -> Copy:
    store = open_store(path, derive)
    try:
        store.append(forgets)
        store.compact()
        assert isinstance(store.database, SqliteDatabase)
        store.database.leave_one_file()
        return Copy(path, *digest_of(store.events()))
    finally:
        store.close()


def _sweep(home: Home) -> None:
    """Removes what a killed backup left behind."""
    for name in _names(home.backups):
        if ".partial" in name:
            unlink_if_there(os.path.join(home.backups, name))


def _registered(home: Home) -> list[Copy]:
    try:
        with open(home.known_backups, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.strip()]
    except FileNotFoundError:
        return []
    found = []
    for line in lines:
        try:
            found.append(Copy(**json.loads(line)))
        except (ValueError, TypeError):
            continue  # a torn line costs itself: the copy is still found by its folder
    return found


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _free(stem: str, ending: str) -> str:
    """A path that no file has yet."""
    path, number = stem + ending, 1
    while os.path.exists(path):
        number += 1
        path = f"{stem}-{number}{ending}"
    return path


def _sync_folder(folder: str) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
