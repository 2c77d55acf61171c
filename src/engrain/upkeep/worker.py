"""Worker: the slow work of a store, tick after tick, for as long as somebody serves it.

A server must answer while sessions are learned from and texts embedded, and Python does one of both at a time; so a
worker is a process of its own. It ends when whoever started it is gone, however that ended, and is started again when
it died: what it had under its hands is worked by the next one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from time import monotonic

from engrain.errors import StoreError
from engrain.upkeep.tick import Ticked

LEAST_PAUSE, MOST_PAUSE = 0.5, 15.0
"""Seconds between ticks that found something, and between those that found nothing for long."""
AGAIN_AFTER = 1.0
ENDS_WITHIN = 30.0


def work(tick: Callable[[], Ticked], ended: threading.Event, said: Callable[[str], None]) -> int:
    """Ticks until it is ended; how many did something. A store that can't be had now is asked again later."""
    pause, did, silent = LEAST_PAUSE, 0, ""
    while not ended.is_set():
        try:
            done = tick()
            something = done.ran and bool(done.appended.new or done.jobs_done)
            silent = ""
        except StoreError as exc:
            something = False
            if str(exc) != silent:
                silent = str(exc)
                said(silent)
        did += something
        pause = LEAST_PAUSE if something else min(2 * pause, MOST_PAUSE)
        ended.wait(pause)
    return did


class Crew:
    """One worker beside this process, for as long as that lives."""

    def __init__(self, environ: Mapping[str, str], command: list[str] | None = None) -> None:
        self._command = command or [sys.executable, "-m", "engrain", "worker", "--attached"]
        self._environ = dict(environ)
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._mind, name="crew", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """The process that works now; 0 between two."""
        process = self._process
        return process.pid if process and process.poll() is None else 0

    def close(self) -> None:
        """The worker has ended, with what it had begun done or put back."""
        self._ended.set()
        process = self._process
        if process and process.stdin:
            process.stdin.close()
        self._thread.join()

    def _mind(self) -> None:
        while not self._ended.is_set():
            began = monotonic()
            # Its stdin is open as long as we live: that is how it knows.
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=self._environ, close_fds=True
            )
            if self._ended.is_set() and self._process.stdin:
                self._process.stdin.close()
            self._wait(self._process)
            self._ended.wait(max(0.0, AGAIN_AFTER - (monotonic() - began)))

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        while process.poll() is None:
            try:
                process.wait(ENDS_WITHIN)
            except subprocess.TimeoutExpired:
                if self._ended.is_set():
                    process.kill()
        if process.stdin:
            process.stdin.close()


def ends_with(ended: threading.Event, fd: int = 0) -> None:
    """Ends when the other end of this pipe does."""

    def listen() -> None:
        while os.read(fd, 4096):
            pass
        ended.set()

    threading.Thread(target=listen, name="listening", daemon=True).start()
