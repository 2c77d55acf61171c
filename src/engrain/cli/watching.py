"""The light half of `engrain watch`: the command runs before click, the store or a setting is even loaded.

ENGRAIN_WATCH=0       runs the command plainly, as if it had been typed alone
ENGRAIN_WATCHING=1    is set for the command, so that a watch inside a watch runs plainly too
"""

from __future__ import annotations

import os
import signal
import sys

from engrain.capture.watch import become, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.capture.watch import Watched
    from engrain.event import Event
    from engrain.memory import Memory
    from engrain.model import Fingerprint

SWITCH, GUARD = "ENGRAIN_WATCH", "ENGRAIN_WATCHING"

SHELL = "--cmd"


def command_in(words: list[str]) -> list[str] | str | None:
    """What the words after `engrain watch` would run, a line for the shell as text; None: click has to look at them."""
    if words[:1] == ["--"]:
        return words[1:] or None
    if words[:1] == [SHELL] and len(words) == 2:
        return words[1]
    if len(words) == 1 and words[0].startswith(f"{SHELL}="):
        return words[0].removeprefix(f"{SHELL}=")
    return None if not words or words[0].startswith("-") else words


def watch(command: list[str] | str) -> int:
    """Runs the command, remembers how it went, and gives its exit code."""
    environ = dict(os.environ)
    if environ.get(SWITCH) == "0" or environ.get(GUARD):
        become([*["sh", "-c"], command] if isinstance(command, str) else command, environ)
    watched = run(command, {**environ, GUARD: "1"}, meanwhile=_load)
    try:
        remember(command, watched)
    except KeyboardInterrupt:
        # Pressed again, while nobody but us was there to hear it.
        _interrupted()
    if watched.failed:
        _say(f"some output is lost: {watched.failed}")
        return watched.exit or 1
    if watched.typed and watched.signal == signal.SIGINT and _of_a_job():
        _interrupted()
    return watched.exit


def _of_a_job() -> bool:
    """Whether a shell of our terminal waits for us."""
    try:
        return os.getsid(os.getppid()) == os.getsid(0)
    except OSError:
        return False


def _interrupted() -> None:
    """Ends us as the key has ended the command: a shell goes on with its loop or script after an exit code, and stops
    after a death by SIGINT."""
    sys.stdout = sys.stderr = None
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.kill(os.getpid(), signal.SIGINT)


def _load() -> None:
    """Memory, loaded while the command runs: it is needed when that has ended, and nobody waits for it then."""
    try:
        import engrain.memory  # noqa: F401 - for what it leaves in sys.modules
    except (ImportError, SyntaxError):
        # Said where it is needed.
        return


def remember(command: list[str] | str, watched: Watched) -> dict[str, Any]:
    """One event in the spool, its body; a memory that is broken is one line, and never changes how the command went."""
    from engrain.errors import EngrainError

    recorded = False
    body: dict[str, Any] = {}
    try:
        from engrain.memory import Memory
        from engrain.memory.fixes import described

        folder = _folder()
        with Memory.open(folder=folder or os.sep) as memory:
            body = _body(command, folder, watched)
            found = _failure(body, watched)
            if found:
                body["failure"] = described(found)
            event = memory.event("command", body, time=watched.started)
            memory.capture(event)
            recorded = True
            if found:
                _answer(memory, found, event)
            memory.wake()
    except (EngrainError, OSError, ImportError, SyntaxError) as exc:
        # The last two are what half an upgrade looks like.
        _say(f"{'its fixes could not be looked up' if recorded else 'this command was not recorded'}: {exc}")
    return body


def _failure(body: dict[str, Any], watched: Watched) -> Fingerprint | None:
    """Which failure it was; what somebody interrupted has not failed."""
    if not watched.exit or watched.interrupted:
        return None
    from engrain.fingerprint import fingerprint

    return fingerprint(body["output"], body["command"], watched.exit, body["cwd"])


def _answer(memory: Memory, found: Fingerprint, failed: Event) -> None:
    """Says what is known to help, and that it was said. A memory that can't be asked now is silent."""
    from engrain.errors import StoreError
    from engrain.recall.told import lines

    command = str(failed.body["command"])
    try:
        known = memory.match(found, command)
    except StoreError:
        return
    if known.fixes:
        memory.capture(memory.serving(known, channel="watch", command=command, cwd=failed.body["cwd"], of=failed.id))
        _write("".join(f"{line}\n" for line in lines(found, known.fixes)))


def _body(command: list[str] | str, folder: str, watched: Watched) -> dict[str, Any]:
    import shlex

    from engrain.capture.watch.text import readable

    return {
        "command": command if isinstance(command, str) else shlex.join(command),
        "cwd": folder,
        "exit": watched.exit,
        "signal": watched.signal,
        "seconds": round(watched.seconds, 3),
        "interrupted": watched.interrupted,
        "output": readable(watched.output),
        "bytes": watched.seen,
    }


def _folder() -> str:
    """Where we are, as the person sees it: through the links that they went; empty where that is gone."""
    given = os.environ.get("PWD", "")
    try:
        here = os.getcwd()
        return given if os.path.isabs(given) and os.path.samefile(given, here) else here
    except OSError:
        return ""


def _say(message: str) -> None:
    _write(f"engrain: {' '.join(message.split())}\n")


def _write(text: str) -> None:
    try:
        os.write(2, text.encode("utf-8", "replace"))
    except OSError:
        return


def main(words: list[str]) -> int | None:
    """The exit code of `engrain watch` with these words; None when they are not a command to run."""
    command = command_in(words)
    if command is None:
        return None
    try:
        return watch(command)
    except KeyboardInterrupt:
        # Before the command began or after it ended; while it runs the key is its own.
        return 130
    except OSError as exc:
        _say((exc.strerror or str(exc)).lower())
        return 126
    finally:
        # A stream that Python would flush at its end may be closed, or nobody may read it any more.
        sys.stdout = sys.stderr = None
