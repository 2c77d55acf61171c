"""HTTP: the listener on this machine alone, for OpenAI's clients.

    POST /v1/chat/completions    a conversation → an answer, whole or as it comes
    GET  /v1/models              the one model            GET /health    whether it answers

Every answer passes the guard. Pages of other sites are not let in: who asks must name this machine, and no foreign
origin.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from engrain.errors import BadInput, EngrainError
from engrain.paths import reason
from engrain.train.serving import asked as asking
from engrain.train.serving import calls, guard, header, told
from engrain.train.serving.asked import Asked
from engrain.train.serving.engine import Engine
from engrain.train.serving.guard import Rules
from engrain.train.serving.told import Ended
from engrain.train.serving.turn import Shown, Speaking, Turn

HERE = "127.0.0.1"
MOST_BYTES = 32 * 1024 * 1024
_NAMES = (HERE, "localhost", "::1")

Say = Callable[[str], None]


class Model:
    """What answers: a template, an engine, and the rules of the guard."""

    def __init__(self, path: str, *, context: int = 0, threads: int = 0, most: int = guard.MOST) -> None:
        from engrain.train.serving.template import Template

        found = header.read(header.found(path))
        self.name = os.path.basename(found.path).removesuffix(".gguf")
        self.template, self.most = Template(found), most
        self.engine = Engine(found, context=context, threads=threads)

    def speaking(self, asked: Asked, text: str) -> Speaking:
        """A turn that is about to begin behind a text."""
        rules = Rules(self.most, asked.needed)
        begun = calls.THINK if text.rstrip().endswith(calls.THINK) else ""
        return Speaking(guard.before(asked.messages), rules, tuple(asked.needed), begun=begun, one=asked.one)

    def spoken(self, asked: Asked) -> Iterator[Shown | tuple[Turn, Ended]]:
        """What may be shown, as it comes, and at the end the turn with what it took."""
        text = self.template.text(asked.messages, asked.tools)
        stops = [*self.template.stops, *asked.stops]
        wanted = {**asked.sampling, "prompt": self.template.prompt(text), "stop": stops, "cache_prompt": True,
                  "preserved_tokens": [*calls.MARKS, *self.template.stops]}  # fmt: skip
        speaking = self.speaking(asked, text)
        ended = yield from self._heard(speaking, wanted)
        if speaking.repeats and asked.free:
            speaking, ended = yield from self._another(speaking, ended, wanted, text)
        turn, rest = speaking.end()
        yield rest
        yield turn, ended

    def _another(
        self, speaking: Speaking, ended: Ended, wanted: Mapping[str, Any], text: str
    ) -> Generator[Shown, None, tuple[Speaking, Ended]]:
        """The turn with another call, unless the model insists on this one; until that is clear, nothing is shown."""
        written = ended.written
        for number in range(guard.TRIES):
            other = speaking.anew()
            prompt = self.template.prompt(text + other.text[len(speaking.begun) :])
            drawn = self._heard(other, {**wanted, **guard.ANOTHER, "seed": number, "prompt": prompt})
            written += (yield from _unseen(drawn)).written
            if other.whole and not other.repeats:
                return speaking.instead(other), ended._replace(written=written)
        return speaking, ended._replace(written=written)

    def _heard(self, speaking: Speaking, wanted: Mapping[str, Any]) -> Generator[Shown, None, Ended]:
        """A turn as the engine writes it; what it took."""
        ended = Ended("", 0, 0)
        pieces = self.engine.pieces(wanted)
        with contextlib.closing(pieces):  # type: ignore[type-var]
            for piece in pieces:
                ended = Ended(piece.reason, piece.read, piece.written)
                yield speaking.hear(piece.text)
                if speaking.done:
                    break
        return ended


def _unseen(heard: Generator[Shown, None, Ended]) -> Generator[Shown, None, Ended]:
    """The same with nothing to show: who waits is not forgotten, and may leave."""
    with contextlib.closing(heard):
        while True:
            try:
                next(heard)
            except StopIteration as done:
                ended: Ended = done.value
                return ended
            yield Shown("", "")


class Listener(ThreadingHTTPServer):
    """A bound port; it answers once it has its model."""

    daemon_threads = False
    allow_reuse_address = True

    def __init__(self, port: int, say: Say) -> None:
        self.say, self.closing = say, threading.Event()
        self.model: Model | None = None
        self._open: set[socket.socket] = set()
        try:
            super().__init__((HERE, port), Handler)
        except OSError as exc:
            raise BadInput(f"can't listen at {HERE}:{port}: {reason(exc)}; give another --port") from exc

    def process_request(self, request: Any, client_address: Any) -> None:
        """Each in a thread; its connection is known until it is closed."""
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """A connection that is done with."""
        self._open.discard(request)
        super().shutdown_request(request)

    def end(self) -> None:
        """Nobody is let in any more; who is being answered is told, who has not asked yet is not waited for."""
        self.closing.set()
        self.shutdown()
        for request in list(self._open):
            with contextlib.suppress(OSError):
                request.shutdown(socket.SHUT_RD)
        self.server_close()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{HERE}:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no error."""
        import sys

        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One request, and then the connection is closed."""

    server: Listener
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        """The model, and whether it answers."""
        if not self._may():
            return
        model = self.server.model
        if self.path.rstrip("/") == "/health":
            self._json(200 if model else 503, {"status": "ok" if model else "loading"})
        elif self.path.rstrip("/") in ("/v1/models", "/models") and model:
            about = {"id": model.name, "object": "model", "created": 0, "owned_by": "engrain",
                     "context_length": model.engine.context}  # fmt: skip
            self._json(200, {"object": "list", "data": [about]})
        else:
            self._json(404, told.wrong(f"there is nothing at {self.path[:80]}"))

    def do_POST(self) -> None:
        """An answer."""
        if not self._may():
            return
        if self.path.rstrip("/") not in ("/v1/chat/completions", "/chat/completions"):
            self._json(404, told.wrong(f"there is nothing at {self.path[:80]}: ask at /v1/chat/completions"))
            return
        try:
            asked = asking.asked(self._body())
            if self.server.model is None:
                raise BadInput("the model is not loaded yet")
            self._answer(self.server.model, asked)
        except EngrainError as exc:
            self._json(400, told.wrong(str(exc)))

    def _answer(self, model: Model, asked: Asked) -> None:
        head, begun = told.head(model.name, int(time.time())), False
        spoken = model.spoken(asked)
        with contextlib.closing(spoken):  # type: ignore[type-var]
            try:
                for found in spoken:
                    if self.server.closing.is_set():
                        raise BadInput("the server is being ended")
                    if asked.stream and not begun:
                        self._begin("text/event-stream")
                        self._write(told.first(head))
                        begun = True
                    if isinstance(found, Shown):
                        if asked.stream:
                            self._write(told.more(head, found))
                        continue
                    self._end(head, asked, *found)
            except BadInput as exc:
                if not begun:
                    raise
                self._write(told.wrong_piece(str(exc)))

    def _end(self, head: told.Head, asked: Asked, turn: Turn, ended: Ended) -> None:
        if turn.stopped:
            self.server.say(f"stopped: {turn.stopped.why}")
        if asked.stream:
            self._write(told.last(head, turn, ended, usage=asked.usage))
        else:
            self._json(200, told.whole(head, turn, ended))

    def _may(self) -> bool:
        """Whether who asks knows that this is this machine, and is no page of another site."""
        names = [urlsplit(f"//{self.headers.get('Host', '')}").hostname]
        if origin := self.headers.get("Origin"):
            names.append(urlsplit(origin).hostname)
        if all(name in _NAMES for name in names):
            return True
        self._json(403, told.wrong("only this machine is answered"))
        return False

    def _body(self) -> Any:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            raise BadInput(f"the request must say its length, at most {MOST_BYTES} bytes")
        data = self.rfile.read(int(length))
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as exc:
            raise BadInput("the request is not JSON") from exc
        if b"\\ud" in data.lower():
            # Half of a character is none, and the engine takes none.
            value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
        return value

    def _json(self, code: int, value: Any) -> None:
        data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        self._begin("application/json", code, len(data))
        self._write(data)

    def _begin(self, kind: str, code: int = 200, length: int | None = None) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def _write(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Requests are nobody's business."""


@contextlib.contextmanager
def listening(
    path: str, port: int, say: Say, *, context: int = 0, threads: int = 0, most: int = guard.MOST
) -> Iterator[Listener]:
    """A model that answers while this lasts; what is being answered at the end is ended."""
    listener = Listener(port, say)
    try:
        model = Model(path, context=context, threads=threads, most=most)
    except BaseException:
        listener.server_close()
        raise
    listener.model = model
    serving = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    serving.start()
    try:
        yield listener
    finally:
        listener.end()
        model.engine.close()
