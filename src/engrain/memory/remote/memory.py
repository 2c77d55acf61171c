"""Remote: Memory with a server in place of a store. Who holds one need not know."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, BinaryIO

from engrain import event as events
from engrain.capture import spool
from engrain.capture.admit import Gate
from engrain.config import Config
from engrain.errors import BadInput, Elsewhere, HomeUnusable, StoreError, StoreRefused
from engrain.event import COMMAND, Event
from engrain.fingerprint import fingerprint
from engrain.memory import Memory, Progress, briefs, joining
from engrain.memory.fixes import Match, Taught
from engrain.memory.remote import wire
from engrain.memory.remote.journal import Journal
from engrain.memory.remote.line import Line
from engrain.memory.remote.verbs import HERE, VERBS
from engrain.model import Fingerprint
from engrain.paths import Home, replace_file
from engrain.project import Project, sighting
from engrain.recall.context import told_at_start
from engrain.redact import redact
from engrain.store.reader import Reader
from engrain.store.store import Appended
from engrain.upkeep import answers, tick, transfer
from engrain.upkeep.tick import Ticked
from engrain.upkeep.transfer import Imported

if TYPE_CHECKING:
    from engrain.recall.answer import Look

QUOTED = {("learn_lesson", "text"), ("learn_lesson", "command"), ("remember_error_fix", "steps")}
"""What is refused with a secret in it, wherever the store is: it would be shown as something to do."""


class Remote(Memory):
    """What coding agents did, as a server knows it."""

    def __init__(self, home: Home, config: Config, *, folder: str, gate: Gate, token: str = "") -> None:
        super().__init__(home, config, folder=folder, gate=gate)
        self._line = Line(config.text("store"), token)
        self._journal = Journal(self._line)
        self._said_where: set[str] = set()

    def close(self) -> None:
        """Lets go of the connection."""
        self._line.close()

    @property
    def line(self) -> Line:
        """The way to the server."""
        return self._line

    @property
    def opened(self) -> bool:
        """Whether a question costs no more than itself."""
        return True

    @property
    def exists(self) -> bool:
        return True

    def hurry(self, seconds: float) -> None:
        """From now on the server is waited for so long, and what is recorded then is spooled."""
        self._line.close()
        self._line.seconds = seconds

    def look(self) -> Look:
        """Answers questions from what the tick keeps here of the server."""
        kept = answers.path(self.home)
        return Reader(kept) if os.path.exists(kept) else lambda _question, _args: []

    def project_of(self, folder: str) -> Project:
        """The project of a folder."""
        if folder not in self._projects:
            self._projects[folder] = _identified(folder)
        return self._projects[folder]

    # Recording

    def record(self, *recorded: Event) -> Appended:
        """The events are safe when this returns: in the server's journal, or in the spool where it can't be had now."""
        self.waits = ""
        recorded = tuple(self.admitted(event) for event in recorded)
        try:
            return self._journal.append(recorded)
        except StoreRefused:
            raise
        except StoreError as exc:
            return self._spooled(recorded, exc)

    def remember_error_fix(
        self, error: str | Fingerprint, steps: Sequence[str] | str, *, cause: str = "", example: str = "",
        command: str = "", exit_code: int | None = None, session: str = "", agent: str = "",
    ) -> Taught:  # fmt: skip
        """Teaches what to do against a failure; its output is read here, and stays here."""
        found = error if isinstance(error, Fingerprint) else fingerprint(error, command, exit_code)
        more = {"cause": cause, "example": example, "session": session, "agent": agent}
        taught: Taught = self._asked("remember_error_fix", self._clean(found), steps, **more)
        return taught

    def match(
        self, output: str | bytes | Fingerprint, command: str = "", exit_code: int | None = None, *, cwd: str = "",
        limit: int = 3,
    ) -> Match:  # fmt: skip
        """Which failure an output is, and the fixes that are known for it; the output is read here, and stays here."""
        found = output if isinstance(output, Fingerprint) else fingerprint(output, command, exit_code, cwd)
        ran = self.admitted(self.event(COMMAND, {"command": command}, project="-")).body["command"] if command else ""
        place = self.project_of(cwd) if cwd else self.project
        known: Match = self._asked_from(place, "match", self._clean(found), str(ran), cwd=cwd, limit=limit)
        return known._replace(fingerprint=found)

    def _clean(self, found: Fingerprint) -> Fingerprint:
        """A failure as it may leave this machine."""
        parts = [each._replace(message=redact(each.message), shown=redact(each.shown)) for each in found.diagnostics]
        root = found.root._replace(message=redact(found.root.message), shown=redact(found.root.shown))
        named = {name: redact(value) for name, value in found.parameters.items()}
        return found._replace(message=redact(found.message), parameters=named, root=root, diagnostics=tuple(parts))

    # Asking the server

    def _asked(self, verb: str, *given: Any, **named: Any) -> Any:
        return self._asked_from(self.project, verb, *given, **named)

    def _asked_from(self, place: Project, verb: str, *given: Any, **named: Any) -> Any:
        arguments = dict(zip(POSITIONS[verb], given, strict=False)) | named
        arguments = {name: _clean(verb, name, wire.plain(value)) for name, value in arguments.items()}
        body = {
            "project": {name: value for name, value in place._asdict().items() if name != "because"},
            "arguments": arguments,
        }
        key = events.new_id(events.now()) if VERBS[verb] == "write" else ""
        if key:
            self._say_where(place)
        return wire.unpacked(self._line.ask("POST", f"/v1/memory/{verb}", body, key=key).get("result"))

    def _say_where(self, place: Project) -> None:
        """Where a project was seen, said once by the machine that has the folder; the server only hears of it."""
        if place.id not in self._said_where:
            with suppress(StoreError):
                self._journal.append([self.admitted(sighting(place, self.tenant, events.now(), self.home.mark))])
                self._said_where.add(place.id)

    # Looking after what is here

    def catch_up(self) -> None:
        """Sends what waits in the spool before a question, if that can be done now, and joins what this folder was with
        what it is."""
        with suppress(StoreError, HomeUnusable):
            if spool.waiting(self.home.spool):
                with tick.locked(self.home) as mine:
                    if mine:
                        tick.drain(self.home, self._journal)
            joining.join(self, self._journal, [self.folder])

    @property
    def journal(self) -> Journal:
        """The server's journal, to be told."""
        return self._journal

    def standing(self) -> str:
        """That the server answers, and what it is; StoreError says what is wrong."""
        found = self._line.ask("GET", "/health")
        self._line.ask("GET", "/v1/projects", limit=1)
        return f"{self._line.url} answers (Engrain {found.get('version')}) and lets this token in"

    def confirm(self, rollout: str) -> int:  # noqa: ARG002 - as a store at hand has it
        """How commands of Codex ended stays what its hooks guessed: it would be set right where the store is."""
        return 0

    def heard(self, seconds: float) -> bool:
        """Whether a hook recorded something within so many seconds."""
        ends = monotonic() + seconds
        while not (waits := bool(spool.waiting(self.home.spool))) and monotonic() < ends:
            sleep(min(1.0, seconds))
        return waits

    def observe(self) -> int:
        """Told by the server, of all that it knows."""
        return 0

    def tick(self, *, seconds: float | None = None) -> Ticked:
        """Sends the spool, and brings what hooks may have to answer; unless another process is at it."""
        limit = self.config.number("tick.seconds") if seconds is None else seconds
        with tick.locked(self.home) as mine:
            if not mine:
                return Ticked(ran=False)
            appended, aside = tick.drain(self.home, self._journal, deadline=monotonic() + limit)
            self._keep_answers()
            if joining.join(self, self._journal, joining.places(self)):
                self._keep_answers()
            self._keep_briefs()
        return Ticked(True, appended, aside)

    def _keep_answers(self) -> None:
        answers.update(self.home, self._line.url, self._changed, tenant=self.tenant)

    def _changed(self, after: int) -> list[tuple[int, Event]]:
        return self.changes(after, answers.AT_ONCE, answers.KINDS)

    def changes(self, after: int, limit: int, kinds: Sequence[str] = ()) -> list[tuple[int, Event]]:
        """What came into the server's journal behind a place, with its own place."""
        found = self._line.ask("GET", "/v1/changes", after=after, limit=limit, kind=list(kinds))
        return [(int(each["place"]), _event(each["event"])) for each in found["items"]]

    def _keep_briefs(self) -> None:
        """What sessions of the projects are told at their start in which something happened here of late."""
        for project in sorted(self._journal.projects)[: briefs.MOST_MADE]:
            place = Project(project, "", "", "", "", "", "something happened here")
            text = told_at_start(self._asked_from(place, "get_start"))
            replace_file(self.home.brief(self.tenant, project), f"remote\n{text}".encode("utf-8", "replace"))
        self._journal.projects.clear()

    def export(self, out: BinaryIO, progress: Progress | None = None) -> int:
        """Writes the journal of the server as JSONL."""
        self.catch_up()
        data = self._line.raw("/v1/export")
        out.write(data)
        number = data.count(b"\n")
        if progress:
            progress(number)
        return number

    def import_journal(self, source: BinaryIO, progress: Progress | None = None) -> Imported:
        """Reads an export into the journal of the server."""
        return transfer.import_with(self._journal, source, events.parse, self.admitted, progress)

    def import_fixes(self, source: BinaryIO, progress: Progress | None = None) -> Imported:
        """Reads a shared corpus; twice is once, and its counts are a hint alone."""
        from engrain.upkeep import corpus

        def parse(text: bytes) -> Event:
            return corpus.parse(text, tenant=self.tenant)

        return transfer.import_with(self._journal, source, parse, self.admitted, progress)


def _clean(verb: str, name: str, value: Any) -> Any:
    """An argument as it may leave this machine."""
    if isinstance(value, list):
        return [_clean(verb, name, each) for each in value]
    if isinstance(value, dict):
        return {key: _clean(verb, name, each) for key, each in value.items()}
    if not isinstance(value, str) or (clean := redact(value)) == value:
        return value
    if (verb, name) in QUOTED:
        raise BadInput("it holds a secret: name it, do not quote it, such as $TOKEN; nothing was saved")
    return clean


def _event(fields: dict[str, Any]) -> Event:
    return events.checked(Event(**{**fields, "time": events.microseconds(fields["time"])}))


def _identified(folder: str) -> Project:
    from engrain import project as projects

    return projects.identify(folder)


def _positions(verb: str) -> tuple[str, ...]:
    """The names of what may be given without one."""
    import inspect

    parameters = list(inspect.signature(getattr(Memory, verb)).parameters.values())[1:]
    return tuple(each.name for each in parameters if each.kind is not inspect.Parameter.KEYWORD_ONLY)


POSITIONS = {verb: _positions(verb) for verb in VERBS}
SPREAD = frozenset(["get"])
"""Verbs that take any number of one thing."""


def _verb(name: str) -> Callable[..., Any]:
    @functools.wraps(getattr(Memory, name))
    def asked(self: Remote, *given: Any, **named: Any) -> Any:
        if name in SPREAD:
            given = (list(given),)
        named.pop("progress", None)
        return self._asked(name, *given, **named)

    return asked


def _refused(name: str) -> Callable[..., Any]:
    def refused(self: Remote, *_: Any, **__: Any) -> Any:
        raise Elsewhere(
            f"{name.replace('_', ' ')}: that is done where the store is, not over {self.config.text('store')}; "
            "`engrain sync` keeps a store of one's own beside a server"
        )

    return refused


for _name in VERBS:
    if _name not in vars(Remote):
        setattr(Remote, _name, _verb(_name))
AT_THE_STORE = sorted({name for name in vars(Memory) if not name.startswith("_")} - {*VERBS, *HERE})
for _name in AT_THE_STORE:
    _made = _refused(_name)
    setattr(Remote, _name, property(_made) if isinstance(getattr(Memory, _name), property) else _made)

__all__ = ["AT_THE_STORE", "SPREAD", "Remote"]
