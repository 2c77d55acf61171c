"""The person's terminal, when the command has one of its own: raw while it runs and back whatever happens."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import termios
from _thread import allocate_lock, start_new_thread

from engrain.capture.watch.notices import pressed, quietly
from engrain.capture.watch.streams import read, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

AGAIN = 200
"""Milliseconds between two looks whether the terminal has become ours: a shell's `fg` tells a running job nothing."""

_SIGNALS = ((termios.VINTR, signal.SIGINT), (termios.VQUIT, signal.SIGQUIT))
_IN, _OUT, _LOCAL, _CHARACTERS = 0, 1, 3, 6
_INPUT = termios.IGNBRK | termios.BRKINT | termios.PARMRK | termios.ISTRIP | termios.INLCR | termios.IGNCR
_INPUT |= termios.ICRNL | termios.IXON
_MEANING = termios.ECHO | termios.ECHONL | termios.ICANON | termios.ISIG | termios.IEXTEN


def plain(modes: list[Any]) -> list[Any]:
    """Modes under which output passes as it is, because another terminal works on it behind."""
    return [modes[_IN], modes[_OUT] & ~termios.OPOST, *modes[2:]]


def raw(modes: list[Any]) -> list[Any]:
    """Modes under which every byte passes as it is, both ways: the terminal of the command gives it its meaning."""
    return [
        modes[_IN] & ~_INPUT,
        modes[_OUT] & ~termios.OPOST,
        modes[2],
        modes[_LOCAL] & ~_MEANING,
        *modes[4:6],
        _at_once(modes),
    ]


def _at_once(modes: list[Any]) -> list[Any]:
    characters = list(modes[_CHARACTERS])
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    return characters


def same_size(source: int, target: int) -> bool:
    """Gives one terminal the size of another; whether it had that already."""
    try:
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8))
        if size == fcntl.ioctl(target, termios.TIOCGWINSZ, bytes(8)):
            return True
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)
    except OSError:
        return True
    return False


def _opened(fd: int) -> int | None:
    try:
        return os.open(os.ttyname(fd), os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        # A terminal whose name is not ours to open: of another namespace, or after su.
        return None


class Terminal:
    """Its modes are ours only while our group is in its foreground: in the background others work on it."""

    def __init__(self, fd: int, master: int) -> None:
        self.fd = fd
        self.master = master
        self.taken = False
        self.interrupted = False
        """Whether the person pressed what interrupts the command."""
        self.modes = termios.tcgetattr(fd)
        self._wanted = False
        self._turn = allocate_lock()
        self._asleep, self._wake = os.pipe()
        self._lock = _opened(fd)

    def foreground(self) -> bool:
        """Whether this terminal listens to our group; one that does not rule us always does."""
        try:
            return os.tcgetpgrp(self.fd) == os.getpgrp()
        except OSError:
            return True

    def take(self) -> None:
        """Raw from here on, as soon as it is ours to take."""
        self._wanted = True
        self._try()
        os.write(self._wake, b"t")

    def _try(self) -> None:
        with self._turn:
            if self._wanted and not self.taken and self.foreground():
                quietly(self._take)

    def _take(self) -> None:
        # Of several that one job runs at once, one has the keyboard; or the last to end would leave it raw.
        if self._lock is not None:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.modes = termios.tcgetattr(self.fd)
        termios.tcsetattr(self.fd, termios.TCSANOW, raw(self.modes))
        self.taken = True

    def give(self) -> None:
        """As it was before it was taken. What is typed ahead stays there."""
        with self._turn:
            self._wanted = False
            if not self.taken:
                return
            self.taken = False
            os.write(self._wake, b"g")
            quietly(termios.tcsetattr, self.fd, termios.TCSANOW, self.modes)
            if self._lock is not None:
                fcntl.flock(self._lock, fcntl.LOCK_UN)

    def rescue(self) -> None:
        """As it was, if it is still as we made it: for who survives us."""
        quietly(self._rescue)

    def _rescue(self) -> None:
        if termios.tcgetattr(self.fd)[: _LOCAL + 1] == raw(self.modes)[: _LOCAL + 1]:
            termios.tcsetattr(self.fd, termios.TCSANOW, self.modes)

    def start(self) -> None:
        """Carries what is typed to the command, in a thread."""
        start_new_thread(self._carry, ())

    def close(self) -> None:
        """Nothing more is read from the keyboard: what comes now is for whoever comes after us."""
        self.give()
        os.close(self._wake)

    def _carry(self) -> None:
        while True:
            poll = select.poll()
            poll.register(self._asleep, select.POLLIN)
            if self.taken:
                poll.register(self.fd, select.POLLIN)
            ready = [fd for fd, _ in poll.poll(None if self.taken else AGAIN)]
            if self._asleep in ready and not os.read(self._asleep, 64):
                return
            if self.fd not in ready:
                self._try()
                continue
            typed = read(self.fd, 4096)
            if not typed:
                return
            # The others first: the command may end at once, and who waits for it takes what comes later for its own.
            for number in self._meant(typed):
                pressed(number)
            try:
                write(self.master, typed)
            except OSError:
                return

    def _meant(self, typed: bytes) -> list[int]:
        """The signals that were typed, where the command left these keys their meaning."""
        modes = termios.tcgetattr(self.master)
        if not modes[_LOCAL] & termios.ISIG:
            return []
        meant: list[int] = [number for key, number in _SIGNALS if modes[_CHARACTERS][key] in typed]
        self.interrupted = self.interrupted or signal.SIGINT in meant
        return meant
