"""What can be observed of a fix that was shown: the commands after it tell whether it helped.

A command failed, fixes were shown (a `Serving`), and the agent went on (`Run`s of the same project). In time order:

    a step fails by itself                            its fix failed       runtime_observed
    a step is done, then the command passes           its fix worked       runtime_observed
    a step is done, the same failure comes back       its fix failed       runtime_observed
    a step is done, another failure comes             its fix worked       runtime_observed: the first is gone
    the command passes as the fix has it              its fix worked       runtime_observed: `make b` for `make a`
    the command passes soon, no step was seen         the first worked     heuristic: weak on purpose
    the command fails again, no step was seen         nobody tried them    closed without a verdict

A verdict of commands whose exit code is not their own (`pytest | tail` always passes) is `heuristic` at most. What was
interrupted says nothing. The first verdict stands: more runs never change it.

Pure: no clock, no store. On the hook's path.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.learn.commands import ended, is_step_of, key, only_looks, passed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple

    class Serving(NamedTuple):
        """The command (its key) that had failed, how, and the fixes shown for it, best first: (id, steps); the last
        step of those `instead` is the command itself, changed."""

        id: str
        time: int
        key: str
        fingerprint: str
        fixes: tuple[tuple[str, tuple[str, ...]], ...]
        instead: frozenset[str] = frozenset()

    class Run(NamedTuple):
        """A later command; `fingerprint` is empty where it passed or nobody knows, `exit` None where nobody knows."""

        id: str
        time: int
        command: str
        exit: int | None
        fingerprint: str = ""
        interrupted: bool = False
        cwd: str = ""

    class Verdict(NamedTuple):
        """Whether a fix worked, by which run. Without a fix (`closed`) nothing was or will be seen, and `worked` is
        None; the provenance then says why."""

        fix: str
        worked: bool | None
        provenance: str
        run: str
        time: int
else:
    Serving = namedtuple("Serving", "id time key fingerprint fixes instead", defaults=(frozenset(),))
    Run = namedtuple("Run", "id time command exit fingerprint interrupted cwd", defaults=("", False, ""))
    Verdict = namedtuple("Verdict", "fix worked provenance run time")

OBSERVED, HEURISTIC = "runtime_observed", "heuristic"
SUPERSEDED, EXPIRED = "superseded", "expired"
"""Why a serving is closed without a verdict: nobody tried its fixes, or too much came after it."""

_SECOND = 1_000_000
WINDOW = 24 * 3600 * _SECOND
"""Microseconds after which nothing is put down to the fix any more."""

SOON = 3600 * _SECOND
"""Microseconds within which a pass is put down to the first fix, though no step of it was seen."""

MOST_RUNS = 500


def judged(serving: Serving, runs: Iterable[Run], root: str = "") -> Verdict | None:
    """The verdict; one that is `closed` where there will never be one; None while that is still open."""
    later = sorted((run for run in runs if run.time > serving.time), key=lambda run: (run.time, run.id))
    watch = _Watch(serving, root)
    for number, run in enumerate(later):
        if number >= MOST_RUNS or run.time > serving.time + WINDOW:
            return Verdict("", None, EXPIRED, run.id, run.time)
        found = None if run.interrupted or run.exit is None else watch.verdict(run, run.exit)
        if found:
            return found
    return None


def closed(verdict: Verdict) -> bool:
    """Nothing was observed, and nothing will be: the question need not be asked again."""
    return not verdict.fix


class _Watch:
    """What is remembered from run to run: the fix whose step was done last; and of this run, whether a step in it may
    have been done, and whether it is the command as a fix has it."""

    __slots__ = ("_as_told", "_doubt", "_root", "_serving", "_steps", "_tried")

    def __init__(self, serving: Serving, root: str) -> None:
        self._serving = serving
        self._root = root
        self._steps = [(fix, step) for fix, steps in serving.fixes for step in steps if not only_looks(step)]
        self._tried = ""
        self._doubt = False
        self._as_told: Verdict | None = None

    def verdict(self, run: Run, code: int) -> Verdict | None:
        failed = self._steps_of(run, code)
        if failed and (failed not in self._serving.instead or run.fingerprint in ("", self._serving.fingerprint)):
            return Verdict(failed, False, OBSERVED, run.id, run.time)
        if self._as_told:
            return self._as_told
        if key(run.command, self._root, run.cwd) != self._serving.key:
            return None
        went = passed(run.command, code)
        if run.fingerprint or went is False:
            return self._failed_again(run, went is False)
        return self._passed(run, went is True) if code == 0 else None

    def _steps_of(self, run: Run, code: int) -> str:
        """Remembers the steps that were done; the fix, if one of its steps failed by itself. In a line that failed a
        step before others may be what failed, unless the line got as far as the failure that is known."""
        done = [(fix, step) for fix, step in self._steps if is_step_of(step, run.command)]
        ends = [(fix, ended(step, run.command, code)) for fix, step in done]
        self._doubt = any(end is None for _, end in ends)
        reached = code == 0 or run.fingerprint == self._serving.fingerprint
        for fix, end in ends:
            if end or (end is None and reached):
                self._tried = fix
        self._as_told = next((self._passed(run, end is True) for each, (_, end) in zip(done, ends, strict=True)
                              if code == 0 and end is not False and self._is_command(*each)), None)  # fmt: skip
        return next((fix for fix, end in ends if end is False), "")

    def _is_command(self, fix: str, step: str) -> bool:
        """Whether this step is the command itself, as the fix has it."""
        return fix in self._serving.instead and dict(self._serving.fixes)[fix][-1] == step

    def _failed_again(self, run: Run, alone: bool) -> Verdict | None:
        """`alone` is whether the failure can only be the command's own, not that of a step before it in its line."""
        if not self._tried:
            return None if self._doubt else Verdict("", None, SUPERSEDED, run.id, run.time)
        if run.fingerprint == self._serving.fingerprint:
            return Verdict(self._tried, False, OBSERVED, run.id, run.time)
        if run.fingerprint and alone:
            return Verdict(self._tried, True, OBSERVED, run.id, run.time)
        return None

    def _passed(self, run: Run, surely: bool) -> Verdict | None:
        if self._tried:
            return Verdict(self._tried, True, OBSERVED if surely else HEURISTIC, run.id, run.time)
        if not surely:
            return None
        if run.time > self._serving.time + SOON or not self._serving.fixes:
            return Verdict("", None, SUPERSEDED, run.id, run.time)
        return Verdict(self._serving.fixes[0][0], True, HEURISTIC, run.id, run.time)
