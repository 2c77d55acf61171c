"""What the world throws at it: a read-only home, a full disk, a clock that runs backwards, two versions on one home.

Some of these need a user whom permissions bind: they run Engrain as one.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
from collections.abc import Callable

import pytest

from engrain import event as events
from engrain.errors import EngrainError, StoreFull, StoreReadOnly
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.paths import Home
from engrain.store import Store, open_store
from engrain.upkeep import transfer
from tests.making import Ran, event

NOBODY = 65534


def as_nobody(words: list[str], home: Home) -> Ran:
    """Runs Engrain as a user whom permissions bind, in folders that this user may enter."""
    path = home.root
    while path != "/":
        if os.stat(path).st_mode & 0o055 != 0o055:
            os.chmod(path, os.stat(path).st_mode | 0o055)
        path = os.path.dirname(path)
    code = (
        "import os, sys\n"
        "import engrain.cli.group, engrain.memory, engrain.store.sqlite, engrain.cli.note, engrain.cli.search\n"
        "import engrain.cli.export, engrain.cli.doctor, engrain.cli.tick, engrain.cli.stats, engrain.cli.backup\n"
        "import engrain.learn.direct, engrain.upkeep.schedule, encodings.idna, difflib\n"
        f"if os.geteuid() == 0: os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "os.chdir('/'); from engrain.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def sealed(home: Home) -> Home:
    """A home with one event in the store and one in the spool, that nobody may write to."""
    with Memory.open(home.root) as memory:
        memory.record(event(1, "stored before", project="*"))
        memory.capture(event(2, "spooled before", project="*"))
    for folder, _, names in os.walk(home.root):
        for name in names:
            os.chmod(os.path.join(folder, name), 0o444)
        os.chmod(folder, 0o555)
    return home


def test_a_read_only_home_can_still_be_read(sealed: Home) -> None:
    found = as_nobody(["search", "--everywhere", "stored"], sealed)
    assert found.code == 0, found.err
    assert "stored before" in found.out


@pytest.mark.parametrize("words", [["note", "x"], ["tick"], ["export"], ["rebuild"], ["backup"], ["doctor"]])
def test_what_a_read_only_home_refuses_is_one_line(sealed: Home, words: list[str]) -> None:
    done = as_nobody(words, sealed)
    assert done.code == 1, done
    assert "Traceback" not in done.err
    assert done.err.count("\n") <= 1
    if words != ["doctor"]:
        assert done.err.startswith("engrain: ")


def test_a_home_that_cannot_be_made_is_one_line(engrain: Callable[..., Ran], tmp_path: object) -> None:
    with open(f"{tmp_path}/file", "w", encoding="utf-8"):
        pass
    done = engrain("note", "x", ENGRAIN_HOME=f"{tmp_path}/file/home")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "not a directory" in done.err


def test_a_disk_that_fills_up_keeps_what_was_stored_and_says_so(home: Home) -> None:
    """The limit on a file's size stands in for the disk: SQLite and the spool meet it in a real write."""
    script = f"""
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from engrain.memory import Memory
from engrain.errors import EngrainError
from tests.making import event
memory = Memory.open({home.root!r})
memory.record(event(0)); memory.close()
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
stored = 0
try:
    for n in range(1, 5000):
        memory.record(event(n, "word " * 200))
        stored = n
except EngrainError as exc:
    print(type(exc).__name__, str(exc).count(chr(10)), stored)
else:
    print("never full")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    kind, lines, stored = done.stdout.split()
    assert kind == StoreFull.__name__
    assert lines == "0"
    with Memory.open(home.root) as memory:
        memory.tick(seconds=30)
        assert memory.store.database.problems(deep=True) == []
        ids = {e.id for e in memory.store.events()}
    assert {f"e{n:05d}" for n in range(int(stored) + 1)} <= ids, "every event whose record() returned is there"


def test_a_clock_that_runs_backwards_changes_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    real, step = time.time_ns(), iter(range(10_000))
    monkeypatch.setattr(time, "time_ns", lambda: real - next(step) * 3_600_000_000_000)
    for n in range(20):
        memory.capture(memory.event("note", {"text": f"n{n}"}, project="p", session="s"))
    assert memory.tick(seconds=10).appended.new == 20
    before = list(memory.dump())
    memory.rebuild()
    assert list(memory.dump()) == before
    assert len({e.id for e in memory.store.events()}) == 20


def test_lines_of_50_mb_and_rubbish_in_an_import_cost_themselves_alone(sqlite: Store) -> None:
    good = events.line(event(1)).encode()
    source = io.BytesIO(b"x" * 50_000_000 + b"\n" + good + b"\r\n\n\x00\n" + b"[" * 100_000 + b"\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done = transfer.import_lines(sqlite, source, lambda event: event)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert done.appended.new == 1
    assert [line.number for line in done.refused] == [1, 4, 5]
    assert grown < 60_000, "kilobytes: the long line is never held whole"


def test_two_processes_may_make_the_same_store_at_once(home: Home) -> None:
    opened = f"import sys; from engrain.memory import Memory; m = Memory.open({home.root!r})"
    script = f"{opened}; m.note(sys.argv[1]); m.store.count()"
    words = ("alder", "birch", "cedar", "ebony", "hazel", "maple")
    running = [
        subprocess.Popen([sys.executable, "-W", "ignore", "-c", script, word], stderr=subprocess.PIPE) for word in words
    ]
    assert [process.communicate()[1] for process in running] == [b""] * 6
    with Memory.open(home.root) as memory:
        assert memory.stats().kinds["note"] == 6


def test_a_store_that_only_others_may_write_is_read(home: Home) -> None:
    store = open_store(home.database, derive)
    store.append([event(1)])
    store.close()
    os.chmod(home.database, 0o444)
    with Memory.open(home.root) as memory:
        assert memory.store.count() == 1
        if os.geteuid() != 0:
            with pytest.raises(StoreReadOnly):
                memory.store.append([event(2)])


@pytest.mark.parametrize(
    "where", [".", "/dev/null/engrain.db", "postgresql://127.0.0.1:9/x", "postgresql://%zz", "mysql://127.0.0.1/x"]
)
def test_a_store_that_cannot_be_is_an_engrain_error_of_one_line(home: Home, where: str) -> None:
    with pytest.raises(EngrainError) as refused:
        open_store(where, derive)
    assert "\n" not in str(refused.value)
