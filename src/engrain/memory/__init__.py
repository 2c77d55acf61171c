"""Memory: the one object that every surface holds.

    with Memory.open() as memory:
        memory.note("the staging database is read-only on Sundays", tags=["ops"])
        memory.search("staging database")

    fixes      teach a fix, ask for what is known, say how it went
    failures   what failed, week by week, as a list and one of them whole
    lessons    teach a rule, ask which fire at a call, decide on them
    patterns   teach how code and tests are written here, find what fits
    working    what a session has in hand
    context    what is known of a task, in one piece; what a session is told at its start
    tasks      what was asked, how it was done and how it went: told, found again, followed
    meaning    what is near a text in meaning, and having what was told embedded
    joining    what a checkout was before its first commit and its first remote is found under what it is
    history    bring sessions that were written down, list and tell those that are here
    moving     bring what somebody kept in another tool
    records    tasks as lines in the repository: kept, set right by hand, read back
    proof      what the memory did for whoever uses it
    remote     the same verbs, of a memory on a server
    replay     what it would have said, on a history that is played again
    sharing    team memory: what goes into the repository, and what is trusted of it

It joins a home, its settings and a store. Surfaces (cli, mcp, rest, web) are thin over it, and none knows another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from engrain import config as settings
from engrain import event as events
from engrain import project as projects
from engrain.capture import admit, spool
from engrain.capture.admit import Gate
from engrain.config import Config
from engrain.errors import BadInput, HomeUnusable, StoreBusy, StoreError, StoreFull, StoreReadOnly, StoreRefused
from engrain.event import EVERYWHERE, FORGET, NOTE, PROJECT_MERGE, Event
from engrain.fingerprint import fingerprint
from engrain.learn.direct import derive
from engrain.learn.trigger import AFTER, BEFORE, Call, Trigger
from engrain.learn.working import Working
from engrain.memory import (
    briefs,
    context,
    failures,
    files,
    finding,
    fixes,
    history,
    joining,
    lessons,
    meaning,
    moving,
    notes,
    patterns,
    proof,
    records,
    repeated,
    search,
    sharing,
    tasks,
    timeline,
    usage,
    working,
)
from engrain.memory.failures import Listed as Failing
from engrain.memory.failures import Told, Week
from engrain.memory.failures import Wanted as WantedFailures
from engrain.memory.finding import Finding
from engrain.memory.fixes import Match, Taught
from engrain.memory.history import Listed, Session
from engrain.memory.history import Wanted as WantedSessions
from engrain.memory.joining import Apart, Joined
from engrain.memory.lessons import Kept as Lesson
from engrain.memory.lessons import Learned
from engrain.memory.meaning import Asked, Embedded
from engrain.memory.patterns import Learned as LearnedPattern
from engrain.memory.patterns import Pattern, Said
from engrain.memory.proof import Proof
from engrain.memory.records import Taken as TakenIn
from engrain.memory.remote.line import is_url, token_of
from engrain.memory.search import Hit
from engrain.memory.tasks import Asked as AskedTask
from engrain.memory.tasks import Finalized, FoundTask, Prepared, Suggestion, Task
from engrain.memory.usage import Reflection, Usage
from engrain.memory.wanted import Wanted
from engrain.model import Fingerprint, Fix
from engrain.paths import Home, locate, unlink_if_there
from engrain.project import Project
from engrain.recall.context import Context, Start
from engrain.recall.lessons import Fired
from engrain.recall.similar import Near, Similar
from engrain.redact.home import homeless
from engrain.store import Store, open_store
from engrain.store.bodies import Bodies, Kept
from engrain.store.jobs import LEARN, Job, Jobs
from engrain.store.store import Appended, Choice
from engrain.upkeep import (
    answers,
    backup,
    carry,
    confirm,
    corpus,
    dump,
    following,
    forget,
    mining,
    observe,
    propose,
    retention,
    tick,
    transfer,
)
from engrain.upkeep.backup import Copy
from engrain.upkeep.forget import Forgotten
from engrain.upkeep.replay import Replayed
from engrain.upkeep.tick import Ticked
from engrain.upkeep.transfer import Imported

if TYPE_CHECKING:
    from engrain.capture.transcripts.files import Unit
    from engrain.embed import Embedder
    from engrain.memory.remote.memory import Remote
    from engrain.recall.answer import Look
    from engrain.upkeep.backfill import Brought
    from engrain.upkeep.moving.bring import Moved
    from engrain.upkeep.sync import Synced

CATCH_UP_SECONDS = 2.0
MOST_TENANTS = 64
REPLAYED = "replay.json"
"""What the last replay said, of the home: it tells what was in the journal then."""
DAY = 86_400_000_000

Progress = Callable[[int], None]


class Seen(NamedTuple):
    """A project as the journal knows it."""

    id: str
    name: str
    root: str
    remote: str
    events: int
    started: int
    ended: int


class Stats(NamedTuple):
    """What is in a memory."""

    store: str
    events: int
    kinds: dict[str, int]
    sessions: int
    projects: int
    spool_segments: int
    jobs_waiting: int
    redacted: dict[str, int]
    bodies: Kept


class _Opening(type):
    def __call__(cls, *args: Any, **named: Any) -> Any:
        """Memory("http://…") is Memory.open("http://…")."""
        if args and isinstance(args[0], str):
            return Memory.open(*args, **named)
        return super().__call__(*args, **named)


class Memory(metaclass=_Opening):
    """What coding agents did, and what follows from it."""

    def __init__(self, home: Home, config: Config, *, folder: str, gate: Gate) -> None:
        self.home = home
        self.config = config
        self._folder = folder
        self._store: Store | None = None
        self._project: Project | None = None
        self._projects: dict[str, Project] = {}
        self._embedder: Embedder | None = None
        self._key = ""
        self._visits = False
        self._similar: Similar | None = None
        self._whole: Memory | None = None
        self._origin: Memory | None = None
        self._stores: dict[str, Store] = {}
        self.asked = Asked()
        self.gate = gate
        self.waits = ""
        """Why what was recorded last waits in the spool; empty when it is in the journal."""

    @classmethod
    def open(cls, home: str | None = None, *, store: str | None = None, folder: str | None = None) -> Memory:
        """The memory of this user (ENGRAIN_HOME, ENGRAIN_STORE) unless named otherwise; opened when first used. A store
        may be the address of a server: http://HOST:PORT, https://… or unix:///PATH."""
        environ = dict(os.environ)
        if home is not None and "://" in home:
            home, store = None, home
        if home is not None:
            environ["ENGRAIN_HOME"] = home
        if store is not None:
            environ["ENGRAIN_STORE"] = store
        place = locate(environ)
        gate = Gate(os.path.expanduser("~"), environ.get("XDG_CONFIG_HOME", ""))
        config = settings.load(place, environ)
        if is_url(config.text("store")):
            from engrain.memory.remote.memory import Remote

            return Remote(place, config, folder=folder or os.getcwd(), gate=gate, token=token_of(place, environ))
        return cls(place, config, folder=folder or os.getcwd(), gate=gate)

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def seen_from(self, tenant: str, project: Project, key: str = "") -> Memory:
        """The same memory and store as a tenant sees it, from a project that is named and not looked at. With a key the
        events that it makes have ids that follow from it: what is asked for twice is there once."""
        seen = Memory(self.home, self.config.having("tenant", tenant), folder=project.root, gate=self.gate)
        seen._store, seen._project, seen._key = self.store, project, key
        # What is dear to load, and what is known of it, is loaded once for all who see it so.
        seen._origin, seen.asked = self, self.asked
        seen._visits = True
        return seen

    def confined_to(self, tenant: str, project: Project, key: str = "") -> Memory:
        """The same, held to that tenant by the database itself: for whoever comes with a token. Upkeep, which concerns
        all of them, is done by this memory. What a store on a server can't take now is refused and not spooled: this
        machine may be gone tomorrow, and whoever told it still has it."""
        seen = self.seen_from(tenant, project, key)
        seen._store, seen._whole = self._store_of(tenant), self
        return seen

    def _store_of(self, tenant: str) -> Store:
        """The store as a tenant sees it, which remembers how common its words are; the tenants seen last are kept."""
        found = self._stores.pop(tenant, None) or self.store.of(tenant)
        self._stores[tenant] = found
        while len(self._stores) > MOST_TENANTS:
            del self._stores[next(iter(self._stores))]
        return found

    @property
    def visits(self) -> bool:
        """Whether the project was named by somebody whose files are not on this machine."""
        return self._visits

    @property
    def whole(self) -> Memory:
        """The memory that all tenants of the store are in."""
        return self._whole or self

    def close(self) -> None:
        """Lets go of the store."""
        if self._store is not None:
            self._store.close()
            self._store = self._similar = None
            self._stores.clear()

    @property
    def folder(self) -> str:
        """The folder that this memory was opened in."""
        return self._folder

    @property
    def where(self) -> str:
        """The path or URL of the store, as set."""
        return self.config.text("store") or self.home.database

    @property
    def opened(self) -> bool:
        """Whether the store is open already."""
        return self._store is not None

    @property
    def exists(self) -> bool:
        """Whether there is a store to ask; one on a server is taken to be there."""
        return self.opened or "://" in self.where or os.path.exists(os.path.expanduser(self.where))

    @property
    def untouched(self) -> bool:
        """Whether nothing was ever kept here: then a question needs no store made for it."""
        return not self.exists and not spool.waiting(self.home.spool)

    def look(self) -> Look:
        """Answers questions by name, without making or changing anything where that can be."""
        return fixes.look(self)

    @property
    def store(self) -> Store:
        """The store, opened when first used."""
        if self._store is None:
            if self.where == self.home.database:
                self.home.ensure()
            self._store = open_store(os.path.expanduser(self.where), derive)
        return self._store

    @property
    def embedder(self) -> Embedder:
        """What makes vectors of texts; EmbedderUnavailable says why nothing can."""
        if self._embedder is None:
            self._embedder = self._origin.embedder if self._origin else meaning.embedder(self)
        return self._embedder

    @property
    def similar(self) -> Similar:
        """What finds the nearest vectors in the store."""
        if self._similar is None:
            shared = self._origin is not None and self._origin.store.database is self.store.database
            self._similar = self._origin.similar if self._origin and shared else Similar(self.store.database)
        return self._similar

    @property
    def tenant(self) -> str:
        """Whose memory this is, in a store of several."""
        return self.config.text("tenant")

    def project_of(self, folder: str) -> Project:
        """The project of a folder, which need not be there any more: then it belongs to the nearest one around it that
        the journal knows. Where the project is named, it is that one: the folder may be one of another machine."""
        if self._visits:
            return self.project
        if folder not in self._projects:
            gone = not os.path.isdir(folder) and self.exists
            self._projects[folder] = (self._remembered(folder) if gone else None) or projects.identify(folder)
        return self._projects[folder]

    def _remembered(self, folder: str) -> Project | None:
        places = [row for row in self.look()("dump_places", {}) if row[0] == self.tenant]
        path = os.path.normpath(folder)
        return projects.remembered(path, homeless(path, self.gate.home), [(row[1], *row[4:7]) for row in places])

    @property
    def project(self) -> Project:
        """The project of the folder that this memory was opened in."""
        if self._project is None:
            self._project = projects.identify(self._folder)
        return self._project

    def hurry(self, seconds: float) -> None:
        """Opens the store; from now on whoever holds it is waited for so long, and what is recorded then is spooled."""
        self.store.database.wait_at_most(seconds)

    # Recording

    def event(
        self, kind: str, body: Mapping[str, Any], *, project: str | None = None, session: str = "", agent: str = "",
        time: int | None = None, id: str | None = None,  # noqa: A002 - the event's own name for it
    ) -> Event:  # fmt: skip
        """A new event of this memory's tenant and project."""
        place = self.project.id if project is None else project
        named = id or (self._named(kind) if self._key else None)
        return events.make(
            kind, body, project=place, tenant=self.tenant, session=session, agent=agent, time=time, id=named
        )

    def _named(self, kind: str) -> str:
        """The id of what is told under a key."""
        return events.id_of("asked", self._key, kind)

    def record(self, *recorded: Event) -> Appended:
        """The events are safe when this returns: in the journal, or in the spool where the journal can't be had now."""
        self.waits = ""
        recorded = tuple(self.admitted(event) for event in recorded)
        try:
            appended = self.store.append(recorded)
            if self._key and appended.known:
                repeated.check(self, [each for each in recorded if each.id == self._named(each.kind)])
            return appended
        except StoreRefused:
            raise
        except StoreError as exc:
            if self._whole and "://" in self.where:
                raise
            return self._spooled(recorded, exc)

    def _spooled(self, recorded: Iterable[Event], why: StoreError) -> Appended:
        number = 0
        for event in recorded:
            try:
                self._spool(event)
            except HomeUnusable:
                raise why from None
            number += 1
        self.waits = str(why)
        return Appended(new=number)

    def capture(self, event: Event) -> None:
        """Puts an event into the spool: the fastest way to safety; the next tick brings it into the journal."""
        self._spool(self.admitted(event))

    def _spool(self, admitted: Event) -> None:
        spool.append(self.home.spool, events.line(admitted).encode())

    def admitted(self, event: Event) -> Event:
        """What may be written of an event: the one gate that every way in goes through."""
        return admit.admitted(event, self.gate)

    def note(
        self, text: str, *, tags: Iterable[str] = (), type: str = "", title: str = "", facts: Iterable[str] = (),  # noqa: A002
        files: Iterable[str] = (), supersedes: str = "", session: str = "", agent: str = "",
    ) -> Event:  # fmt: skip
        """Saves a note about this project; one that supersedes another is found in its place. The note that stands: of
        one that was said before, in nearly the same words, it is kept that it was said again."""
        more = notes.said(self, type, title, facts, files, supersedes)
        body = {"text": text, "tags": sorted(set(tags)), "branch": self.project.branch, **more}
        return notes.keep(self, self.admitted(self.event(NOTE, body, session=session, agent=agent)))

    def noted_before(
        self, text: str, *, tags: Iterable[str] = (), type: str = "", title: str = "", facts: Iterable[str] = (),  # noqa: A002
        files: Iterable[str] = (),
    ) -> Event | None:  # fmt: skip
        """The note of this project that says all of this already, in nearly the same words."""
        said = {"text": text, "tags": tags, "type": type, "title": title, "facts": facts, "files": files}
        return notes.before(self, said)

    def times_noted(self, id_: str) -> int:
        """How often a note was said."""
        return notes.times(self, self.get(id_)).get(id_, 1)

    def sighting(self) -> Event:
        """The event that says where this project was seen; the same place twice in a month is the same event."""
        return projects.sighting(self.project, self.tenant, events.now(), "" if self._visits else self.home.mark)

    def merge_projects(self, source: str, into: str) -> Event:
        """From now on the events of one project are found under the other too; forgetting the event takes it back."""
        if into in self.store.same_project(source):
            raise BadInput(f"{source} and {into} are one project already")
        merged = self.event(PROJECT_MERGE, {"into": into}, project=source)
        self.record(merged)
        return merged

    def joined(self) -> list[Joined]:
        """What this project was before its first commit and its first remote, as far as that was seen."""
        return joining.joined(self)

    def apart(self) -> list[Apart]:
        """Other projects that were seen in this folder, and are not joined with what it is now."""
        return joining.apart(self)

    # Recall

    def search(
        self, text: str, *, everywhere: bool = False, limit: int = 10, kinds: Sequence[str] = (), agent: str = "",
        tags: Sequence[str] = (), outcome: str = "", since: int = 0, before: int = events.MAX_TIME, file: str = "",
        project: str = "", alone: bool = False,
    ) -> list[Hit]:  # fmt: skip
        """What is remembered of any text, the most useful first; of this project (or of one that is named, by its id or
        name) unless asked everywhere. Of another one only what it knows clearly better, and that not where `alone`."""
        place = search.project_named(self, project) if project else self.project.id
        places = () if everywhere else tuple(self.store.same_project(place))
        wanted = Wanted(places, tuple(kinds), agent, tuple(tags), outcome, since, before, file)
        return search.search(self, text, wanted, limit=limit, beyond=not (alone or project))

    def nearest(
        self, text: str, *, kinds: Sequence[str] = (), projects: Sequence[str] = (), limit: int = 100
    ) -> list[Near]:
        """What is nearest to a text in meaning, best first; [] where meaning can't be had."""
        return meaning.nearest(self, text, kinds=kinds, projects=projects, limit=limit)

    def without_meaning(self) -> str:
        """Why search goes by words alone, in one line with what to do; empty when meaning works. A model that is served
        is asked, so it may take seconds."""
        return meaning.silent(self)

    def timeline(self, anchor: str, *, number: int = 5) -> tuple[Event, list[Event]]:
        """What happened around an event, or around the best that a search finds: so many before it and after it."""
        return timeline.around(self, anchor, number)

    def recall_files(self, task: str, *, limit: int = 10) -> list[str]:
        """The files that earlier sessions of this project changed, those first that a task will likely change."""
        return files.recalled(self, task, limit)

    def get(self, *ids: str) -> list[Event]:
        """The events with these ids."""
        return [event for event in self.store.get(ids) if event.tenant == self.tenant]

    def projects(self) -> list[Seen]:
        """Every project with events, the busiest first."""
        places = [row for row in self.store.places() if row[0] == self.tenant]
        names = {row[1]: row for row in sorted(places, key=lambda row: (row[3], row[2]))}
        found = []
        for tenant, project, started, ended, number in self.store.projects():
            name, root, remote = names[project][4:7] if project in names else ("", "", "")
            if project != EVERYWHERE and tenant == self.tenant:
                found.append(Seen(project, name, root, remote, number, started, ended))
        return sorted(found, key=lambda seen: (-seen.events, seen.id))

    def stats(self) -> Stats:
        """How much of what there is."""
        kinds = dict(self.store.kinds())
        return Stats(
            self.store.where,
            sum(kinds.values()),
            kinds,
            len(self.store.sessions()),
            len(self.projects()),
            len(spool.waiting(self.home.spool)),
            self.jobs.waiting(),
            dict(self.store.redactions()),
            self.bodies.kept(),
        )

    # Fixes

    def remember_error_fix(
        self, error: str | Fingerprint, steps: Sequence[str] | str, *, cause: str = "", example: str = "",
        command: str = "", exit_code: int | None = None, session: str = "", agent: str = "",
    ) -> Taught:  # fmt: skip
        """Teaches what to do against a failure; `error` is its output. Taught twice, it is held for surer."""
        lines = [steps] if isinstance(steps, str) else steps
        found = error if isinstance(error, Fingerprint) else fingerprint(error, command, exit_code)
        return fixes.teach(self, found, lines, cause=cause, example=example, session=session, agent=agent)

    def match(
        self, output: str | bytes | Fingerprint, command: str = "", exit_code: int | None = None, *, cwd: str = "",
        limit: int = 3,
    ) -> Match:  # fmt: skip
        """Which failure an output is, and the fixes that are known for it in the project of `cwd`, else of this memory.
        Nothing is recorded."""
        found = output if isinstance(output, Fingerprint) else fingerprint(output, command, exit_code, cwd)
        return fixes.match(self, found, command, limit, cwd)

    def serving(
        self, shown: Match, *, channel: str, command: str = "", cwd: str = "", of: str = "", session: str = "",
        agent: str = "",
    ) -> Event:  # fmt: skip
        """The event that says which fixes were shown at a failure (`of`), for whoever shows them to record."""
        return fixes.serving(
            self, shown, channel=channel, command=command, cwd=cwd, of=of, session=session, agent=agent
        )

    def fixes(self, *, everywhere: bool = False, limit: int = 50) -> list[Fix]:
        """Fixes of this project, or all, the newest first, each with what is believed of it."""
        return fixes.listed(self, everywhere=everywhere, limit=limit)

    def fix(self, id_: str) -> Fix:
        """One fix, by its id or the beginning of it."""
        return fixes.one(self, id_)

    def rate(
        self, fix: str, *, worked: bool, provenance: str = "explicit", of: str = "", time: int | None = None,
        session: str = "", agent: str = "",
    ) -> Event:  # fmt: skip
        """Records how a fix went; forgetting the event takes it back."""
        return fixes.rate(
            self, fix, worked=worked, provenance=provenance, of=of, time=time, session=session, agent=agent
        )[0]

    def weeks(self, number: int = 12) -> list[Week]:
        """The last weeks: how many commands failed, how many answers were shown, how often fixes worked."""
        return failures.weeks(self, number)

    def failures(
        self,
        wanted: WantedFailures = WantedFailures(), *, limit: int = 50, offset: int = 0,  # noqa: B008 - a frozen value
    ) -> list[Failing]:  # fmt: skip
        """Kinds of failure, the most frequent first."""
        return failures.listed(self, wanted, limit=limit, offset=offset)

    def failure(self, key: str) -> Told:
        """One kind of failure with all that is known of it, by its fingerprint or the beginning of it."""
        return failures.whole(self, key)

    def proof(self) -> Proof:
        """What the memory did so far: failures answered, fixes that worked, and whether beliefs came true."""
        return proof.proof(self)

    # Lessons

    def learn_lesson(
        self, text: str, *, tool: str = "", command: str = "", path: str = "", input: str = "", output: str = "",  # noqa: A002
        phase: str = "", severity: str = "warning", everywhere: bool = False, source: str = "taught", why: str = "",
        session: str = "", agent: str = "",
    ) -> Learned:  # fmt: skip
        """Teaches a rule that fires at a call; from any other source than `taught` it is only proposed."""
        when = Trigger(tool, command, path, input, output, phase or (AFTER if output else BEFORE))
        return lessons.add(
            self, text, when, severity=severity, everywhere=everywhere, source=source, why=why, session=session,
            agent=agent,
        )  # fmt: skip

    def lessons(self, *, everywhere: bool = False, retired: bool = False) -> list[Lesson]:
        """The rules of this project and those for all, the newest first, with what was decided of each."""
        return lessons.listed(self, everywhere=everywhere, retired=retired)

    def decide_lesson(self, id_: str, state: str, why: str = "") -> Event:
        """Accepts a rule or retires it; forgetting the event takes that back."""
        return lessons.decide(self, id_, state, why)

    def lessons_for(self, call: Call) -> Fired:
        """The rules that fire at a call. Nothing is recorded."""
        return lessons.fires(self, call)

    # Patterns

    def learn_code_pattern(
        self, name: str, *, description: str = "", example: str = "", uses: Iterable[str] = (),
        avoid: Iterable[str] = (), area: str = "", form: str = patterns.CODE, everywhere: bool = False,
        source: str = "taught", session: str = "", agent: str = "",
    ) -> LearnedPattern:  # fmt: skip
        """Teaches how code (or, with `form="test"`, a test) is written here; one that says nearly the same is
        reinforced."""
        said = Said(
            form, name.strip(), description.strip(), example.strip("\n"), tuple(uses), tuple(avoid), area.strip()
        )
        return patterns.learn(self, said, everywhere=everywhere, source=source, session=session, agent=agent)

    def recall_similar_code(
        self, text: str, *, form: str = "", path: str = "", everywhere: bool = False, limit: int = 5
    ) -> list[Pattern]:
        """The patterns that fit a request or a piece of code, the most relevant first; `path`: that hold for it."""
        return patterns.similar(self, text, form=form, path=path, everywhere=everywhere, limit=limit)

    def patterns(self, *, form: str = "", everywhere: bool = False, limit: int = patterns.MOST) -> list[Pattern]:
        """Patterns of this project and those for all, the most often seen first."""
        return patterns.listed(self, form=form, everywhere=everywhere, limit=limit)

    def pattern(self, id_: str) -> Pattern:
        """One pattern, by its id or the beginning of it."""
        return patterns.one(self, id_)

    def follow_pattern(self, id_: str, *, session: str = "", agent: str = "") -> Event:
        """Records that a pattern was followed; forgetting the event takes it back."""
        return patterns.used(self, id_, session=session, agent=agent)

    def pattern_events(self, id_: str) -> list[str]:
        """The events that a pattern is made of."""
        return patterns.made_of(self, id_)

    # Working memory, context, replay

    def working(self, session: str = "") -> tuple[str, Working]:
        """A session, this project's latest unless it is named, and what it has in hand."""
        return working.working(self, session)

    def get_coding_context(self, task: str, *, files: Iterable[str] = (), limit: int = 5) -> Context:
        """What is known of a task: similar ones, patterns, files, errors of the area, tests, lessons."""
        return context.context(self, task, tuple(files), limit)

    def finding(self) -> Finding | None:
        """The one thing here that is most worth knowing: what failed in most sessions, and what ended it."""
        return finding.finding(self)

    def get_start(self, *, limit: int = 4) -> Start:
        """What a session of this project is told when it begins."""
        return context.start(self, limit)

    def replay(
        self, paths: Sequence[str] = (), *, bring: Progress | None = None, progress: Progress | None = None
    ) -> Replayed:
        """What memory would have said at each failure of a history: of these transcripts, or of its own journal.
        Simulated, in a throw-away home."""
        from engrain.memory.replay import replay

        return replay(self, paths, bring=bring, progress=progress)

    # Tasks and strategies

    def prepare(
        self, request: AskedTask | str, *, limit: int = 3, session: str = "", agent: str = ""
    ) -> Prepared:  # fmt: skip
        """Opens a task, and says what is known of such work: strategies that worked, and warnings."""
        records.absorb(self)
        asked = AskedTask(request) if isinstance(request, str) else request
        return tasks.prepare(self, asked, limit=limit, session=session, agent=agent)

    def finalize(self, task: str = "", *, session: str = "", agent: str = "", **fields: Any) -> Finalized:
        """Records how a task went, one that was prepared or a new one with its `text`. Fields: `outcome`, `summary`,
        `type`, `entry`, `area`, `read`, `modified`, `commands`, `tests`, `tests_added`, `errors`, `added`, `removed`,
        `seconds`, `pr`."""
        return self._kept(lambda: tasks.finalize(self, tasks.known(fields), task=task, session=session, agent=agent))

    def _kept(self, finalize: Callable[[], Finalized]) -> Finalized:
        """A task that ended, with its record in the repository."""
        records.absorb(self)
        done = finalize()
        return done._replace(unkept=records.keep(self, done.task, again=done.again))

    def observed_task(self, task: str, fields: Mapping[str, Any]) -> Finalized:
        """Records how a task went, as it was seen by whoever ran it."""
        return self._kept(lambda: tasks.finalize(self, {}, inferred=tasks.known(fields), task=task))

    def remember_task(self, text: str, *, session: str = "", agent: str = "", **fields: Any) -> Finalized:
        """Remembers a task that is over, with the fields of `finalize`; it went well, unless told otherwise."""
        given = {"outcome": tasks.SUCCESS, **tasks.known(fields), "text": text}
        return self._kept(lambda: tasks.finalize(self, given, session=session, agent=agent))

    def recall_similar_tasks(
        self, request: AskedTask | str, *, everywhere: bool = False, limit: int = 5
    ) -> list[FoundTask]:
        """Tasks that are about the same, whatever came of them, the one that fits best first."""
        asked = AskedTask(request) if isinstance(request, str) else request
        return [each for each in tasks.similar(self, asked, everywhere=everywhere) if each.score >= 1][:limit]

    def suggest(
        self, request: AskedTask | str, *, everywhere: bool = False, limit: int = 3, record: bool = True,
        session: str = "", agent: str = "",
    ) -> Suggestion:  # fmt: skip
        """Strategies that worked for such work, and warnings; silent where nothing fits. That they were shown is
        recorded, so that it can be seen whether they are followed."""
        records.absorb(self)
        asked = AskedTask(request) if isinstance(request, str) else request
        found = tasks.suggest(self, asked, limit=limit, everywhere=everywhere)
        if record:
            tasks.show(self, found, session=session, agent=agent)
        return found

    def tasks(self, *, everywhere: bool = False, limit: int = 20, offset: int = 0) -> list[Task]:
        """Tasks of this project, those that were told of last first."""
        records.absorb(self)
        return tasks.listed(self, everywhere=everywhere, limit=limit, offset=offset)

    def task(self, id_: str) -> Task:
        """One task, by its id or the beginning of it."""
        records.absorb(self)
        return tasks.one(self, id_)

    def read_tasks(self, folder: str = "") -> TakenIn:
        """Reads the records of a repository back: tasks that are new here, and what a hand set right."""
        return records.read(self, folder)

    def write_tasks(self) -> int:
        """Writes every task of this project into its records, those that hooks saw as well; how many had none."""
        return records.write(self)

    def reflect(self, session: str = "", *, whole: bool = True) -> Reflection:
        """What of a session went in circles: reopened files, loops, over-exploration, untested edits, with evidence."""
        return usage.reflect(self, session, whole=whole)

    def usage(self, *, everywhere: bool = False) -> Usage:
        """What the memory of tasks was used for, as it was counted."""
        return usage.usage(self, everywhere=everywhere)

    # Looking after it

    def catch_up(self) -> None:
        """Brings what waits in the spool into the journal before a question, if that can be done now, and joins what
        this folder was with what it is."""
        try:
            if spool.waiting(self.home.spool):
                with tick.locked(self.home) as mine:
                    if mine:
                        tick.drain(self.home, self.whole.store, deadline=monotonic() + CATCH_UP_SECONDS)
                        self.observe()
            if self.exists and not self._visits:
                joining.join(self, self.store, [self._folder])
        except (HomeUnusable, StoreBusy, StoreFull, StoreReadOnly):
            return

    def wake(self) -> None:
        """Has what waits in the spool ingested by a process of its own, if it is much or nobody came for long."""
        if tick.due(self.home):
            tick.start(self.home, dict(os.environ))

    def observe(self) -> int:
        """Records what can be told by now of fixes that were shown and lessons that fired; how much that is."""
        told = observe.outcomes(self.store, tenant=self.tenant, now=events.now())
        told += observe.heeds(self.store, tenant=self.tenant, now=events.now())
        return self.store.append(self.admitted(event) for event in told).new

    def tick(self, *, seconds: float | None = None) -> Ticked:
        """Ingests the spool and works the jobs, unless another process is at it."""
        if self._whole:
            return self._whole.tick(seconds=seconds)
        limit = self.config.number("tick.seconds") if seconds is None else seconds
        embedding = meaning.working(self, deadline=monotonic() + limit)
        handlers: dict[str, tick.Handler] = {
            forget.COMPACT: self._compact,
            LEARN: self._learn,
            embedding.kind: embedding,
        }
        done = tick.tick(self.home, self.store, handlers, seconds=limit, prepare=self._prepare, last=self._settled)
        if embedding.done:
            meaning.settle(self)
        if done.ran:
            self.observe()
            if not self.to_learn():
                self._propose()
                # What edits carried stays until it has been learned from.
                self.bodies.expire(self.expired_before())
                return done._replace(expired=self._retain(deadline=monotonic() + limit))
        return done

    def _retain(self, *, deadline: float) -> int:
        """Once a day, what is beyond the limits that the settings name goes; how much that was."""
        wanted, now = retention.limits(self.config), self.store.database.now()
        if not wanted or not retention.due(self.home, now):
            return 0
        gone, ended = retention.expire(self.store, wanted, now, lambda: monotonic() < deadline)
        if ended:
            retention.done(self.home, now)
        return gone

    def follow(self, *, seconds: float | None = None, alone: bool = False) -> None:
        """Ticks whenever there is work, until whoever started this process is gone; `alone`: until it is ended."""
        following.follow(
            lambda: self.tick(seconds=seconds), self.heard, sleep, (lambda: True) if alone else following.while_wanted()
        )

    def heard(self, seconds: float) -> bool:
        """Whether somebody told of work within so many seconds."""
        return self.store.database.heard(seconds)

    def _prepare(self) -> None:
        """What a session may be told next is ready before slow work begins, and what is to be embedded is in line."""
        joining.join(self, self.store, joining.places(self))
        briefs.keep(self)
        meaning.plan(self)

    def _settled(self) -> None:
        """What sessions are told, and what hooks may answer, is as the store has it now."""
        briefs.keep(self)
        answers.keep(self.home, self.store, self.tenant)

    def expired_before(self) -> int:
        """What was carried by events before this time is erased by the next tick."""
        return self.store.database.now() - int(self.config.number("train.keep") * DAY)

    def learn(self, progress: Progress | None = None) -> int:
        """Learns from every session that has calls nobody has learned from yet; how many those were."""
        done = mining.learn_all(self.store, self._learn, progress)
        self._propose()
        return done

    def _propose(self) -> None:
        """What keeps failing in one way is proposed as a lesson; it waits until somebody accepts it."""
        self.store.append(map(self.admitted, propose.proposals(self.store, tenant=self.tenant)))

    def embed(self, progress: Progress | None = None, *, seconds: float = float("inf")) -> Embedded:
        """Embeds what has no vector yet, the newest first; killed at any moment, the next time goes on."""
        return meaning.embed(self, progress, seconds=seconds)

    def to_learn(self) -> int:
        """How many sessions wait to be learned from."""
        return self.jobs.waiting(LEARN)

    def _learn(self, job: Job) -> None:
        about = {"tenant": job.tenant, "project": job.project, "session": job.key}
        taught = list(mining.taught(self.store, **about, now=events.now()))
        self.store.append(map(self.admitted, taught))

    def _compact(self, _job: Job) -> None:
        forget.scrub(self.home, self.store)
        briefs.drop(self.home)

    @property
    def jobs(self) -> Jobs:
        """Slow work that waits, is being done or was given up."""
        return Jobs(self.store.database)

    @property
    def bodies(self) -> Bodies:
        """What reads, writes and edits carried."""
        return Bodies(self.store.database)

    def to_forget(self, choice: Choice) -> list[str]:
        """The ids of the events that a choice means; the id of a fix, pattern or task means all that it is made of."""
        if choice.ids:
            choice = choice._replace(ids=tuple(id_ for given in choice.ids for id_ in self._made_of(given)))
        return forget.chosen(self.home, self.whole.store, choice, tenant=self.tenant)

    def _made_of(self, id_: str) -> list[str]:
        made = patterns.made_of(self, id_) or tasks.made_of(self, id_) or fixes.made_of(self, id_)
        return [*made, *notes.said_again(self, id_)]

    def unread_to_forget(self, choice: Choice) -> int:
        """How many records that could not be read hold the text of a choice."""
        return len(forget.aside_with(self.home, choice))

    def forget_unread(self, choice: Choice) -> int:
        """Drops the records that could not be read and hold the text of a choice."""
        return forget.drop_aside(self.home, choice)

    def forget(self, ids: Iterable[str]) -> Forgotten:
        """Erases events everywhere, for good; what of them was shared in this repository is taken out of its files."""
        try:
            done = forget.forget(self.home, self.whole.store, sorted(set(ids)), tenant=self.tenant)
        finally:
            # Once nothing can be read any more of what was forgotten; a tick that was at it meanwhile looks again.
            briefs.drop(self.home)
            unlink_if_there(self.home.at(REPLAYED))
        if not self._visits:
            # The files of who visits are on another machine.
            self._withdraw(done.ids)
        return done

    def _withdraw(self, ids: Sequence[str]) -> None:
        """What of these events was written into repositories is there no more."""
        records.withdrawn(self, ids)
        sharing.withdrawn(self)

    @contextmanager
    def _following(self) -> Iterator[Callable[[Event], Event]]:
        """The gate for what comes from elsewhere: what was forgotten there is forgotten here as thoroughly."""
        heard: list[str] = []

        def admit(event: Event) -> Event:
            admitted = self.admitted(event)
            if admitted.kind == FORGET and forget.follow(self.home, self.store, admitted):
                heard.extend(events.targets(admitted))
            return admitted

        try:
            yield admit
        finally:
            if heard:
                briefs.drop(self.home)
                self._withdraw(heard)

    # Team memory

    def share(self, kinds: Sequence[str] = (), *, dry_run: bool = False) -> sharing.Shared:
        """Writes what this memory knows of the project into files of the repository, for others to trust."""
        self.catch_up()
        return sharing.share(self, kinds, dry_run=dry_run)

    def offered(self) -> sharing.Offered:
        """What others share in this repository, and whether it is trusted; nothing of it is used by asking."""
        return sharing.offered(self)

    def trust(self, what: sharing.Offered) -> int:
        """What was offered is used from now on; how many records that is."""
        self.catch_up()
        return sharing.trust(self, what)

    def revoke(self) -> int:
        """Nothing that others share in this repository is used any more; how many records were."""
        self.catch_up()
        return sharing.revoke(self)

    # In and out

    def export(self, out: BinaryIO, progress: Progress | None = None) -> int:
        """Writes the journal as JSONL."""
        tick.drained(self.home, self.store)
        return transfer.export(self.store, out, self.admitted, progress)

    def import_journal(self, source: BinaryIO, progress: Progress | None = None) -> Imported:
        """Reads an export back; what is there already or was forgotten stays as it is."""
        self.store.append(forget.ledger(self.home))
        with self._following() as admit:
            return transfer.import_lines(self.store, source, admit, progress)

    def sync(self, far: Remote) -> Synced:
        """This store and a server have the same events afterwards: each got what it had not."""
        from engrain.upkeep.sync import Far, sync

        self.catch_up()
        other = Far(far.line.url, far.changes, far.journal)
        with self._following() as admit:
            return sync(self.home, self.store, other, tenant=self.tenant, admit=admit)

    def export_fixes(self, out: BinaryIO, *, everywhere: bool = True) -> int:
        """Writes what is known to help as a corpus that can be shared: nothing in it of who learned it where."""
        tick.drained(self.home, self.store)
        return corpus.write(fixes.shared(self, everywhere=everywhere), out)

    def import_fixes(self, source: BinaryIO, progress: Progress | None = None) -> Imported:
        """Reads a shared corpus; twice is once, and its counts are a hint alone."""
        return transfer.import_with(
            self.store, source, lambda text: corpus.parse(text, tenant=self.tenant), self.admitted, progress
        )

    # Sessions and histories

    def sessions(self, wanted: WantedSessions = WantedSessions(), *, limit: int = 20) -> list[Listed]:  # noqa: B008 - a frozen value
        """Sessions, the latest first, with how much happened in each."""
        return history.listed(self, wanted, limit)

    def session(self, name: str) -> Session:
        """A session, by its name or the beginning of it: what was asked, and what was done for it, in order."""
        return history.session(self, name)

    def transcripts(self, agent: str, paths: Sequence[str] = ()) -> list[Unit]:
        """The sessions in these files and folders, or where the agent itself keeps them."""
        return history.transcripts(agent, paths)

    def import_transcripts(self, agent: str, units: Sequence[Unit], progress: Progress | None = None) -> Brought:
        """Brings what an agent wrote down of its sessions; what hooks recorded or an import brought stays once."""
        return history.bring(self, agent, units, progress)

    def move_in(self, tool: str, where: Sequence[str], start: moving.Start = lambda _size: None) -> Moved:
        """Brings what somebody kept in fixcache, aictx or agent-memory; what is here already stays once."""
        return moving.moved(self, tool, where, start)

    def confirm(self, rollout: str) -> int:
        """Sets right how commands of Codex ended, which hooks could only guess, by what it wrote down itself."""
        self.catch_up()
        return confirm.confirm(self.store, rollout, tenant=self.tenant, admitted=self.admitted)

    # Copies

    def known_backups(self) -> list[str]:
        """Every copy that this home knows of."""
        return backup.known(self.home)

    def rebuild(self, progress: Progress | None = None) -> int:
        """Makes every derived table anew from the journal."""
        return self.store.rebuild(progress)

    def dump(self) -> Iterator[str]:
        """Every derived row as a line."""
        return self.store.dump()

    def backup(self, path: str = "", progress: Progress | None = None) -> backup.Copy:
        """A checked copy: at that path, or under a name that tells the time."""
        tick.drained(self.home, self.store)
        if path and not os.path.isdir(path):
            return backup.backup_to(self.home, self.store, path, progress)
        return backup.backup(self.home, self.store, path or self.config.text("backup.folder"), progress)

    def daily_backup(self, progress: Progress | None = None) -> Copy:
        """The checked copy of a day; the newest few of them are kept."""
        tick.drained(self.home, self.store)
        return backup.daily(self.home, self.store, self.config.text("backup.folder"), progress)

    def pg_dump(self, path: str = "") -> Copy:
        """A copy of a PostgreSQL store by its own tool, every table and index with it."""
        tick.drained(self.home, self.store)
        where = path or self.config.text("backup.folder")
        return dump.dump(self.home, self.where, self.store.count(), where, dict(os.environ))

    def carry(self, source: str, target: str, progress: Progress | None = None) -> carry.Carried:
        """Carries a whole store into another one, after what waits in the spool for it."""
        if carry.same(source, os.path.expanduser(self.where)):
            tick.drained(self.home, self.store)
        return carry.carry(self.home, source, target, self.admitted, progress)

    def to_carry(self, source: str, target: str) -> int:
        """How many events wait to be carried, about."""
        return carry.waiting(self.home, source, target)

    def restore(self, path: str, progress: Progress | None = None) -> Appended:
        """Adds what a copy holds; what came later stays, what was forgotten stays forgotten."""
        with self._following() as admit:
            return backup.restore(self.store, path, forget.ledger(self.home), admit, progress)
