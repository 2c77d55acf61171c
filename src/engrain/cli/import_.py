"""`engrain import`."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from io import BufferedReader

import click

from engrain.cli import importing
from engrain.cli.output import as_json, progress, say_json
from engrain.errors import BadInput
from engrain.upkeep.corpus import is_corpus
from engrain.upkeep.transfer import Imported

ENGRAIN = "engrain"
SOURCES = (ENGRAIN, *importing.AGENTS, *importing.TOOLS)


@click.command("import")
@click.argument("words", nargs=-1, required=True, metavar="[SOURCE] [PATH]…")
@click.option("--no-learn", is_flag=True, help="Leave the learning to the ticks that follow.")
@as_json
def command(words: tuple[str, ...], no_learn: bool, as_json: bool) -> int:
    """Bring in what happened before, or elsewhere; whatever is imported twice is there once.

    \b
    SOURCE is one of
      claude-code    sessions of Claude Code: files or folders, by default ~/.claude/projects
      codex          sessions of Codex: files or folders, by default ~/.codex/sessions
      fixcache       a store of fixcache, by default ~/.lore-memory/default.db
      aictx          repositories that aictx keeps, by default all that it knows on this machine
      agent-memory   a database of agent-memory, as postgresql://USER@HOST/DATABASE
      engrain        what `engrain export` wrote, a journal or a corpus of fixes; `-` is standard input (the default)

    Sessions that hooks recorded already are not doubled, what was forgotten stays forgotten, and what can't be read is
    named and passed over. What another tool keeps is read and never changed. The command returns when what it brought
    has been learned from; --no-learn defers that.

    \b
    Examples:
      engrain import claude-code
      engrain import claude-code ~/old-laptop/.claude/projects --no-learn
      engrain import codex ~/.codex/sessions/2026
      engrain import fixcache
      engrain import aictx ~/code/shop
      engrain import agent-memory postgresql://localhost:5433/agent_memory
      engrain import journal.jsonl
      gunzip -c journal.jsonl.gz | engrain import -
    """
    from engrain.memory import Memory

    if words[0] in importing.AGENTS:
        with Memory.open() as memory:
            return importing.transcripts(memory, words[0], words[1:], learn=not no_learn, as_json=as_json)
    if words[0] in importing.TOOLS:
        with Memory.open() as memory:
            return importing.moved(memory, words[0], words[1:], learn=not no_learn, as_json=as_json)
    paths = words[1:] if words[0] == ENGRAIN and len(words) > 1 else words
    if missing := [path for path in paths if path != "-" and not os.path.isfile(path)]:
        raise BadInput(f"no file {missing[0]}")
    results: dict[str, Imported] = {}
    with Memory.open() as memory:
        for path in paths:
            with ExitStack() as stack:
                file = _open(path, stack)
                bar = stack.enter_context(progress("importing", 0 if path == "-" else os.path.getsize(path)))
                fixes = is_corpus(file.peek(64)[:64])
                results[path] = memory.import_fixes(file, bar) if fixes else memory.import_journal(file, bar)
        if not no_learn:
            importing.learned_from(memory)
    _report(results, as_json)
    return 1 if any(result.refused for result in results.values()) else 0


def _open(path: str, stack: ExitStack) -> BufferedReader:
    if path != "-":
        return stack.enter_context(open(path, "rb"))
    assert isinstance(sys.stdin.buffer, BufferedReader)
    return sys.stdin.buffer


def _report(results: dict[str, Imported], as_json: bool) -> None:
    if as_json:
        say_json({
            path: {**done.appended._asdict(), "refused": [line._asdict() for line in done.refused]}
            for path, done in results.items()
        })  # fmt: skip
        return
    for path, done in results.items():
        click.echo(
            f"{path}: {done.appended.new:,} new, {done.appended.known:,} known, {done.appended.forgotten:,} forgotten, "
            f"{len(done.refused):,} refused"
        )
        for line in done.refused[:10]:
            click.echo(f"{path}:{line.number}: {line.why}", err=True)
        if len(done.refused) > 10:
            click.echo(f"{path}: and {len(done.refused) - 10:,} more; --json lists them all", err=True)
