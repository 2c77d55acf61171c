"""`engrain train serve` and `chat`: a model that answers."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator

import click

from engrain.recall.told import harmless

_CONTEXT = click.option(
    "--context", type=click.IntRange(256, 4_194_304), help="Tokens that it remembers; its own, at most 16384."
)
_THREADS = click.option(
    "--threads", type=click.IntRange(1, 1024), help="Threads that compute; one fewer than there are cores."
)


@click.command("serve")
@click.argument("model")
@click.option("--port", type=click.IntRange(0, 65535), default=8033, show_default=True, help="0: any that is free.")
@_CONTEXT
@_THREADS
@click.option("--same", type=click.IntRange(2, 100), default=3, show_default=True,
              help="At which time the same call in a row is stopped.")  # fmt: skip
def serve(model: str, port: int, context: int | None, threads: int | None, same: int) -> None:
    """Serve the GGUF file MODEL (or the one in a folder) as OpenAI's API does, on this machine alone.

    A call that would be made for the third time in a row with the same arguments does not go out: the answer says so
    in its place. So it is with calls that lack what their tool needs, and with text that goes in circles.

    \b
    Examples:
      engrain train serve model-Q4_K_M.gguf
      curl http://127.0.0.1:8033/v1/chat/completions -d '{"messages": [{"role": "user", "content": "Hello"}]}'
    """
    from engrain.train.serving import http

    how = {"context": context or 0, "threads": threads or 0, "most": same}
    with _until_told() as over, http.listening(model, port, _say, **how) as up:
        assert up.model is not None
        _say(f"{up.model.name} answers at {up.url}/v1 with {up.model.engine.context:,} tokens of memory")
        over.wait()


@click.command("chat")
@click.argument("model")
@click.option(
    "--in", "folder", default="", metavar="FOLDER", help="Where its tools read and write; a new one, unless set."
)
@click.option("--say", "said", multiple=True, metavar="TEXT", help="Say this, and no more; may be given several times.")
@_CONTEXT
@_THREADS
def chat(model: str, folder: str, said: tuple[str, ...], context: int | None, threads: int | None) -> None:
    """Talk with MODEL, a GGUF file or the http:// address of one that is served; its calls are really made.

    Its tools list, read and write files of one folder, and can do nothing else.

    \b
    Examples:
      engrain train chat model-Q4_K_M.gguf
      engrain train chat http://127.0.0.1:8033 --in notes --say 'What is in a.txt?'
    """
    from engrain.train.serving import talk

    messages: list[talk.Message] = [{"role": "system", "content": talk.SYSTEM}]
    with contextlib.ExitStack() as stack:
        url = model if "://" in model else stack.enter_context(_served(model, context or 0, threads or 0))
        place = folder or stack.enter_context(tempfile.TemporaryDirectory(prefix="engrain-chat-"))
        os.makedirs(place, exist_ok=True)
        for text in said or _typed():
            messages.append({"role": "user", "content": text})
            messages[:] = talk.talk(url, messages, place, _shown).messages


@contextlib.contextmanager
def _served(model: str, context: int, threads: int) -> Iterator[str]:
    from engrain.train.serving import http

    with http.listening(model, 0, _say, context=context, threads=threads) as up:
        yield up.url


@contextlib.contextmanager
def _until_told() -> Iterator[threading.Event]:
    """Set when this process is told to end; meanwhile that is no error."""
    over = threading.Event()
    before = {each: signal.signal(each, lambda *_: over.set()) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield over
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _typed() -> Iterator[str]:
    """What is typed, line by line."""
    while True:
        if sys.stdin.isatty():
            click.echo("> ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def _shown(who: str, text: str) -> None:
    for line in text.splitlines() if who == "model" else [f"  {who}: {text[:400]}"]:
        click.echo(harmless(line))


def _say(text: str) -> None:
    click.echo(harmless(text), err=True)
