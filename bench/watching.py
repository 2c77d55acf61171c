"""Watching: what a command pays for being watched. Both ways are measured in turns. Of starts the quickest of each
counts; of throughput, which doubles and halves with what else the machine does, the middle of the ratios of neighbours,
over so much that the start, which has its own row, does not decide."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from bench.figure import Figure

WATCH = [sys.executable, "-m", "engrain", "watch"]
WRITER = "import os\nblock = (b'x' * 63 + b'\\n') * 1024\nfor _ in range({mb} * 16): os.write(1, block)"
RATE = 50
"""Megabytes a second that a chatty build may write."""


def measure(full: bool) -> Iterator[Figure]:
    """Throughput, start-up and memory."""
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        environ = {**os.environ, "ENGRAIN_HOME": os.path.join(folder, "home")}
        times = 3 if full else 1
        for name, through, size in (("pipe", _pipe, 4000 * times), ("pty", _pty, 100 * times)):
            yield from _throughput(name, through, size, environ)
        yield from _start(environ)
        yield _memory(400, environ)


Through = Callable[[Sequence[str], dict[str, str]], None]


def _throughput(name: str, through: Through, megabytes: int, environ: dict[str, str]) -> Iterator[Figure]:
    command = [sys.executable, "-S", "-c", WRITER.format(mb=megabytes)]
    turns = [(_took(through, command, environ), _took(through, [*WATCH, *command], environ)) for _ in range(5)]
    plain, watched = (min(each) for each in zip(*turns, strict=True))
    ratio = median(plain / watched for plain, watched in turns)
    note = f"{megabytes} MB: at best {megabytes / watched:,.0f} MB/s watched, {megabytes / plain:,.0f} unwatched"
    yield Figure(f"throughput through a {name}, watched ÷ unwatched", ratio, "×", least=0.5, note=note)
    if megabytes / plain >= 2 * RATE:
        yield Figure(f"throughput through a {name}, watched", megabytes / watched, "MB/s", least=RATE)


def _took(through: Through, command: Sequence[str], environ: dict[str, str]) -> float:
    started = time.monotonic()
    through(command, environ)
    return time.monotonic() - started


def _start(environ: dict[str, str]) -> Iterator[Figure]:
    """Until the command's first byte against a bare Python that starts it, and until its event is recorded."""
    bare = "import subprocess,sys; sys.exit(subprocess.call(sys.argv[1:]))"
    echo = ["echo", "x"]
    base, first = _in_turns(
        lambda: _first_byte([sys.executable, "-c", bare, *echo], environ),
        lambda: _first_byte([*WATCH, *echo], environ),
        rounds=15,
    )
    yield Figure(
        "first byte, watched ÷ by way of a bare Python", first / base, "×", most=2, note=f"{first * 1e3:.0f} ms"
    )
    loads = [sys.executable, "-c", "import engrain.memory"]
    base, whole = _in_turns(
        lambda: subprocess.run(loads, env=environ, check=True),
        lambda: subprocess.run([*WATCH, "true"], env=environ, check=True),
        rounds=15,
    )
    yield Figure(
        "`watch true` with its event ÷ importing Memory alone", whole / base, "×", most=2, note=f"{whole * 1e3:.0f} ms"
    )


def _memory(megabytes: int, environ: dict[str, str]) -> Figure:
    """The largest process of a watch whose command writes much, less that of one whose command writes nothing."""
    code = (
        "import resource,subprocess,sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    sizes = []
    for command in (["true"], [sys.executable, "-S", "-c", WRITER.format(mb=megabytes)]):
        words = [sys.executable, "-c", code, *WATCH, *command]
        sizes.append(int(subprocess.run(words, env=environ, stdout=subprocess.PIPE, check=True).stdout))
    unit = 1 if sys.platform == "darwin" else 1024
    grown = (sizes[1] - sizes[0]) * unit / 1e6
    note = f"{sizes[1] * unit / 1e6:.0f} MB at most"
    return Figure(f"memory that {megabytes} MB of output adds", grown, "MB", most=16, note=note)


def _in_turns(one: Callable[[], object], other: Callable[[], object], *, rounds: int) -> tuple[float, float]:
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for n, what in enumerate((one, other)):
            started = time.monotonic()
            took = what()
            best[n] = min(best[n], took if isinstance(took, float) else time.monotonic() - started)
    return best[0], best[1]


def _pipe(command: Sequence[str], environ: dict[str, str]) -> None:
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        _drain(process.stdout.fileno())
    assert process.returncode == 0, command


def _pty(command: Sequence[str], environ: dict[str, str]) -> None:
    master, slave = os.openpty()
    with subprocess.Popen(command, env=environ, stdin=slave, stdout=slave, start_new_session=True) as process:
        os.close(slave)
        _drain(master)
    os.close(master)
    assert process.returncode == 0, command


def _drain(fd: int) -> None:
    while True:
        try:
            if not os.read(fd, 65536):
                return
        except OSError:
            return


def _first_byte(command: Sequence[str], environ: dict[str, str]) -> float:
    started = time.monotonic()
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        os.read(process.stdout.fileno(), 1)
        return time.monotonic() - started
