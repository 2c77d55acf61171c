"""Mined: what a session's episodes become in the journal.

    episode       how a failure ended: how often it comes, against how often something helped
    fix           a remedy, with `source` mined, one event for each episode that it ended
    fix.outcome   a remedy after which the same failure came again

Every id follows from the calls and from what is said of them, every time is that of a call: whoever learns from the
same calls, here or elsewhere, now or again, says the same. What helps twice in one session has helped in one. Only
what is settled is said; an episode whose session may go on waits. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import basename
from typing import Any, NamedTuple

from engrain import event as events
from engrain.event import EPISODE, FIX, OUTCOME, Event
from engrain.learn import recipe
from engrain.learn.deeds import Call
from engrain.learn.episodes import FINAL, Episode, episodes
from engrain.learn.outcomes import HEURISTIC
from engrain.learn.remedies import EDITED, REVERTED, Remedy, made_by, relative, remedies, tried
from engrain.learn.retyped import is_rule, sides
from engrain.learn.values import named
from engrain.learn.worth import is_told
from engrain.patterns import compiled


class Told(NamedTuple):
    """A failure as it is told in events: its body, the values that it names, and all its files."""

    body: Mapping[str, Any]
    values: Mapping[str, str]
    files: tuple[str, ...] = ()


Tell = Callable[[Call], Told]


def learned(calls: Sequence[Call], tell: Tell, *, tenant: str, session: str) -> Iterator[Event]:
    """What there is to learn from the calls of one session, in their order. What a subagent does is a row of its own:
    agents that work at the same time do not answer each other's failures."""
    made = made_by(calls)
    for stream in sorted({call.stream for call in calls}):
        own = [call for call in calls if call.stream == stream]
        yield from _of_one(own, made, tell, tenant, session)


def _of_one(calls: Sequence[Call], made: frozenset[str], tell: Tell, tenant: str, session: str) -> Iterator[Event]:
    found = episodes(calls)
    for each in found:
        if each.state not in FINAL:
            continue
        told = tell(each.failed)
        # A script that the session wrote for itself is no command of the project.
        command = "" if basename(each.failed.key.split(" ")[0]) in made else each.failed.key
        about, helped = _About(tenant, session, each, told, command), remedies(calls, each, found, made)
        yield about.episode(helped)
        yield from (about.fix(remedy) for remedy in helped if about.is_told(remedy, calls))
        for remedy in tried(calls, each, found, made):
            yield about.failed_again(remedy)


class _About(NamedTuple):
    """One episode, and what its events have in common."""

    tenant: str
    session: str
    each: Episode
    told: Told
    command: str

    def episode(self, helped: Sequence[Remedy]) -> Event:
        """How it ended, and which files were edited until then."""
        edited = sorted({self.edited(each.file) for each in helped if each.kind == EDITED})
        body = {
            **{name: self.told.body.get(name, "") for name in ("fingerprint", "family", "toolchain", "error_type")},
            "state": self.each.state,
            "command": self.command,
            "file": self.told.values.get("file", ""),
            "of": self.each.failed.id,
            "by": self.each.ended.id if self.each.ended else "",
            **({"edited": edited} if edited else {}),
        }
        return self.made(EPISODE, body, self.each.failed.time, events.id_of("mined", EPISODE, self.each.failed.id))

    def edited(self, file: str) -> str:
        """A file that was edited: one that the failure names, or another."""
        return "{file}" if file in self.told.files else named(file, self.told.values)

    def is_told(self, remedy: Remedy, calls: Sequence[Call]) -> bool:
        """Whether a remedy is a fix. An edit is kept for its command: for none, where the session wrote that itself."""
        known = bool(self.command) or remedy.kind != EDITED
        return known and is_told(remedy, self.each, calls, about=self.told.values.get("file", ""))

    def fix(self, remedy: Remedy) -> Event:
        """A remedy that ended it."""
        values, steps = self.named_by(remedy)
        body = {
            **self.told.body,
            "parameters": values,
            "steps": steps,
            "source": "mined",
            "how": remedy.kind,
            "command": self.command,
            "file": self.told.values.get("file", ""),
            "edited": named(remedy.file, values) if remedy.kind == EDITED else "",
            "of": self.each.failed.id,
            "by": self.each.ended.id if self.each.ended else "",
        }
        # What helps twice in one session has helped in one: the earlier of two events with one id holds.
        id_ = events.id_of("mined", FIX, self.each.failed.project, self.session, str(body["fingerprint"]), *steps)
        return self.made(FIX, body, self.each.ended.time if self.each.ended else 0, id_)

    def failed_again(self, remedy: Remedy) -> Event:
        """A remedy after which the same failure came again."""
        values, steps = self.named_by(remedy)
        found = recipe.recipes(
            steps,
            fingerprint=str(self.told.body.get("fingerprint", "")),
            family=str(self.told.body.get("family", "")),
            through=str(self.told.body.get("through", "")),
            parameters=values,
        )
        body = {
            "fix": found[0].id,
            "general": found[-1].id if found[-1].wide else "",
            "worked": False,
            "provenance": HEURISTIC,
            "of": self.each.failed.id,
        }
        id_ = events.id_of("mined", OUTCOME, self.each.failed.project, self.session, found[0].id)
        return self.made(OUTCOME, body, self.each.ended.time if self.each.ended else 0, id_)

    def named_by(self, remedy: Remedy) -> tuple[dict[str, str], list[str]]:
        cwd = self.each.failed.cwd
        values = dict(self.told.values)
        # A hunk belongs to its file.
        kept = remedy.kind == EDITED and remedy.steps != (f"edit {remedy.file}",)
        steps = [step if kept else _general(relative(step, cwd), values) for step in remedy.steps]
        if remedy.kind == REVERTED:
            file = named(relative(remedy.file, cwd), values)
            steps = [f"take back the edit of {file}: `{step}`" for step in steps]
        used = {name: value for name, value in values.items() if any(f"{{{name}}}" in step for step in steps)}
        return used | {k: v for k, v in self.told.body.get("parameters", {}).items() if isinstance(v, str)}, steps

    def made(self, kind: str, body: Mapping[str, Any], time: int, id_: str) -> Event:
        failed = self.each.failed
        return events.make(
            kind, body, project=failed.project, tenant=self.tenant, session=self.session, agent=failed.agent, time=time,
            id=id_,
        )  # fmt: skip


def _general(step: str, values: Mapping[str, str]) -> str:
    """The step with what varies named; a changed command only where what comes follows from what goes."""
    if not is_rule(step):
        return named(step, values)
    general = named(step, values, inside=True)
    if len(set(sides(general))) == 1:
        # `./pkg` in place of `pkg` is not told by what both name.
        return step
    new, old = (compiled(_BRACED).findall(part) for part in sides(general))
    # What somebody works on is known from the failure.
    return general if not sides(general)[0] or set(old) == set(new) - {"{branch}"} else step


_BRACED = r"\{[a-z_]{1,40}\}"
