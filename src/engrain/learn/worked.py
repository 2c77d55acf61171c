"""Worked: the events of a session → the tasks that it worked on, an event for each.

A prompt opens a task, the agent's last word for it (Stop) closes it, and so does the next prompt or the session's end.
A prompt that only says to go on belongs to the task before it; one that asks for more, where that did not end well and
the same files are in hand, takes the task before it up: it has what was asked and done there, too. What was done is
seen in the calls: files, lines, tests, commands, errors, the pull request; type, area, entry point and often the
outcome are inferred, and say so.

Each closing is an event of its own, so that a task that goes on is told anew; the id follows from the prompt and the
last thing that was done for it, so that whoever looks again says the same. A task that an agent finalized itself in
that turn keeps the id that it has there. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engrain import event as events
from engrain.capture.session import SHELLS
from engrain.event import REPLY, SESSION_END, TASK, TOOL_CALL, Event
from engrain.learn.commands import key, passed, plain, working
from engrain.learn.deeds import Edit, call_of, said
from engrain.learn.kinds import UNKNOWN_TYPE, area_of, entry_of, is_test, type_of
from engrain.learn.line import simple_commands
from engrain.learn.provenance import HEURISTIC, OBSERVED, UNKNOWN
from engrain.learn.reading import fields, text
from engrain.learn.tasks import CANCELLED, FAILED, ID, LINE, SUCCESS, id_of
from engrain.learn.turns import Turn, turns
from engrain.learn.working import Tested, Working, left
from engrain.patterns import compiled

MINED = "mined"
MOST_BEFORE = 6
QUIET = 3_600_000_000
"""Microseconds after which nobody is taken to go on with a turn that has no end."""

_GO_ON = (
    r"(?i)\W*(?:(?:yes|yep|y|ok|okay|sure|right|good|great|fine|please|thanks?|thank you|go|go on|go ahead|continue"
    r"|proceed|carry on|keep going|do it|do that|next|again|retry|try again|resume|lgtm|sounds good|perfect|nice|cool"
    r"|agreed)\b"
    r"\W*){1,4}"
)
_PULL = r"https://[\w.-]{1,100}/[\w./-]{1,200}/(?:pull|merge_requests|pull-requests)/\d{1,9}"
_OPENS = r"(?:gh|hub) (?:pr|pull-request)\b|glab mr\b"
_FINALIZES = r"\bengrain (?:finalize|prepare)\b[^\n]*?(?:^|\s)([0-9a-f]{12})\b"
_NAMED = (
    r"(?m)^\s*(?:async\s+)?(?:def (test_\w{1,100})|func (Test\w{1,100})"
    r"|(?:it|test)(?:\.\w+)?\(\s*['\"`]([^'\"`\n]{1,120}))"
)

Carried = Callable[[Sequence[Event]], Mapping[str, Mapping[str, Any]]]
"""What calls carried beside the journal, by their ids."""

Known = Callable[[Sequence[str]], Iterable[tuple[str, str]]]
"""Which of these events are in the journal already, and how the tasks ended that they tell of."""


class Work(NamedTuple):
    """A task: what was asked, what followed, whether it is over, and the tasks before it that it takes up."""

    prompt: Event
    told: tuple[Event, ...]
    over: bool
    before: tuple[Work, ...] = ()

    @property
    def whole(self) -> tuple[Event, ...]:
        """All that was done for it, by now and before."""
        return tuple(event for work in (*self.before, self) for event in work.told)

    @property
    def asked(self) -> str:
        """All that was asked."""
        return "\n\n".join(text(work.prompt, "text", 3000) for work in (*self.before[:1], self))

    @property
    def last(self) -> Event:
        """What happened last for it."""
        return max(self.told, key=lambda event: (event.time, event.id), default=self.prompt)

    @property
    def id(self) -> str:
        """The id of the event that tells of it."""
        return events.id_of(MINED, TASK, self.prompt.id, self.last.id)


def tasks(
    session: Sequence[Event], carried: Carried, known: Known, *, root: str = "", now: int
) -> Iterator[tuple[Event, Work]]:
    """The tasks of a session that are over and not told yet, each as its event."""
    works = [work for work in works_of(session) if work.over or now - work.last.time > QUIET]
    works = [work for work in works if any(event.kind == TOOL_CALL for event in work.told)]
    outcomes = dict(known([work.id for work in works]))
    for place, work in enumerate(works):
        if work.id not in outcomes:
            taken = work._replace(before=_taken_up(works[:place], work, outcomes))
            event = _told(taken, _seen(taken, carried(taken.whole), root))
            outcomes[work.id] = text(event, "outcome")
            yield event, taken


def _taken_up(earlier: Sequence[Work], work: Work, outcomes: Mapping[str, str]) -> tuple[Work, ...]:
    """The tasks right before it that did not end well, as long as they were about the same files."""
    found: list[Work] = []
    hands = _touched(work)
    for each in reversed(earlier):
        if len(found) == MOST_BEFORE or outcomes.get(each.id) == SUCCESS or not hands & (theirs := _touched(each)):
            break
        found.insert(0, each)
        hands |= theirs
    return tuple(found)


def _touched(work: Work) -> set[str]:
    return {each.path for each in left(work.told, tests=False).files if each.changed or each.read > 1}


def works_of(session: Sequence[Event]) -> list[Work]:
    """The tasks of a session, in order; what was done before anybody asked belongs to none."""
    ended = any(event.kind == SESSION_END for event in session)
    found: list[list[Turn]] = []
    for turn in turns(session):
        if turn.prompt is None:
            continue
        # A prompt may be a picture and no word.
        wordless = not text(turn.prompt, "text", 3000).strip()
        if found and (wordless or compiled(_GO_ON).fullmatch(text(turn.prompt, "text", 200))):
            found[-1].append(turn)
        elif not wordless:
            found.append([turn])
    works = []
    for place, several in enumerate(found):
        prompt, *rest = [event for turn in several for event in (turn.prompt, *turn.followed) if event is not None]
        works.append(Work(prompt, tuple(rest), place + 1 < len(found) or ended or _stopped(rest)))
    return works


def _stopped(told: Sequence[Event]) -> bool:
    """Whether the agent had the last word."""
    last = max(told, key=lambda event: (event.time, event.id), default=None)
    if last is None:
        return False
    return last.kind == REPLY and not text(last, "subagent")


# What was done


class _Seen(NamedTuple):
    """What the calls of a task tell: each with its edits, and what was in hand at the end."""

    calls: tuple[Any, ...]
    hand: Working
    removed: frozenset[str]
    root: str
    cwd: str

    def near(self, path: str) -> str:
        """A path as seen from the root of the project."""
        for place in filter(None, (self.root, self.cwd)):
            if path.startswith(f"{place.rstrip('/')}/"):
                return path[len(place.rstrip("/")) + 1 :]
        return path.removeprefix("./")


def _seen(work: Work, carried: Mapping[str, Mapping[str, Any]], root: str) -> _Seen:
    raw = [event for event in work.whole if event.kind == TOOL_CALL]
    calls = tuple(call_of(event, carried.get(event.id, {})) for event in raw)
    gone = frozenset(path for call in calls for path in _removed(call.command))
    cwd = next((place for event in (work.prompt, *raw) if (place := text(event, "cwd"))), "")
    return _Seen(calls, left(work.whole), gone, root, cwd)


def _told(work: Work, seen: _Seen) -> Event:
    """The event that tells of a task."""
    found = [*_asked(work), *_files(seen), *_ran(seen), *_tested(seen), *_ended(work, seen)]
    said_, provenance = {}, {}
    for name, value, how in found:
        if value not in ("", None, [], ()):
            said_[name], provenance[name] = value, how
    modified = said_.get("modified", [])
    asked = type_of(said_["text"], modified)
    for name, value in (("type", asked if asked != UNKNOWN_TYPE else ""), ("area", area_of(modified))):
        if value:
            said_[name], provenance[name] = value, HEURISTIC
    body = {
        **said_, "task": _claimed(work.told) or id_of(work.prompt.id), "started": work.prompt.time, "source": MINED,
        "provenance": provenance, "branch": text(work.prompt, "branch"),
    }  # fmt: skip
    return events.make(
        TASK, body, project=work.prompt.project, tenant=work.prompt.tenant, session=work.prompt.session,
        agent=work.prompt.agent, time=work.last.time, id=work.id,
    )  # fmt: skip


Found = Iterator[tuple[str, Any, str]]
"""A field, its value, and how it is known."""


def _asked(work: Work) -> Found:
    yield "text", work.asked[:4000], OBSERVED
    replies = [event for event in work.told if event.kind == REPLY and not text(event, "subagent")]
    # The last word of an agent says what it did, as it sees it.
    yield "summary", _gist(text(replies[-1], "text")) if replies else "", HEURISTIC
    yield "seconds", round((work.last.time - work.prompt.time) / 1e6, 3), OBSERVED


def _gist(reply: str) -> str:
    """The first sentences of a reply, without its markup."""
    flat = " ".join(compiled(r"(?s)```.*?```|[#*`>]").sub(" ", reply[:4000]).split())
    return flat if len(flat) <= 600 else flat[:599] + "…"


def _files(seen: _Seen) -> Found:
    files = [each for each in reversed(seen.hand.files) if seen.near(each.path) not in seen.removed]
    changed = [(seen.near(each.path), each.changed) for each in files if each.changed]
    changed = [each for each in changed if each[0][:1] not in "/~" and not _scratch(each[0], seen)]
    yield "modified", [path for path, _ in changed], OBSERVED
    yield "read", [seen.near(each.path) for each in files if each.read and not each.changed], OBSERVED
    yield "entry", entry_of(changed), HEURISTIC
    edits = [edit for call in seen.calls for edit in call.edits]
    # Where somebody wrote through a shell nobody knows how many lines that were.
    if edits and all(edit.old or edit.new for edit in edits):
        sums = [lines_of(edit) for edit in edits]
        yield "added", sum(added for added, _ in sums), OBSERVED
        yield "removed", sum(gone for _, gone in sums), OBSERVED
    yield "tests_added", list(dict.fromkeys(name for edit in edits for name in _new_tests(edit))), OBSERVED


def _scratch(path: str, seen: _Seen) -> bool:
    """Whether it is a script that somebody wrote on the top of the project, to run it themselves."""
    if "/" in path or not any(
        edit.whole and seen.near(edit.file) == path for call in seen.calls for edit in call.edits
    ):
        return False
    return any(path in line.split() for call in seen.calls for line in working(call.command))


def lines_of(edit: Edit) -> tuple[int, int]:
    """How many lines an edit added and took away."""
    old, new = (Counter(side.splitlines()) for side in (edit.old, edit.new))
    return (new - old).total(), (old - new).total()


def _new_tests(edit: Edit) -> Iterator[str]:
    before, after = (
        ["".join(found) for found in compiled(_NAMED).findall(side)] if is_test(edit.file) else []
        for side in (edit.old, edit.new)
    )
    yield from (name for name in after if name not in before)


def _removed(line: str) -> Iterator[str]:
    """The files that a line takes away again: scripts that somebody wrote for a moment."""
    for simple in simple_commands(line)[0] if "rm" in line else ():
        if simple.words[:1] == ["rm"] or simple.words[:2] == ["git", "rm"]:
            yield from (word for word in simple.words[1:] if word[:1] != "-")


def _ran(seen: _Seen) -> Found:
    lines = [plain(call.command) for call in seen.calls if call.command and working(call.command)]
    kept = [line for line in lines if len(line) <= LINE and "heredoc:" not in line]
    yield "commands", list(dict.fromkeys(_from_root(line, seen) for line in kept)), OBSERVED
    failures = {str(each["fingerprint"]): each for call in seen.calls if (each := call.failure).get("fingerprint")}
    yield "errors", [
        {"fingerprint": name, "type": str(each.get("error_type", "")), "message": str(each.get("message", ""))[:LINE]}
        for name, each in failures.items()
    ], OBSERVED  # fmt: skip
    opened = [call for call in seen.calls if compiled(_OPENS).search(call.command)]
    urls = [found[0] for call in opened if (found := compiled(_PULL).search(call.output))]
    yield "pr", urls[-1] if urls else "", OBSERVED


def _from_root(line: str, seen: _Seen) -> str:
    """A command without the `cd` to where one is anyway."""
    for place in filter(None, (seen.cwd, seen.root)):
        line = line.removeprefix(f"cd {place} && ")
    return line


def _tested(seen: _Seen) -> Found:
    runs: dict[str, list[Tested]] = {}
    for each in seen.hand.tests:
        before = runs.setdefault(key(each.command), [])
        if before and before[0].time != each.time:
            # Of a command that ran again the last run counts.
            before.clear()
        before.append(each)
    yield "tests", [_counted(each, seen) for each in runs.values()], OBSERVED


def _counted(results: Sequence[Tested], seen: _Seen) -> dict[str, Any]:
    sums = Counter[str]()
    for each in results:
        sums[each.outcome] += each.number
    names = (("passed", "passed"), ("failed", "failed"), ("errors", "error"), ("skipped", "skipped"))
    line = _from_root(plain(results[0].command), seen)
    return {"command": line[:LINE], **{name: sums[outcome] for name, outcome in names}}


# How it ended


def _ended(work: Work, seen: _Seen) -> Found:
    outcome, how = _outcome(seen)
    cut = [event for event in work.told if event.kind == TOOL_CALL][-1:]
    if any(event.body.get(name) is True for event in cut for name in ("interrupted", "refused")):
        outcome, how = CANCELLED, OBSERVED
    yield "outcome", outcome, how


def _outcome(seen: _Seen) -> tuple[str, str]:
    """By the tests that ran after the last edit, else by what was run then; nothing says that all went well before."""
    edited = max((at for at, call in enumerate(seen.calls) if call.edits), default=-1)
    after = seen.calls[edited:] if edited >= 0 else seen.calls
    since = seen.calls[edited].started if edited >= 0 else 0
    runs: dict[str, bool] = {}
    for each in seen.hand.tests:
        if each.time > since:
            bad = each.outcome in ("failed", "error")
            runs[f"{key(each.command)}\0{each.time}"] = runs.get(f"{key(each.command)}\0{each.time}", True) and not bad
    if runs:
        return (SUCCESS, OBSERVED) if list(runs.values())[-1] else (FAILED, OBSERVED)
    if edited < 0:
        return "", UNKNOWN
    ends = [passed(call.command, call.exit) for call in after if call.exit is not None and working(call.command)]
    known = [each for each in ends if each is not None]
    if not known:
        return "", UNKNOWN
    return (SUCCESS if known[-1] else FAILED), HEURISTIC


def _claimed(told: Iterable[Event]) -> str:
    """The id of the task that the agent itself finalized in this turn; empty where it did not, or several."""
    found = set()
    for event in (each for each in told if each.kind == TOOL_CALL):
        given = fields(event, "input")
        tool, line = text(event, "tool"), said(given)
        if tool not in SHELLS and "engrain" in tool and isinstance(given.get("task"), str):
            found.add(given["task"][:ID])
        found.update(compiled(_FINALIZES).findall(line) if "engrain" in line else ())
    ids = {each for each in found if compiled(rf"[0-9a-f]{{{ID}}}").fullmatch(each)}
    return ids.pop() if len(ids) == 1 else ""
