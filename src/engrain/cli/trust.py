"""`engrain trust`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engrain.cli.output import as_json, confirmed, plural, say_json, yes

if TYPE_CHECKING:
    from engrain.memory.sharing import Offered

MOST_SHOWN = 200


@click.command("trust")
@click.option("--revoke", is_flag=True, help="Use nothing any more that others share in this repository.")
@click.option("--dry-run", is_flag=True, help="Show what would be trusted, and change nothing.")
@yes
@as_json
def command(revoke: bool, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Use what others share in this repository (.engrain/shared), once you have seen it.

    Shows every record, and asks. What you trust is that content: when it changes, by a pull or a checkout, what is new
    is not read before you say so again. Shared fixes are shown to agents as unconfirmed, and their counts are a hint
    that is capped; lessons fire only once they are accepted. What takes something away, fetches or runs who knows what,
    holds a secret or would break its quotation is left out, trusted or not. Exit 1 when there is nothing.

    \b
    Examples:
      engrain trust --dry-run
      engrain trust
      engrain trust --revoke
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        if revoke:
            return _revoked(memory.revoke() if not dry_run else 0, as_json)
        what = memory.offered()
        known = bool(what.content) and what.content == what.trusted
        if not as_json:
            _show(what, known=known)
        done = 0
        if what.content and not known and not dry_run:
            confirmed(f"Use these {plural(len(what.records), 'record')} as hints from now on?", yes)
            done = memory.trust(what)
    if as_json:
        say_json(_fields(what, trusted=known or bool(done)))
    elif done:
        click.echo(f"trusted {plural(done, 'record')}; `engrain trust --revoke` takes that back")
    return 0 if what.content else 1


def _show(what: Offered, *, known: bool) -> None:
    for record in what.records[:MOST_SHOWN]:
        click.echo(f"{record.kind.mark:<8}{record.says}")
    if len(what.records) > MOST_SHOWN:
        click.echo(f"and {len(what.records) - MOST_SHOWN:,} more; --json lists them all")
    for refused in what.refused:
        click.echo(f"left out: {refused.file}:{refused.number}: {refused.why}", err=True)
    if not what.content:
        click.echo("others share nothing in this repository", err=True)
    elif known:
        click.echo(f"trusted: {plural(len(what.records), 'record')} (content {what.content[:12]})")
    else:
        since = f" since you trusted {what.trusted[:12]}" if what.trusted else ""
        click.echo(f"content {what.content[:12]}{since}: {what.new:,} new, {what.gone:,} gone")


def _fields(what: Offered, *, trusted: bool) -> dict[str, object]:
    return {
        "content": what.content,
        "trusted": trusted,
        "new": what.new,
        "gone": what.gone,
        "records": [{"kind": each.kind.mark, "says": each.says, **each.body} for each in what.records],
        "left_out": [each._asdict() for each in what.refused],
    }


def _revoked(number: int, as_json: bool) -> int:
    if as_json:
        say_json({"revoked": number})
    else:
        click.echo(f"{plural(number, 'record')} of others used no more" if number else "nothing was trusted here")
    return 0 if number else 1
