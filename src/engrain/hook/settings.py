"""The settings that a hook needs, from a copy that the first hook after a change of config.toml makes.

Reading TOML would cost more than the rest of a hook. A file that can't be understood leaves them as they were.
"""

from __future__ import annotations

import os
from collections import namedtuple

from engrain.errors import BadConfig
from engrain.event import LOCAL
from engrain.hook import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    from engrain.paths import Home

    class Settings(NamedTuple):
        """Whose memory it is, where the store lies (empty: in the home), the share of answers held back, and whether a
        session is told something at its start."""

        tenant: str
        store: str
        holdout: float
        brief: bool
else:
    Settings = namedtuple("Settings", "tenant store holdout brief")

ANSWERS = "answers.db"
"""The file that a tick keeps beside a store on a server: what a hook may have to answer."""

NAMES = ("tenant", "store", "hook.holdout", "hook.brief")


def settings(home: Home, environ: Mapping[str, str]) -> Settings:
    """The settings in force: the environment wins over the file."""
    stamp = _stamp(home.config)
    found = kept.read(kept.path(home, "settings"))
    before = found if isinstance(found, tuple) and len(found) == 2 and len(found[1]) == len(NAMES) else None
    values = before[1] if before and before[0] == stamp else _loaded(home, stamp, before)
    given = [environ.get("ENGRAIN_" + name.upper().replace(".", "_")) for name in NAMES]
    tenant, store, holdout, brief = (said or value for said, value in zip(given, values, strict=True))
    return Settings(str(tenant), str(store), _share(holdout), str(brief).lower() not in ("false", "0"))


def store_of(home: Home, settings: Settings) -> str:
    """The file to ask."""
    if "://" in settings.store:
        return home.at("hook", ANSWERS)
    return os.path.expanduser(settings.store) or home.database


def _loaded(home: Home, stamp: tuple[int, int], before: tuple[Any, Any] | None) -> tuple[Any, ...]:
    from engrain import config

    try:
        loaded = config.load(home, {})
    except BadConfig:
        return tuple(before[1]) if before else (LOCAL, "", 0.0, True)
    values = tuple(loaded.get(name).value for name in NAMES)
    kept.write(kept.path(home, "settings"), (stamp, values))
    return values


def _stamp(file: str) -> tuple[int, int]:
    try:
        seen = os.stat(file)
    except OSError:
        return 0, 0
    return seen.st_mtime_ns, seen.st_size


def _share(value: object) -> float:
    try:
        return min(max(float(str(value)), 0.0), 1.0)
    except ValueError:
        return 0.0
