"""`engrain watch` against the command without it: under a real terminal, and with pipes."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engrain.capture.watch.kept import Kept
from engrain.capture.watch.text import readable
from engrain.memory import Memory
from tests.making import Ran
from tests.terminals import Screen, alive, end, eventually, program

WATCH = [sys.executable, "-m", "engrain", "watch"]
ENTER, CTRL_C, CTRL_D, CTRL_Z = b"\r", b"\x03", b"\x04", b"\x1a"


def sh(line: str) -> list[str]:
    return ["sh", "-c", line]


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


@pytest.fixture
def screen(tmp_path: object) -> Callable[..., Screen]:
    def make(words: list[str], **more: object) -> Screen:
        return Screen(words, environ=os.environ, folder=str(tmp_path), **more)  # type: ignore[arg-type]

    return make


Make = Callable[..., Screen]


def piped(words: list[str], stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        words, input=stdin, capture_output=True, timeout=60, check=False, env={**os.environ, **environ}
    )


def recorded() -> list[dict[str, object]]:
    with Memory.open() as memory:
        memory.catch_up()
        return [dict(event.body) for event in memory.store.events() if event.kind == "command"]


# Exit codes

CODES = [
    ("it works", sh("exit 0"), 0),
    ("it fails", sh("exit 1"), 1),
    ("bad usage", sh("exit 2"), 2),
    ("not executable", ["./plain"], 126),
    ("a folder", ["/tmp"], 126),
    ("not there", ["nosuch-command"], 127),
    ("not there, with a path", ["./nosuch"], 127),
    ("interrupted", sh("kill -INT $$"), 130),
    ("killed", sh("kill -KILL $$"), 137),
    ("crashed", sh("kill -SEGV $$"), 139),
    ("a pipe broke", sh("kill -PIPE $$"), 141),
    ("terminated", sh("kill -TERM $$"), 143),
    ("a script without a first line", ["./script"], 5),
]


@pytest.fixture
def files(tmp_path: object) -> None:
    for name, text, mode in (("plain", "", 0o644), ("script", "exit 5\n", 0o755)):
        with open(f"{tmp_path}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(f"{tmp_path}/{name}", mode)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("words", "code"), [row[1:] for row in CODES], ids=[row[0] for row in CODES])
def test_the_exit_code_is_what_the_shell_says(
    words: list[str], code: int, screen: Make, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    unwrapped = piped(["sh", "-c", '"$@"; exit $?', "sh", *words])
    wrapped = piped([*WATCH, *words])
    assert (wrapped.returncode, unwrapped.returncode) == (code, code)
    assert wrapped.stdout == unwrapped.stdout
    assert wrapped.stderr in (unwrapped.stderr, b""), "its own words, or where the shell speaks of a death, none"
    if code in (126, 127):
        assert wrapped.stderr == unwrapped.stderr != b""
    with screen([*WATCH, "--", *words]) as shown:
        assert shown.end() == code
        assert shown.shown == wrapped.stderr.replace(b"\n", b"\r\n")


def test_a_line_for_the_shell(screen: Make) -> None:
    done = piped([*WATCH, "--cmd", "echo out; echo err >&2; exit 3"])
    assert (done.returncode, done.stdout, done.stderr) == (3, b"out\n", b"err\n")
    assert piped([*WATCH, "--cmd=nosuch-command"]).returncode == 127
    assert piped([*WATCH, "--cmd", "kill -9 $$"]).returncode == 137
    with screen([*WATCH, "--cmd", "test -t 1 && echo yes"]) as shown:
        assert (shown.end(), shown.shown) == (0, b"yes\r\n")


# What the command sees


@pytest.mark.parametrize("ttys", list(itertools.product((True, False), repeat=3)), ids=str)
def test_every_descriptor_is_a_terminal_exactly_when_it_would_be(
    ttys: tuple[bool, ...], screen: Make, tmp_path: object
) -> None:
    probe = python(
        "import os,sys; f=open(sys.argv[1],'w');"
        "print([os.isatty(n) for n in (0,1,2)], os.path.exists('/dev/tty') and os.open('/dev/tty',2)>0,"
        "[tuple(os.get_terminal_size(n)) for n in (0,1,2) if os.isatty(n)], file=f); os.write(1,b'1'); os.write(2,b'2')"
    )
    seen = []
    for name, before in (("plain", []), ("watched", WATCH)):
        path = f"{tmp_path}/{name}"
        files = [None if tty else os.open(f"{path}{n}", os.O_RDWR | os.O_CREAT) for n, tty in enumerate(ttys)]
        stdin, stdout, stderr = files
        with screen([*before, *probe, path], stdin=stdin, stdout=stdout, stderr=stderr, rows=31, columns=97) as shown:
            assert shown.end() == 0
            written = [shown.shown]
        for n, fd in enumerate(files):
            if fd is not None:
                os.close(fd)
                with open(f"{path}{n}", "rb") as file:
                    written.append(file.read())
        with open(path, encoding="utf-8") as file:
            seen.append((file.read(), written))
    assert seen[0] == seen[1]
    assert str(list(ttys)) in seen[1][0]


def test_stdout_and_stderr_stay_apart_and_each_in_order() -> None:
    code = "import os\nfor n in range(2000): os.write(1 + n % 2, b'%d\\n' % n)"
    plain, watched = piped(python(code)), piped([*WATCH, *python(code)])
    assert (watched.stdout, watched.stderr) == (plain.stdout, plain.stderr)


def test_stdout_and_stderr_that_are_one_keep_the_order_between_them() -> None:
    code = "import os\nfor n in range(2000): os.write(1 + n % 2, b'%d\\n' % n)"
    done = subprocess.run([*WATCH, *python(code)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    assert done.stdout == b"".join(b"%d\n" % n for n in range(2000))


def test_bytes_pass_untouched_both_ways() -> None:
    data = bytes(range(256)) * 5000 + b"\xff\xfe\xc3"
    assert piped([*WATCH, "cat"], stdin=data).stdout == data


def test_bytes_pass_untouched_to_a_terminal_as_without_us(screen: Make, tmp_path: object) -> None:
    with open(f"{tmp_path}/data", "wb") as file:
        file.write(bytes(range(256)) * 300)
    shown = []
    for before in ([], WATCH):
        with screen([*before, "cat", "data"]) as on:
            assert on.end() == 0
            shown.append(on.shown)
    assert shown[0] == shown[1]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_descriptor_is_closed_for_the_command(closed: str, tmp_path: object) -> None:
    probe = (
        "import os\nstates=[]\nfor n in (0,1,2):\n try: os.fstat(n); states.append('open')\n"
        " except OSError: states.append('closed')\nopen('seen','w').write(str(states))"
    )
    seen = []
    for before in ([], WATCH):
        words = [*before, *python(probe)]
        done = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *words], cwd=str(tmp_path), check=False)
        assert done.returncode == 0
        with open(f"{tmp_path}/seen", encoding="utf-8") as file:
            seen.append(file.read())
    assert seen[0] == seen[1]
    assert "closed" in seen[1]


def test_a_full_device_refuses_as_it_does_without_us() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*WATCH, "sh", "-c", "echo x"], stdout=full, stderr=subprocess.PIPE, check=False)
        plain = subprocess.run(["sh", "-c", "echo x"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (plain.returncode, plain.stderr)
    assert done.returncode != 0


def test_a_disk_that_fills_up_is_said_and_is_a_failure(tmp_path: object) -> None:
    """The limit on a file's size stands in for the disk."""
    line = 'ulimit -f 1; exec "$@" > out'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *WATCH, "sh", "-c", "ulimit -f unlimited 2>/dev/null; yes | head -c 100000"],
        cwd=str(tmp_path), capture_output=True, check=False,
        env={**os.environ, "ENGRAIN_HOME": f"{tmp_path}/home"},
    )  # fmt: skip
    assert done.returncode != 0
    assert b"some output is lost: file too large\n" in done.stderr


def test_a_reader_that_leaves_ends_the_command() -> None:
    done = subprocess.run(
        ["bash", "-c", '"$@" | head -n 1; echo "${PIPESTATUS[0]}"', "bash", *WATCH, "yes"],
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (b"y\n141\n", b"")


def test_huge_output_passes_whole_and_its_ends_are_kept() -> None:
    code = "import os\nos.write(1,b'first\\n')\nfor _ in range(640): os.write(1,b'x'*65536)\nos.write(1,b'\\nlast\\n')"
    assert len(piped([*WATCH, *python(code)]).stdout) == 640 * 65536 + 12
    (body,) = recorded()
    output = body["output"]
    assert isinstance(output, str)
    assert body["bytes"] == 640 * 65536 + 12
    assert output.startswith("first\n")
    assert output.endswith("\nlast\n")
    assert "bytes left out]" in output
    assert len(output) < 600_000


# Signals


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP", "QUIT", "USR1", "USR2", "ALRM", "WINCH"])
@pytest.mark.parametrize("place", ["terminal", "pipes"])
def test_a_signal_to_us_reaches_the_command_once(name: str, place: str, screen: Make) -> None:
    code = (
        f"import signal,sys\nnumber=signal.SIG{name}\nsignal.pthread_sigmask(signal.SIG_BLOCK,{{number}})\n"
        "print('ready',flush=True)\nn=signal.sigwait({number})\nprint('got',n,flush=True)\n"
        "print('again', signal.sigtimedwait({number},0.05) is not None,flush=True)\nsys.exit(7)"
    )  # fmt: skip
    got = f"got {int(getattr(signal, f'SIG{name}'))}"
    words = [*WATCH, *python(code)]
    if place == "terminal":
        with screen(words) as shown:
            shown.until(b"ready")
            shown.process.send_signal(getattr(signal, f"SIG{name}"))
            assert shown.end() == 7
            assert shown.shown.split(b"\r\n")[1:3] == [got.encode(), b"again False"]
        return
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(getattr(signal, f"SIG{name}"))
        assert process.stdout.read().decode().splitlines() == [got, "again False"]
        assert process.wait(60) == 7


@pytest.mark.parametrize(("name", "code"), [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131), ("KILL", -9)])
@pytest.mark.parametrize("place", ["terminal", "pipes"])
def test_nothing_outlives_us(name: str, code: int, place: str, screen: Make) -> None:
    """A shell that started others in its group: all of them end when somebody ends us, however."""
    words = [*WATCH, *sh("ulimit -c 0; sleep 1000 & echo pid $! $$ end; exec sleep 1000")]
    if place == "terminal":
        with screen(words) as shown:
            before = shown.modes
            pids = [int(word) for word in shown.until(b" end").split()[1:3]]
            # A shell drops what it catches on its way into another program, unwatched as well.
            eventually(lambda: all(program(pid) == "sleep" for pid in pids))
            shown.process.send_signal(getattr(signal, f"SIG{name}"))
            assert shown.end() == code
            eventually(lambda: shown.modes == before)
    else:
        with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            pids = [int(word) for word in process.stdout.readline().split()[1:3]]
            eventually(lambda: all(program(pid) == "sleep" for pid in pids))
            process.send_signal(getattr(signal, f"SIG{name}"))
            assert process.wait(60) == code
    # A background job of a shell that is not interactive ignores INT and QUIT, without us as well.
    spared = pids[:1] if name in ("INT", "QUIT") else []
    eventually(lambda: not any(alive(pid) for pid in pids if pid not in spared))
    for pid in spared:
        end(pid)


def test_what_is_ignored_stays_ignored() -> None:
    code = "import signal; print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, signal.getsignal(signal.SIGPIPE))"
    for before in ([], WATCH):
        words = ["sh", "-c", 'trap "" HUP; "$@"', "sh", *before, *python(code)]
        done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
        assert done.stdout.startswith(b"True")
    masks = sh("grep Sig[BIC] /proc/self/status")
    assert piped([*WATCH, *masks]).stdout == piped(masks).stdout


def test_the_window_s_size_is_the_command_s(screen: Make) -> None:
    code = (
        "import os,signal\nsignal.pthread_sigmask(signal.SIG_BLOCK,{signal.SIGWINCH})\n"
        "print('now',*os.get_terminal_size(),flush=True)\nsignal.sigwait({signal.SIGWINCH})\n"
        "print('then',*os.get_terminal_size(),flush=True)"
    )
    with screen([*WATCH, *python(code)], rows=30, columns=100) as shown:
        shown.until(b"now 100 30")
        shown.resize(40, 132)
        shown.until(b"then 132 40")
        assert shown.end() == 0


# At a terminal


def test_ctrl_c_ends_the_command_and_all_of_its_group(screen: Make) -> None:
    line = "sh -c 'echo $$ end >&2; exec sleep 1000' | sh -c 'echo $$ end; exec cat' >&2"
    with screen([*WATCH, *sh(line)]) as shown:
        pids = [int(shown.until(b" end").split()[-2]) for _ in range(2)]
        eventually(lambda: sorted(map(program, pids)) == ["cat", "sleep"])
        shown.type(CTRL_C)
        assert shown.end() == 130
        eventually(lambda: not any(alive(pid) for pid in pids))
    (body,) = recorded()
    assert body["interrupted"] is True


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_ctrl_c_ends_the_script_around_the_command_too(screen: Make) -> None:
    words = "sh -c 'echo at $0 $$ end; exec sleep 1000' $n"
    line = f"for n in 1 2; do {' '.join(WATCH)} -- {words}; echo next; done; echo after"
    with screen(["bash", "-c", line]) as shown:
        pid = int(shown.until(b" end").split()[-2])
        eventually(lambda: program(pid) == "sleep")
        shown.type(CTRL_C)
        assert shown.end() == -signal.SIGINT
        assert b"next" not in shown.shown
    (body,) = recorded()
    assert (body["interrupted"], body["signal"]) == (True, signal.SIGINT)


def test_a_key_reaches_the_command_once(screen: Make) -> None:
    counts = "import signal, time\nseen = []\nsignal.signal(2, lambda *_: seen.append(1))\nprint('up', flush=True)\n"
    waits = "while not seen: time.sleep(0.01)\ntime.sleep(0.1)\nprint('seen', len(seen), 'times')"
    with screen([*WATCH, *python(counts + waits)]) as shown:
        shown.until(b"up")
        shown.type(CTRL_C)
        assert shown.end() == 0
        assert b"seen 1 times" in shown.shown


def test_ctrl_z_stops_us_as_a_job_and_fg_goes_on(screen: Make) -> None:
    with screen(["bash", "--norc", "--noprofile", "-i"]) as shown:
        shown.type(b"PS1='ok''> '" + ENTER)
        shown.until(b"ok> ")
        shown.type(" ".join(WATCH).encode() + b""" sh -c 'echo be""gun; read x; echo said $x; exit 4'""" + ENTER)
        shown.until(b"begun")
        shown.type(CTRL_Z)
        shown.until(b"Stopped")
        shown.until(b"ok> ")
        shown.type(b"stty -a | grep -o '[-]*icanon'; fg" + ENTER)
        shown.until(b"icanon\r\n")
        shown.until(b'be""gun')
        shown.type(b"hello" + ENTER)
        shown.until(b"said hello")
        shown.until(b"ok> ")
        shown.type(b"echo code $?; exit" + ENTER)
        shown.until(b"code 4")


def test_in_the_background_it_leaves_the_keyboard_alone(screen: Make) -> None:
    with screen(["bash", "--norc", "--noprofile", "-i"]) as shown:
        shown.type(b"PS1='ok''> '" + ENTER)
        shown.until(b"ok> ")
        shown.type(" ".join(WATCH).encode() + b""" sh -c 'echo be""gun; read x; echo said $x' &""" + ENTER)
        shown.until(b"begun")
        shown.type(b"echo still $((40+2))" + ENTER)
        shown.until(b"still 42")
        shown.type(b"fg" + ENTER)
        shown.until(b"read x")
        shown.type(b"hello" + ENTER)
        shown.until(b"said hello")
        shown.type(b"exit" + ENTER)


def test_in_a_pipeline_the_keyboard_belongs_to_the_others(screen: Make) -> None:
    """As `… | less` does: the last command reads the terminal, and Ctrl-C reaches both."""
    last = "read x < /dev/tty; echo got $x; cat; echo end"
    first = """trap 'echo int; exit 0' INT; echo begun >&2; while :; do sleep 0.05; done"""
    line = f'"$@" | (trap "" INT; {last})'
    with screen(["bash", "--norc", "--noprofile", "-ic", line, "bash", *WATCH, *sh(first)]) as shown:
        shown.until(b"begun")
        shown.type(b"hello" + ENTER)
        shown.until(b"got hello")
        shown.type(CTRL_C)
        shown.until(b"int\r\nend")


PAINTER = """
import curses
def main(screen):
    screen.addstr(2, 3, "hello %dx%d" % screen.getmaxyx(), curses.A_BOLD)
    while (key := screen.getkey()) != "q":
        screen.addstr(4, 3, "key " + key)
curses.wrapper(main)
"""

FULL_SCREEN = [
    ("curses", python(PAINTER), [(b"hello 24x80", b"\x1bOA"), (b"key KEY_UP", b"q")]),
    ("less", ["less", "data"], [(b"line 1\r\n", b"G"), (b"line 500", b"q")]),
    ("vi", ["vi", "-u", "NONE", "-i", "NONE", "-n", "data"], [(b"line 1", b"dd:wq\r")]),
]


@pytest.mark.parametrize(("words", "keys"), [row[1:] for row in FULL_SCREEN], ids=[row[0] for row in FULL_SCREEN])
def test_full_screen_programs_paint_as_without_us(
    words: list[str], keys: list[tuple[bytes, bytes]], screen: Make, tmp_path: object
) -> None:
    if shutil.which(words[0]) is None:
        pytest.skip(f"no {words[0]} here")
    painted = []
    for before in ([], WATCH):
        with open(f"{tmp_path}/data", "w", encoding="utf-8") as file:
            file.writelines(f"line {n}\n" for n in range(1, 501))
        with screen([*before, *words]) as shown:
            modes, frames = shown.modes, b""
            for sees, pressed in keys:
                frames += shown.until(sees)
                shown.type(pressed)
            assert shown.end() == 0
            assert shown.modes == modes
            painted.append(frames)
        with open(f"{tmp_path}/data", encoding="utf-8") as file:
            assert file.readline() == ("line 2\n" if words[0] == "vi" else "line 1\n")
    assert painted[0] == painted[1]


def test_python_with_a_prompt(screen: Make) -> None:
    with screen([*WATCH, sys.executable, "-i", "-q"]) as shown:
        modes = shown.modes
        shown.until(b">>> ")
        shown.type(b"6 * 7" + ENTER)
        shown.until(b"42")
        shown.until(b">>> ")
        shown.type(CTRL_C)
        shown.until(b"KeyboardInterrupt")
        shown.until(b">>> ")
        shown.type(CTRL_D)
        assert shown.end() == 0
        eventually(lambda: shown.modes == modes)


def test_a_password_is_neither_shown_nor_kept(screen: Make) -> None:
    words = [*WATCH, *python("import getpass; print('got', len(getpass.getpass('pass' + 'word: ')))")]
    with screen(words) as shown:
        shown.until(b"password: ")
        shown.type(b"hunter2" + ENTER)
        shown.until(b"got 7")
        assert shown.end() == 0
    (body,) = recorded()
    assert "hunter2" not in json.dumps(body)


def test_a_terminal_that_is_hung_up_ends_the_command(tmp_path: object) -> None:
    with Screen([*WATCH, *sh("echo pid $$ end; read x; sleep 1000")], environ=os.environ) as shown:
        pid = int(shown.until(b" end").split()[1])
        master, shown.master = shown.master, os.open(os.devnull, os.O_RDONLY)
        os.close(shown.slave)
        shown.slave = os.dup(shown.master)
        os.close(master)
        shown.process.wait(60)
        eventually(lambda: not alive(pid))


# Processes that stay


@pytest.mark.parametrize("place", ["terminal", "pipes"])
def test_who_stays_in_the_background_neither_holds_us_nor_is_ended(place: str, screen: Make) -> None:
    words = [*WATCH, *sh("sleep 1000 & echo pid $! end")]
    if place == "terminal":
        with screen(words) as shown:
            pid = int(shown.until(b" end").split()[1])
            assert shown.end() == 0
    else:
        with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            pid = int(process.stdout.readline().split()[1])
            assert process.wait(60) == 0
            assert alive(pid)
    assert alive(pid)
    end(pid)


def test_who_writes_on_in_the_background_does_not_keep_us(tmp_path: object) -> None:
    with open(f"{tmp_path}/out", "wb") as out:
        words = [*WATCH, *sh("(trap '' PIPE; yes) & echo $! >&2")]
        done = subprocess.run(words, stdout=out, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 0
    end(int(done.stderr.split()[0]))


def test_descriptors_and_environment_are_the_command_s_own(tmp_path: object) -> None:
    words = sh("ls -l /proc/self/fd | wc -l; env | grep -v -e ^_= -e ^ENGRAIN_WATCHING= | sort")
    assert piped([*WATCH, *words]).stdout == piped(words).stdout


# What is remembered


def test_one_event_says_how_it_went(engrain: Callable[..., Ran], tmp_path: object) -> None:
    done = engrain("watch", "sh", "-c", "printf '\\033[31mred\\033[0m \\377\\n'; echo err >&2; exit 3")
    assert done.code == 3
    (body,) = recorded()
    assert body["command"] == "sh -c 'printf '\"'\"'\\033[31mred\\033[0m \\377\\n'\"'\"'; echo err >&2; exit 3'"
    assert body["cwd"] == str(tmp_path)
    assert (body["exit"], body["signal"], body["interrupted"]) == (3, 0, False)
    assert sorted(str(body["output"]).splitlines()) == ["err", "red \ufffd"]
    assert isinstance(body["seconds"], float)
    engrain("watch", "--cmd", "kill -TERM $$")
    last = recorded()[-1]
    assert (last["command"], last["exit"], last["signal"], last["interrupted"]) == ("kill -TERM $$", 143, 15, True)
    assert engrain("search", "red").code == 0


@pytest.mark.parametrize("name", ["ENGRAIN_WATCH", "ENGRAIN_WATCHING"])
def test_it_can_be_switched_off_and_never_nests(name: str, engrain: Callable[..., Ran]) -> None:
    value = "0" if name == "ENGRAIN_WATCH" else "1"
    done = engrain("watch", "sh", "-c", "echo plain; exit 3", **{name: value})
    assert (done.code, done.out) == (3, "plain\n")
    assert engrain("watch", "nosuch-command", **{name: value}).code == 127
    assert engrain("watch", "--cmd", "exit 4", **{name: value}).code == 4
    assert recorded() == []


def test_a_watch_inside_a_watch_is_one_event(engrain: Callable[..., Ran]) -> None:
    assert engrain("watch", *WATCH, "sh", "-c", "exit 6").code == 6
    assert len(recorded()) == 1


def test_a_memory_that_is_broken_never_changes_how_it_went(engrain: Callable[..., Ran], tmp_path: object) -> None:
    with open(f"{tmp_path}/file", "w", encoding="utf-8"):
        pass
    done = engrain("watch", "sh", "-c", "echo out; exit 3", ENGRAIN_HOME=f"{tmp_path}/file/home")
    assert (done.code, done.out) == (3, "out\n")
    assert done.err.startswith("engrain: this command was not recorded: ")
    assert done.err.count("\n") == 1


def test_nor_does_one_that_is_half_installed(tmp_path: object) -> None:
    os.mkdir(f"{tmp_path}/memory")
    with open(f"{tmp_path}/memory/__init__.py", "w", encoding="utf-8") as file:
        file.write("from engrain import (\n")
    broken = (
        f"import engrain, sys; engrain.__path__.insert(0, {str(tmp_path)!r}); from engrain.cli.watching import watch"
    )
    done = piped([sys.executable, "-c", f"{broken}; sys.exit(watch(['sh', '-c', 'echo out; exit 3']))"])
    assert (done.returncode, done.stdout) == (3, b"out\n")
    assert done.stderr.startswith(b"engrain: this command was not recorded: ")
    assert done.stderr.count(b"\n") == 1


def test_a_store_that_is_away_is_not_noticed(engrain: Callable[..., Ran]) -> None:
    done = engrain("watch", "true", ENGRAIN_STORE="postgresql://127.0.0.1:9/x")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert len(recorded()) == 1


def test_a_folder_that_is_gone(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    done = piped(["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && "$@"', "sh", *WATCH, "sh", "-c", "exit 5"])
    assert done.returncode == 5
    assert b"Traceback" not in done.stderr
    assert recorded()[0]["cwd"] == ""


@pytest.mark.parametrize("words", [[], ["--"], ["--nosuch"], ["--cmd"], ["--cmd", "x", "y"]])
def test_bad_usage_is_one_line(words: list[str], engrain: Callable[..., Ran]) -> None:
    done = engrain("watch", *words)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert recorded() == []


def test_nothing_heavy_is_loaded_before_the_command_runs() -> None:
    script = "import sys\nfrom engrain.cli import watching\nprint(*sys.modules)"
    loaded = set(piped([sys.executable, "-S", "-c", f"import sys; sys.path[:0]={sys.path!r}; {script}"]).stdout.split())
    assert loaded & {b"click", b"sqlite3", b"typing", b"dataclasses", b"re", b"json", b"engrain.memory"} == set()


# The parts


@given(st.lists(st.binary(max_size=40), max_size=40), st.integers(0, 30), st.integers(1, 50))
def test_kept_is_the_first_and_the_last_part(pieces: list[bytes], head: int, tail: int) -> None:
    kept, whole = Kept(head, tail), b"".join(pieces)
    for piece in pieces:
        kept.add(piece)
    assert kept.seen == len(whole)
    left_out = len(whole) - head - tail
    cut = b"\n[%d bytes left out]\n" % left_out
    assert kept.whole() == (whole if left_out <= 0 else whole[:head] + cut + whole[-tail:])


def test_kept_stays_small_whatever_comes() -> None:
    kept = Kept(10, 1000)
    for _ in range(200_000):
        kept.add(b"x")
    assert len(kept._tail) < 4


TEXTS = [
    ("plain", b"one\ntwo\n", "one\ntwo\n"),
    ("colours", b"\x1b[1;31merror\x1b[0m: no", "error: no"),
    ("a terminal's line ends", b"one\r\ntwo\r\r\n", "one\ntwo\n"),
    ("a progress bar", b"10 %\r50 %\r100 %\ndone\n", "100 %\ndone\n"),
    ("a progress bar that ends its line late", b"10 %\r100 %\r\n", "100 %\n"),
    ("a title and a link", b"\x1b]0;title\x07a \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "a link"),
    ("a full-screen program", b"before\n\x1b[?1049hpaint\x1b[2J\x1b[?1049lafter\n", "before\nafter\n"),
    ("a full-screen program that was cut off", b"before\n\x1b[?1049hpaint", "before\n"),
    ("letters of a terminal", b"\x1b(B\x1b=\x1b7x\x1b8\x07\x00y", "xy"),
    ("invalid UTF-8", b"caf\xe9", "caf\ufffd"),
]  # fmt: skip


@pytest.mark.parametrize(("given_", "text"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_text_is_what_a_person_would_have_read(given_: bytes, text: str) -> None:
    assert readable(given_) == text


@given(st.binary(max_size=300))
def test_text_of_text_is_itself(output: bytes) -> None:
    once = readable(output)
    assert readable(once.encode()) == once
    assert "\x1b" not in once


@pytest.mark.parametrize("piece", [b"x", b"\x1b]", b"\x1b[", b"\x1bP", b"\r", b"x\r", b"\x1b[?1049h"])
def test_text_takes_no_longer_for_what_is_malformed(piece: bytes) -> None:
    started = time.process_time()
    readable(piece * (400_000 // len(piece)))
    assert time.process_time() - started < 10
