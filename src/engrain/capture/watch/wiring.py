"""Wiring: what the command gets as fd 0, 1 and 2, so that it can't tell the difference.

a terminal                  the side of a pty that is a terminal, with the same modes and size
a pipe, a socket, a file    a pipe; one for both where stdout and stderr are the same, which keeps their order
closed, or a device         that itself: only /dev/full can refuse a write as /dev/full does
"""

from __future__ import annotations

import fcntl
import os
import stat
import termios
from collections import namedtuple

from engrain.capture.watch.notices import quietly
from engrain.capture.watch.streams import Stream
from engrain.capture.watch.terminal import Terminal, plain, same_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Wiring(NamedTuple):
        """How the command is joined to the world."""

        way: str
        ends: dict[int, int]
        """The command's descriptor → which of ours becomes it; what is not named is inherited."""
        streams: list[Stream]
        masters: dict[int, int]
        """Our side of each pty → the terminal that it stands for."""
        terminal: Terminal | None
        inside: list[int]
        """Descriptors of the command's side, which we let go once it has them."""
        outside: list[int]
        """Descriptors of our side, which the command must not hold."""
else:
    Wiring = namedtuple("Wiring", "way ends streams masters terminal inside outside")

PIPE = 1024 * 1024
"""Bytes between the command and us, and between us and our reader: with few, the two would take turns for each."""

SESSION, SHARED, OWN = "session", "shared", "own"


def wire() -> Wiring:
    """The wiring for the descriptors that we have."""
    _fill_closed()
    way = SESSION if os.isatty(0) and os.isatty(1) else SHARED if _ruled() else OWN
    wiring = Wiring(way, {}, [], {}, None, [], [])
    made: dict[tuple[int, ...], int] = {}
    for fd in (1, 2):
        place = _place(fd)
        if place and place not in made:
            made[place] = _pty(wiring, fd) if os.isatty(fd) else _pipe(wiring, fd)
        if place:
            wiring.ends[fd] = made[place]
    if way != SESSION:
        return wiring
    wiring.ends[0] = wiring.ends[1]
    return wiring._replace(terminal=Terminal(0, wiring.streams[0].source))


def _fill_closed() -> None:
    """A closed one would become one of ours. What holds its place here closes by itself when the command begins."""
    while (fd := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(fd)


def _ruled() -> bool:
    """Whether a terminal rules our session."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _place(fd: int) -> tuple[int, ...]:
    """Where a descriptor leads, the same for two that lead to one place; empty for what the command gets itself."""
    seen = os.fstat(fd)
    if not os.get_inheritable(fd):
        return ()
    if stat.S_ISCHR(seen.st_mode):
        return (seen.st_rdev,) if os.isatty(fd) or seen.st_rdev == os.stat(os.devnull).st_rdev else ()
    return (seen.st_dev, seen.st_ino)


def _pipe(wiring: Wiring, fd: int) -> int:
    ours, theirs = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        # The system may refuse; a pipe of the usual size is slower, nothing else. On what is no pipe it has no effect.
        quietly(fcntl.fcntl, ours, fcntl.F_SETPIPE_SZ, PIPE)
        quietly(fcntl.fcntl, fd, fcntl.F_SETPIPE_SZ, PIPE)
    return _join(wiring, fd, ours, theirs)


def _pty(wiring: Wiring, fd: int) -> int:
    ours, theirs = os.openpty()
    modes = termios.tcgetattr(fd)
    # In the session our own terminal is raw; elsewhere it works on the output itself, and once is enough.
    quietly(termios.tcsetattr, theirs, termios.TCSANOW, modes if wiring.way == SESSION else plain(modes))
    same_size(fd, ours)
    wiring.masters[ours] = fd
    return _join(wiring, fd, ours, theirs)


def _join(wiring: Wiring, fd: int, ours: int, theirs: int) -> int:
    # The terminal of a session has a keyboard too, so its descriptor stays until the end.
    closes = wiring.way != SESSION or ours not in wiring.masters
    wiring.streams.append(Stream(ours, fd, closes=closes))
    wiring.outside.append(ours)
    wiring.inside.append(theirs)
    return theirs
