"""Worth: which remedies are told as fixes.

Every remedy ended a failure of its session. It is told to others where somebody who meets that failure again would know
what to do. That is not so of

    an edit       that is known by its file alone, by the first of many lines, or by a piece of one
                  of what the session itself had changed before it failed: nobody else has that
                  of a test that the failure names: what it expects was changed
    a taken back  file that the failure is not about, or that the command itself names: a test of what failed

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from engrain.learn.deeds import Call
from engrain.learn.episodes import Episode
from engrain.learn.kinds import is_test
from engrain.learn.remedies import CUT, EDITED, REVERTED, Remedy, named_in, relative


def is_told(remedy: Remedy, each: Episode, calls: Sequence[Call], *, about: str) -> bool:
    """Whether a remedy is told as a fix; `about` is the file that the failure is about."""
    if remedy.kind == REVERTED:
        file = relative(remedy.file, each.failed.cwd)
        return file == about and not named_in(each.failed.command, file)
    if remedy.kind != EDITED:
        return True
    return _whole(remedy) and not _of_what_failed(remedy, each) and remedy.file not in _changed(calls, each)


def _whole(remedy: Remedy) -> bool:
    """Whether the step says what to do: no first of many lines, no piece that closes what it does not open."""
    change = remedy.steps[0].partition(": ")[2]
    new, _, old = change.partition("` in place of `")
    return bool(change) and not change.endswith(f"{CUT}`") and _open(new) == _open(old)


def _open(text: str) -> list[int]:
    return [text.count(opens) - text.count(closes) for opens, closes in ("()", "[]", "{}")]


def _of_what_failed(remedy: Remedy, each: Episode) -> bool:
    return is_test(remedy.file) and named_in(each.failed.output, remedy.file)


def _changed(calls: Sequence[Call], each: Episode) -> frozenset[str]:
    """The files that the session had changed before this failure."""
    before = (edit.file for call in calls[: each.start + 1] for edit in call.edits)
    return frozenset(relative(file, each.failed.cwd) for file in before)
