"""`engrain stats`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engrain.cli.output import as_json, bar, columns, fix_json, plural, say_json, span

if TYPE_CHECKING:
    from engrain.learn.calibration import Calibration
    from engrain.memory import Stats
    from engrain.memory.proof import Gain, Proof
    from engrain.model import Fix


@click.command("stats")
@as_json
def command(as_json: bool) -> None:
    """What is in the memory and what it did: failures answered, fixes that worked, whether beliefs came true.

    Of fixes only outcomes count that a person told or a command showed. Bars show the 90 % interval of the chance that
    a fix works the next time.

    \b
    Examples:
      engrain stats
      engrain stats --json
    """
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        seen, proof = memory.stats(), memory.proof()
    if as_json:
        say_json({**seen._asdict(), "bodies": seen.bodies._asdict(), "proof": _proof_json(proof)})
        return
    _show_holdings(seen)
    _show_proof(proof)


def _show_holdings(seen: Stats) -> None:
    click.echo(
        f"{plural(seen.events, 'event')}, {plural(seen.sessions, 'session')}, {plural(seen.projects, 'project')} "
        f"in {seen.store}"
    )
    most = max(seen.kinds.values(), default=1)
    columns([(kind, number, bar(number / most)) for kind, number in seen.kinds.items()])
    if seen.redacted:
        taken = ", ".join(f"{number:,} {rule}" for rule, number in seen.redacted.items())
        click.echo(f"redacted before it was written: {taken}")
    if seen.spool_segments or seen.jobs_waiting:
        click.echo(f"waiting: {plural(seen.spool_segments, 'spool segment')}, {plural(seen.jobs_waiting, 'job')}")


def _show_proof(proof: Proof) -> None:
    if proof.failures:
        share = 100 * proof.answered / proof.failures
        click.echo(f"\n{plural(proof.failures, 'failure')}, {proof.answered:,} answered ({share:.0f} %)")
        columns([(f"{each.times} ×", each.toolchain, each.message[:80]) for each in proof.common])
    if proof.tried:
        click.echo("\nfixes, by how often they were tried")
        columns([_row(fix) for fix in proof.tried])
    if proof.calibration.number:
        _show_calibration(proof.calibration)
    if proof.compared.held:
        _show_gain(proof.compared)


def _row(fix: Fix) -> tuple[str, str, str, str, str]:
    from engrain.recall.told import one_line

    tries = fix.worked + fix.failed
    worked = f"{fix.worked} of {tries}" if tries else "guessed"
    believed = f"{100 * fix.belief:.0f} % ({100 * fix.low:.0f}–{100 * fix.high:.0f})"
    return (
        fix.id,
        worked,
        span(fix.low, fix.belief, fix.high),
        believed,
        one_line(f"{fix.failure} → {fix.steps[0]}", 80),
    )


def _show_calibration(found: Calibration) -> None:
    click.echo(f"\nbelieved against seen, over {plural(found.number, 'outcome')}: {100 * found.gap:.0f} points apart")
    columns([
        (f"{100 * each.low:.0f}–{100 * each.high:.0f} %", f"{100 * each.predicted:.0f} % believed",
         f"{100 * each.observed:.0f} % worked", span(each.lowest, each.observed, each.highest), f"{each.number} ×")
        for each in found.bins if each.number
    ])  # fmt: skip


def _show_gain(found: Gain) -> None:
    shown = 100 * found.resolved / found.shown if found.shown else 0.0
    held = 100 * found.held_resolved / found.held
    click.echo(
        f"\ngone within the hour: {shown:.0f} % of {found.shown:,} with a fix shown, "
        f"{held:.0f} % of {found.held:,} held back"
    )
    if found.gain:
        difference, low, high = (100 * each for each in found.gain)
        click.echo(f"gain: {difference:+.0f} points ({low:+.0f} to {high:+.0f})")


def _proof_json(proof: Proof) -> dict[str, Any]:
    return {
        "failures": proof.failures,
        "answered": proof.answered,
        "common": [each._asdict() for each in proof.common],
        "fixes": [fix_json(fix) for fix in proof.tried],
        "calibration": {
            **proof.calibration._asdict(),
            "bins": [each._asdict() for each in proof.calibration.bins if each.number],
        },
        "compared": proof.compared._asdict(),
    }
