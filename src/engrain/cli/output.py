"""How commands show things: JSON for programs, aligned columns for people, progress.

What was stored was written by anybody: a terminal must show it, not obey it (`harmless`, `as_text`).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from engrain import event as events
from engrain.cli.text import as_text
from engrain.event import Event
from engrain.recall.told import harmless

if TYPE_CHECKING:
    from engrain.model import Fix

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
yes = click.option("--yes", "-y", is_flag=True, help="Do not ask.")

SECONDS_BETWEEN = 5.0
"""Between two lines of progress, where there is no terminal."""


def say_json(value: Any) -> None:
    """One JSON document."""
    click.echo(as_text(value, indent=2))


def event_json(event: Event) -> dict[str, Any]:
    """An event as its line has it."""
    fields: dict[str, Any] = json.loads(events.line(event))
    return fields


def fix_json(fix: Fix) -> dict[str, Any]:
    """A fix for programs."""
    from engrain.recall.told import source

    return {
        "id": fix.id,
        "steps": list(fix.steps),
        "cause": fix.cause,
        "example": fix.example,
        "failure": fix.failure,
        "belief": round(fix.belief, 4),
        "interval": [round(fix.low, 4), round(fix.high, 4)],
        "worked": fix.worked,
        "failed": fix.failed,
        "source": source(fix).split()[0],
        "here": fix.here,
        **({"match": fix.match, "because": fix.because} if fix.match else {}),
    }


def columns(rows: Sequence[Sequence[object]], heads: Sequence[str] = ()) -> None:
    """Rows with aligned columns; numbers to the right."""
    table = [[str(head) for head in heads]] if heads else []
    table += [[_cell(cell) for cell in row] for row in rows]
    if not table:
        return
    right = [all(isinstance(row[i], (int, float)) for row in rows) for i in range(len(table[0]))]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        cells = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)]
        click.echo("  ".join(cells).rstrip())


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else harmless(str(value))


def bar(share: float, width: int = 24) -> str:
    """A share as a bar."""
    return "▇" * max(1, round(width * share))


def span(low: float, value: float, high: float, width: int = 20) -> str:
    """Where a value lies between 0 and 1, and how sure that is."""
    first, at, last = (min(int(each * width), width - 1) for each in (low, value, high))
    return "".join("●" if n == at else "━" if first <= n <= last else "·" for n in range(width))


def when(microseconds: int) -> str:
    """A time as a person reads it, in their own zone."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(microseconds / 1e6))


def brief(event: Event, width: int = 88) -> str:
    """What the event is about, cut to a line."""
    from engrain.learn.direct import gist

    text = harmless(gist(event))
    return text if len(text) <= width else text[: width - 1] + "…"


def plural(number: int, noun: str) -> str:
    """`1 event`, `2 events`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """A progress bar on a terminal; elsewhere a line now and then, of what takes long. Both say how much is left."""
    if total <= 0:
        yield None
        return
    if not sys.stderr.isatty():
        yield _lines(label, total)
        return
    with click.progressbar(length=total, label=label, file=sys.stderr, show_eta=True) as bar:
        yield bar.update


def _lines(label: str, total: int) -> Callable[[int], None]:
    began = said = time.monotonic()
    done = 0

    def update(more: int) -> None:
        nonlocal done, said
        done, now = done + more, time.monotonic()
        if done and now - said >= SECONDS_BETWEEN:
            said, left = now, (now - began) / done * max(total - done, 0)
            click.echo(f"{label}: {done:,} of {total:,}, about {left:,.0f} s left", err=True)

    return update


def confirmed(question: str, yes: bool) -> None:
    """Goes on only when told to: by --yes, or by a person at a terminal."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError(f"{question} Say --yes to go on; there is no terminal to ask at.")
    if not click.confirm(question, err=True):
        raise click.Abort
