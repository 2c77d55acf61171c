"""Schedule: a copy a day, asked for by whatever this machine has: systemd, launchd or cron.

What is installed is a few lines of the user's own; installed twice it is there once, and taken back it is gone. Which
of the three it is follows from the machine; what is written is made here, and whoever starts it is told.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engrain.errors import BadInput, EngrainError, HomeUnusable
from engrain.paths import Home, owner_only, reason, replace_file, unlink_if_there

MARK = "# engrain backup"
"""Ends the line of ours in a crontab."""

LABEL = "engrain.backup"
UNIT = "engrain-backup"

NOTED = "scheduled"
"""The file of a home that says what was scheduled for it."""

Run = Callable[[Sequence[str], str], str]
"""Runs a command with this on its input; what it printed. An OSError or a CalledProcessError when it did not work."""


class Machine(NamedTuple):
    """What there is to schedule with, and where the user's own files lie."""

    kind: str
    user: str
    config: str


class Scheduled(NamedTuple):
    """What was set up: with what, when, and which files say so."""

    kind: str
    at: str
    files: tuple[str, ...]


def machine(environ: Mapping[str, str], platform: str, has: Callable[[str], object]) -> Machine:
    """What this machine has, or BadInput."""
    user = environ.get("HOME") or os.path.expanduser("~")
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(user, ".config")
    if platform == "darwin":
        return Machine("launchd", user, config)
    if has("systemctl") and environ.get("XDG_RUNTIME_DIR"):
        return Machine("systemd", user, config)
    if has("crontab"):
        return Machine("cron", user, config)
    raise BadInput("no systemd of this user, launchd or cron here: have `engrain backup --daily` run once a day")


def schedule(on: Machine, home: Home, at: str, run: Run) -> Scheduled:
    """From now on a copy is made every day at that time (HH:MM); the same said again changes nothing."""
    hour, minute = _time(at)
    replace_file(home.at(NOTED), f"{on.kind} {at}\n".encode())
    command = [sys.executable, "-m", "engrain", "backup", "--daily", "--quiet"]
    if on.kind == "cron":
        line = _crontab(command, home, hour, minute)
        _edit(run, [*_others(_table(run)), line])
        return Scheduled(on.kind, at, ())
    files = _files(on, command, home, hour, minute)
    for path, data in files.items():
        _write(path, data)
    for start in _starting(on):
        _run(run, start)
    return Scheduled(on.kind, at, tuple(files))


def noted(home: Home) -> bool:
    """Whether this home had copies made by itself."""
    return os.path.exists(home.at(NOTED))


def unschedule(on: Machine, home: Home, run: Run) -> bool:
    """No copy is made by itself any more; whether one was."""
    was = _unscheduled(on, run)
    unlink_if_there(home.at(NOTED))
    return was


def _unscheduled(on: Machine, run: Run) -> bool:
    if on.kind == "cron":
        before = _table(run)
        left = _others(before)
        if len(left) == len(before):
            return False
        _edit(run, left)
        return True
    there = [path for path in _paths(on) if os.path.exists(path)]
    if not there:
        return False
    for stop in _stopping(on):
        _run(run, stop)
    for path in there:
        unlink_if_there(path)
    return True


def scheduled(on: Machine, run: Run) -> bool:
    """Whether a copy is made by itself."""
    if on.kind == "cron":
        table = _table(run)
        return len(_others(table)) < len(table)
    return all(os.path.exists(path) for path in _paths(on))


def _time(at: str) -> tuple[int, int]:
    hour, _, minute = at.partition(":")
    if not (hour.isdecimal() and minute.isdecimal() and len(minute) == 2 and int(hour) < 24 and int(minute) < 60):
        raise BadInput(f"a time of day is HH:MM, not {at!r}")
    return int(hour), int(minute)


def _paths(on: Machine) -> list[str]:
    if on.kind == "launchd":
        return [os.path.join(on.user, "Library", "LaunchAgents", f"{LABEL}.plist")]
    return [os.path.join(on.config, "systemd", "user", f"{UNIT}.{each}") for each in ("service", "timer")]


def _files(on: Machine, command: list[str], home: Home, hour: int, minute: int) -> dict[str, bytes]:
    if on.kind == "launchd":
        said = {
            "Label": LABEL,
            "ProgramArguments": command,
            "EnvironmentVariables": {"ENGRAIN_HOME": home.root},
            "StartCalendarInterval": {"Hour": hour, "Minute": minute},
            "ProcessType": "Background",
        }
        import plistlib

        return {_paths(on)[0]: plistlib.dumps(said)}
    service = "\n".join(
        [
            "[Unit]", "Description=Engrain: a copy of the memory", "",
            "[Service]", "Type=oneshot", f"Environment={_unit(f'ENGRAIN_HOME={home.root}')}",
            f"ExecStart={' '.join(map(_unit, command))}", "Nice=10", "",
        ]
    )  # fmt: skip
    timer = "\n".join(
        [
            "[Unit]", "Description=Engrain: a copy of the memory every day", "",
            "[Timer]", f"OnCalendar=*-*-* {hour:02d}:{minute:02d}:00", "Persistent=true", "RandomizedDelaySec=10m", "",
            "[Install]", "WantedBy=timers.target", "",
        ]
    )  # fmt: skip
    return dict(zip(_paths(on), (service.encode(), timer.encode()), strict=True))


def _unit(word: str) -> str:
    """A word as a unit file has it: quoted, and nothing in it expanded."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _crontab(command: list[str], home: Home, hour: int, minute: int) -> str:
    said = f"ENGRAIN_HOME={shlex.quote(home.root)} {shlex.join(command)}"
    escaped = said.replace("%", "\\%")
    return f"{minute} {hour} * * * {escaped} {MARK}"


def _starting(on: Machine) -> list[list[str]]:
    if on.kind == "launchd":
        return [["launchctl", "unload", _paths(on)[0]], ["launchctl", "load", "-w", _paths(on)[0]]]
    return [["systemctl", "--user", "daemon-reload"], ["systemctl", "--user", "enable", "--now", f"{UNIT}.timer"]]


def _stopping(on: Machine) -> list[list[str]]:
    if on.kind == "launchd":
        return [["launchctl", "unload", "-w", _paths(on)[0]]]
    return [["systemctl", "--user", "disable", "--now", f"{UNIT}.timer"]]


def _table(run: Run) -> list[str]:
    """The lines of the user's crontab; none where there is none yet."""
    try:
        return run(["crontab", "-l"], "").splitlines()
    except subprocess.CalledProcessError:
        return []
    except OSError as exc:
        raise HomeUnusable(f"can't ask crontab: {reason(exc)}") from exc


def _others(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.rstrip().endswith(MARK)]


def _edit(run: Run, lines: list[str]) -> None:
    _run(run, ["crontab", "-"], "".join(f"{line}\n" for line in lines))


def _run(run: Run, command: list[str], given: str = "") -> None:
    try:
        run(command, given)
    except (OSError, subprocess.CalledProcessError) as exc:
        said = exc.stderr if isinstance(exc, subprocess.CalledProcessError) else reason(exc)
        if command[:2] == ["launchctl", "unload"]:
            return  # nothing was loaded
        raise EngrainError(f"{shlex.join(command)} did not work: {' '.join(str(said or '').split())[:300]}") from exc


def _write(path: str, data: bytes) -> None:
    try:
        owner_only(os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(data)
    except OSError as exc:
        raise HomeUnusable(f"can't write {path}: {reason(exc)}") from exc


def run(command: Sequence[str], given: str) -> str:
    """Runs it for real."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=30, check=True)
    return done.stdout
