"""`engrain suggest`."""

from __future__ import annotations

from typing import Any

import click

from engrain.cli.output import say_json
from engrain.cli.tasking import asked, json_always, request, suggestion_json


@click.command("suggest")
@click.argument("text", nargs=-1, required=True, metavar="REQUEST…")
@request
@click.option("--limit", default=3, show_default=True, type=click.IntRange(1, 50), help="How many strategies.")
@click.option("--all", "-a", "everywhere", is_flag=True, help="From every project, not this one alone.")
@click.option("--session", default="", help="The session that asks.")
@json_always
def command(text: tuple[str, ...], limit: int, everywhere: bool, session: str, **given: Any) -> int:
    """How work like REQUEST was done before: strategies that worked, and warnings of what did not. JSON.

    Nothing is suggested where nothing fits. What is suggested is evidence of what was done then, no instruction. That
    it was shown is recorded, so that it can be seen whether it was followed.

    \b
    Examples:
      engrain suggest "stop password guessing at the login form"
      engrain suggest --file src/login.py --type security "limit failed logins" | jq .hint.files
      engrain suggest --error "ECONNREFUSED" "the e2e tests fail in the pipeline"
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        found = memory.suggest(asked(text, given), everywhere=everywhere, limit=limit, session=session)
    say_json(suggestion_json(found))
    return 0 if found.hint else 1
