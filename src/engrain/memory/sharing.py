"""What Memory does with a team's memory in the repository: writes its own part, and reads that of others once it is
trusted.

What others wrote came with a clone or a pull, and may be anybody's. So nothing of it is read before a person has
seen it and trusts just that content; when it changes they are asked again, and what was trusted before stays. Then
each record is an event of this memory like any other, with `shared` as its source: its counts are a hint that is
capped, a lesson waits to be accepted, and what takes something away, or would break its quotation, is left out.
Revoking forgets these events.

A kind of records is a row of KINDS.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain import event as events
from engrain.errors import BadEvent, BadInput
from engrain.event import FIX, LESSON, MARK, NOTE, PATTERN, REDACTED, TASK, TRUST, Event
from engrain.install import ledger, plan, wiring
from engrain.install.ledger import Change
from engrain.learn import recipe
from engrain.learn.belief import FAILING
from engrain.learn.lessons import LONGEST_TEXT, SEVERITIES
from engrain.learn.patterns import AREA, CODE, DESCRIPTION, EXAMPLE, FORMS, LINE, MOST_LINES, NAME
from engrain.learn.steps import harmless
from engrain.learn.tasks import SUCCESS, id_of, said_in
from engrain.learn.trigger import flaw, trigger_of
from engrain.light import sha256
from engrain.memory import fixes, lessons, patterns, tasks
from engrain.model import Fix
from engrain.paths import replace_file
from engrain.recall.told import one_line
from engrain.upkeep import shared
from engrain.upkeep.shared import Line, Refusal

if TYPE_CHECKING:
    from engrain.memory import Memory

SOURCE = "shared"
ORIGIN = "origin"
MOST_TEXT = 4000
MOST_NAME = 200

Fields = Mapping[str, Any]


class Kind(NamedTuple):
    """A kind of records: the file that has them, the kind of event that one becomes, which of ours are shared (`ours`),
    what becomes of one that others wrote (`body`, or BadInput), a line that says what it is, and the fields that tell
    one from another. One that is not `always` shared is shared when it is named."""

    name: str
    mark: str
    event: str
    ours: Callable[[Memory], Iterator[Fields]]
    body: Callable[[Fields], dict[str, Any]]
    says: Callable[[Fields], str]
    same: tuple[str, ...]
    always: bool = True


class Record(NamedTuple):
    """What others share, and may be trusted: the body of its event, who says so, and in words."""

    kind: Kind
    body: dict[str, Any]
    says: str


class Offered(NamedTuple):
    """What the repository brings along: the hash of it, its records, what is left out, and what is trusted by now."""

    content: str
    records: tuple[Record, ...]
    refused: tuple[Refusal, ...]
    trusted: str
    new: int
    gone: int


class Shared(NamedTuple):
    """What sharing changes: files, how many records of ours each has, and how many of others."""

    changes: tuple[Change, ...]
    counts: Mapping[str, tuple[int, int]]
    left: tuple[str, ...]


# Our own


def share(memory: Memory, names: Sequence[str] = (), *, dry_run: bool = False) -> Shared:
    """Our part of the files is what this memory knows now; the parts of others stay as they are."""
    known = [kind.name for kind in KINDS]
    if unknown := [name for name in names if name not in known]:
        raise BadInput(f"nothing called {unknown[0]!r} is shared; known: {', '.join(known)}")
    root = _root(memory)
    by = _origin(memory, make=not dry_run)
    changes: list[Change] = []
    counts: dict[str, tuple[int, int]] = {}
    left: list[str] = []
    for kind in KINDS:
        place = shared.path(root, kind.name)
        found = shared.lines(place)
        if not (kind.name in names if names else kind.always or _has(found, kind, by)):
            continue
        own = _own(memory, kind, by, left)
        data = shared.merged(found, kind.mark, own, by)
        changes.append(_change(place, data))
        counts[kind.name] = (len(own), data.count(b"\n") - len(own))
    if not dry_run:
        _write(memory, root, [change for change in changes if change.changes])
    return Shared(tuple(changes), counts, tuple(left))


def withdrawn(memory: Memory) -> list[str]:
    """Records of ours that are known no more are shared no more; the files that this changed."""
    root, by = memory.project.root, _origin(memory, make=False)
    changed = []
    for kind in KINDS if os.path.isdir(os.path.join(root, shared.FOLDER)) else ():
        place = shared.path(root, kind.name)
        found = shared.lines(place)
        mine = {each for each in found if _has([each], kind, by)}
        if mine and mine - (still := set(_own(memory, kind, by, []))):
            _write(memory, root, [_change(place, shared.merged(found, kind.mark, mine & still, by))])
            changed.append(place)
    return changed


def _root(memory: Memory) -> str:
    root = memory.project.root
    return plan.checked_root(root, os.path.expanduser("~"))


def _has(found: Iterable[bytes], kind: Kind, by: str) -> bool:
    return any(line.by == by for line in shared.read(kind.name, kind.mark, found)[0])


def _own(memory: Memory, kind: Kind, by: str, left: list[str]) -> list[bytes]:
    """Our records of a kind as lines; one that others could not take in is left out."""
    found = []
    for fields in kind.ours(memory):
        try:
            kind.body(fields)
            _checked(memory, kind, fields)
        except BadInput as exc:
            left.append(f"{kind.mark} {kind.says(fields)}: {exc}")
            continue
        found.append(shared.line(kind.mark, fields, by))
    return sorted(set(found))


def _change(place: str, data: bytes) -> Change:
    try:
        with open(place, "rb") as file:
            before: bytes | None = file.read()
    except FileNotFoundError:
        before = None
    return Change(place, before, data or (None if before is None else b""), None)


def _write(memory: Memory, root: str, changes: Sequence[Change]) -> None:
    if not changes:
        return
    with ledger.locked(memory.home):
        if os.path.exists(os.path.join(root, ".git")):
            # Without these lines git would not join them, or not even have them.
            ledger.apply(memory.home, plan.putting(memory.home, wiring.repository(root)).changes)
        for change in changes:
            ledger.write(change)


def _origin(memory: Memory, *, make: bool) -> str:
    """The word by which this memory is known in this project: it says nothing of whose it is."""
    place = memory.home.at(ORIGIN)
    try:
        with open(place, encoding="utf-8") as file:
            secret = file.read().strip()
    except FileNotFoundError:
        secret = os.urandom(16).hex()
        if make:
            memory.home.ensure()
            replace_file(place, secret.encode())
    return sha256(f"origin\0{secret}\0{memory.tenant}\0{memory.project.id}".encode())[:12]


# Those of others


def offered(memory: Memory) -> Offered:
    """What the repository brings along. Nothing of it is used by asking."""
    rows, refused = _rows(memory)
    records, more = _records(memory, rows)
    before = _trusts(memory)
    held = _held(memory, before)
    wanted = {_name(record) for record in records}
    latest = str(before[-1].body.get("content", "")) if before else ""
    return Offered(
        shared.content({kind.name: lines for kind, lines in rows}), tuple(records),
        tuple(sorted([*refused, *more])), latest, len(wanted - held.keys()), len(held.keys() - wanted),
    )  # fmt: skip


def trust(memory: Memory, what: Offered) -> int:
    """This content is used from now on, in place of what was trusted before; how many records that is."""
    if what.content != offered(memory).content:
        raise BadInput("the files changed meanwhile; nothing was trusted: look again")
    before = _trusts(memory)
    held = _held(memory, before)
    now = events.now()
    generation = events.new_id(now)
    made, ids = [], []
    for record in what.records:
        name = _name(record)
        if name in held:
            ids.append(held[name])
            continue
        id_ = events.id_of(SOURCE, generation, name)
        made.append(memory.event(record.kind.event, record.body, time=now, id=id_))
        ids.append(id_)
    body = {"content": what.content, "ids": sorted(ids), "records": len(ids)}
    memory.store.append(map(memory.admitted, [memory.sighting(), *made, memory.event(TRUST, body, time=now)]))
    _forget(memory, [*(id_ for id_ in held.values() if id_ not in set(ids)), *(event.id for event in before)])
    return len(ids)


def revoke(memory: Memory) -> int:
    """Nothing that others share in this repository is used any more; how many records that were."""
    before = _trusts(memory)
    ids = {str(id_) for event in before for id_ in event.body.get("ids", ())}
    _forget(memory, [*ids, *(event.id for event in before)])
    return len(ids)


def _forget(memory: Memory, ids: Sequence[str]) -> None:
    if ids:
        memory.forget(ids)


def _rows(memory: Memory) -> tuple[list[tuple[Kind, list[Line]]], list[Refusal]]:
    by = _origin(memory, make=False)
    rows, refused = [], []
    for kind in KINDS:
        place = shared.path(memory.project.root, kind.name)
        found, more = shared.read(kind.name, kind.mark, shared.lines(place))
        # What we wrote ourselves is known here already.
        rows.append((kind, [line for line in found if line.by != by]))
        refused += more
    return rows, refused


def _records(memory: Memory, rows: Iterable[tuple[Kind, list[Line]]]) -> tuple[list[Record], list[Refusal]]:
    """Each record once, with what all who share it saw of it."""
    found: dict[tuple[str, str], list[Line]] = {}
    bodies: dict[tuple[str, str], tuple[Kind, dict[str, Any]]] = {}
    refused = []
    for kind, lines in rows:
        for line in lines:
            try:
                body = kind.body(line.fields)
                _checked(memory, kind, body)
            except BadInput as exc:
                refused.append(Refusal(f"{kind.name}.jsonl", line.number, str(exc)))
                continue
            about = {name: value for name, value in body.items() if name in kind.same}
            key = (kind.name, json.dumps(about, sort_keys=True))
            found.setdefault(key, []).append(line)
            bodies.setdefault(key, (kind, body))
    records = []
    for key, (kind, body) in sorted(bodies.items(), key=lambda pair: pair[0]):
        counts = {name: number for name, number in shared.united(found[key]).items() if number}
        whole = {**{name: value for name, value in body.items() if name not in shared.COUNTS}, **counts}
        # As it would be written, so that it is known again.
        whole = dict(memory.admitted(memory.event(kind.event, whole, project="-")).body)
        records.append(Record(kind, whole, kind.says(whole)))
    return records, refused


def _checked(memory: Memory, kind: Kind, fields: Fields) -> None:
    """Nothing in it is secret, and nothing would break the quotation that it is told in."""
    for text in _texts(fields):
        flat = text.replace("\n", " ").replace("\t", " ")
        if MARK in flat or "```" in flat or "~~~" in flat or one_line(flat, len(flat) + 1) != " ".join(flat.split()):
            raise BadInput("it holds what would break its quotation")
    try:
        if memory.admitted(memory.event(kind.event, dict(fields), project="-")).body.get(REDACTED):
            raise BadInput("it holds a secret")
    except BadEvent as exc:
        raise BadInput(str(exc)) from exc


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def _trusts(memory: Memory) -> list[Event]:
    """What was trusted here, the latest last."""
    return _of_kind(memory, TRUST)


def _held(memory: Memory, before: Sequence[Event]) -> dict[str, str]:
    """The events that stand for what is trusted, by what they say."""
    ids = [str(id_) for event in before for id_ in event.body.get("ids", ())]
    return {_said(event.kind, event.body): event.id for event in (memory.store.get(ids) if ids else ())}


def _name(record: Record) -> str:
    return _said(record.kind.event, record.body)


def _said(kind: str, body: Mapping[str, Any]) -> str:
    return json.dumps([kind, body], sort_keys=True, ensure_ascii=False)


def _of_kind(memory: Memory, kind: str) -> list[Event]:
    if not memory.exists:
        return []
    projects = memory.store.same_project(memory.project.id)
    args = {"tenant": memory.tenant, "projects": projects, "kind": kind}
    return memory.store.get(str(row[0]) for row in memory.store.database.all("ids_of_kind", args))


# Fixes


def _fixes(memory: Memory) -> Iterator[Fields]:
    """What was taught here, or was mined and seen to work, and is not believed to fail."""

    def wanted(fix: Fix) -> bool:
        return fix.belief > FAILING and bool(fix.taught or (fix.mined and fix.worked))

    for fields in fixes.shared(memory, everywhere=False, wanted=wanted):
        yield {name: value for name, value in fields.items() if name != REDACTED}


def _fix(fields: Fields) -> dict[str, Any]:
    steps = fields.get("steps")
    given = [step for step in steps if isinstance(step, str)] if isinstance(steps, (list, tuple)) else []
    lines = recipe.steps_of(given)
    names = ("fingerprint", "family", "through", "toolchain", "error_type")
    about = {name: _text(fields, name, MOST_NAME) for name in names}
    if not lines or len(lines) > recipe.MOST_STEPS or not about["fingerprint"] or not about["family"]:
        raise BadInput("no fix: it needs a fingerprint, a family and steps")
    parameters = fields.get("parameters")
    values = {k: v for k, v in parameters.items() if isinstance(v, str)} if isinstance(parameters, Mapping) else {}
    if not all(harmless(step) for step in (*lines, *(recipe.rendered(lines, values) or lines))):
        raise BadInput("a step takes something away, fetches or runs who knows what")
    told = {name: _text(fields, name, MOST_TEXT) for name in ("wording", "cause", "example")}
    kept = {name: value for name, value in {**about, **told}.items() if value}
    counts = {name: fields[name] for name in shared.COUNTS if type(fields.get(name)) is int and fields[name] > 0}
    return {**kept, **counts, "parameters": values, "steps": list(lines), "message": told["wording"], "source": SOURCE}


def _says_fix(fields: Fields) -> str:
    tries = sum(int(fields.get(name, 0)) for name in shared.COUNTS)
    seen = f"they say it worked {fields.get('worked', 0)} of {tries} times" if tries else "not tried by anybody"
    steps = ", then ".join(f"`{one_line(step, 80)}`" for step in fields["steps"][:3])
    return f"{steps} for {one_line(str(fields.get('wording') or fields['family']), 60)} ({seen})"


# Lessons


def _lessons(memory: Memory) -> Iterator[Fields]:
    """The rules of this project that somebody taught or accepted here."""
    projects = memory.store.same_project(memory.project.id) if memory.exists else []
    for each in lessons.listed(memory) if projects else ():
        if each.state == lessons.ACTIVE and each.project in projects and each.source != SOURCE:
            when = {name: value for name, value in each.trigger._asdict().items() if value}
            yield {"text": each.text, "severity": each.severity, "why": each.why, "trigger": when}


def _lesson(fields: Fields) -> dict[str, Any]:
    text, given = _text(fields, "text", LONGEST_TEXT), fields.get("trigger")
    trigger = trigger_of(given if isinstance(given, dict) else {})
    if not text or not isinstance(given, dict):
        raise BadInput("no lesson: it needs a text and a trigger")
    if problem := flaw(trigger):
        raise BadInput(problem)
    severity = _text(fields, "severity", MOST_NAME)
    return {
        "text": " ".join(text.split()),
        "severity": severity if severity in SEVERITIES else "warning",
        "why": _text(fields, "why", MOST_NAME),
        "trigger": {name: value for name, value in trigger._asdict().items() if value},
        "source": SOURCE,
    }


def _says_lesson(fields: Fields) -> str:
    return f"{fields['severity']}: {one_line(str(fields['text']), 120)} (inert until `engrain lesson accept`)"


# Notes


def _notes(memory: Memory) -> Iterator[Fields]:
    for event in _of_kind(memory, NOTE):
        if event.body.get("source") != SOURCE:
            tags = event.body.get("tags")
            yield {"text": event.body.get("text", ""), "tags": tags if isinstance(tags, list) else []}


def _note(fields: Fields) -> dict[str, Any]:
    text, tags = _text(fields, "text", MOST_TEXT), fields.get("tags")
    if not text.strip():
        raise BadInput("no note: it needs a text")
    kept = sorted({tag[:MOST_NAME] for tag in tags if isinstance(tag, str)}) if isinstance(tags, list) else []
    return {"text": text, "tags": kept, "source": SOURCE}


def _says_note(fields: Fields) -> str:
    return one_line(str(fields["text"]), 120)


# Patterns

_SAYS = ("name", "description", "example", "uses", "avoid", "area")


def _patterns(memory: Memory) -> Iterator[Fields]:
    """How code and tests are written here, as it was taught."""
    projects = memory.store.same_project(memory.project.id) if memory.exists else []
    for each in patterns.listed(memory) if projects else ():
        if each.project in projects and each.source != SOURCE:
            yield {"form": each.form, **{name: getattr(each, name) for name in _SAYS if getattr(each, name)}}


def _pattern(fields: Fields) -> dict[str, Any]:
    form = _text(fields, "form", MOST_NAME)
    said: dict[str, Any] = {
        "form": form if form in FORMS else CODE,
        **{name: _text(fields, name, most) for name, most in _LENGTHS.items()},
        **{name: _lines(fields.get(name)) for name in ("uses", "avoid")},
        "source": SOURCE,
    }
    if not said["name"].strip() or not (said["description"].strip() or said["example"].strip()):
        raise BadInput("no pattern: it needs a name, and a description or an example")
    return said


_LENGTHS = {"name": NAME, "description": DESCRIPTION, "example": EXAMPLE, "area": AREA}


def _lines(value: Any) -> list[str]:
    given = value if isinstance(value, (list, tuple)) else ()
    return [line[:LINE] for line in given if isinstance(line, str) and line][:MOST_LINES]


def _says_pattern(fields: Fields) -> str:
    told = fields.get("description") or fields.get("example") or ""
    return f"{one_line(str(fields['name']), 60)}: {one_line(str(told), 100)}"


# Strategies

_DONE = ("text", "type", "summary", "entry", "area")
_LISTED = ("modified", "commands")


def _strategies(memory: Memory) -> Iterator[Fields]:
    """How tasks of this project were done that somebody finalized as a success; what hooks saw of prompts stays."""
    projects = memory.store.same_project(memory.project.id) if memory.exists else []
    for each in tasks.listed(memory, limit=shared.MOST_RECORDS) if projects else ():
        told_by_hand = not _TOLD_BY_HAND.isdisjoint(each.sources)
        if each.outcome == SUCCESS and told_by_hand and each.project in projects:
            said: dict[str, Any] = {name: getattr(each, name) for name in _DONE}
            said |= {name: list(getattr(each, name)) for name in _LISTED}
            said["tests"] = [str(test["command"]) for test in each.tests if test.get("command")]
            yield {**said, **{name: [line for line in said[name] if harmless(line)] for name in ("commands", "tests")}}


_TOLD_BY_HAND = frozenset(("finalized", "edited"))


def _strategy(fields: Fields) -> dict[str, Any]:
    given = {**fields, "tests": [{"command": each} for each in _lines(fields.get("tests"))]}
    said = {name: value for name, value in said_in(given).items() if name in (*_DONE, *_LISTED, "tests")}
    if not said.get("text"):
        raise BadInput("no strategy: it needs what was asked")
    if not all(harmless(line) for line in (*said.get("commands", ()), *_lines(fields.get("tests")))):
        raise BadInput("a command takes something away, fetches or runs who knows what")
    task = id_of(json.dumps(said, sort_keys=True, ensure_ascii=False))
    provenance = dict.fromkeys((*said, "outcome"), "unknown")
    return {**said, "task": task, "outcome": SUCCESS, "source": SOURCE, "provenance": provenance}


def _says_strategy(fields: Fields) -> str:
    files = ", ".join(fields.get("modified", ())[:3])
    return f"{one_line(str(fields['text']), 80)}{f' (in {one_line(files, 60)})' if files else ''}, they say it worked"


def _text(fields: Fields, name: str, most: int) -> str:
    value = fields.get(name)
    return value[:most] if isinstance(value, str) else ""


KINDS = (
    Kind("fixes", "fix", FIX, _fixes, _fix, _says_fix, ("fingerprint", "through", "steps")),
    Kind("lessons", "lesson", LESSON, _lessons, _lesson, _says_lesson, ("text", "trigger")),
    Kind("patterns", "pattern", PATTERN, _patterns, _pattern, _says_pattern, ("form", *_SAYS)),
    Kind("strategies", "strategy", TASK, _strategies, _strategy, _says_strategy, ("text", *_LISTED, "tests")),
    # A note may be for oneself alone.
    Kind("notes", "note", NOTE, _notes, _note, _says_note, ("text",), always=False),
)
