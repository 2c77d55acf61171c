"""What Memory does with the records of tasks in a repository: keeps them, takes in what a hand set right, reads them
back. Functions over a Memory.

Only what this memory knows itself is set right by itself: a line of a task that is unknown here may have come with a
clone, and be anybody's. Whoever wants such lines reads them in (`engrain task read`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain import event as events
from engrain.errors import BadEvent, BadInput, EngrainError, HomeUnusable
from engrain.event import TASK, Event
from engrain.install.plan import checked_root
from engrain.learn.provenance import PROVENANCES
from engrain.learn.tasks import ID, Task
from engrain.memory import tasks
from engrain.redact.sensitive import sensitive
from engrain.upkeep import records
from engrain.upkeep.records import EXECUTIONS, Damaged, Line

if TYPE_CHECKING:
    from engrain.memory import Memory

EDITED, IMPORTED = "edited", "imported"
EXPLICIT, UNKNOWN = PROVENANCES[0], PROVENANCES[-1]


class Taken(NamedTuple):
    """What reading the records came to: tasks that are new here, lines that a hand set right, lines that are damaged,
    and lines of tasks that this memory does not know."""

    new: int = 0
    corrected: int = 0
    damaged: tuple[Damaged, ...] = ()
    unknown: int = 0


def keep(memory: Memory, task: Task, *, again: bool = False) -> str:
    """The lines of a task stand in the repository, in place of those that told of it before; why not, where they do
    not."""
    if not memory.config.get("tasks.records").value:
        return "tasks.records is off"
    try:
        root = _root(memory)
        known = records.looked_at(memory.home, memory.tenant, root)
        if again:
            records.replace(root, {task.id: records.lines_of(task)})
        else:
            records.append(root, records.lines_of(task))
        if known:
            records.look(memory.home, memory.tenant, root)
    except (BadInput, HomeUnusable) as exc:
        return str(exc)
    return ""


def _root(memory: Memory) -> str:
    """The checkout that this memory was opened in; a server that is asked about a project has none."""
    root = memory.project.root
    if memory.visits or not os.path.isabs(root) or not os.path.isdir(root):
        raise BadInput("its repository is not on this machine")
    return checked_root(root, os.path.expanduser("~"))


# What a hand set right


def absorb(memory: Memory) -> Taken:
    """What somebody set right in the records since they were looked at last is known; quick where nobody did."""
    if memory.untouched:
        return Taken()
    try:
        root = _root(memory)
        if records.looked_at(memory.home, memory.tenant, root):
            return Taken()
        found, damaged = records.read(root)
        taken = _corrected(memory, root, [line for line in found if line.edited])
        records.look(memory.home, memory.tenant, root)
    except (BadInput, HomeUnusable):
        return Taken()
    return taken._replace(damaged=tuple(damaged))


def _corrected(memory: Memory, root: str, lines: Sequence[Line]) -> Taken:
    ids = dict.fromkeys(str(line.fields["task"])[:ID] for line in lines)
    known = {task.id: task for task in tasks.by_ids(memory, ids)}
    made = [memory.admitted(event) for line in lines for event in _correction(memory, line, known)]
    new = memory.store.append(made).new if made else 0
    if known:
        # All that is told of a task says the same again.
        records.replace(root, {task.id: records.lines_of(task) for task in tasks.by_ids(memory, known)})
    return Taken(corrected=new, unknown=sum(str(line.fields["task"])[:ID] not in known for line in lines))


def _correction(memory: Memory, line: Line, known: Mapping[str, Task]) -> Iterator[Event]:
    """The event that says what a hand changed: fields that are other than they are known."""
    if task := known.get(str(line.fields["task"])[:ID]):
        said = records.said(line.fields, line.file)
        changed = {name: value for name, value in said.items() if _plain(value) != _plain(getattr(task, name))}
        if changed:
            yield _event(memory, task.id, changed, EDITED, task.started, dict.fromkeys(changed, EXPLICIT), line.fields)


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=list)


def _event(
    memory: Memory, task: str, said: Mapping[str, Any], source: str, started: int, provenance: Mapping[str, str],
    fields: Mapping[str, Any], time: int | None = None,
) -> Event:  # fmt: skip
    """What a line tells; told again in the same words it is the same event."""
    used = fields.get("followed")
    body = {
        **said, "task": task, "source": source, "started": started, "provenance": dict(provenance),
        "followed": used if isinstance(used, list) else [],
    }  # fmt: skip
    id_ = events.id_of(source, TASK, task, _plain(said), str(fields.get(records.SUM, "")))
    session, agent = (value if isinstance(value := fields.get(name), str) else "" for name in ("session", "agent"))
    return memory.event(TASK, body, id=id_, time=time, session=session, agent=agent)


# Reading them in


def read(memory: Memory, folder: str = "") -> Taken:
    """Every line of a folder's records is known: tasks that are new here, and what a hand set right."""
    root = os.path.abspath(folder) if folder else _root(memory)
    root = os.path.dirname(root) if os.path.basename(root) == records.FOLDER else root
    if not os.path.isdir(records.place(root)):
        raise BadInput(f"no records in {root}: there is no folder {records.FOLDER}")
    found, damaged = records.read(root)
    forgotten = {id_ for _, id_ in memory.store.forgotten()}
    lines = [line for line in found if not forgotten & set(map(str, line.fields.get(records.EVENTS, ())))]
    ids = dict.fromkeys(str(line.fields["task"])[:ID] for line in lines)
    known = {task.id for task in tasks.by_ids(memory, ids)}
    made, wrong = [], []
    for line in lines:
        if line.file == EXECUTIONS and str(line.fields["task"])[:ID] not in known and not line.edited:
            try:
                made.append(memory.admitted(_imported(memory, line.fields)))
            except EngrainError as exc:
                wrong.append(Damaged(f"{line.file}.jsonl", line.number, str(exc)))
    new = memory.store.append([memory.sighting(), *made]).new if made else 0
    fixed = _corrected(memory, root, [line for line in lines if line.edited])
    return fixed._replace(new=len({str(each.body["task"]) for each in made}) if new else 0, damaged=(*damaged, *wrong))


def _imported(memory: Memory, fields: Mapping[str, Any]) -> Event:
    """A task as its record tells it."""
    said = records.said(fields, EXECUTIONS)
    for name in ("read", "modified"):
        said[name] = [path for path in said.get(name, ()) if not sensitive(path)]
    given = fields.get("provenance")
    provenance = given if isinstance(given, dict) else {}
    if not said.get("text"):
        raise BadEvent("it does not say what the task was")
    return _event(
        memory, str(fields["task"])[:ID], said, IMPORTED, events.microseconds(fields.get("started")),
        {name: provenance.get(name, UNKNOWN) for name in said}, fields, events.microseconds(fields.get("time")),
    )  # fmt: skip


def write(memory: Memory) -> int:
    """Every task of this project has its lines, those that hooks saw as well; how many had none."""
    root = _root(memory)
    absorb(memory)
    there = {str(line.fields["task"]) for line in records.read(root, (EXECUTIONS,))[0]}
    missing = [each for each in tasks.listed(memory, limit=tasks.MOST_LISTED) if each.id not in there]
    if missing:
        records.replace(root, {each.id: records.lines_of(each) for each in reversed(missing)})
        records.look(memory.home, memory.tenant, root)
    return len(missing)


def withdrawn(memory: Memory, ids: Collection[str]) -> int:
    """What tells of these events is gone from the records of every checkout that is known; how many lines that were."""
    if not ids:
        return 0
    rows = memory.store.places() if memory.exists else []
    written = {str(row[5]) for row in rows if row[0] == memory.tenant and row[5]}
    home = memory.gate.home
    roots = {place.replace("~", home, 1) if place.startswith("~/") else place for place in written}
    roots.add(memory.project.root)
    gone = 0
    for root in sorted(roots):
        try:
            gone += records.without(root, ids) if os.path.isdir(os.path.join(root, records.FOLDER)) else 0
        except BadInput:
            # It leads out of the repository: nothing of ours is there.
            continue
    return gone


__all__ = ["Taken", "absorb", "keep", "read", "withdrawn", "write"]
