"""Context: what the memory knows of a task, and what a session is told at its start. Functions over a Memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log1p
from typing import TYPE_CHECKING, Any, NamedTuple

from engrain import event as events
from engrain.errors import BadInput
from engrain.event import Event
from engrain.learn.commands import key, passed
from engrain.learn.deeds import said as said_in
from engrain.learn.likeness import shared, words
from engrain.learn.patterns import CODE, TEST
from engrain.learn.reading import fields, text
from engrain.learn.trigger import reaches
from engrain.memory import files as changes
from engrain.memory import patterns, tasks, working
from engrain.memory.files import EDITORS, Weighed, seen_from
from engrain.memory.history import Wanted, listed
from engrain.patterns import compiled
from engrain.recall.context import Context, Done, Failed, File, Pattern, Ran, Rule, Start
from engrain.recall.lessons import ACTIVE

if TYPE_CHECKING:
    from engrain.memory import Memory
    from engrain.memory.lessons import Kept

DAY = 86_400_000_000
LATELY = 90 * DAY
MOST_FILES, MOST_FAILURES, MOST_COMMANDS, MOST_SESSIONS = 3000, 60, 2000, 20
LOOKED_AT = 3
"""How many failures are looked at for each that is told."""

LEAST = 0.12
"""The part of what is asked that something must share with it."""

OFTEN = 0.2
"""What it counts for that a file is changed more often than any other, against sharing all words with the task."""

_ORDER = {"danger": 0, "warning": 1, "info": 2}
_RUNNERS = (
    r"^(?:\S+/)?(?:pytest|py\.test|unittest|nosetests|tox|nox|jest|vitest|mocha|ava|playwright|cypress|rspec|phpunit|ctest"
    r"|(?:bun|deno|go|cargo|npm|pnpm|yarn|make|just|task|dotnet|mvn|gradle|gradlew|mix|swift|zig|manage\.py)(?: run)?"
    r" (?:nextest|test|tests|check|t)(?:[:\s]|$)"
    r"|npm t$)"
)


def context(memory: Memory, task: str, files: Sequence[str] = (), limit: int = 5) -> Context:
    """What is known of a task; `files` are those that it is about, as far as that is known."""
    if not task.strip():
        raise BadInput("say what the task is")
    done = _tasks(memory, task, files, limit)
    likely = weighed_files(*_known(memory, task), task, [*files, *(path for each in done for path in each.files)])[
        :limit
    ]
    # A file that is merely changed often says nothing of what this task will meet.
    meant = [each.file for each in likely if each.named or each.like]
    about = " ".join((task, *(_stem(each.path) for each in meant)))
    where = next(iter(files), "")
    return Context(
        task=task.strip(),
        project=memory.project.id,
        tasks=tuple(done),
        lessons=tuple(_rules(memory, task, [*files, *(each.path for each in meant)], limit)),
        errors=tuple(_errors(memory, task, meant, limit)),
        patterns=tuple(_patterns(memory, task, CODE, where, limit)),
        tests=tuple(_patterns(memory, task, TEST, where, limit)),
        runs=tuple(_runs(memory, about, 3)),
        files=tuple(each.file for each in likely),
    )


def start(memory: Memory, limit: int = 4) -> Start:
    """What a session that begins in this project should know before anything is asked."""
    sessions = listed(memory, Wanted(project=memory.project.id), MOST_SESSIONS)
    latest = [each for each in sessions if each.prompts][:1]
    hand = working.left_by(memory, latest[0].session, latest[0].agent) if latest else None
    last = sessions[0].ended if sessions else events.now()
    begin = Start(lessons=tuple(_rules(memory, "", (), limit)), errors=tuple(_recurring(memory, last, limit)))
    if hand is None:
        return begin
    failing = tuple(each.name or each.file for each in hand.failing)
    return begin._replace(
        asked=hand.task, time=latest[0].ended, answered=hand.answered, failing=failing,
        changes=tuple(seen_from(memory, path) for path in hand.changes),
    )  # fmt: skip


# Similar tasks, patterns


def _tasks(memory: Memory, task: str, files: Sequence[str], limit: int) -> list[Done]:
    """Tasks that were about the same, whatever came of them."""
    found = tasks.similar(memory, tasks.Asked(task, files=tuple(files)))
    return [_done(each.task) for each in found if each.score >= 1][:limit]


def _done(task: tasks.Task) -> Done:
    return Done(task.id, task.text, task.outcome, task.summary, task.modified, task.commands, task.time)


def _patterns(memory: Memory, task: str, form: str, path: str, limit: int) -> Iterable[Pattern]:
    found = patterns.similar(memory, task, form=form, path=path, limit=limit)
    for each in found:
        yield Pattern(
            each.id, each.form, each.name, each.description, each.example, each.uses, each.avoid, each.area, each.times
        )


# Files


class Likely(NamedTuple):
    """A file that a task may touch: whether it is named, how many words it shares, and its weight with its history."""

    file: File
    named: int
    like: float
    weight: float


def _known(memory: Memory, task: str) -> tuple[list[File], Mapping[str, Weighed]]:
    """Files that earlier sessions used or changed, and what speaks for each that was changed."""
    changed = changes.weighed(memory, task)
    used = [each for each in _used(memory) if changes.inside(memory, each.path)]
    seen = {each.path for each in used}
    more = [File(path, each.times, each.times, each.times, each.first, each.last) for path, each in changed.items()]
    return [*used, *(each for each in more if each.path not in seen)], changed


def _used(memory: Memory) -> list[File]:
    """Files that calls named."""
    args = {"tenant": memory.tenant, "projects": _projects(memory), "editors": list(EDITORS), "limit": MOST_FILES}
    rows = memory.store.database.all("used_files", args)
    return [File(seen_from(memory, row[0]), *map(int, row[1:])) for row in rows]


def weighed_files(
    known: Sequence[File], changed: Mapping[str, Weighed], task: str, named: Sequence[str]
) -> list[Likely]:
    """The files that a task is likely to touch, the likeliest first: those that are named, those that were changed for
    what is like it, those whose names have words of it, and those that were changed again and again."""
    likes = shared(task, [each.path.rpartition(".")[0] or each.path for each in known])
    most = max((log1p(each.changed) for each in known), default=0.0) or 1.0
    found = []
    for each, like in zip(known, likes, strict=True):
        said, fits = _named(each.path, task, named), like if like >= LEAST else 0.0
        told = changed.get(each.path)
        if said or fits or (told and told.alike) or (each.changed > 1 and each.sessions > 1):
            weight = told.weight if told else fits + OFTEN * log1p(each.changed) / most
            found.append(Likely(each, said, fits, round(weight, 3)))
    found.sort(key=lambda each: (-each.named, -each.weight, -each.file.last, each.file.path))
    return found


def _named(path: str, task: str, named: Sequence[str]) -> int:
    """Whether a file is named: by its path, or in the words of the task."""
    if any(path == each or path.endswith(f"/{each}") or each.endswith(f"/{path}") for each in named if each):
        return 2
    name = path.rpartition("/")[2]
    return int(len(name) > 3 and "." in name and name.casefold() in task.casefold())


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


# Failures


def _errors(memory: Memory, task: str, files: Sequence[File], limit: int) -> list[Failed]:
    """Failures in the words of the task or over its files, however long ago, with what helped."""
    rows = _failures(memory, since=0, least=1)
    likes = shared(task, [f"{row[1]} {row[2]} {row[3]}" for row in rows])
    over = [any(each.path.rpartition("/")[2] in row[3] for each in files) for row in rows]
    near = [(like + (0.5 if named else 0), row) for like, named, row in zip(likes, over, rows, strict=True)]
    near = [each for each in near if each[0] >= LEAST]
    near.sort(key=lambda each: (-round(each[0], 2), -each[1][4], -each[1][6], each[1][0]))
    return _distinct(memory, [row for _, row in near], limit)


def _recurring(memory: Memory, last: int, limit: int) -> list[Failed]:
    """Failures that came more than once in the last days that this project saw, and in more than one session where
    that is known."""
    rows = [row for row in _failures(memory, since=last - LATELY, least=2) if row[5] != 1]
    return _distinct(memory, rows, limit)


def _distinct(memory: Memory, rows: Sequence[Sequence[Any]], limit: int) -> list[Failed]:
    """Of failures of one kind that one step helps against, or none, the first is told."""
    found: dict[tuple[Any, ...], Failed] = {}
    for row in rows[: limit * LOOKED_AT]:
        each = _with_fixes(memory, row)
        if not (each.fixes or _tells(row[1], row[3])):
            continue
        steps = each.fixes[0].steps if each.fixes else ()
        found.setdefault((row[1], row[2], steps) if steps else (row[1], row[2]), each)
        if len(found) == limit:
            break
    return list(found.values())


def _failures(memory: Memory, *, since: int, least: int) -> list[tuple[Any, ...]]:
    args = {
        "tenant": memory.tenant, "projects": _projects(memory), "since": max(0, since), "least": least,
        "limit": MOST_FAILURES,
    }  # fmt: skip
    return memory.store.database.all("recurring_failures", args)


def _tells(toolchain: str, message: str) -> bool:
    """Whether anybody made sense of it: the last line of an output that nobody understood is no news, unless something
    helps against it."""
    return toolchain != "general" or len(message.split()) >= 4


def _with_fixes(memory: Memory, row: Sequence[Any]) -> Failed:
    fingerprint, toolchain, _, message, times, sessions, last, event = row
    fixes = [fix for found in memory.get(event) for fix in _helps(memory, found)]
    message = compiled(r"[\u2500-\u257f=_~-]{5,}").sub("", message).strip()
    return Failed(fingerprint, toolchain, message, int(times), int(sessions), int(last), tuple(fixes))


def _helps(memory: Memory, event: Event) -> Iterable[Any]:
    """What would be answered, should it come again."""
    command = said_in(fields(event, "input")) or text(event, "command")
    code = event.body.get("exit")
    found = memory.match(text(event, "output"), command, code if type(code) is int else None)
    failure = fields(event, "failure")
    return (fix for fix in found.fixes if fix.match != "similar") if failure else ()


# Lessons, tests


def _rules(memory: Memory, task: str, files: Sequence[str], limit: int) -> Iterable[Rule]:
    """The rules that a task may meet: in its words, or for its files; without a task the gravest."""
    active = [each for each in memory.lessons() if each.state == ACTIVE]
    likes = shared(task, [_said(each) for each in active]) if task else [1.0] * len(active)
    found = [(like + (1 if _meets(each, files) else 0), each) for each, like in zip(active, likes, strict=True)]
    found = [each for each in found if each[0] >= LEAST]
    found.sort(key=lambda each: (-round(each[0], 2), _ORDER.get(each[1].severity, 1), -each[1].worth, each[1].id))
    for _, each in found[:limit]:
        yield Rule(each.id, each.text, each.severity, _when(each), each.fired, each.heeded)


def _meets(lesson: Kept, files: Sequence[str]) -> bool:
    return bool(lesson.trigger.path) and any(reaches(lesson.trigger.path, path) for path in files)


def _said(lesson: Kept) -> str:
    return " ".join((lesson.text, *lesson.trigger))


def _when(lesson: Kept) -> str:
    said = [f"{name} {value}" for name, value in lesson.trigger._asdict().items() if value and name != "phase"]
    return " and ".join(said) or f"phase {lesson.trigger.phase}"


def _runs(memory: Memory, about: str, limit: int) -> list[Ran]:
    """The commands that run tests here: those that share words with what is asked first, then the most usual ones."""
    rows = memory.store.database.all(
        "last_commands", {"tenant": memory.tenant, "projects": _projects(memory), "limit": MOST_COMMANDS}
    )
    found: dict[str, Ran] = {}
    for command, cwd, code, _, time in rows:
        named = key(command, "", cwd)
        if compiled(_RUNNERS).match(named):
            before = found.get(named, Ran(named, 0, 0, 0, time))
            well = passed(command, code) if type(code) is int else None
            found[named] = before._replace(
                times=before.times + 1, known=before.known + (well is not None), passed=before.passed + (well is True)
            )
    ranked = list(found.values())
    likes = dict(zip(found, shared(about, [each.command for each in ranked]), strict=True)) if words(about) else {}
    ranked.sort(key=lambda each: (-round(likes.get(each.command, 0.0), 1), -each.times, -each.last, each.command))
    return [each for each in ranked if each.times > 1 or likes.get(each.command, 0.0) >= LEAST][:limit]


def _projects(memory: Memory) -> list[str]:
    return memory.store.same_project(memory.project.id)
