"""`engrain lesson`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engrain.cli.output import as_json, columns, plural, say_json, when
from engrain.errors import BadInput
from engrain.recall.told import harmless

if TYPE_CHECKING:
    from engrain.learn.trigger import Trigger
    from engrain.memory.lessons import Kept

_TRIGGER = (
    click.option("--tool", default="", help="The tool, or several: `Bash`, `Edit|Write`, `mcp__*`."),
    click.option("--command", "command_", default="", help="An expression, searched for in the command."),
    click.option("--path", default="", help="Globs as in .gitignore, apart by commas, for the files of a call."),
    click.option("--input", "input_", default="", help="An expression, searched for in what is written or edited."),
    click.option("--output", default="", help="An expression, searched for in what a call printed."),
    click.option("--phase", default="", help="before (the default), after (with --output), prompt or start."),
)


def _triggered(function: Any) -> Any:
    for option in reversed(_TRIGGER):
        function = option(function)
    return function


@click.group("lesson")
def command() -> None:
    """Rules that fire at a call of an agent, before the harm is done.

    A lesson says what to do, or not to do, and when: at which tool, command, file, output or phase. All that is said of
    when must hold. `test` shows on which past calls a rule would have fired; an expression that takes too long is
    stopped, set aside, and named by `review` and `engrain doctor`.

    \b
    Examples:
      engrain lesson add "migrations are append-only: add a new one" --tool "Edit|Write" --path "migrations/*.sql"
      engrain lesson add "never force-push main" --command "git push.*(--force|-f)\\b" --severity danger
      engrain lesson add "the tests need redis" --output "ECONNREFUSED.*6379"
      engrain lesson test --command "rm -rf"
      engrain lesson review
    """


@command.command("add")
@click.argument("text")
@_triggered
@click.option("--severity", default="warning", show_default=True, help="info, warning or danger.")
@click.option("--global", "everywhere", is_flag=True, help="For every project, not this one alone.")
@click.option("--why", default="", help="What it was learned from.")
@as_json
def add(
    text: str, tool: str, command_: str, path: str, input_: str, output: str, phase: str, severity: str,
    everywhere: bool, why: str, as_json: bool,
) -> None:  # fmt: skip
    """Teach a rule: TEXT is what whoever makes such a call is told."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        learned = memory.learn_lesson(
            text, tool=tool, command=command_, path=path, input=input_, output=output, phase=phase, severity=severity,
            everywhere=everywhere, why=why,
        )  # fmt: skip
    if as_json:
        say_json(learned._asdict())
    else:
        click.echo(f"{'taught again' if learned.again else 'taught'} {learned.id}")
    if learned.risky:
        click.echo(
            "its expression repeats what repeats: on some texts it can take very long. It is stopped then, and set"
            " aside; `engrain lesson review` names it",
            err=True,
        )
    if memory.waits:
        click.echo(f"it waits in the spool and is not lost: {memory.waits}", err=True)


@command.command("list")
@click.option("--all", "-a", "everything", is_flag=True, help="Of every project, and the retired ones, too.")
@as_json
def list_lessons(everything: bool, as_json: bool) -> int:
    """The rules of this project and those for all, the newest first."""
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.lessons(everywhere=everything, retired=everything)
    _show(found, as_json)
    return 0 if found else 1


@command.command("test")
@click.argument("lesson", required=False)
@_triggered
@click.option("--limit", default=2000, show_default=True, type=click.IntRange(1, 100_000), help="How many past calls.")
@as_json
def test(
    lesson: str | None, tool: str, command_: str, path: str, input_: str, output: str, phase: str, limit: int,
    as_json: bool,
) -> int:  # fmt: skip
    """On which past calls of this project a LESSON, or such a rule, would have fired."""
    from engrain.learn.trigger import AFTER, BEFORE, Trigger, flaw
    from engrain.memory import Memory, lessons

    given = Trigger(tool, command_, path, input_, output, phase or (AFTER if output else BEFORE))
    if (lesson is None) == (given == Trigger(phase=given.phase)):
        raise click.UsageError("name a lesson, or say when it should fire")
    if problem := flaw(given):
        raise BadInput(problem)
    with Memory.open() as memory:
        memory.catch_up()
        trigger = lessons.one(memory, lesson).trigger if lesson else given
        found, number = lessons.would_fire(memory, trigger, limit=limit)
    if as_json:
        say_json({"calls": number, "fires": [each._asdict() for each in found]})
        return 0 if found else 1
    columns([(each.event, when(each.time), each.tool, _short(each.about, 60), each.because) for each in found[:50]])
    more = f", the newest 50 of them above{''}" if len(found) > 50 else ""
    click.echo(f"fires at {len(found)} of {plural(number, 'past call')}{more}", err=not found)
    return 0 if found else 1


@command.command("review")
@as_json
def review(as_json: bool) -> int:
    """What needs a decision: proposed rules, rules that were stopped, are never heeded or fire no more."""
    from engrain.memory import Memory, lessons

    with Memory.open() as memory:
        memory.catch_up()
        found = lessons.wanting(memory)
    if as_json:
        say_json([_json(each) for each in found])
        return 0
    for each in found:
        click.secho(f"{each.id}  {each.says}", bold=True)
        click.echo(f"  {harmless(each.text)}")
        click.echo(f"  fires at {_when(each.trigger)}; {each.source}{_counts(each)}")
        if each.because or each.why:
            click.echo(f"  {harmless(each.because or each.why)}")
    click.echo("engrain lesson accept ID · engrain lesson retire ID" if found else "nothing waits for a decision")
    return 0


@command.command("accept")
@click.argument("lesson")
def accept(lesson: str) -> None:
    """From now on LESSON fires: a proposed one, or one that was stopped or retired."""
    _decide(lesson, "active", "")


@command.command("retire")
@click.argument("lesson")
@click.option("--why", default="", help="Why it is not needed any more.")
def retire(lesson: str, why: str) -> None:
    """From now on LESSON does not fire; it is kept, and `accept` brings it back."""
    _decide(lesson, "retired", why)


def _decide(lesson: str, state: str, why: str) -> None:
    from engrain.memory import Memory, lessons

    with Memory.open() as memory:
        memory.catch_up()
        event = lessons.decide(memory, lesson, state, why)
    click.echo(f"{event.body['lesson']} is {state}; to take it back: engrain forget {event.id}")


def _show(found: list[Kept], as_json: bool) -> None:
    if as_json:
        say_json([_json(each) for each in found])
        return
    columns([
        (each.id, each.state, each.severity, _short(each.text, 60), _short(_when(each.trigger), 60), _counts(each)[2:])
        for each in found
    ])  # fmt: skip


def _json(each: Kept) -> dict[str, object]:
    return {
        "id": each.id, "text": each.text, "trigger": {k: v for k, v in each.trigger._asdict().items() if v},
        "severity": each.severity, "source": each.source, "state": each.state, "everywhere": each.project == "*",
        "project": each.project, "fired": each.fired, "heeded": each.heeded, "ignored": each.ignored,
        "last": each.last, "worth": round(each.worth, 4), "risky": each.risky, "why": each.why,
        "because": each.because, "says": each.says,
    }  # fmt: skip


def _when(trigger: Trigger) -> str:
    said = [f"{name} {value}" for name, value in trigger._asdict().items() if value and name != "phase"]
    return " and ".join([*said, *([] if trigger.phase == "before" else [f"phase {trigger.phase}"])])


def _counts(each: Kept) -> str:
    return f", fired {each.fired} times, heeded {each.heeded}, not {each.ignored}" if each.fired else ""


def _short(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
