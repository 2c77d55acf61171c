"""What `engrain import` does for each source: bring it, learn from it, say what came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engrain.cli.output import plural, progress, say_json

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.upkeep.backfill import Brought

AGENTS = {"claude-code": "Claude Code", "codex": "Codex"}
MOST_NAMED = 10


def transcripts(memory: Memory, agent: str, paths: tuple[str, ...], *, learn: bool, as_json: bool) -> int:
    """Brings an agent's sessions, and learns from them."""
    units = memory.transcripts(agent, paths)
    with progress("importing", sum(unit.size for unit in units)) as bar:
        done = memory.import_transcripts(agent, units, bar)
    learned = learned_from(memory) if learn else 0
    waiting = memory.to_learn()
    if as_json:
        say_json({**_fields(agent, done), "learned": learned, "to_learn": waiting})
    else:
        _say(agent, done, learned, waiting)
    return 1 if done.problems or not done.told.files - done.told.empty else 0


def learned_from(memory: Memory) -> int:
    """Learns from what came; from how many sessions."""
    with progress("learning", memory.to_learn()) as bar:
        return memory.learn(bar)


def _fields(agent: str, done: Brought) -> dict[str, Any]:
    return {
        "source": agent,
        **done.told._asdict(),
        "sessions": done.sessions,
        **done.appended._asdict(),
        "problems": [problem._asdict() for problem in done.problems],
    }


def _say(agent: str, done: Brought, learned: int, waiting: int) -> None:
    told, came = done.told, done.appended
    if not told.files - told.empty and not done.problems:
        click.echo(f"no session of {AGENTS[agent]} there", err=True)
        return
    click.echo(
        f"{plural(done.sessions, 'session')} in {plural(told.files, 'file')}: {plural(told.prompts, 'prompt')}, "
        f"{plural(told.calls, 'tool call')}, {plural(told.failures, 'failure')}"
    )
    gone = f", {came.forgotten:,} stay forgotten" if came.forgotten else ""
    click.echo(f"{plural(came.new, 'event')} new, {came.known:,} known{gone}")
    if told.waiting:
        click.echo(f"{plural(told.waiting, 'tool call')} without an answer yet: the next import tells of them")
    if told.unread:
        click.echo(f"{plural(told.unread, 'record')} torn or unreadable, passed over")
    if learned:
        click.echo(f"learned from {plural(learned, 'session')}")
    if waiting:
        click.echo(f"{plural(waiting, 'session')} to be learned from; `engrain tick` goes on with them")
    for problem in done.problems[:MOST_NAMED]:
        click.echo(f"{problem.path}: {problem.why}", err=True)
    if len(done.problems) > MOST_NAMED:
        click.echo(f"and {len(done.problems) - MOST_NAMED:,} more files; --json names them all", err=True)
