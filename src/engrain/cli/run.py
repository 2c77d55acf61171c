"""`engrain run`."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

import click

from engrain.cli import watching
from engrain.errors import EngrainError
from engrain.recall.told import one_line

if TYPE_CHECKING:
    from engrain.capture.watch import Watched
    from engrain.memory.tasks import Finalized, Prepared

_ERROR = (("fingerprint", "fingerprint"), ("type", "error_type"), ("message", "message"))


@click.command("run", context_settings={"allow_interspersed_args": False})
@click.option("--task", "text", required=True, metavar="TEXT", help="What the command is run for.")
@click.option("--type", "kind", default="", help="What kind of task, such as feature, bugfix, refactor, test, docs.")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="[--] CMD…")
def command(text: str, kind: str, words: tuple[str, ...]) -> int:
    """Prepare the task TEXT, run CMD for it as if it ran alone, and finalize: CMD's own exit code comes back.

    What it changed in the work tree, the tests that it ran, how long it took and how it ended are recorded as they were
    seen. What is known of such work stands on stderr before it, what was recorded behind it.

    \b
    Examples:
      engrain run --task "upgrade the linter" -- make lint
      engrain run --task "fix the flaky cart test" --type bugfix -- claude -p "fix the flaky cart test"
    """
    from engrain.capture.watch import run
    from engrain.upkeep.worktree import changed, taken

    begun = _prepared(text, kind)
    before = taken(os.getcwd())
    watched = run(list(words), {**os.environ, watching.GUARD: "1"})
    body = watching.remember(list(words), watched)
    if begun:
        seen = changed(before, taken(os.getcwd()))
        _finalized(begun, _observed(words, watched, body) | {
            "modified": list(seen.files), "added": seen.added, "removed": seen.removed,
        })  # fmt: skip
    return watched.exit


def _prepared(text: str, kind: str) -> Prepared | None:
    """The task that begins; a memory that is broken never keeps a command from running."""
    from engrain.memory import Memory
    from engrain.memory.tasks import Asked

    try:
        with Memory.open() as memory:
            memory.catch_up()
            begun = memory.prepare(Asked(text, kind))
    except (EngrainError, OSError) as exc:
        _say(f"the task is not recorded: {exc}")
        return None
    if found := begun.suggestion.hint:
        files = ", ".join(one_line(path, 120) for path in found.task.modified[:5])
        changed = f"; it changed {files}" if files else ""
        _say(f"like task {found.task.id}, which went well: {one_line(found.task.text, 120)!r}{changed}")
    return begun


def _observed(words: tuple[str, ...], watched: Watched, body: dict[str, Any]) -> dict[str, Any]:
    """What was seen of the command itself."""
    from engrain.learn.testing import counts, results

    line = shlex.join(words)
    tests = results(line, str(body.get("output", "")))
    failure = body.get("failure", {})
    error = {name: failure.get(key) for name, key in _ERROR}
    return {
        "outcome": "cancelled" if watched.interrupted else "failed" if watched.exit else "success",
        "commands": [line], "seconds": round(watched.seconds, 3),
        "tests": [{"command": line, **counts(tests)._asdict()}] if tests else [],
        "errors": [error] if failure else [],
    }  # fmt: skip


def _finalized(begun: Prepared, observed: dict[str, Any]) -> Finalized | None:
    from engrain.memory import Memory

    try:
        with Memory.open() as memory:
            done = memory.observed_task(begun.task, observed)
    except (EngrainError, OSError) as exc:
        _say(f"how it went is not recorded: {exc}")
        return None
    _say(done.text)
    return done


def _say(text: str) -> None:
    click.echo(f"[engrain] {' '.join(text.split())}", err=True)
