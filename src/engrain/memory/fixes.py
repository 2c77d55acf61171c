"""Fixes: teach one, ask for them, say how they went. Functions over a Memory, which has them as its methods."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain import event as events
from engrain.errors import BadInput, NotFound, StoreError
from engrain.event import COMMAND, FIX, OUTCOME, REDACTED, SERVED, Event
from engrain.fingerprint import fingerprint
from engrain.learn import recipe
from engrain.learn.fixes import PROVENANCES
from engrain.learn.here import is_here
from engrain.model import Fingerprint, Fix, merged
from engrain.patterns import compiled
from engrain.recall import shown as bodies_of
from engrain.recall.answer import SHOWN, Asked, Row, answer, answerable, kept
from engrain.recall.near import wording_of
from engrain.recall.shown import described
from engrain.store.reader import Reader

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.recall.answer import Look

SHORTEST_ID = 4
ALL = 100_000


class Match(NamedTuple):
    """A failure, and what is known to help."""

    fingerprint: Fingerprint
    fixes: tuple[Fix, ...]


class Taught(NamedTuple):
    """What a lesson became: the id of the fix, of its event, and whether it was known before."""

    fix: str
    event: str
    again: bool
    failure: Fingerprint
    steps: tuple[str, ...]
    redacted: Mapping[str, int]


def teach(
    memory: Memory, found: Fingerprint, steps: Sequence[str], *, cause: str, example: str, session: str, agent: str
) -> Taught:
    """Saves a recipe against a failure."""
    lines = checked(memory, steps)
    if not answerable(found):
        raise BadInput("the error says too little to be known again: give the whole output, or the line that names it")
    body = {
        **described(found),
        "wording": wording_of(found)[:400],
        "steps": list(lines),
        "cause": cause.strip()[: recipe.MOST_TEXT],
        "example": example.strip()[: recipe.MOST_TEXT],
        "source": "taught",
    }
    event = memory.admitted(memory.event(FIX, body, session=session, agent=agent))
    fix = recipe.recipes(
        event.body["steps"],
        fingerprint=found.fingerprint,
        family=found.family,
        through=found.through,
        parameters=event.body["parameters"],
    )[0]
    known = bool(_rows(memory, "fixes_by_prefix", prefix=fix.id, beyond=f"{fix.id}~", limit=1))
    memory.record(memory.sighting(), event)
    taken = event.body.get(REDACTED, {})
    # As it was written: what comes back is shown, and goes on into logs.
    written = found._replace(message=event.body["message"])
    return Taught(fix.id, event.id, known, written, recipe.rendered(fix.steps, found.parameters) or lines, taken)


def checked(memory: Memory, steps: Sequence[str]) -> tuple[str, ...]:
    """The lines of a recipe, if they may be kept."""
    lines = recipe.steps_of(steps)
    if not lines:
        raise BadInput("a fix needs steps: say what to do, such as --steps 'pip install orjson'")
    if len(lines) > recipe.MOST_STEPS:
        raise BadInput(f"a fix has at most {recipe.MOST_STEPS} steps, not {len(lines)}")
    if long := [line for line in lines if len(line) > recipe.LONGEST_STEP]:
        raise BadInput(f"a step has at most {recipe.LONGEST_STEP} characters, not {len(long[0])}")
    found = memory.admitted(memory.event(FIX, {"steps": list(lines)}, project="-")).body.get(REDACTED)
    if found:
        raise BadInput(
            f"a step holds a secret ({', '.join(sorted(found))}): name a variable in its place, such as $TOKEN; "
            "nothing was saved"
        )
    return lines


def match(memory: Memory, found: Fingerprint, command: str, limit: int = SHOWN, cwd: str = "") -> Match:
    """What is known to help against a failure; nothing is recorded."""
    questions = look(memory)
    return Match(found, answer(questions, found, _asked(memory, questions, command, cwd), limit=limit))


def listed(memory: Memory, *, everywhere: bool, limit: int) -> list[Fix]:
    """Fixes of this project, or all, the newest first."""
    project = "" if everywhere else memory.project.id
    projects = memory.store.same_project(memory.project.id)
    rows = _rows(memory, "newest_fixes", project=project, projects=projects, limit=limit)
    return kept(look(memory), rows, _asked(memory, look(memory)))


def listed_by_id(memory: Memory, ids: Sequence[str]) -> list[Fix]:
    """These fixes, in that order."""
    found = {
        fix.id: fix
        for fix in kept(look(memory), _rows(memory, "fixes_by_ids", fixes=list(ids)), _asked(memory, look(memory)))
    }
    return [found[id_] for id_ in ids if id_ in found]


def one(memory: Memory, id_: str) -> Fix:
    """The fix with this id, or with the only id that begins so."""
    rows = []
    if len(id_) >= SHORTEST_ID and id_.isalnum():
        rows = _rows(memory, "fixes_by_prefix", prefix=id_, beyond=f"{id_}~", limit=ALL)
    found = sorted({row[1] for row in rows})
    if not found:
        raise NotFound(f"no fix {id_!r}; `engrain fixes` lists them")
    if len(found) > 1:
        raise BadInput(f"{id_!r} could be {' or '.join(found[:4])}: give more of it")
    return kept(look(memory), rows, _asked(memory, look(memory)))[0]


def rate(
    memory: Memory, id_: str, *, worked: bool, provenance: str, of: str, time: int | None, session: str, agent: str
) -> tuple[Event, Fix]:
    """Records how a fix went: an event, so that no number of writers loses one."""
    if provenance not in PROVENANCES:
        raise BadInput(f"provenance is one of {', '.join(PROVENANCES)}, not {provenance!r}")
    fix = one(memory, id_)
    body = {"fix": fix.id, "general": fix.general, "worked": worked, "provenance": provenance, "of": of}
    event = memory.event(OUTCOME, body, session=session, agent=agent, time=time)
    memory.record(event)
    return event, fix


def serving(
    memory: Memory, shown: Match, *, channel: str, command: str, cwd: str, of: str, session: str, agent: str
) -> Event:
    """The event that says which fixes were shown at a failure."""
    # The key is taken from what may be written: a part of a secret is harder to know than the whole of it.
    ran = memory.admitted(memory.event(COMMAND, {"command": command, "cwd": cwd}, project="-")).body
    body = bodies_of.shown(
        shown.fingerprint, shown.fixes, channel=channel, command=str(ran["command"]), root=memory.project.root, cwd=cwd,
        of=of,
    )  # fmt: skip
    return memory.event(SERVED, body, session=session, agent=agent)


def made_of(memory: Memory, id_: str) -> list[str]:
    """The events that a fix is made of; of anything else the id itself."""
    known = [id_, *_general_alone(memory, id_)]
    rows = memory.store.database.all("events_of_fixes", {"tenant": memory.tenant, "fixes": known})
    return sorted(str(row[0]) for row in rows) or [id_]


def _general_alone(memory: Memory, id_: str) -> list[str]:
    """The recipe for the whole family, where nobody taught it but with this fix: it was shown in the same words."""
    own = _rows(memory, "fixes_by_ids", fixes=[id_])
    named = sorted({row.general for row in map(Row._make, own)} - {"", id_})
    return [general for general in named if _lessons(own) == _lessons(_rows(memory, "fixes_by_ids", fixes=[general]))]


def _lessons(rows: Sequence[Sequence[Any]]) -> int:
    return sum(row.taught + row.mined + row.imported for row in map(Row._make, rows))


def shared(
    memory: Memory, *, everywhere: bool, wanted: Callable[[Fix], bool] = lambda _: True
) -> Iterator[dict[str, Any]]:
    """Fixes as others may have them: through the gate again, whose rules may know more by now."""
    projects = memory.store.same_project(memory.project.id)
    rows = _rows(memory, "newest_fixes", project="" if everywhere else memory.project.id, projects=projects, limit=ALL)
    by_id = {row[1]: Row._make(row) for row in rows}
    # What is in a project's own words stays there.
    rows = [row for row in rows if not is_here(Row._make(row).key)]
    for fix in filter(wanted, kept(look(memory), rows, _asked(memory, look(memory)))):
        row = by_id[fix.id]
        fields = {
            "fingerprint": row.key,
            **{name: getattr(row, name) for name in ("family", "through", "toolchain", "error_type", "wording")},
            "parameters": json.loads(row.parameters),
            "steps": list(recipe.unpacked(row.steps)),
            "cause": _nobody(fix.cause),
            "example": _nobody(fix.example),
            "worked": fix.worked,
            "failed": fix.failed,
        }
        yield dict(memory.admitted(memory.event(FIX, fields, project="-")).body)


def _nobody(text: str) -> str:
    """What is said about a fix, without the addresses of people."""
    return compiled(_ADDRESS).sub("«address»", text) if "@" in text else text


_ADDRESS = r"(?<![\w.+-])(?!git@)[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}"


def look(memory: Memory) -> Look:
    """Answers questions by name. A file that nobody has opened yet is read without making or changing anything."""
    if memory.opened or "://" in memory.where:
        return memory.store.database.all
    if not memory.exists:
        return lambda _question, _args: []
    try:
        return Reader(os.path.expanduser(memory.where))
    except StoreError:
        return memory.store.database.all


def _rows(memory: Memory, question: str, **args: object) -> list[tuple[Any, ...]]:
    return memory.store.database.all(question, {"tenant": memory.tenant, **args})


def _asked(memory: Memory, look: Look, command: str = "", cwd: str = "") -> Asked:
    project = memory.project_of(cwd) if cwd else memory.project
    # As it was written when it was learned from: without home folders and secrets.
    ran = memory.admitted(memory.event(COMMAND, {"command": command}, project="-")).body["command"] if command else ""
    projects = merged(project.id, look("dump_merges", {}))
    return Asked(memory.tenant, projects, events.now(), str(ran), cwd or memory.folder)


__all__ = ["Match", "Taught", "described", "fingerprint", "listed", "look", "match", "one", "rate", "serving", "teach"]
