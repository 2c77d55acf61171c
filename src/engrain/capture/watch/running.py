"""Running: a command from its start to its end."""

from __future__ import annotations

import os
import signal
import time
from _thread import start_new_thread
from collections import namedtuple

from engrain.capture.watch import minder
from engrain.capture.watch.kept import Kept
from engrain.capture.watch.notices import ASKING, Notices
from engrain.capture.watch.terminal import same_size
from engrain.capture.watch.wiring import SESSION, SHARED, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import NamedTuple

    from engrain.capture.watch.minder import Child
    from engrain.capture.watch.wiring import Wiring

    class Watched(NamedTuple):
        """How a command went."""

        exit: int
        """As a shell has it in `$?`: 128 + n for a death by signal n."""
        signal: int
        """The signal that it died of, or 0."""
        output: bytes
        """The first and the last part of what it wrote to stdout and stderr, as it came."""
        seen: int
        """How many bytes it wrote."""
        started: int
        """When, in microseconds since 1970."""
        seconds: float
        interrupted: bool
        """Whether it ended because somebody asked it to."""
        failed: str
        """Why some of its output could not be delivered, for another reason than that its reader had left."""
        typed: bool
        """Whether the person pressed what interrupts it."""
else:
    Watched = namedtuple("Watched", "exit signal output seen started seconds interrupted failed typed")


def run(
    command: Sequence[str] | str, environ: Mapping[str, str], *, meanwhile: Callable[[], object] | None = None
) -> Watched:
    """Runs a command, or a line for the shell, on our own stdin, stdout and stderr; `meanwhile` runs beside it."""
    words = [minder.SHELL, "-c", command] if isinstance(command, str) else command
    notices = Notices()
    try:
        return _Run(notices, wire()).watched(words, environ, meanwhile)
    finally:
        notices.close()


class _Run:
    def __init__(self, notices: Notices, wiring: Wiring) -> None:
        self._notices = notices
        self._wiring = wiring
        self._kept = Kept()
        self._asked = False

    def watched(
        self, command: Sequence[str], environ: Mapping[str, str], meanwhile: Callable[[], object] | None
    ) -> Watched:
        started, begun = time.time_ns() // 1000, time.monotonic()
        terminal = self._wiring.terminal
        try:
            if terminal:
                terminal.take()
            child = minder.start(command, environ, self._wiring, self._notices)
            ended, end = os.pipe()
            for stream in self._wiring.streams:
                stream.start(self._kept, ended)
            if terminal:
                terminal.start()
            if meanwhile:
                start_new_thread(meanwhile, ())
            status = self._attended(child)
            seconds = time.monotonic() - begun
            minder.leave(child)
            os.close(end)
            self._finish()
        finally:
            if terminal:
                terminal.close()
        return self._result(status, started, seconds)

    def _attended(self, child: Child) -> int:
        """Passes on what happens to the command and to us, until it ends; its wait status."""
        while True:
            number, to_all = self._notices.wait()
            if number == signal.SIGCHLD:
                for status in minder.statuses(child):
                    if not os.WIFSTOPPED(status):
                        return status
                    self._pause(child, os.WSTOPSIG(status))
            elif number == signal.SIGCONT:
                self._resume(child)
            elif number == signal.SIGWINCH:
                self._resize(child)
            else:
                self._asked = self._asked or number in ASKING
                if not (to_all and self._wiring.way == SHARED):
                    minder.send(child, number)

    def _pause(self, child: Child, number: int) -> None:
        """The command was stopped, so are we: whoever started us sees a job that is stopped."""
        if self._wiring.terminal:
            self._wiring.terminal.give()
        # A key stops all of a job, and the key was pressed at the command's terminal: the rest of the job is with us.
        self._notices.stop(number, group=self._wiring.way == SESSION and number != signal.SIGSTOP)
        self._resume(child)

    def _resume(self, child: Child) -> None:
        if self._wiring.terminal:
            self._wiring.terminal.take()
        for master, terminal in self._wiring.masters.items():
            same_size(terminal, master)
        minder.send(child, signal.SIGCONT)

    def _resize(self, child: Child) -> None:
        """The kernel tells the command about a new size itself, where the pty is the terminal of its session."""
        same = [same_size(terminal, master) for master, terminal in self._wiring.masters.items()]
        if self._wiring.way != SESSION or all(same):
            minder.send(child, signal.SIGWINCH)

    def _finish(self) -> None:
        """What the command has written goes out, unless somebody asks us to leave."""
        while not all(stream.done for stream in self._wiring.streams):
            number, _ = self._notices.wait()
            if number in ASKING:
                return

    def _result(self, status: int, started: int, seconds: float) -> Watched:
        died = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = 128 + died if died else os.WEXITSTATUS(status)
        typed = self._wiring.terminal is not None and self._wiring.terminal.interrupted
        interrupted = died in ASKING or (code != 0 and (self._asked or typed))
        failed = next((stream.failed for stream in self._wiring.streams if stream.failed), "")
        return Watched(code, died, self._kept.whole(), self._kept.seen, started, seconds, interrupted, failed, typed)
