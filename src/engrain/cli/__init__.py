"""The command line: thin over Memory, quick to start.

    catalog    every command in one table: name, module, group, one line of help
    watching   `engrain watch` without click, so that its command runs at once
    group      the click group that loads a command's module when that command is called
    output     tables, JSON, times and progress bars

`engrain --help` is printed from the catalog without importing click, because people and shells ask for it all the time.
Exit codes: 0 done, 1 nothing found or a check failed, 2 bad usage or input.
"""

from __future__ import annotations

import sys


def main(args: list[str] | None = None) -> int:
    """The entry point: the exit code of a command line."""
    words = sys.argv[1:] if args is None else args
    if words in ([], ["--help"], ["-h"], ["help"]):
        from engrain.cli.catalog import overview

        sys.stdout.write(overview())
        return 0
    if words in (["--version"], ["-V"]):
        from engrain import __version__

        sys.stdout.write(f"engrain {__version__}\n")
        return 0
    if words[0] == "watch":
        from engrain.cli import watching

        if (code := watching.main(words[1:])) is not None:
            return code
    from engrain.cli.group import run

    return run(words)
