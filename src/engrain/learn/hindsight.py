"""Hindsight: what ended a failure, and whether steps that were shown for it name any of that.

    ending(calls, start)     the commands that passed and the files that were edited until the failing command passed
    without(done, usual)     … without what the project does all the time
    names(steps, done)       whether one of these steps is among it

It judges answers, in a replay, and teaches nobody: what is mined is chosen by `remedies`, which never sees it. So it
takes more for an ending than a remedy is made of: whatever was done counts, however much that was. What only looks, and
what the failing command does itself, is nothing. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from posixpath import basename
from typing import NamedTuple

from engrain.learn.commands import key, only_looks, plain
from engrain.learn.deeds import Call
from engrain.learn.episodes import NEAR, WINDOW, corrects, same, went_well
from engrain.learn.retyped import bare, rule, tokens
from engrain.learn.steps import own, said
from engrain.patterns import compiled

USUAL = 0.25
"""What is done in this share of a project's sessions, or more, tells nothing of a failure."""


class Done(NamedTuple):
    """What was done until a command passed; `retyped` is what passed where that was another form of `failed`."""

    failed: str = ""
    commands: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    retyped: str = ""
    calls: int = 0
    seconds: float = 0.0

    @property
    def tells(self) -> bool:
        """Whether there is anything that an answer could have named."""
        return bool(self.commands or self.files or self.retyped)


def ending(calls: Sequence[Call], start: int, made: frozenset[str] = frozenset()) -> Done | None:
    """What was done about the failure at `start`; None where its command did not pass within WINDOW calls. What was
    done with files of the session's own (`made`) is nobody's to know."""
    end = _end(calls, start)
    if end is None:
        return None
    failed, ended = calls[start], calls[end]
    between = [call for call in calls[start + 1 : end + 1] if call.exit in (0, None) and not call.failed]
    own_steps = {plain(step) for step in said(failed.command)}
    done = [step for call in between if call.command for step in said(call.command)]
    return Done(
        failed.command,
        tuple(step for step in dict.fromkeys(done) if plain(step) not in own_steps and _tells(step, made)),
        tuple(dict.fromkeys(edit.file for call in between for edit in call.edits if basename(edit.file) not in made)),
        ended.command if rule(_here(failed), _here(ended)) else "",
        end - start,
        (ended.time - failed.time) / 1e6,
    )


def _tells(step: str, made: frozenset[str]) -> bool:
    return "<<" not in step and not only_looks(step) and not own(tokens(step), made)


def _end(calls: Sequence[Call], start: int) -> int | None:
    failed, shells = calls[start], 0
    for at in range(start + 1, min(start + 1 + WINDOW, len(calls))):
        call = calls[at]
        if not call.key or call.interrupted or call.exit is None:
            continue
        shells += 1
        if call.exit != 0:
            continue
        if same(failed, call) and went_well(call):
            return at
        if shells <= NEAR and corrects(failed.command, call.command, failed.output):
            return at
    return None


def _here(call: Call) -> str:
    """The command without the `cd` into the folder that it was run in anyway."""
    return bare(call.command).removeprefix(f"cd {call.cwd} && ")


def deeds(calls: Sequence[Call]) -> set[str]:
    """Everything that a session did, to be counted over sessions."""
    steps = {_same(step) for call in calls if call.command for step in said(call.command)}
    return steps | {edit.file for call in calls for edit in call.edits}


def without(done: Done, usual: Collection[str]) -> Done:
    """What was done, but for what is done all the time."""
    return done._replace(
        commands=tuple(step for step in done.commands if _same(step) not in usual),
        files=tuple(file for file in done.files if file not in usual),
    )


def names(steps: Sequence[str], done: Done) -> bool:
    """Whether one of the steps is what was done."""
    ran, files = set(map(_same, done.commands)), set(map(basename, done.files))
    return any(_typed(step) & ran or _files(step) & files or _retypes(step, done) for step in steps)


def _retypes(step: str, done: Done) -> bool:
    """Whether the step is what passed, or all that it changes in the command was changed there, too."""
    if not done.retyped:
        return False
    before, after, shown = (set(tokens(bare(text))) for text in (done.failed, done.retyped, step))
    changed = bool(shown - before) and shown - before <= after and len(shown & before) * 2 >= len(before)
    return changed or tokens(bare(step)) == tokens(bare(done.retyped))


def _typed(step: str) -> set[str]:
    """The commands that a step says, whole or between marks."""
    lines = compiled(r"`([^`]+)`").findall(step) if "`" in step else [step]
    return {_same(each) for line in lines for each in said(line)} - {""}


def _files(step: str) -> set[str]:
    """The files that an edit names, and what a step takes back."""
    told = step.removeprefix("edit ").partition(":")[0] if step.startswith("edit ") else ""
    return {basename(file) for file in told.split(", ") if file}


def _same(step: str) -> str:
    """The one form of a step; of a test or an install its key, so that `-q` makes no difference."""
    return key(step) or plain(step)
