"""How long hooks take, for the doctor: the last runs of each agent, a few bytes each.

    the processor's time until the door began (the interpreter's start), and the clock's from there to the end

What the shell takes that runs the launcher is not in it. A run that can't be noted is not noted.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.paths import Home

MOST_BYTES = 8 * 1024
_BEGAN = time.monotonic() - time.process_time()


def path(home: Home, agent: str) -> str:
    """The file that has them."""
    return home.at("hook", f"took.{agent}")


def note(home: Home, agent: str) -> None:
    """One more run, in microseconds; of two full files the older one goes."""
    file, line = path(home, agent), b"%d\n" % ((time.monotonic() - _BEGAN) * 1e6)
    try:
        fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, line)
            full = os.fstat(fd).st_size > MOST_BYTES
        finally:
            os.close(fd)
        if full:
            os.replace(file, f"{file}.old")
    except OSError:
        return


def runs(home: Home, agent: str) -> list[float]:
    """The last runs, in milliseconds."""
    found: list[float] = []
    for file in (f"{path(home, agent)}.old", path(home, agent)):
        try:
            with open(file, "rb") as opened:
                found += [int(line) / 1000 for line in opened.read().split() if line.isdigit()]
        except OSError:
            continue
    return found
