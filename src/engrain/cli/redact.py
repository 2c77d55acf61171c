"""`engrain redact`."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import BinaryIO

import click

from engrain.cli.output import as_json, say_json
from engrain.cli.text import as_text
from engrain.errors import BadInput
from engrain.redact import redacted
from engrain.redact.stream import Stream

_PIECE = 64 * 1024


@click.command("redact")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True), default="-")
@click.option("--jsonl", is_flag=True, help='Read {"text":…} a line, write {"text":…,"found":[…]} a line.')
@as_json
def command(file: str, jsonl: bool, as_json: bool) -> None:
    """Print a text without its secrets; FILE or `-` for standard input.

    This is what Engrain does to everything before it stores it. `found` names the rules and how often each held, never
    a value. A large file is worked through in pieces.

    \b
    Examples:
      engrain redact build.log
      git diff | engrain redact
      engrain redact --json config.yml
      jq -c '{text: .body}' issues.json | engrain redact --jsonl
    """
    with ExitStack() as stack:
        opened = sys.stdin.buffer if file == "-" else stack.enter_context(open(file, "rb"))
        if jsonl:
            for number, line in enumerate(opened, 1):
                if line.strip():
                    click.echo(as_text(_answer(_text(line, number))))
        elif as_json:
            say_json(_answer(opened.read().decode("utf-8", "replace")))
        else:
            _pass_through(opened)


def _answer(text: str) -> dict[str, object]:
    done = redacted(text)
    return {"text": done.text, "found": [{"rule": rule, "count": count} for rule, count in done.found.items()]}


def _text(line: bytes, number: int) -> str:
    try:
        given = json.loads(line)
    except ValueError as exc:
        raise BadInput(f"line {number} is not JSON") from exc
    except RecursionError as exc:
        raise BadInput(f"line {number} is nested too deep") from exc
    if not isinstance(given, dict) or not isinstance(given.get("text"), str):
        raise BadInput(f'line {number} has no "text"')
    return str(given["text"])


def _pass_through(opened: BinaryIO) -> None:
    """Bytes that are no UTF-8 come out as they went in."""
    redactor = Stream()
    for piece in _pieces(opened):
        _write(redactor.feed(piece))
    _write(redactor.close())


def _pieces(opened: BinaryIO) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    while piece := opened.read(_PIECE):
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
