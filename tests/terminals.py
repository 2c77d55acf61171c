"""A terminal for tests: a pty whose other side the test reads, types on and resizes, as a person would."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

SECONDS = 30.0
"""A deadline, not a wait: everything here goes on as soon as what it waits for is there."""

# Becomes the command as the leader of a session that this terminal rules.
_LAUNCH = (
    "import fcntl, os, sys, termios; fcntl.ioctl(int(sys.argv[1]), termios.TIOCSCTTY, 0);"
    "os.close(int(sys.argv[1])); os.execvp(sys.argv[2], sys.argv[2:])"
)


class Screen:
    """A command on a terminal of its own; descriptors that are given are not that terminal."""

    def __init__(
        self, words: Sequence[str], *, environ: Mapping[str, str], folder: str = "/", stdin: int | None = None,
        stdout: int | None = None, stderr: int | None = None, rows: int = 24, columns: int = 80,
    ) -> None:  # fmt: skip
        self.master, self.slave = os.openpty()
        self.resize(rows, columns)
        self.shown = b""
        ends = [self.slave if end is None else end for end in (stdin, stdout, stderr)]
        self.process = subprocess.Popen(
            [sys.executable, "-S", "-c", _LAUNCH, str(self.slave), *words],
            stdin=ends[0], stdout=ends[1], stderr=ends[2], start_new_session=True, pass_fds=[self.slave],
            env={"TERM": "xterm", **environ}, cwd=folder,
        )  # fmt: skip

    def __enter__(self) -> Screen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def resize(self, rows: int, columns: int) -> None:
        """The person drags the window."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.slave)

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def until(self, words: bytes) -> bytes:
        """Reads on until the words are shown; what was shown since the last time, through them."""
        deadline = time.monotonic() + SECONDS
        while words not in self.shown:
            if not self._read(max(0.0, deadline - time.monotonic())):
                raise AssertionError(f"never showed {words!r}; showed {self.shown[-2000:]!r}")
        before, found, self.shown = self.shown.partition(words)
        return before + found

    def end(self) -> int:
        """Reads on until the command has ended; its return code. All that it showed is in `shown`."""
        deadline = time.monotonic() + SECONDS
        while self.process.poll() is None:
            self._read(0.02)
            if time.monotonic() > deadline:
                raise AssertionError(f"never ended; showed {self.shown[-2000:]!r}")
        while self._read(0):
            pass
        return self.process.returncode

    def _read(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.shown += os.read(self.master, 65536)
        return True


def eventually(holds: Any) -> None:
    """Polls until it holds."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it never came true"
        select.select([], [], [], 0.01)


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except FileNotFoundError:
        return False


def program(pid: int) -> str:
    """The name of the program that a process runs."""
    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
        return file.read().strip()


def end(pid: int) -> None:
    """Ends a process that a test left running on purpose."""
    if alive(pid):
        os.kill(pid, signal.SIGKILL)
