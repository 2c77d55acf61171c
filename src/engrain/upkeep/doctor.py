"""The doctor: looks at everything that can go wrong with a memory, and explains what it finds.

Each check is a row of CHECKS: a name and a function from the patient to findings. A check that finds nothing says
what is well. The doctor changes nothing but the modes of files, and that only when asked.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from engrain import event as events
from engrain.capture import spool, took
from engrain.errors import BadEvent, Elsewhere, EngrainError, StoreDamaged, StoreError, StoreNewer
from engrain.install import launcher, ledger
from engrain.paths import Home, reason
from engrain.store import Store
from engrain.store.bodies import Bodies
from engrain.store.jobs import Jobs
from engrain.upkeep import backup

OK, WARNING, PROBLEM = "ok", "warning", "problem"

HOUR = 3600.0
DAY = 24 * HOUR
USUAL_DAYS = 30.0
_PROBE_BYTES = 64 * 1024


class Finding(NamedTuple):
    """One thing that the doctor saw."""

    level: str
    check: str
    says: str


class Team(Protocol):
    """What others share: the hash of it, the one that is trusted, and how many records are new and gone."""

    @property
    def content(self) -> str: ...
    @property
    def trusted(self) -> str: ...
    @property
    def new(self) -> int: ...
    @property
    def gone(self) -> int: ...


class Patient:
    """What the doctor looks at. The store is opened by the first check that needs it."""

    def __init__(
        self,
        home: Home,
        open_store: Callable[[], Store],
        *,
        reserve_mb: float,
        deep: bool,
        now: float,
        keep_days: float = USUAL_DAYS,
        settings: Sequence[str] = (),
        agents: Sequence[tuple[str, str, bool]] = (),
        wired: Mapping[str, Sequence[str]] = MappingProxyType({}),
        team: Callable[[], Team | None] = lambda: None,
        server: Callable[[], str] | None = None,
        wordless: Callable[[], str] = str,
    ) -> None:
        self.home = home
        self.wordless = wordless
        self.open_store = open_store
        self.reserve_mb = reserve_mb
        self.deep = deep
        self.now = now
        self.keep_days = keep_days
        self.settings = settings
        """Files of agents that may run our hooks."""
        self.agents = agents
        """Every agent: its name, what it is called, and whether it is on this machine."""
        self.wired = wired
        """The files that run our hooks, by the name of the agent."""
        self.team = team
        """What others share in the repository."""
        self.server = server
        """Asks the server that has the store, where one has."""


def examine(patient: Patient, names: Sequence[str] = ()) -> list[Finding]:
    """Every check, or those that are named, in order; one that can't be made is a finding of its own."""
    found: list[Finding] = []
    for name, check in CHECKS:
        if names and name not in names:
            continue
        try:
            found.extend(check(patient))
        except Elsewhere:
            # A store behind a server is looked at there.
            continue
        except EngrainError as exc:
            found.append(Finding(PROBLEM, name, str(exc)))
    return found


def _home(patient: Patient) -> Iterator[Finding]:
    root = patient.home.root
    if not os.path.isdir(root):
        yield Finding(OK, "home", f"{root} does not exist yet; the first event makes it")
        return
    try:
        _probe(os.path.join(root, f".probe-{os.getpid()}"))
    except OSError as exc:
        yield Finding(PROBLEM, "home", f"can't write to {root}: {reason(exc)}; nothing new is recorded")
    else:
        yield Finding(OK, "home", root)


def _probe(path: str) -> None:
    """Writes for real, because permission bits and free space do not tell everything."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(fd, b"\0" * _PROBE_BYTES)
        os.fsync(fd)
    finally:
        os.close(fd)
        os.unlink(path)


def _disk(patient: Patient) -> Iterator[Finding]:
    place = patient.home.root
    while not os.path.exists(place):
        place = os.path.dirname(place)
    free = os.statvfs(place)
    megabytes = free.f_bavail * free.f_frsize / 1_000_000
    level = OK if megabytes >= patient.reserve_mb else WARNING if megabytes >= 10 else PROBLEM
    note = "" if level == OK else f", less than {patient.reserve_mb:.0f} MB: events may soon have no room"
    yield Finding(level, "disk", f"{megabytes:,.0f} MB free{note}")


def open_modes(home: Home) -> list[tuple[str, int]]:
    """Files and folders of the home that others may read, with the mode that they should have."""
    wrong = []
    for folder, _, names in os.walk(home.root):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            try:
                mode = os.lstat(path).st_mode
            except FileNotFoundError:
                continue
            if stat.S_ISLNK(mode):
                continue
            if mode & 0o077:
                wrong.append((path, stat.S_IMODE(mode) & 0o700))
    return wrong


def _modes(patient: Patient) -> Iterator[Finding]:
    wrong = open_modes(patient.home)
    if not wrong:
        yield Finding(OK, "modes", "only you can read the home")
        return
    yield Finding(
        PROBLEM, "modes",
        f"others may read {len(wrong)} files of the home, such as {wrong[0][0]}; `engrain doctor --fix` closes them",
    )  # fmt: skip


def _store(patient: Patient) -> Iterator[Finding]:
    try:
        store = patient.open_store()
        problems = store.database.problems(deep=patient.deep)
        if patient.deep:
            # Every body is read, because the database vouches for its pages alone.
            backup.digest_of(store.events())
        if not problems:
            yield Finding(OK, "store", f"{store.where}: {store.count():,} events, intact")
        for problem in problems:
            yield Finding(PROBLEM, "store", f"{store.where} is damaged: {problem}. {_WAY_BACK}")
        for concern in store.database.concerns():
            yield Finding(WARNING, "store", concern)
        if store.span()[1] > (patient.now + DAY) * 1e6:
            yield Finding(
                WARNING, "clock", "the newest event lies in the future: the clock of some machine was or is wrong"
            )
    except StoreDamaged as exc:
        yield Finding(PROBLEM, "store", f"{exc}. {_WAY_BACK}")
    except StoreNewer as exc:
        yield Finding(PROBLEM, "store", f"{exc}. What happens meanwhile waits in the spool and is not lost")


_WAY_BACK = (
    "New events wait in the spool meanwhile. Move the file away and run `engrain restore` with the newest backup "
    "(`engrain backup --list`), or `engrain import` with an export"
)


def _server(patient: Patient) -> Iterator[Finding]:
    if patient.server is None:
        return
    try:
        yield Finding(OK, "server", patient.server())
    except StoreError as exc:
        yield Finding(PROBLEM, "server", f"{exc}. What is recorded meanwhile waits in the spool and is not lost")


def _spool(patient: Patient) -> Iterator[Finding]:
    waiting = spool.waiting(patient.home.spool)
    oldest = min((_begun(path) for path in waiting), default=patient.now)
    age = patient.now - oldest
    if age > HOUR:
        says = (
            f"events have been waiting for {age / HOUR:.0f} h; `engrain tick` ingests them and says what is in the way"
        )
        yield Finding(WARNING, "spool", says)
    else:
        yield Finding(OK, "spool", f"{len(waiting)} segments waiting" if waiting else "empty")
    if kept := spool.aside(patient.home.spool):
        yield Finding(
            WARNING,
            "spool",
            f"{len(kept)} records could not be read and are kept aside, such as {kept[0][0]}: {kept[0][1]}",
        )


def _begun(path: str) -> float:
    """When the first event of a segment happened: a busy `current` always looks young by its own time."""
    try:
        with open(path, "rb") as file:
            first = next((line for line in file if line.strip()), b"")
        return events.parse(first.strip()).time / 1e6
    except (BadEvent, OSError):
        return os.stat(path).st_mtime if os.path.exists(path) else time.time()


def _jobs(patient: Patient) -> Iterator[Finding]:
    jobs = Jobs(patient.open_store().database)
    dead = jobs.dead()
    if dead:
        first = dead[0]
        such = f"such as {first.kind} {first.key}: {first.error}"
        yield Finding(WARNING, "jobs", f"{len(dead)} jobs were given up, {such}; `engrain tick --revive` tries again")
    else:
        yield Finding(OK, "jobs", f"{jobs.waiting()} waiting, none given up")


def _bodies(patient: Patient) -> Iterator[Finding]:
    """What is kept of the content of files, and until when."""
    kept = Bodies(patient.open_store().database).kept()
    longer = patient.keep_days > USUAL_DAYS
    until = f"erased after {patient.keep_days:g} days" + (", by train.keep" if longer else "")
    if not kept.number:
        yield Finding(WARNING if longer else OK, "bodies", f"no content of files is kept; it would be {until}")
        return
    age = (patient.now - kept.since / 1e6) / DAY
    what = f"the content of {kept.number:,} reads, writes and edits ({kept.characters / 1e6:,.1f} MB)"
    if age > patient.keep_days + 1:
        says = f"{what} is {age:.0f} days old and should be {until}; `engrain tick` erases it"
        yield Finding(WARNING, "bodies", says)
    else:
        yield Finding(WARNING if longer else OK, "bodies", f"{what} is kept, since {age:.0f} days; {until}")


def _hooks(patient: Patient) -> Iterator[Finding]:
    """Whether agents run hooks, and whether these find what they run."""
    home = patient.home
    files = ledger.wired(home, patient.settings)
    if not files:
        yield Finding(OK, "hooks", "no agent runs any; `engrain init` has its sessions recorded")
        return
    where = ", ".join(files)
    if gone := launcher.missing(home):
        says = f"{where} runs hooks, but {gone} is not there: nothing is recorded; `engrain init` makes it"
        yield Finding(PROBLEM, "hooks", says)
    elif not launcher.current(home):
        yield Finding(WARNING, "hooks", f"{launcher.path(home)} is of another Engrain; the next command makes it anew")
    else:
        yield Finding(OK, "hooks", f"{where} runs {launcher.path(home)}")
    if trouble := _trouble(home.at("hook.log")):
        yield Finding(WARNING, "hooks", trouble)
    if not any(agent for _, _, _, agent, *_ in patient.open_store().sessions()) and not spool.waiting(home.spool):
        old = patient.now - max(os.stat(file).st_mtime for file in files) > HOUR
        says = "no session was recorded yet: an agent reads its settings when it starts, and only in a folder it trusts"
        yield Finding(WARNING if old else OK, "hooks", says)


SLOW = 300.0
"""Milliseconds from which a hook is felt."""


def _agents(patient: Patient) -> Iterator[Finding]:
    """Each agent that is here, is wired or was heard of: where, when last, and how long its hooks took."""
    heard: dict[str, int] = {}
    known = {name for name, _, _ in patient.agents}
    for _, _, _, agent, _, ended, *_ in patient.open_store().sessions():
        if agent in known:
            heard[agent] = max(heard.get(agent, 0), int(ended))
    if not (heard or patient.wired or any(here for _, _, here in patient.agents)):
        yield Finding(OK, "agents", "none is here that is known")
    for name, called, here in patient.agents:
        files, runs = patient.wired.get(name, ()), sorted(took.runs(patient.home, name))
        if not (files or here or name in heard):
            continue
        wired = f"wired in {', '.join(files)}" if files else "not wired here; `engrain init` does that"
        last = f"; last heard of {_when(heard[name])}" if name in heard else "; never heard of" if files else ""
        slow = bool(runs) and runs[len(runs) // 2] > SLOW
        yield Finding(WARNING if slow else OK, "agents", f"{called}: {wired}{last}{_speed(runs)}")


def _speed(runs: Sequence[float]) -> str:
    if not runs:
        return ""
    median, worst = runs[len(runs) // 2], runs[min(len(runs) - 1, len(runs) * 99 // 100)]
    return f"; a hook takes {median:.0f} ms, at worst {worst:.0f} ms (the last {len(runs)})"


def _when(microseconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(microseconds / 1e6))


def _team(patient: Patient) -> Iterator[Finding]:
    """Whether others share here what nobody has looked at."""
    what = patient.team()
    if what is None or not (what.content or what.trusted):
        yield Finding(OK, "team", "others share nothing here")
    elif what.content == what.trusted:
        yield Finding(OK, "team", "what others share here is trusted")
    else:
        since = "has changed since it was trusted" if what.trusted else "is not trusted, and not used"
        says = f"what others share here {since}: {what.new} new, {what.gone} gone; `engrain trust` shows it"
        yield Finding(WARNING, "team", says)


def _trouble(log: str) -> str:
    """What went wrong in hooks, which say it to nobody else."""
    try:
        with open(log, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return ""
    often = "once" if len(lines) == 1 else f"{len(lines)} times"
    return f"hooks broke {often}, last {lines[-1]}; {log} has all" if lines else ""


def _backups(patient: Patient) -> Iterator[Finding]:
    copies = backup.known(patient.home)
    if not copies:
        yield Finding(OK, "backups", "none yet; `engrain backup` makes one")
        return
    forgotten = patient.open_store().forgotten()
    bad = 0
    for path in copies:
        held = backup.holding(path, forgotten)
        if held:
            yield Finding(WARNING, "backups", f"{path} still holds events that were forgotten since")
        elif held is None:
            yield Finding(WARNING, "backups", f"{path} can't be read; it may still hold events that were forgotten")
        bad += held is not False
    if not bad:
        yield Finding(OK, "backups", f"{len(copies)}, newest {copies[-1]}")


def _lessons(patient: Patient) -> Iterator[Finding]:
    """Rules that were set aside: nobody should believe that they still guard anything."""
    rows = patient.open_store().database.all("lessons_by_state", {"state": "stopped"})
    for lesson, text, why in rows[:5]:
        says = f"lesson {lesson} does not fire any more: {why}; `engrain lesson review` explains ({text[:60]})"
        yield Finding(WARNING, "lessons", says)
    if len(rows) > 5:
        yield Finding(WARNING, "lessons", f"and {len(rows) - 5} more lessons do not fire any more")
    if not rows:
        yield Finding(OK, "lessons", "every accepted lesson can fire")


def _search(patient: Patient) -> Iterator[Finding]:
    lack = patient.wordless()
    yield Finding(OK, "search", f"by words and names alone: {lack}" if lack else "by words, names and meaning")


CHECKS: tuple[tuple[str, Callable[[Patient], Iterator[Finding]]], ...] = (
    ("home", _home),
    ("disk", _disk),
    ("modes", _modes),
    ("store", _store),
    ("server", _server),
    ("spool", _spool),
    ("jobs", _jobs),
    ("bodies", _bodies),
    ("lessons", _lessons),
    ("hooks", _hooks),
    ("agents", _agents),
    ("team", _team),
    ("search", _search),
    ("backups", _backups),
)


def close_modes(home: Home) -> int:
    """Makes the home owner-only again; how many files were not."""
    wrong = open_modes(home)
    for path, mode in wrong:
        os.chmod(path, mode)
    return len(wrong)
