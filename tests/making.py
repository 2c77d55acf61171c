"""What tests make: events, processes, shuffles."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from engrain import event as events
from engrain.embed import weights
from engrain.event import COMMAND, FAILURE, Event
from engrain.fingerprint import fingerprint
from engrain.learn import terms
from engrain.recall.shown import described as describe
from engrain.store.words import Where

if TYPE_CHECKING:
    from engrain.embed.minilm import MiniLM
    from engrain.memory import Memory
    from engrain.store import Store

START = 1_790_000_000_000_000


class Ran(NamedTuple):
    """A process that ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(words: Sequence[str], *, folder: str, environ: Mapping[str, str], stdin: bytes = b"") -> Ran:
    command = [sys.executable, "-m", "engrain", *words]
    done = subprocess.run(
        command, cwd=folder, env=dict(environ), input=stdin, capture_output=True, timeout=120, check=False
    )
    return Ran(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def event(
    number: int, text: str = "", *, kind: str = "note", project: str = "p", session: str = "s", **more: Any
) -> Event:
    """A well-formed event whose id and time follow from its number."""
    body = more.pop("body", {"text": text or f"text of {number}"})
    return events.make(
        kind,
        body,
        project=project,
        session=session,
        agent="test",
        time=START + number,
        id=more.pop("id", f"e{number:05d}"),
        **more,
    )


@functools.cache
def minilm() -> MiniLM:
    """The real model, as `make setup` left it in the environment."""
    folder = weights.found("")
    if not folder:
        pytest.skip("the package index had no weights when this environment was set up: `make setup` fetches them")
    from engrain.embed.minilm import MiniLM

    return MiniLM(folder)


def failed(memory: Memory, output: str, *, command: str = "python a.py", time: int | None = None, **who: str) -> Event:
    """A watched command that failed, as it is recorded."""
    found = describe(fingerprint(output, command, 1))
    body = {"command": command, "cwd": memory.folder, "exit": 1, "seconds": 1.0, "output": output, FAILURE: found}
    return memory.event(COMMAND, body, time=time, **who)


def found(store: Store, text: str, project: str = "") -> list[Event]:
    """The events that a store finds by the words of a text, best first."""
    typed = terms.typed(text)
    places = (tuple(map(terms.of_project, store.same_project(project))),) if project else ()
    sought = [term.phrases for term in (*typed.names, *typed.words)]
    return [hit.event for hit in store.search(sought, Where(places))]
