"""Workers: several processes that serve at one port, and one that minds them.

None of them holds what another would need: what is told is in the store before it is answered for, so any may answer
anybody, on this machine or on others. One that dies is replaced; they end together, and none outlives the one that
minds them.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType

from engrain.rest import metrics

LEAST_SECONDS = 1.0
"""A worker that did not live for so long is not replaced at once."""

WATCH_SECONDS = 1.0

ENDINGS = (signal.SIGTERM, signal.SIGINT)


class Crew:
    """The workers of one server, each with a number that whoever takes its place takes too."""

    def __init__(self, serve: Callable[[int], None]) -> None:
        self._serve = serve
        self._began: dict[int, tuple[int, float]] = {}
        self._ended = False

    def run(self, number: int) -> None:
        """So many serve until this process is told to end."""
        before = {each: signal.signal(each, self._end) for each in ENDINGS}
        try:
            for each in range(number):
                self._start(each)
            while self._began:
                self._replace(*os.wait())
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _start(self, number: int) -> None:
        if self._ended:
            return
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            _work(partial(self._serve, number), parent)
        self._began[pid] = number, time.monotonic()
        if self._ended:
            # Told to end just before the child was known.
            os.kill(pid, signal.SIGTERM)

    def _replace(self, pid: int, status: int) -> None:
        metrics.gone(pid)
        if pid not in self._began:
            return
        number, began = self._began.pop(pid)
        if self._ended:
            return
        how = os.waitstatus_to_exitcode(status)
        print(f"engrain: a worker ended ({how}); another takes its place", file=sys.stderr, flush=True)
        if time.monotonic() - began < LEAST_SECONDS:
            time.sleep(LEAST_SECONDS)
        self._start(number)

    def _end(self, number: int, _frame: FrameType | None) -> None:  # noqa: ARG002 - a signal handler's signature
        self._ended = True
        for pid in list(self._began):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def _work(serve: Callable[[], None], parent: int) -> None:
    """A worker, which never returns."""
    code = 1
    try:
        for each in ENDINGS:
            signal.signal(each, signal.SIG_DFL)
        end_with(parent)
        serve()
        code = 0
    finally:
        sys.stderr.flush()
        os._exit(code)


def end_with(parent: int) -> None:
    """When the process that minds this one is gone, this one ends as if it had been told to."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent", daemon=True).start()


@contextmanager
def following(wanted: bool) -> Iterator[None]:
    """Beside this process another one works the jobs as they come. Told to end, this one leaves by the door."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, leave)
    beside = Beside([sys.executable, "-m", "engrain", "tick", "--follow", "--quiet"]) if wanted else None
    try:
        yield
    except SystemExit:
        return
    finally:
        signal.signal(signal.SIGTERM, before)
        if beside:
            beside.close()


class Beside:
    """One process beside this one, replaced when it dies."""

    def __init__(self, command: list[str]) -> None:
        self._command, self._ended = command, threading.Event()
        self._lock = threading.Lock()
        self._process = self._started()
        threading.Thread(target=self._mind, name="beside", daemon=True).start()

    def close(self) -> None:
        """It has ended."""
        with self._lock:
            self._ended.set()
        self._process.terminate()
        self._process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        # Whoever waits for an answer comes first.
        command = ["nice", *self._command] if shutil.which("nice") else self._command
        # A Ctrl-C is for the one that minds it, which then ends it.
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, process_group=0)

    def _mind(self) -> None:
        while not self._ended.is_set():
            self._process.wait()
            self._ended.wait(LEAST_SECONDS)
            with self._lock:
                if not self._ended.is_set():
                    self._process = self._started()
