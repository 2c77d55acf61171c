"""The minder: the small process between us and the command.

It starts the command, reports how it stops and ends, and leaves. It is there for three things that we can't do:

    a key (Ctrl-Z) can stop a command only if its parent is of its session: with a terminal of its own, we are not
    a command must not outlive us when somebody kills us with SIGKILL, and the person's terminal must not stay raw
    who still runs in the command's terminal when it has ended must not be hung up, because it would not be without us
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import termios
from _thread import start_new_thread
from collections import namedtuple

from engrain.capture.watch.notices import Notices, quietly
from engrain.capture.watch.wiring import OWN, SESSION, SHARED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import NamedTuple, NoReturn

    from engrain.capture.watch.wiring import Wiring

    class Child(NamedTuple):
        """The command as we reach it."""

        target: int
        minder: int
        reports: int
        life: int
else:
    Child = namedtuple("Child", "target minder reports life")

SHELL = "/bin/sh"


def become(command: Sequence[str], environ: Mapping[str, str]) -> NoReturn:
    """This process is the command from here on. Where that can't be, the shell says why, in its words."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    for words in (list(command), [SHELL, "-c", '"$@"', "sh", *command]):
        quietly(os.execvpe, words[0], words, environ)
    os._exit(126)


def start(command: Sequence[str], environ: Mapping[str, str], wiring: Wiring, notices: Notices) -> Child:
    """The command runs, or has failed to in the way that the shell would tell."""
    reports, report = os.pipe()
    alive, life = os.pipe()
    us, minder = os.getpid(), os.fork()
    if minder == 0:
        try:
            for fd in (reports, life, *wiring.outside):
                os.close(fd)
            _mind(command, environ, wiring, notices, us, report, alive)
        finally:
            os._exit(1)
    for fd in (report, alive, *wiring.inside):
        os.close(fd)
    pid = int.from_bytes(os.read(reports, 4), "little")
    if not pid:
        raise BlockingIOError(errno.EAGAIN, "the command can't be started: no process to be had")
    os.set_blocking(reports, False)
    return Child(pid if wiring.way == SHARED else -pid, minder, reports, life)


def send(child: Child, number: int) -> None:
    """The signal goes on to the command: to all of its group, where it has one of its own."""
    if child.target not in (0, 1, -1):
        quietly(os.kill, child.target, number)


def leave(child: Child) -> None:
    """The command has ended, and so has its minder."""
    os.waitpid(child.minder, 0)
    os.close(child.reports)
    os.close(child.life)


def statuses(child: Child) -> Iterator[int]:
    """What the minder has reported since: wait statuses, the last of them the end."""
    while True:
        try:
            report = os.read(child.reports, 4)
        except BlockingIOError:
            return
        if not report:
            # Somebody killed the minder; a command that nobody minds ends as if it had been the one.
            send(child, signal.SIGKILL)
            report = int(signal.SIGKILL).to_bytes(4, "little")
        status = int.from_bytes(report, "little")
        yield status
        if not os.WIFSTOPPED(status):
            return


def _mind(
    command: Sequence[str], environ: Mapping[str, str], wiring: Wiring, notices: Notices,
    us: int, report: int, alive: int,
) -> None:  # fmt: skip
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    if wiring.way == SESSION:
        os.setsid()
        fcntl.ioctl(wiring.ends[0], termios.TIOCSCTTY, 0)
    elif wiring.way == OWN:
        os.setpgid(0, 0)
    pid = os.fork()
    if pid == 0:
        try:
            _start(command, environ, wiring, notices)
        finally:
            os._exit(126)
    own = wiring.way != SHARED
    if own:
        quietly(os.setpgid, pid, pid)
    for end in wiring.inside:
        if end != wiring.ends.get(0):
            os.close(end)
    os.write(report, pid.to_bytes(4, "little"))
    start_new_thread(_end_with_us, (alive, -pid if own else pid, wiring))
    _report(pid, report, us, wiring)


def _start(command: Sequence[str], environ: Mapping[str, str], wiring: Wiring, notices: Notices) -> NoReturn:
    if wiring.way != SHARED:
        os.setpgid(0, 0)
    if wiring.way == SESSION:
        os.tcsetpgrp(wiring.ends[0], os.getpid())
    for fd, end in wiring.ends.items():
        os.dup2(end, fd)
    notices.restore()
    become(command, environ)


def _report(pid: int, report: int, us: int, wiring: Wiring) -> None:
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        ended = not os.WIFSTOPPED(status)
        if ended and wiring.way == SESSION:
            # The terminal that goes with us is then in nobody's foreground: what still runs there is not hung up.
            quietly(os.tcsetpgrp, wiring.ends[0], os.getpgrp())
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.write(report, status.to_bytes(4, "little"))
        if ended:
            os._exit(0)
        os.kill(us, signal.SIGCHLD)


def _end_with_us(alive: int, target: int, wiring: Wiring) -> None:
    """Nobody ever writes there: it ends when we do, before the command only if we were killed."""
    os.read(alive, 1)
    # The terminal first: with the command's end this process ends too.
    if wiring.terminal:
        wiring.terminal.rescue()
    quietly(os.kill, target, signal.SIGKILL)
