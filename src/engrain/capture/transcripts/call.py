"""A call whose answer is awaited, and the event that both become: no size or shape of either loses the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engrain.capture.session import Session
from engrain.capture.transcripts import said
from engrain.capture.transcripts.records import Unread
from engrain.errors import BadEvent
from engrain.event import Event

LONGEST = (1_000_000, 20_000, 200)
"""Characters of one text of an input; the shorter ones where the event would become too large."""


class Call(NamedTuple):
    """A tool that was used; `time` is 0 where only its answer is known."""

    session: Session
    tool: str
    given: Any
    time: int
    about: dict[str, Any]

    def answered(self, time: int, name: str, output: Any, *, failed: bool, **outcome: Any) -> Event:
        """The event of the call; `name` is the agent's own id of it."""
        if 0 < self.time <= time:
            outcome.setdefault("seconds", (time - self.time) / 1e6)
        return self._told(time, name, output, failed, {**self.about, **outcome})

    def unanswered(self, name: str) -> Event:
        """The event of a call that nothing ever answered."""
        return self._told(self.time, name, None, False, {**self.about, "unanswered": True})

    def _told(self, time: int, name: str, output: Any, failed: bool, about: dict[str, Any]) -> Event:
        for longest in LONGEST:
            given = said.lean(self.given, longest)
            left = output if isinstance(output, str) else said.lean(output, longest)
            try:
                return self.session.called(time, name, self.tool, given, left, failed=failed, **about)
            except BadEvent:
                continue
        return self.session.called(time, name, self.tool, {}, None, failed=failed, **about)


def unanswered(calls: Mapping[str, Call], unread: Unread) -> Iterator[Event]:
    """The events of calls that no answer came to; one that can be no event is counted."""
    for name, call in calls.items():
        try:
            yield call.unanswered(name)
        except BadEvent:
            unread.number += 1
