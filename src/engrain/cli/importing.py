"""What `engrain import` does for each source: bring it, learn from it, say what came."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from engrain.cli.output import plural, progress, say_json

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.store.store import Appended
    from engrain.upkeep.backfill import Brought
    from engrain.upkeep.moving.bring import Moved

AGENTS = {"claude-code": "Claude Code", "codex": "Codex"}
TOOLS = ("fixcache", "aictx", "agent-memory")
KINDS = {
    "sessions": "session", "prompts": "prompt", "calls": "tool call", "failures": "failure", "fixes": "fix",
    "outcomes": "outcome", "tasks": "task", "lessons": "lesson", "notes": "note",
}  # fmt: skip
"""What another tool may tell of."""
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


def moved(memory: Memory, tool: str, where: tuple[str, ...], *, learn: bool, as_json: bool) -> int:
    """Brings what another tool keeps, and learns from it."""
    with ExitStack() as stack:

        def start(size: int) -> Callable[[int], None] | None:
            return stack.enter_context(progress("importing", size))

        done = memory.move_in(tool, where, start)
    learned = learned_from(memory) if learn else 0
    if as_json:
        left = [each._asdict() for each in done.left]
        say_json({"source": tool, "told": dict(done.told), **done.appended._asdict(), "left": left, "learned": learned})
    else:
        _say_moved(tool, done, learned)
    return 0 if done.told else 1


def _say_moved(tool: str, done: Moved, learned: int) -> None:
    if not done.told:
        click.echo(f"{tool} has kept nothing there that could be brought", err=True)
    else:
        click.echo(f"{tool}: {', '.join(_counted(done))}")
        _say_appended(done.appended)
    if learned:
        click.echo(f"learned from {plural(learned, 'session')}")
    for each in done.left[:MOST_NAMED]:
        click.echo(f"left out: {each.what}: {each.why}", err=True)
    if len(done.left) > MOST_NAMED:
        click.echo(f"and {len(done.left) - MOST_NAMED:,} more; --json names them all", err=True)


def _counted(done: Moved) -> list[str]:
    """What was told, in the order in which a person thinks of it."""
    told = ((name, done.told.get(kind, 0)) for kind, name in KINDS.items())
    return [
        f"{number} fixes" if name == "fix" and number > 1 else plural(number, name) for name, number in told if number
    ]


def _say_appended(came: Appended) -> None:
    gone = f", {came.forgotten:,} stay forgotten" if came.forgotten else ""
    click.echo(f"{plural(came.new, 'event')} new, {came.known:,} known{gone}")


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
    _say_appended(came)
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
