"""Episodes: what an agent did about a failure, from the calls of one session.

A command fails. What comes until the same command runs again is what was tried against it:

    resolved      it passed, or a corrected form of it did
    changed       it failed in another way: what was tried did away with the first failure
    superseded    it failed in the same way again: what was tried did not help; a later episode takes it up
    abandoned     it was not run again within WINDOW calls
    unfinished    the session ends before anything of that can be told

`unfinished` may become any of the others when the session goes on; the others stay as they are. What is no failure to
learn from begins no episode: a command that only looks (`grep` that finds nothing), one that was stopped or that nobody
allowed, an output that no one can tell from others.

Pure: calls come in, in the order of their time; nothing here knows an event, a store or a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import basename
from typing import NamedTuple

from engrain.learn import programs
from engrain.learn.commands import key, only_looks, passed
from engrain.learn.deeds import Call
from engrain.learn.retyped import bare, rule, tokens
from engrain.learn.steps import checks
from engrain.learn.testing import counts, results
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

RESOLVED, CHANGED, SUPERSEDED = "resolved", "changed", "superseded"
ABANDONED, UNFINISHED = "abandoned", "unfinished"
FINAL = frozenset((RESOLVED, CHANGED, SUPERSEDED, ABANDONED))

WINDOW = 60
"""Calls within which a command that runs again is still about the failure."""

NEAR = 6
"""Calls of the shell within which another form of the command may be its correction."""

MOST_LINES = 15
"""Lines of an output that is read whole for what was not found."""

STOPPED = frozenset((130, 137, 143))
"""Exit codes of what somebody stopped: SIGINT, SIGKILL, SIGTERM."""

_LOOKS = vocabulary("grep rg ls find diff test cat head tail rm rmdir")
"""Toolchains whose complaints only say that something is not there."""


_BLAMES = (
    r"not found|no such|cannot find|can't find|can't open|cannot open|could not find|unknown|invalid|unrecogni[sz]ed"
    r"|illegal|usage|unexpected|not registered|no tests|not a |no module named|did you mean"
    r"|unable to|not recogni[sz]ed|missing|denied|unsupported|does ?n[o']t exist|not installed|ambiguous|ignored"
    r"|outside|conflicts? with|required|no match|not match|0 matches|no rule to make|no test"
    r"|no \w+ (?:\w+ )?(?:named|matching|found|called)|does ?n[o']t have"
)
"""How a line says that a word of the command was wrong."""


class Episode(NamedTuple):
    """A failure and what came of it: places in the calls of its session; `end` is where it was decided."""

    start: int
    end: int
    state: str
    failed: Call
    ended: Call | None


def episodes(calls: Sequence[Call]) -> list[Episode]:
    """Every episode of a session, in the order of their failures."""
    return [_episode(calls, at) for at, call in enumerate(calls) if teaches(call)]


def teaches(call: Call) -> bool:
    """Whether this call is a failure that something can be learned from."""
    if not call.key or not call.failed or call.interrupted or call.exit in (None, 0, *STOPPED):
        return False
    return call.failure.get("toolchain") not in _LOOKS and not only_looks(call.command)


def _episode(calls: Sequence[Call], start: int) -> Episode:
    failed, shells = calls[start], 0
    for at in range(start + 1, min(start + 1 + WINDOW, len(calls))):
        call = calls[at]
        if not call.key or call.interrupted or call.exit is None:
            continue
        shells += 1
        near = shells <= NEAR and call.exit == 0
        state = _again(failed, call) if same(failed, call) else ""
        if not state and near and corrects(failed.command, call.command, failed.output):
            state = RESOLVED
        if state:
            return Episode(start, at, state, failed, call)
    whole = start + 1 + WINDOW <= len(calls)
    return Episode(start, len(calls), ABANDONED if whole else UNFINISHED, failed, None)


def same(failed: Call, call: Call) -> bool:
    """Whether a later call is of the command that failed. In another folder it is another one, unless the failure was
    that something is not there: then the folder may have been the mistake."""
    if call.place and call.place == failed.place:
        return True
    if call.key != failed.key:
        return False
    return call.cwd == failed.cwd or not (call.place and failed.place) or (call.exit == 0 and _not_there(failed))


def _not_there(failed: Call) -> bool:
    """Whether the failure is that something of the command was not found; in a long output some line always says so."""
    said = str(failed.failure.get("message", ""))
    short = failed.output if failed.output.count("\n") <= MOST_LINES else ""
    return compiled(_BLAMES).search(f"{said}\n{short}".lower()) is not None


def _again(failed: Call, call: Call) -> str:
    """What another run of the command makes of the failure; nothing where it says nothing of it."""
    if call.exit == 0:
        return RESOLVED if went_well(call) else ""
    if not call.failure:
        return ""
    return SUPERSEDED if call.failure.get("fingerprint") == failed.failure.get("fingerprint") else CHANGED


def went_well(call: Call) -> bool:
    """Whether the command passed: by its exit code, or, where a pipe hides that, by the tests that it told of."""
    if call.exit != 0:
        return False
    known = passed(call.command, 0)
    if known is not None:
        return known
    told = counts(results(call.command, call.output))
    return told.passed > 0 and not told.failed and not told.errors


def corrects(failed: str, passed_: str, output: str) -> bool:
    """Whether a command is another form of one that failed: the same program, changed in one place, and what is left
    out was complained of."""
    if not rule(failed, passed_) or only_looks(passed_):
        return False
    before, after = tokens(bare(failed)), tokens(bare(passed_))
    shared = len(set(before) & set(after))
    unwrapped = before[-len(after) :] == after
    same_program = unwrapped or _is_elsewhere(_program(failed), _program(passed_))
    if not same_program or not (unwrapped or shared * 2 >= len(set(before))):
        return False
    return _another_runner(failed, passed_) or not _wrong(before, after, output)


def _another_runner(failed: str, passed_: str) -> bool:
    """`poetry run pytest` in place of `python -m pytest`: what is gone had nothing to do with which command it is."""
    forms = tokens(bare(failed)), tokens(bare(passed_))
    if key(failed) != key(passed_) or any("&&" in words or "=" in words[0] for words in forms):
        return False
    return forms[0][0] != forms[1][0] and any(map(_is_run, forms))


def _is_run(words: Sequence[str]) -> bool:
    """Whether the program is behind one that gives it an environment."""
    name = programs.name(words[0])
    return programs.run_by(name, words, 0) > 0 or (name == "python" and words[1:2] == ["-m"])


def _program(command: str) -> str:
    """What runs, be it behind an interpreter or a `cd`: `pytest` of `python -m pytest`, but not `python` of it."""
    return programs.name(key(command).rpartition(" && ")[2].split(" ")[0])


def _wrong(before: Sequence[str], after: Sequence[str], output: str) -> bool:
    """What is gone was not complained of, only a part of what failed was run again, or another check."""
    return _unexplained(before, after, output) or _narrowed(before, after) or _another_check(before, after)


def _another_check(before: Sequence[str], after: Sequence[str]) -> bool:
    """`lint` in place of `test`, but not `test` in place of `tests`. In a long output some line complains of
    everything."""
    gone, came = (set(map(_letters, words)) for words in (_gone(before, after), set(after) - set(before)))
    return any(map(_is_check, gone - came)) and any(map(_is_check, came - gone))


def _letters(word: str) -> str:
    return compiled(r"[-_:]").sub("", word).removesuffix("s")


def _is_check(word: str) -> bool:
    return word.isalpha() and checks([word])


def _narrowed(before: Sequence[str], after: Sequence[str]) -> bool:
    """One test of those that failed, one folder of those that were linted."""
    came = [word for word in after if word not in before]
    return any(
        new.startswith(old) and new[len(old) : len(old) + 1] in (".", ":", "/")
        for old in before
        for new in came
        if old not in after
    )


def _gone(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Words that are gone without another that is like them."""
    now = [_core(word) for word in after]
    words = [word for word in before if word not in after and word[:1] != "-" and word != "&&"]
    return [word for word in words if not any(_core(word) in each for each in now)]


def _unexplained(before: Sequence[str], after: Sequence[str], output: str) -> bool:
    blamed = "\n".join(line for line in output.lower().splitlines() if compiled(_BLAMES).search(line))
    absent = bool(blamed) and output.count("\n") <= MOST_LINES
    gone = _gone(before, after)
    return any(not _said(_core(word), blamed) and not (absent and _elsewhere(word, after)) for word in gone)


def _elsewhere(file: str, after: Sequence[str]) -> bool:
    """Whether a file is named that lies in another folder now."""
    return "." in basename(file) and any(_is_elsewhere(file, word) for word in after)


def _is_elsewhere(file: str, other: str) -> bool:
    """Whether both are the same, but for the folder or for how a module is named: `app/main.py` and `-m app.main`."""
    return basename(file) == basename(other) or file.removesuffix(".py").replace("/", ".") == other


def _said(word: str, text: str) -> bool:
    """Whether a text has this word whole: `test` is no part of `cart.test.ts`."""
    at = text.find(word) if word else -1
    # A file is named by its whole path, too.
    within = r"[\w.-]" if compiled(r"[./]").search(word) else r"[\w./-]"
    while at >= 0:
        before, behind = text[max(at - 1, 0) : at], text[at + len(word) : at + len(word) + 2]
        if not compiled(within).match(before) and not compiled(r"[\w/-]|\.\w").match(behind):
            return True
        at = text.find(word, at + 1)
    return False


def _core(word: str) -> str:
    return word.strip("-'\"./").lower()
