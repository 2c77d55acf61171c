"""`engrain replay`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from engrain.cli.output import as_json, columns, plural, progress, say_json, when
from engrain.errors import BadInput
from engrain.recall.told import harmless, one_line

if TYPE_CHECKING:
    from engrain.upkeep.replay import Moment, Replayed, Tally

LABEL = "SIMULATED"
SAYS = "what memory would have said, had it watched from the beginning; nobody was shown any of it"
EXAMPLES, KEPT_EXAMPLES, SHOWN_TOOLS = 5, 12, 12
HEADS = ("toolchain", "failures", "answered", "learnable", "judged", "useful", "of learnable", "precision")


@click.command("replay")
@click.argument("paths", nargs=-1, metavar="[PATH]…")
@click.option("--examples", type=click.IntRange(0, 500), default=EXAMPLES, show_default=True, metavar="N",
              help="How many answers of each verdict to show.")  # fmt: skip
@click.option("--html", "page", type=click.Path(dir_okay=False), metavar="FILE", help="Write it as one page, too.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@as_json
def command(paths: tuple[str, ...], examples: int, page: str | None, force: bool, as_json: bool) -> None:
    """What memory would have said at each failure of a history: how often, how usefully, with examples to read.

    Plays transcripts of Claude Code and Codex (files or folders; without any, what this memory itself recorded) in the
    order of their time, in a throw-away home. At each failure memory knows what sessions taught that were over by then.
    Its answer is held against what was done until the command passed: `useful` when it names any of that. Failures are
    learnable where anything was done that the project does not do all the time.

    Every figure is SIMULATED: an agent that is told goes another way. The last one is a page of `engrain ui`.

    \b
    Examples:
      engrain replay
      engrain replay ~/.claude/projects --html replay.html
      engrain replay session.jsonl.gz --json
    """
    from engrain.memory import Memory
    from engrain.memory.replay import keep, sessions_in, size_of

    if page and os.path.exists(page) and not force:
        raise BadInput(f"{page} exists; --force replaces it")
    with Memory.open() as memory:
        # Both are asked first, so that a bar has a length.
        size, number = size_of(memory, paths), sessions_in(memory, paths)
        with progress("reading", size) as bring, progress("playing", number) as bar:
            played = memory.replay(paths, bring=bring, progress=bar)
        keep(memory, fields(played, KEPT_EXAMPLES), paths)
    if page:
        _written(page, played, examples)
    if as_json:
        say_json(fields(played, examples))
    else:
        _show(played, examples)
        if page:
            click.echo(f"\nas a page: {page}")


def _written(path: str, played: Replayed, examples: int) -> None:
    from engrain.cli.replaying import written
    from engrain.paths import reason

    partial = f"{path}.{os.getpid()}.partial"
    try:
        with open(partial, "wb", opener=lambda p, f: os.open(p, f | os.O_EXCL, 0o600)) as file:
            file.write(written(played, examples).encode("utf-8", "replace"))
        os.replace(partial, path)
    except OSError as exc:
        raise BadInput(f"{path} can't be written: {reason(exc)}") from exc
    finally:
        if os.path.exists(partial):
            os.unlink(partial)


def fields(played: Replayed, examples: int) -> dict[str, Any]:
    """A replay for programs."""
    return {
        "simulated": True,
        "sessions": played.sessions,
        "total": _tally(played.total),
        "toolchains": [_tally(each) for each in played.toolchains],
        "examples": {
            verdict: [_moment(each) for each in played.examples(verdict, examples)] for verdict in ("useful", "beside")
        },
    }


def _tally(each: Tally) -> dict[str, Any]:
    return {
        **each._asdict(), "seconds": round(each.seconds, 1), "share": round(each.share, 4),
        "precision": round(each.precision, 4),
    }  # fmt: skip


def _moment(each: Moment) -> dict[str, Any]:
    return {**each._asdict(), "done": each.done._asdict()}


def _show(played: Replayed, examples: int) -> None:
    total = played.total
    click.echo(f"{LABEL}: {SAYS}\n")
    click.echo(
        f"{plural(played.sessions, 'session')}, {plural(total.failures, 'failure')}; answered {total.answered:,}, "
        f"useful {total.useful:,} of {total.judged:,} that can be judged ({100 * total.precision:.0f} %)"
    )
    click.echo(
        f"of {total.learnable:,} that could be learned from: {100 * total.share:.0f} %; silent at "
        f"{total.new_silent:,} of {total.new:,} that the project had never met"
    )
    if total.useful:
        click.echo(
            f"between those {total.useful:,} failures and their end lay {plural(total.calls, 'call')} and "
            f"{lasted(total.seconds)}, of which memory might have saved a part"
        )
    click.echo("")
    columns([row(each) for each in (total, *played.toolchains[:SHOWN_TOOLS])], HEADS)
    for verdict, says in (("useful", "useful"), ("beside", "said something else than what was done")):
        found = played.examples(verdict, examples)
        if found:
            click.echo(f"\n{says}:")
        for each in found:
            _show_moment(each)


def row(each: Tally) -> tuple[str | int, ...]:
    """A tally as a row of the table."""
    share, precision = (f"{100 * value:.0f} %" if of else "–" for value, of in _shares(each))
    return (each.name, each.failures, each.answered, each.learnable, each.judged, each.useful, share, precision)


def _shares(each: Tally) -> tuple[tuple[float, int], tuple[float, int]]:
    return (each.share, each.learnable), (each.precision, each.judged)


def _show_moment(each: Moment) -> None:
    click.echo(f"\n  {when(each.time)}  $ {one_line(each.command, 90)}")
    click.echo(f"    {each.toolchain}: {one_line(each.message, 100)}")
    for step in each.steps[:4]:
        click.echo(f"    memory: {one_line(step, 100)}")
    click.echo(f"            {harmless(each.match)}, {one_line(each.because, 90)}")
    for deed in deeds(each)[:3]:
        click.echo(f"    done:   {one_line(deed, 100)}")


def deeds(each: Moment) -> list[str]:
    """What was done about a failure, each as a line."""
    retyped = [each.done.retyped] if each.done.retyped else []
    return list(dict.fromkeys([*retyped, *each.done.commands, *(f"edit {file}" for file in each.done.files)]))


def lasted(seconds: float) -> str:
    """How long that was, in words."""
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.0f} hours"
