"""`engrain classify`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any

import click

from engrain.cli.output import as_json, columns, fix_json, say_json
from engrain.cli.text import as_text
from engrain.errors import BadInput, EngrainError
from engrain.recall.told import harmless

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.model import Fingerprint, Fix

MAX_LINE = 64 * 1024 * 1024
"""Bytes of a line of --jsonl input."""


@click.command("classify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True), default="-")
@click.option("--jsonl", is_flag=True, help='Read one failure a line, {"text": …}, and write one answer a line.')
@as_json
@click.option("--explain", is_flag=True, help="Show what contributed to the keys, what was masked, and why.")
@click.option("--command", "ran", default="", help="What was run; it decides only where the output says nothing.")
@click.option("--exit-code", type=int, help="What it exited with.")
def command(file: str, jsonl: bool, as_json: bool, explain: bool, ran: str, exit_code: int | None) -> int:
    """Say which failure an output is and what is known to help. Reads FILE or standard input; records nothing.

    Exits 0 when every input was classified, fix or none.

    \b
    Examples:
      make 2>&1 | engrain classify
      engrain classify --explain build.log
      engrain classify --json build.log
      engrain classify --jsonl failures.jsonl
    """
    with ExitStack() as stack:
        stream = stack.enter_context(click.open_file(file, "rb"))
        known = Known(stack)
        if jsonl:
            for line in _answers(stream, known):
                click.echo(line)
            return 0
        output = _bounded(stream)
        found = _fingerprint({"text": output, "command": ran, "exit_code": exit_code})
        fixes = known.of(found, ran)
    if as_json:
        say_json(_answer(found, fixes, explain=explain))
    elif explain:
        _show_tree(found)
    else:
        _show(found)
        _show_fixes(fixes)
    return 0


class Known:
    """The memory of this user, asked as long as it answers. That it can't is said once and spoils no classification."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._memory: Memory | None = None
        self._silent = False

    def of(self, found: Fingerprint, command: str, cwd: str = "") -> tuple[Fix, ...]:
        """The fixes that are known for a failure, in the project of its folder."""
        if self._silent:
            return ()
        try:
            return self._opened().match(found, command, cwd=cwd).fixes
        except EngrainError as exc:
            click.echo(f"engrain: fixes can't be looked up: {exc}", err=True)
            self._silent = True
            return ()

    def _opened(self) -> Memory:
        if self._memory is None:
            from engrain.memory import Memory

            self._memory = self._stack.enter_context(Memory.open())
            if self._memory.exists:
                self._memory.catch_up()
        return self._memory


def _bounded(stream: IO[bytes]) -> bytes:
    """As much of an output as is looked at, however long it is."""
    from engrain.fingerprint.read import bounded_stream

    return bounded_stream(stream.read)


def _answers(stream: IO[bytes], known: Known) -> Iterator[str]:
    for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE), b""), start=1):
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError) as exc:
            raise BadInput(f"line {number} is not JSON: {str(exc)[:80]}") from exc
        if not isinstance(asked, dict) or not isinstance(asked.get("text"), str):
            raise BadInput(f'line {number} has no "text"')
        found = _fingerprint(asked)
        fixes = known.of(found, _text(asked, "command"), _text(asked, "cwd"))
        yield as_text(_answer(found, fixes))


def _fingerprint(asked: dict[str, Any]) -> Fingerprint:
    """Keys that are unknown are ignored, and so are known ones that are not what they should be."""
    from engrain.fingerprint import fingerprint

    code = asked.get("exit_code")
    return fingerprint(asked["text"], _text(asked, "command"), code if type(code) is int else None, _text(asked, "cwd"))


def _text(asked: dict[str, Any], name: str) -> str:
    value = asked.get(name)
    return value if isinstance(value, str) else ""


def _answer(found: Fingerprint, fixes: Sequence[Fix], *, explain: bool = False) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "fingerprint": found.fingerprint,
        "family": found.family,
        "toolchain": found.toolchain,
        "error_type": found.error_type,
        "message": found.message,
        "parameters": dict(found.parameters),
        "known": found.known,
        "fixes": [fix_json(fix) for fix in fixes],
    }
    if explain:
        from engrain.fingerprint import explain as parts_of

        answer["explanation"] = [part._asdict() for part in parts_of(found)]
    return answer


def _show(found: Fingerprint) -> None:
    rows: list[tuple[str, str]] = [
        ("toolchain", found.toolchain + ("" if found.known else " (no parser knows this output)")),
        ("error", found.error_type),
        ("message", found.message),
        *((name, value) for name, value in found.parameters.items()),
        ("fingerprint", found.fingerprint),
        ("family", found.family),
    ]
    columns(rows)


def _show_fixes(fixes: Sequence[Fix]) -> None:
    from engrain.recall.told import one_line, record, step_line

    for fix in fixes:
        click.echo(f"\n{fix.match}: {fix.because}  ({fix.id}, {record(fix)}, {100 * fix.belief:.0f} %)")
        for step in fix.steps:
            click.echo(f"  {step_line(step, 2000)}")
        if fix.cause:
            click.echo(f"  because {one_line(fix.cause, 400)}")


def _show_tree(found: Fingerprint) -> None:
    from engrain.fingerprint import explain

    click.echo(harmless(found.message))
    for key, value in (("fingerprint", found.fingerprint), ("family", found.family)):
        click.echo(f"\n{key}  {value}")
        for part in explain(found):
            if part.enters in (key, "both"):
                click.echo(f"  {part.name}={harmless(part.value)}  ({part.why})")
    if masked := [part for part in explain(found) if part.enters == "neither"]:
        click.echo("\nmasked")
        for part in masked:
            click.echo(f"  {part.name}={harmless(part.value)}  ({part.why})")
    others = [each for each in found.diagnostics if each != found.root]
    if others:
        click.echo(f"\nalso said ({len(others)})")
        for each in others[:20]:
            click.echo(f"  {each.toolchain}  {each.type}  {harmless(each.shown or each.message)[:100]}".rstrip())
    if not found.known:
        click.echo("\nNo parser knows this output; the last line that says something stands for it.")
