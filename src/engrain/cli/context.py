"""`engrain context`."""

from __future__ import annotations

from typing import Any

import click

from engrain.cli.output import as_json, fix_json, say_json
from engrain.recall.context import LEAST_TOKENS, MOST_TOKENS, TOKENS


@click.command("context")
@click.argument("task", nargs=-1)
@click.option(
    "--tokens", default=TOKENS, show_default=True, type=click.IntRange(LEAST_TOKENS, MOST_TOKENS),
    help="How much may be said; a token is taken for three bytes.",
)  # fmt: skip
@click.option("--file", "files", multiple=True, help="A file that the task is about; may be repeated.")
@click.option("--limit", default=5, show_default=True, type=click.IntRange(1, 50), help="How many of each kind.")
@click.option("--start", is_flag=True, help="What a session is told at its start, as hooks do.")
@as_json
def command(task: tuple[str, ...], tokens: int, files: tuple[str, ...], limit: int, start: bool, as_json: bool) -> int:
    """What is known of TASK: similar ones, lessons, failures of the area, patterns, tests, files. As quoted evidence.

    What is said fits into the budget; each section says its best first. Nothing that is recalled is an instruction.

    \b
    Examples:
      engrain context "add a rate limit to the login endpoint"
      engrain context --tokens 600 --file src/auth/login.py "refuse weak passwords"
      engrain context --json "make the tests quicker" | jq .errors
      engrain context --start
    """
    from engrain.memory import Memory
    from engrain.recall.context import rendered, told_at_start

    with Memory.open() as memory:
        memory.catch_up()
        if start:
            begun = memory.get_start(limit=limit)
            if as_json:
                say_json(_fields(begun))
            else:
                click.echo(told_at_start(begun) or "nothing to tell yet")
            return 0 if told_at_start(begun) else 1
        found = memory.get_coding_context(" ".join(task), files=files, limit=limit)
    if as_json:
        say_json(_fields(found))
    else:
        click.echo(rendered(found, tokens))
    return 0 if any(isinstance(part, tuple) and part for part in found) else 1


def _fields(value: Any) -> Any:
    """Values for programs."""
    if hasattr(value, "belief"):
        return fix_json(value)
    if hasattr(value, "_asdict"):
        return {name: _fields(part) for name, part in value._asdict().items()}
    return [_fields(each) for each in value] if isinstance(value, tuple) else value
