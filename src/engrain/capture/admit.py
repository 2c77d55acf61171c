"""What may be written of an event: the one gate that every way in goes through before the first byte reaches a disk.

    texts          without secrets, user names and home folders
    a tool call    what `redact.keep` leaves of it: of a sensitive file a hash of its path, of a file that git
                   ignores its path and size
    file contents  beside the journal (`bodies`), where they expire

Counts of what was taken out stay in the event (`redacted`), never the value. Admitting twice is admitting once.
On the hook's path.
"""

from __future__ import annotations

import os

from engrain.event import BODIES, COMMAND, FORGET, REDACTED
from engrain.light import sha256
from engrain.redact import asked
from engrain.redact.engine import Marks, clean
from engrain.redact.home import homeless
from engrain.redact.ignored import Ignored, find, global_file
from engrain.redact.keep import kept, sized
from engrain.redact.value import clean_value, each_text, without_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.event import Event

WITHHELD = "withheld"
"""The key of a body that says what was left out and why: `level` and `reason`."""

SAID = frozenset(["tool", "name", "cwd", "branch", "worktree", "tool_use_id", "call_id", "agent", "model"])
"""Keys of a call beside its input and output whose text says which call it was."""

NAMES = frozenset(["call", "prompt", "subagent"])
"""Keys for names that an agent gives: of a call, the prompt that it follows, and whoever made it."""
LONGEST_NAME = 128


class Gate:
    """What the gate must know of this machine: its user's home folder, and the ignore rules of the work trees there."""

    __slots__ = ("_global", "_reals", "_roots", "_trees", "home")

    def __init__(self, home: str = "", config_home: str = "", *, still: bool = False) -> None:
        """`still` is whether nobody is taken to make or move a work tree while this gate stands."""
        self.home = home
        self._roots: dict[str, str] | None = {} if still else None
        self._reals: dict[str, str] | None = {} if still else None
        self._global = global_file(home, config_home) if home else ""
        self._trees: dict[str, Ignored] = {}

    def ignores(self, path: str, folder: str) -> bool:
        """Whether git ignores a path, as seen from a folder; nothing is ignored where that can't be told."""
        if path.startswith("~/") and self.home:
            path = os.path.join(self.home, path[2:])
        full = os.path.join(folder, path)
        if not os.path.isabs(full):
            # Nobody said where that is; the folder that this process happens to be in has nothing to do with it.
            return False
        real = self._real(full)
        return self._ignores(full) or (real != full and self._ignores(real))

    def real(self, path: str, folder: str) -> str:
        """Where a path leads, should it be a link or go through one."""
        if path.startswith("~/") and self.home:
            path = os.path.join(self.home, path[2:])
        full = os.path.join(folder, path)
        return self._real(full) if os.path.isabs(full) else path

    def _real(self, full: str) -> str:
        if self._reals is None:
            return _real(full)
        if full not in self._reals:
            self._reals[full] = _real(full)
        return self._reals[full]

    def _ignores(self, full: str) -> bool:
        root = self._root(full)
        if not root:
            return False
        if root not in self._trees:
            self._trees[root] = Ignored(root, self._global)
        return self._trees[root](full, os.path.isdir(full))

    def _root(self, full: str) -> str:
        if self._roots is None:
            return find(full)
        if full not in self._roots:
            self._roots[full] = find(full)
        return self._roots[full]


def _real(full: str) -> str:
    try:
        return os.path.realpath(full)
    except (OSError, ValueError):
        return full


def admitted(event: Event, gate: Gate) -> Event:
    """The event as it may be written."""
    if event.kind == FORGET:
        return event
    event = _named_plainly(event)
    marks = Marks()
    body = dict(event.body)
    done: set[str] = set()
    if not body.keys().isdisjoint(("input", "command", "output")):
        said = "command" if event.kind == COMMAND or "input" not in body else "input"
        # What `keep` leaves is clean, and most of what an event holds: it is not read twice.
        done = {said, "output", *(() if BODIES in body else (BODIES,))}
        body = _of_call(said, body, gate, marks)
    rest = _clean({key: value for key, value in body.items() if key not in done}, gate.home, marks)
    body = without_known({**rest, **{key: body[key] for key in done if key in body}}, marks)
    if marks.found:
        body[REDACTED] = _added(body.get(REDACTED), marks.found)
    return event if body == event.body else event._replace(body=body)


def _named_plainly(event: Event) -> Event:
    """A session or an agent whose name is a secret is called by its hash."""
    session, agent = _plain_name(event.session), _plain_name(event.agent)
    named = session is event.session and agent is event.agent
    return event if named else event._replace(session=session, agent=agent)


def _plain_name(name: str) -> str:
    return name if clean(name, Marks()) is name else sha256(name.encode("utf-8", "replace"))[:32]


def _of_call(said: str, body: dict[str, Any], gate: Gate, marks: Marks) -> dict[str, Any]:
    """What `keep` leaves of a tool call, or of a command, which is a call of the shell; `said` is the key of either."""
    folder = body.get("cwd")
    given = body.get("input")
    given = given if said == "input" and isinstance(given, dict) else {"command": body.get(said, "")}
    where = folder if isinstance(folder, str) else ""
    left = kept(
        given,
        body.get("output"),
        ignored=lambda path: gate.ignores(path, where),
        real=lambda path: gate.real(path, where),
        home=gate.home,
        marks=marks,
    )
    shown = left.input if given is body.get(said) else left.input.get("command", "")
    body = {**body, said: shown, **({"output": left.output} if "output" in body else {})}
    if left.level != "redacted":
        return _withheld(body, said, left.level, left.reason)
    return _carried_apart(body) if said == "input" else body


def _withheld(body: dict[str, Any], said: str, level: str, reason: str) -> dict[str, Any]:
    """Without anything else that could carry what was left out."""
    about = {WITHHELD, REDACTED, "output", said, *SAID}
    rest = {
        key: value
        for key, value in body.items()
        if key in about or isinstance(value, (int, float)) or (key in NAMES and _named(value))
    }
    return {**rest, WITHHELD: {"level": level, "reason": reason}}


def _named(value: Any) -> bool:
    """Whether this can only be a name: nobody says anything in one word."""
    return isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable() and " " not in value


def _carried_apart(body: dict[str, Any]) -> dict[str, Any]:
    """File contents in the input, and in the output of a read, move to the bodies; their sizes stay."""
    given = body["input"]
    if not isinstance(given, dict) or "command" in given or not any(asked.file(key) for key in given):
        return body
    carried = {key: value for key, value in given.items() if asked.content(key)}
    rest = {key: value for key, value in given.items() if not asked.content(key)}
    rest.update({f"{key}_size": sized(value)["size"] for key, value in carried.items()})
    output = body.get("output")
    if output and sized(output) is not output:
        carried["output"] = output
        body = {**body, "output": sized(output)}
    if not carried:
        return body
    before = body.get(BODIES)
    return {**body, "input": rest, BODIES: {**(before if isinstance(before, dict) else {}), **carried}}


def _clean(value: Any, home: str, marks: Marks) -> Any:
    return _tidy(clean_value(value, marks), home)


def _tidy(value: Any, home: str) -> Any:
    """User names and home folders out of every text."""
    return each_text(value, lambda text: homeless(text, home))


def _added(before: object, found: dict[str, int]) -> dict[str, int]:
    """Counts of an event that was admitted elsewhere, with those of this time."""
    counts = {k: v for k, v in before.items() if type(v) is int} if isinstance(before, dict) else {}
    for rule, number in found.items():
        counts[rule] = counts.get(rule, 0) + number
    return counts
