"""Targets: where an input goes, and what must hold when it has been there.

A target gets bytes and a planted secret that stands somewhere in them, and says what is wrong: nothing, if all is well.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from engrain.capture.admit import Gate, admitted
from engrain.capture.transcripts import claude_code, codex
from engrain.errors import BadInput
from engrain.event import Event
from engrain.fingerprint import fingerprint
from engrain.hook import door
from engrain.learn.direct import derive
from engrain.learn.trigger import Call, flaw, keys, keys_of, risky, trigger_of
from engrain.paths import Home
from engrain.recall import lessons
from engrain.recall.bounded import Clock
from engrain.redact import redact
from engrain.store import open_store
from engrain.train.serving import header
from engrain.train.serving.guard import Before, Rules
from engrain.train.serving.turn import Speaking
from engrain.upkeep import transfer
from fuzz import seeds
from tests import payloads
from tests.redact.redact_fakes import BASE62, lot

SECRET = "ghp_" + lot(BASE62, 36, 7077)
HOLD = 20
"""Bytes of a secret that may not come through."""

Check = Callable[[bytes], str]


class Target(NamedTuple):
    """`check` says what is wrong with an input; an input may take `seconds`, however long it is. What uses SIGALRM
    can't be guided: the guide uses it, too."""

    name: str
    seeds: Callable[[], tuple[bytes, ...]]
    check: Check
    seconds: float = 2.0
    alarms: bool = False


def planted(data: bytes) -> bytes:
    """The input with a secret in it, on a line of its own; where is for the input to say."""
    at = int.from_bytes(data[:3], "little") % (len(data) + 1)
    return data[:at] + b"\n" + SECRET.encode() + b"\n" + data[at:]


def leaked(data: bytes) -> str:
    return "the planted secret came through" if SECRET[-HOLD:].encode() in data else ""


def redacts(data: bytes) -> str:
    """Once is enough, JSON stays JSON, nothing planted stays."""
    text = planted(data).decode("utf-8", "replace")
    clean = redact(text)
    if redact(clean) != clean:
        return "a second time changes more"
    plain = data.decode("utf-8", "replace")
    if _is_json(plain) and not _is_json(redact(plain)):
        return "JSON is no JSON any more"
    return leaked(clean.encode())


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def fingerprints(data: bytes) -> str:
    """The same text has the same keys, whatever colour it is printed in."""
    text = data.decode("utf-8", "replace")
    command, _, output = text.partition("\n")
    found, again = fingerprint(output, command, 1), fingerprint(output, command, 1)
    if found != again:
        return "twice is not the same"
    return "" if found.fingerprint and found.family else "no key"


class Hooks:
    """One home for many hooks; what they wrote is looked through after each."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._environ = {"HOME": os.path.dirname(home.root), "ENGRAIN_HOME": home.root}
        self._agents = ("", "codex", "cursor", "gemini", "opencode", "windsurf", "cline")

    def __call__(self, data: bytes) -> str:
        """Whatever an agent says, it reads JSON or nothing, and no secret of it is kept."""
        agent = self._agents[len(data) % len(self._agents)]
        for said in (data, _told_in(data)):
            out = self._answered(said, agent)
            wrong = "" if not out or _is_json(out.decode("utf-8", "replace")) else "an answer that is no JSON"
            kept = _all_in(self._home.root)
            if wrong := wrong or leaked(kept) or leaked(out):
                return wrong
        if os.path.isdir(self._home.spool) and len(os.listdir(self._home.spool)) > 40:
            shutil.rmtree(self._home.spool)
        return ""

    def _answered(self, said: bytes, agent: str) -> bytes:
        with _standing_for(0, said), _standing_for(1) as out:
            # The program that would tick: one that ends at once.
            door._hook(["", agent], self._home, self._environ, shutil.which("true") or "true", "")
            out.seek(0)
            return out.read()


def _told_in(data: bytes) -> bytes:
    """The input as what a command of a payload printed."""
    failed = payloads.payload("PostToolUseFailure", error="Exit code 1\n" + planted(data).decode("utf-8", "replace"))
    return json.dumps(failed).encode()


@contextmanager
def _standing_for(fd: int, data: bytes = b"") -> Iterator[io.BufferedRandom]:
    """A file in place of one of the process's own streams, for a while."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        before = os.dup(fd)
        os.dup2(file.fileno(), fd)
        try:
            yield file
        finally:
            os.dup2(before, fd)
            os.close(before)


def _all_in(folder: str) -> bytes:
    """What is on the disk there."""
    held = bytearray()
    for at, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(at, name), "rb") as file:
                held += file.read()
    return bytes(held)


def reads_transcripts(gate: Gate, data: bytes) -> str:
    """What is read of a file passes the gate and is an event; nothing in it is a reason to stop."""
    for reader in (claude_code.read, codex.read):
        lines = planted(data).splitlines(keepends=True)
        for event in reader(lines, project=lambda _: "p", tenant="local"):
            if wrong := leaked(_line(admitted(event, gate))):
                return wrong
    return ""


def _line(event: Event) -> bytes:
    from engrain import event as events

    return events.line(event).encode()


class Imports:
    """A store that takes in whatever comes."""

    def __init__(self, home: Home) -> None:
        self._store = open_store(home.database, derive)
        self._gate = Gate(os.path.dirname(home.root), "")
        self._home = home
        self._turns = 0

    def __call__(self, data: bytes) -> str:
        """A line that is no event is refused alone, and the tables are what the journal says."""
        lines = io.BytesIO(planted(data))
        transfer.import_lines(self._store, lines, partial(admitted, gate=self._gate))
        self._turns += 1
        if self._turns % 200 == 0:
            before = list(self._store.dump())
            self._store.rebuild()
            if list(self._store.dump()) != before:
                return "a rebuild makes other tables"
        return leaked(_all_in(self._home.root))


def fires(data: bytes) -> str:
    """Any rule has keys or a flaw, is found under them if it fires, and ends in time."""
    try:
        said: Any = json.loads(data)
    except (ValueError, RecursionError):
        said = {"trigger": {"command": data.decode("utf-8", "replace")}, "command": "git push --force"}
    said = said if isinstance(said, dict) else {}
    given = said.get("trigger")
    rule = trigger_of(given if isinstance(given, dict) else {})
    if flaw(rule):
        return ""
    risky(rule)
    text = str(said.get("command", ""))
    call = Call(tool="Bash", command=text, paths=(text[:200],), input=text, output=text, phase=rule.phase)
    waits = set(keys(rule))
    with Clock() as clock:
        fired = lessons.matches(rule, call, clock)
    if fired and not waits & keys_of(call):
        return f"fires ({fired}) and is not found under {sorted(waits)[:3]}"
    return ""


class Answers:
    """A model, heard in pieces: what was shown is not taken back, and no call goes out three times in a row."""

    def __init__(self) -> None:
        self._rules = Rules(3, {"Read": ["file_path"]})

    def __call__(self, data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        size = 1 + len(data) % 50
        turn, shown = Speaking(Before((), ()), self._rules, ["Read"]), ""
        for at in range(0, len(text), size):
            shown += turn.hear(text[at : at + size]).text
            if turn.done:
                break
        found, rest = turn.end()
        if (shown + rest.text).strip() != found.text:
            return "pieces and whole differ"
        names = [call.key for call in found.calls]
        return "three in a row" if any(len(set(names[at : at + 3])) == 1 for at in range(len(names) - 2)) else ""


def headers(data: bytes) -> str:
    """A file is a GGUF or a line says why not."""
    with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
        file.write(data)
        file.flush()
        try:
            header.read(file.name)
        except BadInput as exc:
            return "" if "\n" not in str(exc) else "more than a line"
    return ""


def all_targets(folder: str) -> list[Target]:
    """Every target, with homes of their own below the folder."""
    homes = [Home(os.path.join(folder, name, "home")).ensure() for name in ("hooks", "imports")]
    gate = Gate(folder, "")
    return [
        Target("redact", lambda: seeds.secrets() + seeds.failures(), redacts),
        Target("fingerprint", seeds.failures, fingerprints),
        Target("hooks", lambda: seeds.told() + seeds.failures(), Hooks(homes[0]), 5.0),
        Target("transcripts", seeds.written, partial(reads_transcripts, gate)),
        Target("import", seeds.journal, Imports(homes[1]), 30.0),
        Target("triggers", seeds.rules, fires, alarms=True),
        Target("answers", seeds.replies, Answers()),
        Target("gguf", seeds.models, headers),
    ]
