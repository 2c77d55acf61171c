"""Notices: the signals that we take while a command runs, who sent them, and to whom they go on.

They are blocked and waited for, never handled: nothing interrupts a write, and Linux tells who sent each. That matters,
because a Ctrl-C in a process group that we share with the command has reached the command already.
"""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ASKING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT})
"""Signals by which somebody asks a command to end."""

_FROM_KEYBOARD = frozenset({signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP})
_OURS = frozenset({signal.SIGCHLD, signal.SIGCONT, signal.SIGWINCH})
_OTHERS = ("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGIO", "SIGXCPU", "SIGPWR")


class Notices:
    """Signals are blocked from the making of this until `close`."""

    def __init__(self) -> None:
        wanted = {*ASKING, *_OURS, signal.SIGTSTP, *(getattr(signal, name) for name in _OTHERS if name in dir(signal))}
        # What is ignored stays ignored, for the command too: that is what nohup and a shell's `&` rely on.
        self._wanted = {n for n in wanted if n in _OURS or signal.getsignal(n) is not signal.SIG_IGN}
        self.mask = signal.pthread_sigmask(signal.SIG_BLOCK, self._wanted | {signal.SIGTTIN})
        # A signal that would be thrown away is not kept for us everywhere: only one with a handler is.
        self._before: dict[int, Any] = {n: signal.signal(n, _nothing) for n in _OURS}

    def wait(self) -> tuple[int, bool]:
        """The next signal, and whether the kernel sent it: to us and to everyone in our group."""
        while hasattr(signal, "sigwaitinfo"):
            info = signal.sigwaitinfo(self._wanted)
            if info.si_pid != os.getpid() or info.si_signo not in _KEYS:
                return info.si_signo, info.si_code > 0
        number = signal.sigwait(self._wanted)
        return number, number in _FROM_KEYBOARD

    def stop(self, number: int, *, group: bool) -> None:
        """Stops us, or all of our group, as the command was stopped; returns when somebody has us go on.

        Where nobody could have us go on (no shell has our group as a job), the kernel refuses and this returns at once.
        """
        # Sent while blocked: together with one that waits already it is one stop, not two.
        os.kill(0 if group else os.getpid(), number)
        mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def restore(self) -> None:
        """Signals do what they did before: in us at the end, in the command before it begins."""
        for number, before in self._before.items():
            signal.signal(number, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)

    def close(self) -> None:
        """Drops what still waits: it was meant for a command that has ended."""
        while hasattr(signal, "sigtimedwait") and signal.sigtimedwait(self._wanted, 0):
            pass
        self.restore()


_KEYS = frozenset({signal.SIGINT, signal.SIGQUIT})


def pressed(number: int) -> None:
    """Passes on what a key means to the rest of our job, which it would have reached without us: a script that goes
    round, a neighbour in the pipeline. We know it already, so the wait leaves it out."""
    if hasattr(signal, "sigwaitinfo"):
        quietly(os.kill, 0, number)


def quietly(call: Callable[..., object], *args: object) -> None:
    """Sends a signal or sets a terminal, and takes it well that its receiver is gone or not ours."""
    import termios

    try:
        call(*args)
    except (OSError, termios.error):
        return


def wake() -> None:
    """Has `wait` return in the main thread: something is to be looked at."""
    os.kill(os.getpid(), signal.SIGCHLD)


def _nothing(_number: int, _frame: object) -> None:
    """Never runs while the signal is blocked."""
