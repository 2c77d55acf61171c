"""The command line: thin over Memory, quick to start.

    catalog    every command in one table: name, module, group, one line of help
    watching   `engrain watch` without click, so that its command runs at once
    suggesting `engrain suggest` without click and Memory, where these are not needed
    group      the click group that loads a command's module when that command is called
    output     tables, JSON, times and progress bars

`engrain --help` is printed from the catalog without importing click, because people and shells ask for it all the time.
Exit codes: 0 done, 1 nothing found or a check failed, 2 bad usage or input.
"""

from __future__ import annotations

import os
import sys

NO_WINDOWS = "engrain: it needs a POSIX system for its locks and terminals; on Windows install and run it inside WSL\n"


def main(args: list[str] | None = None) -> int:
    """The entry point: the exit code of a command line."""
    words = sys.argv[1:] if args is None else args
    _have_streams()
    if words in ([], ["--help"], ["-h"], ["help"]):
        from engrain.cli.catalog import overview

        return _print(overview())
    if words in (["--version"], ["-V"]):
        from engrain import __version__

        return _print(f"engrain {__version__}\n")
    if os.name == "nt":
        sys.stderr.write(NO_WINDOWS)
        return 2
    if words[0] == "watch":
        from engrain.cli import watching

        if (code := watching.main(words[1:])) is not None:
            # What it has in hand is closed, and a thread that still loads something does not live through Python's end.
            return code if args else os._exit(code)
    if words[0] == "suggest":
        from engrain.cli import suggesting

        if (code := suggesting.main(words[1:])) is not None:
            return code
    from engrain.cli.group import run

    return run(words)


def _have_streams() -> None:
    """Whoever started us may have shut any of the three; what is written then goes nowhere, and nothing can be read."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as the process
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _print(text: str) -> int:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as exc:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"engrain: {(exc.strerror or str(exc)).lower()}\n")
        return 1
    return 0
