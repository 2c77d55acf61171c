"""A copy a day: what is installed, that it is there once and gone afterwards, and which copies stay."""

from __future__ import annotations

import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest

from bench.scratch import Postgres
from engrain.errors import BadInput, EngrainError, StoreDamaged
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store import open_store
from engrain.upkeep import backup, dump, schedule
from engrain.upkeep.schedule import MARK, Machine
from tests.making import Ran, event


class Told:
    """Stands for the machine's own tools: notes what they are asked, and keeps a crontab."""

    def __init__(self, crontab: str | None = None) -> None:
        self.asked: list[list[str]] = []
        self.crontab = crontab

    def __call__(self, command: Sequence[str], given: str) -> str:
        self.asked.append(list(command))
        if command[0] == "crontab":
            if command[1] == "-":
                self.crontab = given
            elif self.crontab is None:
                raise subprocess.CalledProcessError(1, command, stderr="no crontab for you")
            return self.crontab or ""
        return ""


@pytest.fixture
def folder(tmp_path: object) -> str:
    return str(tmp_path)


def on(kind: str, folder: str) -> Machine:
    return Machine(kind, os.path.join(folder, "user"), os.path.join(folder, "user", ".config"))


def files(folder: str) -> dict[str, bytes]:
    found = {}
    for place, _, names in os.walk(os.path.join(folder, "user")):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                found[name] = file.read()
    return found


def words(line: str) -> list[str]:
    """The words of a line of a unit file, as systemd reads them."""
    quoted = re.findall(r'"((?:[^"\\]|\\.)*)"', line.replace("%%", "%").replace("$$", "$"))
    return [re.sub(r"\\(.)", r"\1", each) for each in quoted]


@pytest.mark.parametrize("home", ["plain", 'a "b" $HOME %h \\ c'], indirect=False)
def test_systemd_is_told_to_run_it_every_day_once(folder: str, home: str) -> None:
    told, place = Told(), Home(os.path.join(folder, home))
    for at in ("3:30", "04:05", "04:05"):
        made = schedule.schedule(on("systemd", folder), place, at, told)
    found = {name: data.decode() for name, data in files(folder).items()}
    assert sorted(found) == ["engrain-backup.service", "engrain-backup.timer"]
    assert [os.path.basename(path) for path in made.files] == sorted(found)
    assert "OnCalendar=*-*-* 04:05:00" in found["engrain-backup.timer"]
    assert "WantedBy=timers.target" in found["engrain-backup.timer"]
    said = dict(line.split("=", 1) for line in found["engrain-backup.service"].splitlines() if "=" in line)
    assert words(said["ExecStart"]) == [sys.executable, "-m", "engrain", "backup", "--daily", "--quiet"]
    assert words(said["Environment"]) == [f"ENGRAIN_HOME={place.root}"]
    assert told.asked[-1] == ["systemctl", "--user", "enable", "--now", "engrain-backup.timer"]
    assert schedule.scheduled(on("systemd", folder), told)
    assert schedule.noted(place)
    assert schedule.unschedule(on("systemd", folder), place, told)
    assert not schedule.unschedule(on("systemd", folder), place, told)
    assert files(folder) == {}
    assert told.asked[-1][2] == "disable"
    assert not schedule.noted(place)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here to read what is written for it")
def test_systemd_itself_understands_what_is_written(folder: str) -> None:
    made = schedule.schedule(on("systemd", folder), Home(os.path.join(folder, "a b")), "03:30", Told())
    command = ["systemd-analyze", "verify", "--user", *made.files]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in ran.stderr.splitlines() if "engrain-backup" in line] == []


def test_launchd_is_told_to_run_it_every_day_once(folder: str) -> None:
    told, place = Told(), Home(os.path.join(folder, "a & b"))
    for _ in range(2):
        schedule.schedule(on("launchd", folder), place, "03:30", told)
    ((name, data),) = files(folder).items()
    said = plistlib.loads(data)
    assert name == "engrain.backup.plist"
    assert said["ProgramArguments"][1:] == ["-m", "engrain", "backup", "--daily", "--quiet"]
    assert said["EnvironmentVariables"] == {"ENGRAIN_HOME": place.root}
    assert said["StartCalendarInterval"] == {"Hour": 3, "Minute": 30}
    assert schedule.unschedule(on("launchd", folder), place, told)
    assert files(folder) == {}


@pytest.mark.parametrize("before", [None, "", "0 1 * * * other % job\n# a comment\n"])
def test_cron_has_one_line_of_ours_and_all_others_as_they_were(folder: str, before: str | None) -> None:
    told, place = Told(before), Home(os.path.join(folder, "it's 100% here"))
    for at in ("03:30", "04:05"):
        schedule.schedule(on("cron", folder), place, at, told)
    assert told.crontab is not None
    (line,) = (line for line in told.crontab.splitlines() if line.endswith(MARK))
    assert line.startswith("5 4 * * * ")
    said = shlex.split(line.removesuffix(MARK).replace("\\%", "%"))
    assert said[5] == f"ENGRAIN_HOME={place.root}"
    assert said[-3:] == ["backup", "--daily", "--quiet"]
    assert schedule.scheduled(on("cron", folder), told)
    assert schedule.unschedule(on("cron", folder), place, told)
    assert told.crontab == (before or "")
    assert not schedule.unschedule(on("cron", folder), place, told)


def test_what_a_machine_has_is_what_is_used() -> None:
    environ = {"HOME": "/home/dana", "XDG_RUNTIME_DIR": "/run/user/1"}
    assert schedule.machine(environ, "darwin", lambda _: None).kind == "launchd"
    assert schedule.machine(environ, "linux", lambda name: name == "systemctl").kind == "systemd"
    assert schedule.machine({"HOME": "/"}, "linux", lambda _: True).kind == "cron", "no systemd of this user"
    with pytest.raises(BadInput, match="once a day"):
        schedule.machine(environ, "linux", lambda _: None)


@pytest.mark.parametrize("at", ["", "25:00", "3", "03:60", "3:3", "a:b", "-1:00"])
def test_a_time_that_is_none_changes_nothing(folder: str, at: str) -> None:
    with pytest.raises(BadInput, match="HH:MM"):
        schedule.schedule(on("systemd", folder), Home(folder), at, Told())
    assert files(folder) == {}


def test_a_tool_that_does_not_work_is_said_in_a_line(folder: str) -> None:
    def run(command: Sequence[str], given: str) -> str:
        raise subprocess.CalledProcessError(1, command, stderr="Failed to connect to bus:\n no medium found\n")

    with pytest.raises(EngrainError, match="did not work: Failed to connect to bus: no medium found"):
        schedule.schedule(on("systemd", folder), Home(folder), "03:30", run)


# Which copies stay


class Days:
    """A clock on which a day goes by whenever somebody looks."""

    def __init__(self) -> None:
        self.day = 0

    def gmtime(self) -> int:
        self.day += 1
        return self.day

    def strftime(self, form: str, day: int) -> str:
        return form.replace("%Y%m%dT%H%M%SZ", f"202611{day:02d}T033000Z")


def test_the_newest_three_days_stay_and_every_other_copy(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "time", Days())
    memory.record(event(1))
    mine = [memory.backup().path, memory.backup(os.path.join(memory.home.backups, "engrain-daily-mine.db")).path]
    days = [memory.daily_backup().path for _ in range(5)]
    assert [path for path in days if os.path.exists(path)] == days[-3:]
    assert all(map(os.path.exists, mine))
    assert {backup.check(path).events for path in (*days[-3:], *mine)} == {1}
    assert set(backup.known(memory.home)) == {*mine, *days[-3:]}


def test_the_command_makes_them_and_says_no_to_two_things_at_once(engrain: Callable[..., Ran], home: Home) -> None:
    engrain("note", "x")
    assert engrain("backup", "--daily", "--quiet").out == ""
    (made,) = engrain("backup", "--list", "--json").json
    assert os.path.basename(made).startswith("engrain-daily-")
    assert engrain("backup", "--check", made).code == 0
    assert engrain("backup", "--daily", "--list").code == 2
    assert engrain("backup", "--pg-dump").code == 2, "a file needs no pg_dump"
    refused = engrain("backup", "--schedule", "03:30", ENGRAIN_STORE=home.at("other.db"))
    assert (refused.code, refused.err.count("\n")) == (2, 1)


# What PostgreSQL's own tool writes


def test_a_dump_is_checked_and_restored_by_its_own_tool(
    server: Postgres, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", server.tools + os.pathsep + os.environ["PATH"])
    url, other = server.database(), server.database()
    with Memory.open(home.root, store=url) as memory:
        memory.record(*(event(n) for n in range(50)))
        made = memory.pg_dump()
        assert (made.events, dump.check(made.path).digest) == (50, made.digest)
        with pytest.raises(BadInput, match="never overwrites"):
            memory.pg_dump(made.path)
    command = [os.path.join(server.tools, "pg_restore"), f"--dbname={other}", made.path]
    subprocess.run(command, check=True, capture_output=True)
    one, two = open_store(url, derive), open_store(other, derive)
    assert list(one.events()) == list(two.events())
    assert list(one.dump()) == list(two.dump())
    assert two.append([event(60)]).new == 1
    one.close()
    two.close()
    with open(made.path, "r+b") as file:
        file.truncate(100)
    with pytest.raises(StoreDamaged):
        dump.check(made.path)
    for each in (url, other):
        server.drop(each)


def test_a_password_is_in_no_list_of_processes() -> None:
    where, secret = dump._apart("postgresql://dana:p%40ss@db.example:5432/engrain?sslmode=require")
    assert where == "postgresql://dana@db.example:5432/engrain?sslmode=require"
    assert secret == {"PGPASSWORD": "p@ss"}
