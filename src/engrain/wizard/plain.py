"""Plain: the walk without a screen. Nobody is asked: what the config does not approve is not approved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engrain.wizard.state import Done
from engrain.wizard.walk import APPROVE, OVER, REFUSED, Walk
from engrain.wizard.work import FIGURE, SAY, Told

Say = Callable[[str], None]


def walked(walk: Walk, say: Say) -> bool:
    """Goes as far as it may; whether that was to the end."""
    for each in walk.stages:
        if before := walk.done(each):
            say(f"{each.title}: done already. {before.because}")
    while (next_ := walk.next()).what != OVER:
        stage, done = next_.stage, next_.done
        assert stage is not None
        if done is None:
            say(f"{stage.title}: {stage.does}")
            done = walk.run(stage, lambda told: _told(told, say))
            if done is None:
                say("  It was stopped; the same command goes on.")
                return False
            say(f"  {done.because}  ({done.seconds:.0f} s)")
            for line in table(done):
                say(f"  {line}")
        elif next_.what == REFUSED:
            say(f"{stage.name} says no: {done.because}")
            return False
        elif next_.what == APPROVE:
            say(f"{stage.name} waits for a person: approve it in the wizard, or in the config with")
            say(f'  approved = ["{stage.name}:{done.digest}"]')
            return False
    say("All is done.")
    return True


def table(done: Done) -> list[str]:
    """What a stage measured, a line each."""
    rows: list[tuple[str, ...]] = [(name, figure(value)) for name, value in done.figures.items()]
    rows += [("ok" if gate["passed"] else "NO" if gate.get("hard", True) else "look", str(gate["name"]),
              figure(gate["value"]), str(gate["bound"])) for gate in done.gates]  # fmt: skip
    return [*("  ".join(row) for row in rows), *side_by_side(done)]


def side_by_side(done: Done) -> list[str]:
    """Models beside each other: a line for each thing measured."""
    models = list(done.beside)
    names = list(dict.fromkeys(name for one in done.beside.values() for name in one))
    rows = [
        ["", *models],
        *([name, *(figure(done.beside[model].get(name, "–")) for model in models)] for name in names),
    ]
    if not models:
        return []
    widths = [max(len(row[place]) for row in rows) for place in range(len(models) + 1)]
    lines = ([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in rows)
    return ["  ".join(line) for line in lines]


def figure(value: Any) -> str:
    """A figure as people read it."""
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _told(told: Told, say: Say) -> None:
    if told.kind == SAY:
        say(f"  {told.value}")
    elif told.kind == FIGURE:
        name, value = told.value
        say(f"  {name}: {figure(value)}")
